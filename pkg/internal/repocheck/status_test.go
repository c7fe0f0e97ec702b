package repocheck

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/skaldrpg/skald/pkg/catalogue"
)

var update = flag.Bool("update", false, "write the statuses of the rules anew")

// TestStatuses: a rule says that it is decided when code decides by it, and only
// then.
func TestStatuses(t *testing.T) {
	top := root(t)
	tree, err := Load(os.DirFS(top))
	if err != nil {
		t.Fatal(err)
	}
	cited := Cited(tree, idOfConst(t))
	all, err := catalogue.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		want, stale := map[string]catalogue.Status{}, false
		for _, e := range c.Entries {
			status := statusOf(e, cited)
			want[string(e.ID)] = status
			if e.Status != status {
				stale = true
				if !*update {
					t.Errorf("%s says that it is %s and is %s: run go test ./internal/repocheck -run TestStatuses -update in pkg", e.ID, e.Status, status)
				}
			}
		}
		if stale && *update {
			writeStatuses(t, filepath.Join(top, "pkg", "content", c.System, "rules.yaml"), want)
		}
	}
}

func statusOf(e catalogue.Entry, cited map[string]bool) catalogue.Status {
	switch {
	case cited[string(e.ID)]:
		return catalogue.StatusDecided
	case e.Weight == catalogue.Advice:
		return catalogue.StatusAdvice
	}
	return catalogue.StatusOpen
}

// idOfConst finds rules by the names of their constants.
func idOfConst(t *testing.T) func(system, name string) string {
	all, err := catalogue.All()
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]string{}
	for _, c := range all {
		for _, e := range c.Entries {
			ids[c.System+" "+e.ID.Const()] = string(e.ID)
		}
	}
	return func(system, name string) string { return ids[system+" "+name] }
}

var (
	idLine     = regexp.MustCompile(`^  - id: (\S+)$`)
	statusLine = regexp.MustCompile(`^    status: \w+$`)
)

func writeStatuses(t *testing.T, file string, want map[string]catalogue.Status) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines, id := strings.Split(string(raw), "\n"), ""
	for i, line := range lines {
		if m := idLine.FindStringSubmatch(line); m != nil {
			id = m[1]
		} else if statusLine.MatchString(line) {
			lines[i] = "    status: " + string(want[id])
		}
	}
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestCited(t *testing.T) {
	files := map[string]string{
		"pkg/rules/rcr/a.go":               "package rcr\n\nimport \"" + modulePrefix + "pkg/content/rcr/cite\"\n\n// rcr.dice.one\nvar a = cite.DiceTwo\n\nvar b = \"rcr.dice.three\"\n",
		"pkg/rules/rcr/a_test.go":          "package rcr\n\n// rcr.dice.four\n",
		"pkg/rules/rcr/other.go":           "package rcr\n\nvar cite struct{ DiceTwo, DiceFive int }\n\nvar c = cite.DiceFive\n",
		"pkg/render/r.go":                  "package render\n\n// rcr.dice.six\n",
		"pkg/content/rcr/tables/t.csv":     "rule\nrcr.dice.seven\n",
		"pkg/content/rcr/tables/words.csv": "rule\nrcr.dice.eight\n",
	}
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	got := Cited(tree, func(system, name string) string {
		return map[string]string{"rcr DiceTwo": "rcr.dice.two", "rcr DiceFive": "rcr.dice.five"}[system+" "+name]
	})
	for id, want := range map[string]bool{"rcr.dice.one": true, "rcr.dice.two": true, "rcr.dice.three": true, "rcr.dice.four": false,
		"rcr.dice.five": false, "rcr.dice.six": false, "rcr.dice.seven": true, "rcr.dice.eight": false} {
		if got[id] != want {
			t.Errorf("%s cited: %v, want %v", id, got[id], want)
		}
	}
}
