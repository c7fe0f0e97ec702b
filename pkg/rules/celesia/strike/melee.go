package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// intoMelee tells whether a shot goes into a melee with an ally of the shooter:
// as stated, else as measured.
//
// celesia.attack.into-melee, celesia.attack.engaged-definition,
// celesia.attack.into-melee-distance, celesia.attack.into-melee-size
func intoMelee(s *eventv1.State, take *eventv1.TakeAction, c, t *eventv1.Creature) bool {
	if v, ok := take.GetFacts().GetFields()["into_melee"]; ok {
		return v.GetBoolValue()
	}
	if feet, _ := spoken.Number(take.GetFacts(), "part_feet"); feet >= 10 {
		return false // the part aimed at is far enough from every ally
	}
	near, engaged := false, false
	// order-free: only whether there is one counts
	for _, ally := range s.Creatures {
		if ally.Side != c.Side || ally.Id == c.Id || ally.Side == t.Side || body.Dead(ally) {
			continue
		}
		feet, known := body.Distance(ally, t)
		if !known {
			continue
		}
		near = near || feet < 10
		small := body.SizeOf(t)-body.SizeOf(ally) >= 3
		engaged = engaged || !small && engages(ally, t)
	}
	return near && engaged
}

// engages tells whether two enemies are engaged in melee: one of them threatens
// the other and neither is immobilised.
//
// celesia.attack.engaged-definition
func engages(a, b *eventv1.Creature) bool {
	if Helpless(a) || Helpless(b) || body.Has(a, body.CondPinned) || body.Has(b, body.CondPinned) {
		return false
	}
	return Able(a) && Reaches(a, b) || Able(b) && Reaches(b, a)
}

// Reaches tells whether a creature threatens another with anything.
func Reaches(c, foe *eventv1.Creature) bool {
	return slices.ContainsFunc(body.SheetOf(c).Weapons, func(w *eventv1.CelesiaWeapon) bool { return threatens(c, foe, w, nil) })
}
