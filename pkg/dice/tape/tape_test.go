package tape_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"pgregory.net/rapid"
)

var (
	_ dice.Source = (*tape.Tape)(nil)

	testRoot    = tape.Root([]byte("a root of exactly thirty-two b.."))
	testAddress = tape.Address{Encounter: "emberfall", Action: 7, Label: "attack/1/to-hit"}
)

func seedOf(t testing.TB, a tape.Audience) tape.Seed {
	t.Helper()
	s, err := tape.Branch(testRoot, "emberfall", 0, a)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func keyOf(t testing.TB, entropy ...tape.Contribution) tape.Key {
	t.Helper()
	k, err := tape.TapeKey(seedOf(t, tape.Everyone), entropy)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// faces draws n faces of a die at an address.
func faces(t testing.TB, k tape.Key, p tape.Purpose, a tape.Address, sides, n int) []int {
	t.Helper()
	tp, err := tape.Open(k, p, a)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]int, n)
	for i := range out {
		if out[i], err = tp.Face(sides); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// T2: an address can be read back from its bytes, so that no two share them.
func TestAddressUnambiguous(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := tape.Address{
			Encounter: rapid.String().Draw(t, "encounter"), Epoch: rapid.Uint32().Draw(t, "epoch"),
			Action: rapid.Uint64().Draw(t, "action"), Label: rapid.String().Draw(t, "label"), Index: rapid.Uint32().Draw(t, "index"),
		}
		b := a.AppendTo(nil)
		text := func() string {
			n := binary.BigEndian.Uint32(b)
			s := string(b[4 : 4+n])
			b = b[4+n:]
			return s
		}
		var got tape.Address
		got.Encounter = text()
		got.Epoch, b = binary.BigEndian.Uint32(b), b[4:]
		got.Action, b = binary.BigEndian.Uint64(b), b[8:]
		got.Label = text()
		got.Index, b = binary.BigEndian.Uint32(b), b[4:]
		if got != a || len(b) != 0 {
			t.Fatalf("%+v reads back as %+v", a, got)
		}
	})
}

// T1, T3, T4: whatever differs in what a face depends on gives another tape.
func TestTapesDiffer(t *testing.T) {
	k := keyOf(t)
	other := func(change func(*tape.Address)) tape.Address {
		a := testAddress
		change(&a)
		return a
	}
	gm, err := tape.TapeKey(seedOf(t, tape.GM), nil)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		key     tape.Key
		purpose tape.Purpose
		address tape.Address
	}
	rows := map[string]row{
		"real":      {k, tape.Real, testAddress},
		"preview":   {k, tape.Preview, testAddress},
		"fork":      {k, tape.Fork, testAddress},
		"gm":        {gm, tape.Real, testAddress},
		"entropy":   {keyOf(t, tape.Contribution{Contributor: "bo"}), tape.Real, testAddress},
		"encounter": {k, tape.Real, other(func(a *tape.Address) { a.Encounter = "emberfall2" })},
		"epoch":     {k, tape.Real, other(func(a *tape.Address) { a.Epoch = 1 })},
		"action":    {k, tape.Real, other(func(a *tape.Address) { a.Action = 8 })},
		"label":     {k, tape.Real, other(func(a *tape.Address) { a.Label = "attack/1/damage" })},
		"index":     {k, tape.Real, other(func(a *tape.Address) { a.Index = 1 })},
	}
	seen := map[string]string{}
	for name, r := range rows {
		row := fmt.Sprint(faces(t, r.key, r.purpose, r.address, 1_000_000, 8))
		if seen[row] != "" {
			t.Errorf("%s and %s show the same faces", name, seen[row])
		}
		seen[row] = name
		if again := fmt.Sprint(faces(t, r.key, r.purpose, r.address, 1_000_000, 8)); again != row {
			t.Errorf("%s opened again shows other faces", name)
		}
	}
}

