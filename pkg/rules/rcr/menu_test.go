package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// How a rogue may pay for dashing, disengaging and hiding is listed: with the action or
// the bonus action while both are left, with the bonus action alone after the action,
// with the action alone after the bonus action; anybody else pays with the action.
func TestWhatAManeuverIsPaidWithIsListed(t *testing.T) {
	trait := func(list ...string) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = list })
	}
	for _, c := range []struct {
		name             string
		traits           []string
		action, bonus    int64
		legal            bool
		listed, required bool
	}{
		{"a rogue's turn begins", []string{"cunning action"}, 1, 1, true, true, false},
		{"a rogue's action is spent", []string{"cunning action"}, 0, 1, true, true, true},
		{"a rogue's bonus action is spent", []string{"cunning action"}, 1, 0, true, false, false},
		{"both are", []string{"cunning action"}, 0, 0, false, false, false},
		{"anybody's turn begins", nil, 1, 1, true, false, false},
		{"anybody's action is spent", nil, 0, 1, false, false, false},
	} {
		for _, id := range []string{"dash", "disengage"} {
			f := newTable(t).add(fighter("a", "party", trait(c.traits...)), fighter("b", "monsters")).start(nil, 20, 5)
			f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CAction: c.action, body.CBonus: c.bonus}})
			o := optionOf(f, "a", id, "")
			if o.GetLegal() != c.legal {
				t.Errorf("%s, %s: legal %v, want %v (%s)", c.name, id, o.GetLegal(), c.legal, o.GetReason())
				continue
			}
			var cost *eventv1.Parameter
			for _, p := range o.GetParameters() {
				if p.Name == "cost" {
					cost = p
				}
			}
			if c.legal && ((cost != nil) != c.listed || cost.GetRequired() != c.required) {
				t.Errorf("%s, %s: cost is listed as %v", c.name, id, cost)
			}
		}
	}
}
