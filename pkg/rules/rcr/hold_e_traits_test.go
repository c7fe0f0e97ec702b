package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.trait.stench: where nobody knows how far they are apart, a saving throw is called for: the game
// master is told of which, as long as there is somebody who smells it.
func TestStenchWithoutPositions(t *testing.T) {
	none := func(*eventv1.Sheet) {}
	stench := func(feet int32) func(*eventv1.Sheet) {
		return feature(&eventv1.RcrFeature{Name: body.TraitStench, Feet: feet, Save: &eventv1.RcrSave{Ability: "constitution", Dc: 12}})
	}
	for name, c := range map[string]struct {
		a, b   func(*eventv1.Sheet)
		placed bool
		do     func(f *table)
		said   string
	}{
		"nobody stands anywhere": {stench(0), none, false, nil, "stench of a, whose distance is not known: constitution saving throw, DC 12, within 5 feet"},
		"farther":                {stench(10), none, false, nil, "stench of a, whose distance is not known: constitution saving throw, DC 12, within 10 feet"},
		"exhausted":              {stench(0), none, false, func(f *table) { f.Count("a", body.CExhaustion, 2) }, "stench of a, whose distance is not known: constitution saving throw, DC 10, within 5 feet"},
		"it stands somewhere":    {stench(0), none, true, nil, ""},
		"immune to poison":       {stench(0), rcrSheet(func(s *eventv1.RcrSheet) { s.ConditionImmunities = []string{body.CondPoisoned} }), false, nil, ""},
		"another that stinks":    {stench(0), stench(0), false, nil, ""},
		"no stench":              {none, none, false, nil, ""},
		"the dead": {stench(0), none, false, func(f *table) {
			f.Medicine(hit("a", 200))
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			if c.placed {
				f.place(fighter("a", "party", c.a), 0, 0)
				f.place(fighter("b", "monsters", c.b), 50, 0)
			} else {
				f.add(fighter("a", "party", c.a), fighter("b", "monsters", c.b))
			}
			f.start(nil, 20, 5)
			f.falls(11)
			if c.do != nil {
				c.do(f)
			}
			if slices.Contains(f.State.Active, "a") {
				f.End("a")
			}
			notes := func(events []*eventv1.Event) (out []string) {
				for _, e := range events {
					if n := e.GetNote(); n != nil && slices.Contains(e.Rules, cite.TraitStench) {
						out = append(out, n.Text)
					}
				}
				return out
			}
			var want []string
			if c.said != "" {
				want = []string{c.said}
			}
			if got := notes(f.Log); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
			if got := notes(f.SeenBy(player("b-player"))); len(got) > 0 {
				t.Errorf("a player is told %q", got)
			}
			f.wantHas("b", body.CondPoisoned, false)
		})
	}
}

// rcr.injury.wound-on-critical, rcr.base.attack-and-critical: what a body, a trait or content does
// beside a critical hit is no critical hit: it wounds nobody, and at 0 hit points it is one failure.
func TestOnlyTheHitIsCritical(t *testing.T) {
	hot := feature(&eventv1.RcrFeature{Name: body.TraitHeatedBody, Dice: "1d6", Type: "fire"})
	f := newTable(t)
	f.place(fighter("a", "party"), 0, 0)
	f.place(fighter("b", "party", hot), 5, 0)
	f.start(nil, 20, 5)
	f.Must(act("a", "attack", "sword", "b"), 20, 4, 4, 6)
	f.wantCount("b", body.CWounds, 1)
	f.wantCount("a", body.CWounds, 0)
	f.WantHP("a", 34)
}
