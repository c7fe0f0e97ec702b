package rcr

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a condition of content brings with it comes whoever lays it, is there as long as it is,
// and no longer, however it ends; what a creature has from elsewhere stays, and what cannot take
// hold of it does not come.
func TestWhatAConditionBringsEndsWithIt(t *testing.T) {
	files := map[string]string{
		"conditions.yaml": "- {id: tarred, title: Tarred, implies: [sooted]}\n- {id: sooted, title: Sooted, implies: [blinded]}\n",
		"feats.yaml":      "- {id: dark-eyes, title: Dark eyes, effects: [{immunity: {conditions: [blinded]}}]}\n",
	}
	for name, c := range map[string]struct {
		before string // a condition that b has already
		change func(*eventv1.Sheet, *eventv1.RcrSheet)
		has    string
		left   string
	}{
		"nothing else":        {"", nil, "tarred sooted blinded", ""},
		"blinded before":      {"blinded", nil, "blinded tarred sooted", "blinded"},
		"immune by its sheet": {"", func(_ *eventv1.Sheet, r *eventv1.RcrSheet) { r.ConditionImmunities = []string{"blinded"} }, "tarred sooted", ""},
		"immune by content":   {"", func(s *eventv1.Sheet, _ *eventv1.RcrSheet) { s.Feats = []string{"dark-eyes"} }, "tarred sooted", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := packTable(t, files)
			b := fighter("b", "monsters")
			if c.change != nil {
				c.change(b, b.GetRcr())
			}
			f.add(fighter("a", "party"), b).start(nil, 20, 10)
			if c.before != "" {
				f.Afflict("b", c.before)
			}
			f.Afflict("b", "tarred")
			names := func() string {
				var out []string
				for _, x := range f.Creature("b").Conditions {
					out = append(out, x.Name)
				}
				return strings.Join(out, " ")
			}
			if got := names(); got != c.has {
				t.Errorf("has %q, want %q", got, c.has)
			}
			if x := body.Condition(f.Creature("b"), "sooted"); x.GetRule() != "house.t.tarred" || x.GetCause() != "tarred" {
				t.Errorf("sooted by %v", x)
			}
			notes := 0
			for _, e := range f.Events {
				if strings.HasPrefix(e.GetNote().GetText(), "immune to blinded") {
					notes++
				}
			}
			if notes > 1 {
				t.Errorf("that it is immune is said %d times", notes)
			}
			f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "b", RemoveConditions: []string{"tarred"}}}})
			if got := names(); got != c.left {
				t.Errorf("left with %q, want %q", got, c.left)
			}
		})
	}
}
