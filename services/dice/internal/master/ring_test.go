package master

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/dice/tape"
)

var (
	rawA = bytes.Repeat([]byte{0xa1}, 32)
	hexA = hex.EncodeToString(rawA)
	hexB = hex.EncodeToString(bytes.Repeat([]byte{0xb2}, 32))
)

func TestParse(t *testing.T) {
	unnamed := idOf([32]byte(rawA))
	for _, tt := range []struct {
		name, text, current string
		keys                int
	}{
		{"hexadecimal", hexA, unnamed, 1},
		{"base64", base64.StdEncoding.EncodeToString(rawA), unnamed, 1},
		{"base64 without padding", base64.RawStdEncoding.EncodeToString(rawA), unnamed, 1},
		{"named", "k1:" + hexA, "k1", 1},
		{"longest id", strings.Repeat("x", 64) + ":" + hexA, strings.Repeat("x", 64), 1},
		{"two by comma", "k2:" + hexB + ", k1:" + hexA, "k2", 2},
		{"file", "# new\nk2:" + hexB + "\n\n# old\n  k1:" + hexA + "\n", "k2", 2},
	} {
		r, err := Parse(tt.text)
		if err != nil || r.Current() != tt.current || len(r.byID) != tt.keys {
			t.Errorf("%s: %v, %v", tt.name, r, err)
		}
	}
	for name, text := range map[string]string{
		"nothing": "", "remarks alone": "# " + hexA, "short": hexA[2:], "long": hexA + "00", "neither form": "k:" + strings.Repeat("z!", 32),
		"id twice": "k:" + hexA + ",k:" + hexB, "key twice": hexA + "," + hexA, "empty id": ":" + hexA,
		"id with a space": "a b:" + hexA, "long id": strings.Repeat("x", 65) + ":" + hexA,
	} {
		r, err := Parse(text)
		if !errors.Is(err, ErrKeys) || r != nil {
			t.Errorf("%s: %v, %v", name, r, err)
		}
		if err != nil && (strings.Contains(err.Error(), hexA[4:40]) || strings.Contains(err.Error(), "z!z!")) {
			t.Errorf("%s: the error quotes the key: %v", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"", hexA, "k:" + hexA + ",j:" + hexB, "# x\n", "a:b:c", "=:=", "\xff:\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse(text)
		if (err == nil) != (r != nil) {
			t.Fatalf("ring %v and error %v", r, err)
		}
		if r == nil {
			return
		}
		if _, ok := r.byID[r.Current()]; !ok {
			t.Error("the current key is not in the ring")
		}
		if _, sealed, err := r.Seal(tape.Root{1}, "s", rand.Reader); err != nil {
			t.Error(err)
		} else if root, err := r.Open(sealed, "s"); err != nil || root != (tape.Root{1}) {
			t.Errorf("opened %v", err)
		}
	})
}

func TestSealedForOneScopeByOneKey(t *testing.T) {
	root := tape.Root{7}
	old, err := Parse("old:" + hexA)
	if err != nil {
		t.Fatal(err)
	}
	id, sealed, err := old.Seal(root, "table.fight", rand.Reader)
	if err != nil || id != "old" {
		t.Fatal(id, err)
	}
	for _, tt := range []struct {
		name, keys, scope string
		want              error
	}{
		{"same", "old:" + hexA, "table.fight", nil},
		{"rotated", "new:" + hexB + ",old:" + hexA, "table.fight", nil},
		{"another scope", "old:" + hexA, "table.other", ErrWrongKey},
		{"another key of the id", "old:" + hexB, "table.fight", ErrWrongKey},
		{"key gone", "new:" + hexB, "table.fight", ErrUnknownKey},
	} {
		r, err := Parse(tt.keys)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Open(sealed, tt.scope)
		if !errors.Is(err, tt.want) || tt.want == nil && got != root {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := old.Open([]byte("junk"), "table.fight"); !errors.Is(err, ErrWrongKey) {
		t.Errorf("junk: %v", err)
	}
	if strings.Contains(fmt.Sprintf("%v %+v %s", old, old, old), hexA) {
		t.Error("a ring prints its key")
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "k")
	if _, err := Load(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	made, err := Create(path, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, rand.Reader); !errors.Is(err, fs.ErrExist) {
		t.Errorf("second creation: %v", err)
	}
	read, err := Load(path)
	if err != nil || read.current != made.current {
		t.Errorf("read back: %v", err)
	}
	for _, mode := range []fs.FileMode{0o640, 0o604, 0o660, 0o700, 0o666} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); !errors.Is(err, ErrPermissions) {
			t.Errorf("mode %04o: %v", mode, err)
		}
	}
	for _, mode := range []fs.FileMode{0o600, 0o400} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); err != nil {
			t.Errorf("mode %04o: %v", mode, err)
		}
	}
	if _, err := Load(filepath.Dir(path)); !errors.Is(err, ErrKeys) {
		t.Errorf("a folder: %v", err)
	}
	for size, want := range map[int]error{maxFile: nil, maxFile + 1: ErrKeys} {
		long := filepath.Join(t.TempDir(), "k")
		text := "k:" + hexA + "\n" + strings.Repeat("#", size-len(hexA)-3)
		if err := os.WriteFile(long, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(long); !errors.Is(err, want) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("files left behind: %v, %v", left, err)
	}
	short := bytes.NewReader(make([]byte, 31))
	if _, err := Create(path+"2", short); err == nil {
		t.Error("a key of too few random bytes")
	}
}
