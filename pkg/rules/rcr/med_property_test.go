package rcr

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Whatever is done to a body, its numbers stay in their bounds, life agrees
// with them, the dead stay dead unless revived, and a viewer who may see all
// folds to the same state.
func TestBodiesStayWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := newTable(t, setPartyLevel+"=5", "rcr.setting.exhaustion-per-failure="+rapid.SampledFrom([]string{"marked", "rolled"}).Draw(rt, "failures"))
		f.Roller = func(sides int) int { return rapid.IntRange(1, sides).Draw(rt, "face") }
		f.add(body("a", rapid.Int32Range(1, 20).Draw(rt, "con"), 30))
		for range rapid.IntRange(1, 15).Draw(rt, "deeds") {
			before := event.Clone(f.State)
			h := anyDeed(rt)
			_, err := f.tryMedicine(func(r *rules.Resolution) error { return Medicine{}.Deed(r, h) }, nil, nil)
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
	h.Deed = rapid.SampledFrom([]string{deedDamage, deedDamage, deedHeal, deedTurnStart, deedSetback, deedStabilise, deedSpell,
		deedRevive, deedTempHP, deedKit}).Draw(rt, "deed")
	h.Facts["grade"] = gradeMinor
	h.Facts["via"] = rapid.SampledFrom([]string{viaSpell, viaAbility, viaItem, ""}).Draw(rt, "via")
	h.Facts["rarity"] = "rare"
	h.Facts["spell_level"] = "2"
	h.Facts["spell"] = rapid.SampledFrom([]string{"", "heal", "regenerate", "spare the dying", "lesser restoration", "raise dead"}).Draw(rt, "spell")
	return h
}

func wholeBody(rt *rapid.T, before, c *eventv1.Creature, h *eventv1.Harm) {
	scars := int32(0)
	for _, in := range c.Injuries {
		if in.Kind == injuryScar {
			scars += in.Amount
		}
	}
	n := int32(c.Counters[cWounds])
	switch {
	case c.GetHp() < 0 || c.GetHp() > c.GetHpMax() || c.GetHpTemp() < 0:
		rt.Fatalf("hit points %d of %d after %v", c.GetHp(), c.GetHpMax(), h)
	case c.GetHpMax() != max(0, 30-scars):
		rt.Fatalf("maximum %d with scars of %d after %v", c.GetHpMax(), scars, h)
	case n < 0 || n > mostWounds(c):
		rt.Fatalf("%d wounds after %v", n, h)
	case !dead(c) && down(c) != (c.GetHp() == 0):
		rt.Fatalf("%v at %d hit points after %v", c.Life, c.GetHp(), h)
	case !dead(c) && has(c, condUnconscious) != down(c):
		rt.Fatalf("%v, unconscious %v after %v", c.Life, has(c, condUnconscious), h)
	case !dead(c) && has(c, condBloodied) != (2*c.GetHp() < c.GetHpMax()):
		rt.Fatalf("bloodied at %d of %d after %v", c.GetHp(), c.GetHpMax(), h)
	case dead(before) && !dead(c) && h.Deed != deedRevive && h.Deed != deedSpell:
		rt.Fatalf("%v raised the dead", h)
	case !dead(c) && c.Counters[cExhaustion] > mostExhaustion:
		rt.Fatalf("alive with exhaustion %d after %v", c.Counters[cExhaustion], h)
	case !down(c) && !dead(c) && c.Counters[cDeathFailures]+c.Counters[cDeathSuccesses] > 0:
		rt.Fatalf("up with a tally after %v", h)
	}
}
