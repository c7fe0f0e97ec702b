package decided_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/internal/decided"
)

func TestShelf(t *testing.T) {
	file := filepath.Join(t.TempDir(), "testdata", "decided.txt")
	open := func(how string) *decided.Shelf {
		s, err := decided.Open(file, how)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	type row struct{ test, digest, fails string }
	judge := func(how string, rows ...row) {
		t.Helper()
		s := open(how)
		for _, r := range rows {
			err := s.Judge(r.test, r.digest)
			if (err == nil) != (r.fails == "") || err != nil && !strings.Contains(err.Error(), r.fails) {
				t.Errorf("%q: %s %s: %v, want %q", how, r.test, r.digest, err, r.fails)
			}
		}
	}
	judge("", row{"TestA/one", "11", "-run '^TestA$'"})
	judge("off", row{"TestA/one", "11", ""})
	judge("write", row{"TestA/one", "11", ""}, row{"TestA/one#01", "22", ""}, row{"TestB", "33", ""}, row{"TestC", "44", ""})
	judge("", row{"TestA/one", "22", ""}, row{"TestA/one#01", "11", ""}, row{"TestB", "33", ""}, row{"TestB", "34", "(33, now 34)"})
	judge("write", row{"TestA/one", "12", ""}) // of those written before none is left
	judge("", row{"TestA/one", "12", ""}, row{"TestA/one", "11", "now 11"}, row{"TestC", "44", ""})
	judge("chance", row{"TestB", "33", ""}, row{"TestC", "45", ""}, row{"TestC", "46", ""})
	judge("", row{"TestB", "35", "now 35"}, row{"TestC", "47", ""})
	judge("write", row{"TestC", "48", ""}) // stays marked
	judge("", row{"TestC", "49", ""})
	data, err := os.ReadFile(file)
	if err != nil || !strings.HasSuffix(string(data), "\nTestA/one 12\nTestB 33\nTestC *\n") {
		t.Errorf("%v\n%s", err, data)
	}
	if err := os.WriteFile(file, []byte(strings.Repeat("x", 1<<17)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := decided.Open(file, ""); err == nil {
		t.Error("a line without an end is taken")
	}
	if _, err := decided.Open(t.TempDir(), ""); err == nil {
		t.Error("a folder is taken")
	}
}
