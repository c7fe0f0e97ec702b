package attest_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/attest"
)

// The list has a word for each byte, and no two are alike.
func TestWords(t *testing.T) {
	words := attest.WordList()
	if len(words) != 256 || !slices.IsSorted(words) || len(slices.Compact(slices.Clone(words))) != 256 {
		t.Fatalf("%d words", len(words))
	}
	transcript := make([]byte, attest.Size)
	transcript[1], transcript[7] = 255, 1
	want := strings.Join([]string{"acorn", words[255], "acorn", "acorn", "acorn", "acorn", "acorn", words[1]}, " ")
	if got := attest.Words(transcript); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if attest.Words(nil) != "" {
		t.Error("words of nothing")
	}
}

// A head is read back as it was written, whatever the names, and nothing else is one.
func TestHeads(t *testing.T) {
	hash := bytes.Repeat([]byte{7}, attest.Size)
	for _, h := range []attest.Head{
		{Table: "main", Encounter: "bridge", Viewer: "spectator", Number: 3, Hash: hash},
		{Table: "a b", Encounter: "x\ny", Viewer: "player/Jo / Ann\n", Number: 0, Hash: hash},
		{Table: "main", Encounter: "e", Viewer: attest.Chain, Number: 1 << 60, Hash: hash},
		{Table: "main", Patient: "e", Viewer: attest.Chain, Number: 1, Hash: hash},
		{Table: "main", Encounter: "patient/e", Viewer: attest.Chain, Number: 1, Hash: hash},
		{Table: "main", Patient: "x/y", Viewer: "player/ann", Number: 1, Hash: hash},
	} {
		got, err := attest.ParseHead(h.Text())
		if err != nil || got.Text() != h.Text() || !got.SameOrigin(h) || got.Number != h.Number {
			t.Errorf("%q: %+v, %v", h.Text(), got, err)
		}
	}
	good := attest.Head{Table: "main", Encounter: "e", Viewer: "gm", Number: 3, Hash: hash}.Text()
	for _, bad := range []string{"", "x", good[1:], good + "x\n", strings.Replace(good, "\n3\n", "\n03\n", 1), strings.Replace(good, "gm", "gm ", 1) + "\n"} {
		if _, err := attest.ParseHead(bad); !errors.Is(err, attest.ErrBad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Keys are made once, kept from others, rotated with an endorsement, and read again by
// who runs.
func TestKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "heads.key")
	k, err := attest.OpenKeys(path, "skald", rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	again, err := attest.OpenKeys(path, "other", rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	text := attest.Head{Table: "main", Encounter: "e", Viewer: "gm", Hash: make([]byte, attest.Size)}.Text()
	one, err1 := k.Sign(text)
	two, err2 := again.Sign(text)
	if err1 != nil || err2 != nil || one != two {
		t.Fatalf("%q %v, %q %v", one, err1, two, err2)
	}
	fresh, err := attest.Rotate(path, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := k.Public()
	if err != nil || len(keys) != 2 || keys[0].Current || !keys[1].Current || keys[1].Verifier != fresh {
		t.Fatalf("%+v, %v", keys, err)
	}
	old, err := attest.Verifiers(keys[0].Verifier)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := attest.OpenHead(one, old); err != nil {
		t.Error(err)
	}
	if signed, err := k.Sign(text); err != nil {
		t.Error(err)
	} else if _, err := attest.OpenHead(signed, old); !errors.Is(err, attest.ErrBad) {
		t.Errorf("the retired key signs: %v", err)
	}
	data, err := os.ReadFile(path)
	if err != nil || strings.Count(string(data), "PRIVATE") != 1 {
		t.Errorf("the file keeps the old private half: %v", err)
	}
	tampered := strings.Replace(one, "\n0\n", "\n1\n", 1)
	if _, err := attest.OpenHead(tampered, old); !errors.Is(err, attest.ErrBad) {
		t.Errorf("a changed head: %v", err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := attest.OpenKeys(path, "skald", rand.Reader); !errors.Is(err, attest.ErrPermissions) {
		t.Errorf("a file that others read: %v", err)
	}
}

// A lost or broken file is made anew on demand alone; the break after the keys that
// were known stays in the list, rotations later as well.
func TestLostKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "heads.key")
	if _, err := attest.ReadKeys(path); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("nothing there: %v", err)
	}
	if _, err := attest.OpenKeys(path, "skald", rand.Reader); err != nil {
		t.Fatal(err)
	}
	first, err := attest.Rotate(path, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := attest.Replace(path, "skald", nil, rand.Reader); !errors.Is(err, attest.ErrThere) {
		t.Errorf("a file that signs is replaced: %v", err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := attest.ParseKeys(string(data)); err != nil {
		t.Error(err)
	}
	for i := range data { // whichever character is another, it is seen
		if data[i] == '\n' || data[i] == ' ' {
			continue
		}
		bad := bytes.Clone(data)
		if bad[i] ^= 1; bad[i] == '\n' {
			continue
		}
		if k, err := attest.ParseKeys(string(bad)); err == nil {
			if keys, err := k.Public(); err != nil || keys[1].Verifier != first {
				t.Fatalf("byte %d: %v, %v", i, keys, err)
			}
		} else if !errors.Is(err, attest.ErrBad) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	if err := os.WriteFile(path, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := attest.Replace(path, "skald", []string{"skald+00+AA"}, rand.Reader); !errors.Is(err, attest.ErrBad) {
		t.Errorf("a known key that is none: %v", err)
	}
	second, err := attest.Replace(path, "skald", []string{first}, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(path + ".broken-1"); err != nil || !bytes.Equal(kept, data[:len(data)/2]) {
		t.Errorf("what was there: %q, %v", kept, err)
	}
	third, err := attest.Rotate(path, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	k, err := attest.ReadKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := k.Public()
	if err != nil || len(keys) != 3 || keys[0].Verifier != first || keys[1].Verifier != second || keys[2].Verifier != third || !keys[2].Current {
		t.Fatalf("%+v, %v", keys, err)
	}
	if keys[1].Endorsement != "" || keys[2].Endorsement == "" {
		t.Errorf("the break: %+v", keys)
	}
}
