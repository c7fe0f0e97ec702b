package systems_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// renamedPage is the page of the tables.
const renamedPage = "../../docs/RENAMED.md"

// stillRead is the note of an old name that the rules read themselves, too.
const stillRead = "the rules read the old name too"

// eachSystem runs a test for every system, with its table and vocabulary.
func eachSystem(t *testing.T, do func(t *testing.T, sys rules.System, n *rules.Renames, v *rules.Vocabulary)) {
	for _, id := range systems.Registry().IDs() {
		t.Run(id, func(t *testing.T) {
			sys, err := systems.Registry().System(id)
			if err != nil {
				t.Fatal(err)
			}
			n := rules.RenamesOf(sys)
			if n == nil || len(n.Rows) == 0 {
				t.Fatal("no table of renames")
			}
			do(t, sys, n, rules.VocabularyOf(sys))
		})
	}
}

// known tells whether a name, which may be the beginning of names, is in the
// vocabulary, for any action.
func known(v *rules.Vocabulary, place, name string) bool {
	name, _, _ = strings.Cut(strings.TrimSuffix(name, "SIZE"), "*")
	for _, w := range v.Words {
		if w.Place == place && (w.Name == name || strings.HasSuffix(w.Name, ".") && strings.HasPrefix(name, w.Name)) {
			return true
		}
	}
	return name == ""
}

// What a table leads to is in the vocabulary, and what it leads away from is not.
func TestRenamesLeadToWords(t *testing.T) {
	eachSystem(t, func(t *testing.T, _ rules.System, n *rules.Renames, v *rules.Vocabulary) {
		for _, w := range n.Rows {
			if w.Place == rules.PlaceHarm || strings.Contains(w.New, "ready.") {
				continue // no words of a vocabulary
			}
			// Of the encounter, which has no vocabulary.
			if w.New != "" && w.New != "clock" && !known(v, w.To, w.New) {
				t.Errorf("%s %s becomes %s %s, which is no word", w.Place, w.Old, w.To, w.New)
			}
			named := w.Place == rules.PlaceCounter || w.Place == rules.PlaceMark || w.Place == rules.PlaceCondition
			if named && !w.Kept && w.OldValue == "" && v.Find(w.Place, "", w.Old) != nil && w.Note != stillRead {
				t.Errorf("%s %s is gone and still a word", w.Place, w.Old)
			}
		}
	})
}

// What creatures of recorded fights, most of them of builds before, would have brought
// home is all of today's words when it is read again.
func TestRenamedCreaturesOfOlderFightsHaveTodaysWords(t *testing.T) {
	eachSystem(t, func(t *testing.T, sys rules.System, _ *rules.Renames, v *rules.Vocabulary) {
		sets, err := recorded.SetsOf(sys.Info().ID)
		if err != nil {
			t.Fatal(err)
		}
		checked, older := 0, 0
		for _, set := range sets {
			fights, err := recorded.Load(set, sys.Info().ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range fights {
				s := proto.Clone(f.States["gm"]).(*eventv1.State)
				if s.SystemVersion < sys.Info().Version {
					older++
				}
				event.Ready(s)
				rules.Upgrade(sys, s)
				for _, id := range rules.SortedKeys(s.Creatures) {
					c := s.Creatures[id]
					for _, name := range rules.SortedKeys(c.Counters) {
						if checked++; v.Find(rules.PlaceCounter, "", name) == nil {
							t.Errorf("%s: %s: counter %s", f.Name, id, name)
						}
					}
					for _, name := range rules.SortedKeys(c.Marks) {
						if checked++; v.Find(rules.PlaceMark, "", name) == nil {
							t.Errorf("%s: %s: mark %s=%s", f.Name, id, name, c.Marks[name])
						}
					}
					for _, x := range c.Conditions {
						if checked++; v.Find(rules.PlaceCondition, "", x.Name) == nil {
							t.Errorf("%s: %s: condition %s", f.Name, id, x.Name)
						}
					}
				}
			}
		}
		if checked == 0 || older == 0 {
			t.Errorf("%d words were checked, of %d older fights", checked, older)
		}
	})
}

// docs/RENAMED.md says what the tables say.
func TestRenamedPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Names that were other ones\n\n" +
		"What rule systems call other than builds before version 3 of them did. Patients recorded by those builds are read by\n" +
		"the new names; scenarios and programs need the change (`skald scenario rename` makes what it can of it). A name that\n" +
		"ends in a point or a stroke is the beginning of names, and `name=value` a name with its value. What became nothing is no longer kept as such;\n" +
		"the note says what stands for it. This page is made from `pkg/content/<system>/renamed.csv`\n" +
		"(`go test ./systems -run TestRenamedPage -update` in `pkg`).\n")
	eachSystem(t, func(t *testing.T, sys rules.System, n *rules.Renames, _ *rules.Vocabulary) {
		fmt.Fprintf(&b, "\n## %s\n\n| place | old | new | note |\n|---|---|---|---|\n", sys.Info().ID)
		for _, w := range n.Rows {
			fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", w.Place, w.OldWords(), w.NewWords(), w.Note)
		}
	})
	if *update {
		if err := os.WriteFile(renamedPage, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(renamedPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != b.String() {
		t.Error("docs/RENAMED.md is not what the tables say: run go test ./systems -run TestRenamedPage -update in pkg")
	}
}
