package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/rest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

// Whatever is done to a body, its numbers stay in their bounds, life agrees
// with them, the dead stay dead unless revived, and a viewer who may see all
// folds to the same state.
func TestBodiesStayWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := newTable(t, body.SetPartyLevel+"=5", "rcr.setting.exhaustion-per-failure="+rapid.SampledFrom([]string{"marked", "rolled"}).Draw(rt, "failures"))
		f.Roller = func(sides int) int { return rapid.IntRange(1, sides).Draw(rt, "face") }
		f.add(bodied("a", rapid.Int32Range(1, 20).Draw(rt, "con"), 30))
		for range rapid.IntRange(1, 15).Draw(rt, "deeds") {
			before := event.Clone(f.State)
			h := anyDeed(rt)
			_, err := f.tryMedicine(func(r *rules.Resolution) error { return rest.Medicine{}.Deed(r, h) }, nil, nil)
			if err != nil {
				continue // refused: nothing happened
			}
			wholeBody(rt, before.Creatures["a"], f.Creature("a"), h)
			for _, e := range f.Events {
				event.Fold(before, e)
			}
			if !proto.Equal(before, f.State) {
				rt.Fatalf("the fold of the events differs from the working state after %v", h)
			}
		}
	})
}

func anyDeed(rt *rapid.T) *eventv1.Harm {
	amount := rapid.Int32Range(0, 40).Draw(rt, "amount")
	h := &eventv1.Harm{Target: "a", Source: "a", Cause: "test", Amount: amount, Facts: map[string]string{},
		Critical: rapid.Bool().Draw(rt, "critical"), Parts: []*eventv1.DamagePart{{Type: "fire", Rolled: amount}}}
	h.Deed = rapid.SampledFrom([]string{body.DeedDamage, body.DeedDamage, body.DeedHeal, body.DeedTurnStart, body.DeedSetback, body.DeedStabilise, body.DeedSpell,
		body.DeedRevive, body.DeedTempHP, body.DeedKit}).Draw(rt, "deed")
	h.Facts["grade"] = checks.GradeMinor
	h.Facts["via"] = rapid.SampledFrom([]string{injuries.ViaSpell, injuries.ViaAbility, injuries.ViaItem, ""}).Draw(rt, "via")
	h.Facts["rarity"] = "rare"
	h.Facts["spell_level"] = "2"
	h.Facts["spell"] = rapid.SampledFrom([]string{"", "heal", "regenerate", "spare the dying", "lesser restoration", "raise dead"}).Draw(rt, "spell")
	return h
}

func wholeBody(rt *rapid.T, before, c *eventv1.Creature, h *eventv1.Harm) {
	scars := int32(0)
	for _, in := range c.Injuries {
		if in.Kind == body.InjuryScar {
			scars += in.Amount
		}
	}
	n := int32(c.Counters[body.CWounds])
	switch {
	case c.GetHp() < 0 || c.GetHp() > c.GetHpMax() || c.GetHpTemp() < 0:
		rt.Fatalf("hit points %d of %d after %v", c.GetHp(), c.GetHpMax(), h)
	case c.GetHpMax() != max(0, 30-scars):
		rt.Fatalf("maximum %d with scars of %d after %v", c.GetHpMax(), scars, h)
	case n < 0 || n > injuries.MostWounds(c):
		rt.Fatalf("%d wounds after %v", n, h)
	case !body.Dead(c) && body.Down(c) != (c.GetHp() == 0):
		rt.Fatalf("%v at %d hit points after %v", c.Life, c.GetHp(), h)
	case !body.Dead(c) && body.Has(c, body.CondUnconscious) != body.Down(c):
		rt.Fatalf("%v, unconscious %v after %v", c.Life, body.Has(c, body.CondUnconscious), h)
	case !body.Dead(c) && body.Has(c, body.CondBloodied) != (2*c.GetHp() < c.GetHpMax()):
		rt.Fatalf("bloodied at %d of %d after %v", c.GetHp(), c.GetHpMax(), h)
	case body.Dead(before) && !body.Dead(c) && h.Deed != body.DeedRevive && h.Deed != body.DeedSpell:
		rt.Fatalf("%v raised the dead", h)
	case !body.Dead(c) && c.Counters[body.CExhaustion] > checks.MostExhaustion:
		rt.Fatalf("alive with exhaustion %d after %v", c.Counters[body.CExhaustion], h)
	case !body.Down(c) && !body.Dead(c) && c.Counters[body.CDeathFailures]+c.Counters[body.CDeathSuccesses] > 0:
		rt.Fatalf("up with a tally after %v", h)
	}
}
