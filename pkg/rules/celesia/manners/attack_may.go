package manners

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// bothLimbs are the hands as limbs; they are never changed.
var bothLimbs = slices.Clip([]string{"right-hand", "left-hand"})

// LimbsOf are the limbs that an attack uses; the list must not be changed.
func LimbsOf(c *eventv1.Creature, w *eventv1.CelesiaWeapon) []string {
	switch body.Place(c, w) {
	case body.PlaceMain:
		return bothLimbs[:1:1]
	case body.PlaceOff:
		return bothLimbs[1:]
	case body.PlaceBoth:
		return bothLimbs
	}
	if w.Limb != "" {
		return []string{w.Limb}
	}
	return nil
}

// HandsOf are the hands that an attack uses, by their limbs.
func HandsOf(c *eventv1.Creature, w *eventv1.CelesiaWeapon) []string {
	return slices.DeleteFunc(slices.Clone(LimbsOf(c, w)), func(limb string) bool { return !strings.HasSuffix(limb, "-hand") })
}

// LimbUse is what an attack makes of its limbs for the turn: "natural" for a weapon
// that is a part of the body, else "weapon".
func LimbUse(w *eventv1.CelesiaWeapon) string {
	if body.Bodyless(w) {
		return "natural"
	}
	return "weapon"
}

// RefuseReach says why an attack that can be made does not reach its target.
//
// celesia.attack.melee-reach, celesia.attack.ranged-target, celesia.attack.maximum-range
func RefuseReach(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w, t := body.WeaponOf(c, take.Item), s.Creatures[body.Target(take)]
	if t == nil {
		return nil
	}
	if body.Has(c, body.CondPinned) {
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned and can only try to escape", c.Name)
	}
	if err := RefuseUnseen(take, t, cite.AttackRangedTarget); err != nil && body.Ranged(w) {
		return err
	}
	feet, known := body.Apart(take, c, t)
	if !known {
		return nil
	}
	near, far := body.Span(c, w)
	if body.Ranged(w) {
		near, far = 0, w.RangeFeet*increments(w)
	}
	if feet < near || feet > far {
		rule := cite.AttackMeleeReach
		if w.Reach {
			rule = cite.AttackReachWeapon
		} else if body.Ranged(w) {
			rule = cite.AttackMaximumRange
		}
		return body.OutOfReach(rule, t, feet)
	}
	return nil
}

// RefuseUnseen: what is shot, thrown or charged at must be in line of sight, as
// far as the caller says that it is not.
//
// celesia.attack.ranged-target, celesia.movement.charge
func RefuseUnseen(take *eventv1.TakeAction, t *eventv1.Creature, rule string) error {
	if v, ok := take.GetFacts().GetFields()["line_of_sight"]; ok && !v.GetBoolValue() {
		return body.Refuse("NO_LINE_OF_SIGHT", rule, "%s is not in line of sight", t.GetName())
	}
	return nil
}

// increments is how many range increments a weapon carries.
func increments(w *eventv1.CelesiaWeapon) int32 {
	switch {
	case w.MaximumIncrements > 0:
		return w.MaximumIncrements
	case w.Load == body.LoadSimple:
		return 5
	case w.Kind == body.KindProjectile:
		return 10
	}
	return 5
}

// UseLimbs marks the limbs of an attack in one's own turn.
//
// celesia.attack.natural-limbs
func UseLimbs(r *rules.Resolution, c *eventv1.Creature, w *eventv1.CelesiaWeapon) {
	for _, limb := range LimbsOf(c, w) {
		if InTurn(r.State(), c) {
			r.Mark(c.Id, body.MLimb+limb, LimbUse(w), cite.AttackNaturalLimbs)
		}
	}
}
