package tape_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"sort"
	"testing"

	"github.com/skaldrpg/skald/pkg/dice/tape"
)

// hexBytes is a byte string written in hexadecimal.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(text))
	*h = b
	return err
}

type vectorAddress struct {
	Encounter string
	Epoch     uint32
	Action    uint64
	Label     string
	Index     uint32
}

// vectors is testdata/vectors.json, which was written by an implementation in
// another language from the layouts in docs/DICE.md.
type vectors struct {
	Branches []struct {
		Root       hexBytes
		Encounter  string
		Epoch      uint32
		Audience   string
		Seed       hexBytes
		Commitment hexBytes
	}
	Keys []struct {
		Seed    hexBytes
		Entropy []struct {
			Contributor string
			Bytes       hexBytes
		}
		Key hexBytes
	}
	Addresses []struct {
		Address vectorAddress
		Bytes   hexBytes
	}
	Tapes []struct {
		Key     hexBytes
		Purpose string
		Address vectorAddress
		Block0  hexBytes
		Sides   []int
		Faces   []int
		Skipped int
	}
	Seals []struct {
		ID        string
		Master    hexBytes
		Encounter string
		Nonce     hexBytes
		Root      hexBytes
		Sealed    hexBytes
	}
}

func readVectors(t *testing.T) vectors {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if len(v.Branches) == 0 || len(v.Keys) == 0 || len(v.Addresses) == 0 || len(v.Tapes) == 0 || len(v.Seals) == 0 {
		t.Fatal("a table of vectors is empty")
	}
	return v
}

func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%s: %x, want %x", what, got, want)
	}
}

// The package against the vectors.
func TestVectors(t *testing.T) {
	v := readVectors(t)
	for _, b := range v.Branches {
		seed, err := tape.Branch(tape.Root(b.Root), b.Encounter, b.Epoch, tape.Audience(b.Audience))
		if err != nil {
			t.Fatal(err)
		}
		same(t, "seed", seed[:], b.Seed)
		c := tape.Commitment(seed)
		same(t, "commitment", c[:], b.Commitment)
	}
	for _, k := range v.Keys {
		var entropy []tape.Contribution
		for _, e := range k.Entropy {
			entropy = append(entropy, tape.Contribution{Contributor: e.Contributor, Bytes: e.Bytes})
		}
		key, err := tape.TapeKey(tape.Seed(k.Seed), entropy)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "key", key[:], k.Key)
	}
	for _, a := range v.Addresses {
		same(t, "address", tape.Address(a.Address).AppendTo(nil), a.Bytes)
	}
	for _, p := range v.Tapes {
		tp, err := tape.Open(tape.Key(p.Key), tape.Purpose(p.Purpose), tape.Address(p.Address))
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range p.Sides {
			if f, err := tp.Face(s); err != nil || f != p.Faces[i] {
				t.Errorf("%s %v: face %d is %d, %v, want %d", p.Purpose, p.Address, i, f, err, p.Faces[i])
			}
		}
	}
	for _, s := range v.Seals {
		m := tape.Master{ID: s.ID, Key: [32]byte(s.Master)}
		sealed, err := tape.Seal(m, tape.Root(s.Root), s.Encounter, bytes.NewReader(s.Nonce))
		if err != nil {
			t.Fatal(err)
		}
		same(t, "seal", sealed, s.Sealed)
		root, err := tape.Unseal(m, s.Sealed, s.Encounter)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "root", root[:], s.Root)
	}
}

// What follows derives the vectors once more, from docs/DICE.md alone: it uses
// nothing of the package.

func str(s string) []byte { return append(u32(uint32(len(s))), s...) }
func u32(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }
func u64(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

func hmacOf(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

func addressOf(a vectorAddress) []byte {
	return bytes.Join([][]byte{str(a.Encounter), u32(a.Epoch), u64(a.Action), str(a.Label), u32(a.Index)}, nil)
}

func TestVectorsFromTheDocument(t *testing.T) {
	v := readVectors(t)
	for _, b := range v.Branches {
		seed := hmacOf(b.Root, str("skald.dice.v1.branch"), str(b.Encounter), u32(b.Epoch), str(b.Audience))
		same(t, "seed", seed, b.Seed)
		c := sha256.Sum256(append(str("skald.dice.v1.commitment"), seed...))
		same(t, "commitment", c[:], b.Commitment)
	}
	for _, k := range v.Keys {
		sort.Slice(k.Entropy, func(i, j int) bool { return k.Entropy[i].Contributor < k.Entropy[j].Contributor })
		m := append(str("skald.dice.v1.entropy"), u32(uint32(len(k.Entropy)))...)
		for _, e := range k.Entropy {
			m = append(append(m, str(e.Contributor)...), str(string(e.Bytes))...)
		}
		d := sha256.Sum256(m)
		same(t, "key", hmacOf(k.Seed, str("skald.dice.v1.tape-key"), d[:]), k.Key)
	}
	for _, a := range v.Addresses {
		same(t, "address", addressOf(a.Address), a.Bytes)
	}
	for _, p := range v.Tapes {
		block := func(j uint64) []byte {
			return hmacOf(p.Key, str("skald.dice.v1.faces"), str(p.Purpose), addressOf(p.Address), u64(j))
		}
		same(t, "block", block(0), p.Block0)
		at, skipped := 0, 0
		for i := 0; i < len(p.Sides); {
			word := uint64(binary.BigEndian.Uint32(block(uint64(at / 8))[at%8*4:]))
			at++
			s := uint64(p.Sides[i])
			if word >= 4294967296-4294967296%s {
				skipped++
				continue
			}
			if f := int(word%s) + 1; f != p.Faces[i] {
				t.Errorf("face %d is %d, want %d", i, f, p.Faces[i])
			}
			i++
		}
		if skipped != p.Skipped {
			t.Errorf("%d words skipped, want %d", skipped, p.Skipped)
		}
	}
	for _, s := range v.Seals {
		block, _ := aes.NewCipher(s.Master)
		gcm, _ := cipher.NewGCM(block)
		data := bytes.Join([][]byte{str("skald.dice.v1.seal"), str(s.Encounter), str(s.ID)}, nil)
		want := append([]byte{1, byte(len(s.ID))}, s.ID...)
		want = append(want, s.Nonce...)
		same(t, "seal", gcm.Seal(want, s.Nonce, s.Root, data), s.Sealed)
	}
}

// The vectors printed in docs/DICE.md are those of the file.
func TestDocumentedVectors(t *testing.T) {
	text, err := os.ReadFile("../../../docs/DICE.md")
	if err != nil {
		t.Skip("the document is not part of this checkout")
	}
	v := readVectors(t)
	for _, b := range [][]byte{
		v.Branches[0].Root, v.Branches[0].Seed, v.Branches[0].Commitment, v.Keys[0].Key, v.Addresses[0].Bytes, v.Tapes[0].Block0,
	} {
		if !bytes.Contains(text, []byte("  "+hex.EncodeToString(b))) {
			t.Errorf("%x is not in the document", b)
		}
	}
}
