package repocheck

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
)

// root is the top of the repository: the folder with go.work.
func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.work in any folder above")
		}
		dir = parent
	}
}

// TestRepository runs every check on the repository itself.
func TestRepository(t *testing.T) {
	tree, err := Load(os.DirFS(root(t)))
	if err != nil {
		t.Fatal(err)
	}
	checks := []struct {
		name string
		run  func(*Tree) []Finding
	}{
		{"package-comments", PackageComments},
		{"exported-comments", ExportedComments},
		{"import-arrows", ImportArrows},
		{"determinism", Determinism},
		{"system-names", SystemNames},
		{"rule-ids", func(t *Tree) []Finding { return RuleIDs(t, inCatalogue, anyInCatalogue) }},
		{"dependencies", Dependencies},
		{"file-lengths", FileLengths},
		{"words", Words},
	}
	for _, check := range checks {
		t.Run(check.name, func(t *testing.T) {
			for _, f := range check.run(tree) {
				t.Error(f)
			}
		})
	}
}

func inCatalogue(id string) bool {
	_, ok := catalogue.Lookup(catalogue.RuleID(id))
	return ok
}

func anyInCatalogue(prefix string) bool {
	c, err := catalogue.System(catalogue.RuleID(prefix).System())
	if err != nil {
		return false
	}
	for _, e := range c.Entries {
		if strings.HasPrefix(string(e.ID), prefix) {
			return true
		}
	}
	return false
}