// T1: a fight with an action inserted keeps every other roll's faces, and one
// expression's dice are served in order by its tape.
func TestInsertedAction(t *testing.T) {
	k, e := keyOf(t), dice.MustParse("2d20kh1+1d6!")
	roll := func(action uint64) string {
		tp, err := tape.Open(k, tape.Real, tape.Address{Encounter: "emberfall", Action: action, Label: "attack"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Eval(tp, dice.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(r.Faces)
	}
	before := map[uint64]string{}
	for _, action := range []uint64{1, 2, 4, 5} {
		before[action] = roll(action)
	}
	for _, action := range []uint64{5, 3, 1, 4, 2} {
		if got := roll(action); before[action] != "" && got != before[action] {
			t.Errorf("action %d rolled %s, then %s", action, before[action], got)
		}
	}
}

// The order in which entropy is given does not matter; everything else does.
func TestEntropy(t *testing.T) {
	a, b := tape.Contribution{Contributor: "ana", Bytes: []byte("1")}, tape.Contribution{Contributor: "bo", Bytes: []byte("2")}
	given := []tape.Contribution{b, a}
	if keyOf(t, a, b) != keyOf(t, given...) {
		t.Error("order matters")
	}
	if given[0].Contributor != "bo" {
		t.Error("the caller's slice was sorted")
	}
	keys := map[tape.Key]bool{}
	for _, e := range [][]tape.Contribution{
		{}, {a}, {b}, {a, b}, {{Contributor: "ana", Bytes: []byte("2")}}, {{Contributor: "ana1"}},
		{{Contributor: "an", Bytes: []byte("a1")}}, {{Bytes: []byte("ana1")}},
	} {
		keys[keyOf(t, e...)] = true
	}
	if len(keys) != 8 {
		t.Errorf("8 different entropies gave %d keys", len(keys))
	}
	if _, err := tape.TapeKey(seedOf(t, tape.GM), []tape.Contribution{a, b, a}); !errors.Is(err, tape.ErrContributor) {
		t.Errorf("a contributor twice: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	for _, a := range []tape.Audience{"", "Everyone", "creature/", "creature", "player/1"} {
		if _, err := tape.Branch(testRoot, "e", 0, a); !errors.Is(err, tape.ErrAudience) {
			t.Errorf("audience %q: %v", a, err)
		}
	}
	if !tape.Creature("jeera").Valid() {
		t.Error("a creature's audience is valid")
	}
	if _, err := tape.Open(keyOf(t), "really", testAddress); !errors.Is(err, tape.ErrPurpose) {
		t.Errorf("purpose: %v", err)
	}
	tp, err := tape.Open(keyOf(t), tape.Real, testAddress)
	if err != nil {
		t.Fatal(err)
	}
	for _, sides := range []int{0, -1, 1<<32 + 1} {
		if _, err := tp.Face(sides); !errors.Is(err, tape.ErrSides) {
			t.Errorf("%d sides: %v", sides, err)
		}
	}
	if f, err := tp.Face(1); f != 1 || err != nil {
		t.Errorf("a die of one side: %d, %v", f, err)
	}
	if _, err := tape.NewRoot(strings.NewReader("short")); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("short randomness: %v", err)
	}
	if r, err := tape.NewRoot(bytes.NewReader(testRoot[:])); err != nil || r != testRoot {
		t.Errorf("new root: %v", err)
	}
}

// T5: secrets do not slip into logs.
func TestSecretsDoNotPrint(t *testing.T) {
	secret := [32]byte(bytes.Repeat([]byte{0xAB}, 32))
	for _, v := range []any{
		tape.Root(secret), tape.Seed(secret), tape.Key(secret), tape.Master{ID: "k", Key: secret},
		struct{ R tape.Root }{secret}, &struct{ M tape.Master }{tape.Master{Key: secret}},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			text := strings.ToLower(fmt.Sprintf(verb, v))
			if strings.Contains(text, "171") || strings.Contains(text, "abab") || strings.Contains(text, "0xab") {
				t.Errorf("%s prints %s", verb, text)
			}
		}
	}
}

func TestSeal(t *testing.T) {
	old, young := tape.Master{ID: "2025", Key: [32]byte{1}}, tape.Master{ID: "2026", Key: [32]byte{2}}
	random := strings.NewReader(strings.Repeat("nonce bytes ", 3))
	sealed, err := tape.Seal(old, testRoot, "emberfall", random)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(sealed, testRoot[:8]) {
		t.Error("the seal shows the root")
	}
	if id, err := tape.SealedBy(sealed); id != "2025" || err != nil {
		t.Errorf("sealed by %q, %v", id, err)
	}
	// Rotation: open with the old key, seal with the new.
	root, err := tape.Unseal(old, sealed, "emberfall")
	if err != nil || root != testRoot {
		t.Fatalf("unseal: %v", err)
	}
	again, err := tape.Seal(young, root, "emberfall", random)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := tape.Unseal(young, again, "emberfall"); err != nil || r != testRoot {
		t.Fatalf("unseal after rotation: %v", err)
	}
	refused := func(name string, m tape.Master, b []byte, encounter string) {
		t.Helper()
		if r, err := tape.Unseal(m, b, encounter); !errors.Is(err, tape.ErrSealed) || r != (tape.Root{}) {
			t.Errorf("%s: %v", name, err)
		}
	}
	refused("another encounter", old, sealed, "emberfall2")
	refused("another key id", young, sealed, "emberfall")
	refused("another key", tape.Master{ID: "2025"}, sealed, "emberfall")
	refused("nothing", old, nil, "emberfall")
	for i := range sealed {
		changed := bytes.Clone(sealed)
		changed[i] ^= 1
		refused(fmt.Sprintf("byte %d changed", i), old, changed, "emberfall")
		refused(fmt.Sprintf("cut to %d bytes", i), old, sealed[:i], "emberfall")
	}
	refused("longer", old, append(bytes.Clone(sealed), 0), "emberfall")
	for _, id := range []string{"", strings.Repeat("x", 256)} {
		if _, err := tape.Seal(tape.Master{ID: id}, testRoot, "e", random); !errors.Is(err, tape.ErrMaster) {
			t.Errorf("key id of %d bytes: %v", len(id), err)
		}
	}
	if _, err := tape.Seal(old, testRoot, "e", strings.NewReader("short")); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("short nonce: %v", err)
	}
}

func FuzzUnseal(f *testing.F) {
	m := tape.Master{ID: "k", Key: [32]byte{3}}
	sealed, err := tape.Seal(m, testRoot, "e", strings.NewReader("nonce bytes "))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sealed)
	f.Add([]byte{1, 1, 'k'})
	f.Add([]byte{1, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		root, err := tape.Unseal(m, b, "e")
		if err == nil && (root != testRoot || !bytes.Equal(b, sealed)) {
			t.Fatalf("%x opens", b)
		}
		if err != nil && !errors.Is(err, tape.ErrSealed) {
			t.Fatal(err)
		}
	})
}

func BenchmarkTape(b *testing.B) {
	k := keyOf(b)
	b.Run("face", func(b *testing.B) {
		tp, _ := tape.Open(k, tape.Real, testAddress)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := tp.Face(20); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("open and one face", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tp, _ := tape.Open(k, tape.Real, testAddress)
			if _, err := tp.Face(20); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("1d20 rolled at an address", func(b *testing.B) {
		e := dice.MustParse("1d20")
		b.ReportAllocs()
		for b.Loop() {
			tp, _ := tape.Open(k, tape.Real, testAddress)
			if _, err := e.Eval(tp, dice.Limits{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
