package celesia

import (
	"slices"

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
	if feet, ok := spoken.Number(take.GetFacts(), "part_feet"); ok && feet >= 10 {
		return false // the part aimed at is far enough from every ally
	}
	near, engaged := false, false
	// order-free: only whether there is one counts
	for _, ally := range s.Creatures {
		if ally.Side != c.Side || ally.Id == c.Id || ally.Side == t.Side || dead(ally) {
			continue
		}
		feet, known := distance(ally, t)
		if !known {
			continue
		}
		near = near || feet < 10
		small := sizeOf(t)-sizeOf(ally) >= 3
		engaged = engaged || !small && engages(ally, t)
	}
	return near && engaged
}

// engages tells whether two enemies are engaged in melee: one of them threatens
// the other and neither is immobilised.
//
// celesia.attack.engaged-definition
func engages(a, b *eventv1.Creature) bool {
	if helpless(a) || helpless(b) || has(a, condPinned) || has(b, condPinned) {
		return false
	}
	return able(a) && reaches(a, b) || able(b) && reaches(b, a)
}

// reaches tells whether a creature threatens another with anything.
func reaches(c, foe *eventv1.Creature) bool {
	return slices.ContainsFunc(sheetOf(c).Weapons, func(w *eventv1.CelesiaWeapon) bool { return threatens(c, foe, w, nil) })
}
