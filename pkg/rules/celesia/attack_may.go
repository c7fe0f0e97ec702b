package celesia

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func ranged(w *eventv1.CelesiaWeapon) bool { return shoots(w) || w.Kind == kindThrown }

// attackProvokes: ranged attacks provoke from all, unarmed ones from an armed
// target alone.
//
// celesia.turn.attack-of-opportunity, celesia.attack.unarmed-provoke, celesia.attack.armed-unarmed
func attackProvokes(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	w := weaponOf(c, take.Item)
	switch {
	case ranged(w):
		return defaults.Value(s, setRangedProvokes) == "on", ""
	case w.GetKind() == kindUnarmed && !strikes(c, w):
		return armed(s.Creatures[target(take)]), target(take)
	}
	return false, ""
}

// wieldable tells whether a weapon is in hand and the hands that it needs can
// hold it.
func wieldable(c *eventv1.Creature, w *eventv1.CelesiaWeapon) bool {
	return refuseWeapon(c, w, nil) == nil
}

// refuseWeapon says why a creature cannot attack with a weapon, whatever the target.
//
// celesia.injury.hand, celesia.injury.arm, celesia.attack.natural-limbs
func refuseWeapon(c *eventv1.Creature, w *eventv1.CelesiaWeapon, take *eventv1.TakeAction) error {
	switch {
	case !held(c, w):
		return refuse("NOT_IN_HAND", cite.EquipmentDrawSheathe, "%s is not in hand", w.Name)
	case has(c, condHandsBound) && len(handsOf(c, w)) > 0:
		return refuse("HANDS_BOUND", cite.AttackUnarmedBasics, "the hands of %s are bound", c.Name)
	case place(c, w) == placeBoth && usableHands(c) < 2:
		return refuse("HAND_LOST", cite.InjuryHand, "%s needs two hands", w.Name)
	case place(c, w) == placeMain && parts(c, "hand") == 2 && !usable(c, "right"),
		place(c, w) == placeOff && parts(c, "hand") == 2 && !usable(c, "left"):
		return refuse("HAND_LOST", cite.InjuryHand, "the hand that holds %s is of no use", w.Name)
	case w.Hands == 2 && place(c, w) != placeBoth:
		return refuse("ONE_HAND", cite.DamageTwoHanded, "%s needs two hands", w.Name)
	}
	if err := refuseUnloaded(c, w); err != nil {
		return err
	}
	if err := refuseReins(c, w); err != nil {
		return err
	}
	for _, limb := range limbsOf(c, w) {
		if used := c.Marks[mLimb+limb]; take != nil && used != "" && used != limbUse(w) {
			return refuse("LIMB_USED", cite.AttackNaturalLimbs, "the %s has made another attack this turn", limb)
		}
	}
	return nil
}

// limbsOf are the limbs that an attack uses.
func limbsOf(c *eventv1.Creature, w *eventv1.CelesiaWeapon) []string {
	switch place(c, w) {
	case placeMain:
		return []string{"right-hand"}
	case placeOff:
		return []string{"left-hand"}
	case placeBoth:
		return []string{"right-hand", "left-hand"}
	}
	if w.Limb != "" {
		return []string{w.Limb}
	}
	return nil
}

// handsOf are the hands that an attack uses, by their limbs.
func handsOf(c *eventv1.Creature, w *eventv1.CelesiaWeapon) []string {
	return slices.DeleteFunc(limbsOf(c, w), func(limb string) bool { return !strings.HasSuffix(limb, "-hand") })
}

func limbUse(w *eventv1.CelesiaWeapon) string {
	if bodyless(w) {
		return "natural"
	}
	return "weapon"
}

// refuseAttack says why an attack cannot be made.
//
// celesia.attack.melee-reach, celesia.attack.ranged-target, celesia.attack.maximum-range
func refuseAttack(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := weaponOf(c, take.Item)
	if w == nil {
		return nameless("take.item", "weapon", c.GetName(), take.Item, weaponNames(s, c))
	}
	if err := refuseWeapon(c, w, take); err != nil {
		return err
	}
	if err := refuseLeaderless(c); err != nil {
		return err
	}
	if err := refuseBetween(s, c, w); err != nil {
		return err
	}
	t := s.Creatures[target(take)]
	if t == nil {
		return nil
	}
	if has(c, condPinned) {
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned and can only try to escape", c.Name)
	}
	if err := refuseUnseen(take, t, cite.AttackRangedTarget); err != nil && ranged(w) {
		return err
	}
	feet, known := apart(take, c, t)
	if !known {
		return nil
	}
	near, far := span(c, w)
	if ranged(w) {
		near, far = 0, w.RangeFeet*increments(w)
	}
	if feet < near || feet > far {
		rule := cite.AttackMeleeReach
		if w.Reach {
			rule = cite.AttackReachWeapon
		} else if ranged(w) {
			rule = cite.AttackMaximumRange
		}
		return outOfReach(rule, t, feet)
	}
	return nil
}

// refuseUnseen: what is shot, thrown or charged at must be in line of sight, as
// far as the caller says that it is not.
//
// celesia.attack.ranged-target, celesia.movement.charge
func refuseUnseen(take *eventv1.TakeAction, t *eventv1.Creature, rule string) error {
	if v, ok := take.GetFacts().GetFields()["line_of_sight"]; ok && !v.GetBoolValue() {
		return refuse("NO_LINE_OF_SIGHT", rule, "%s is not in line of sight", t.GetName())
	}
	return nil
}

// increments is how many range increments a weapon carries.
func increments(w *eventv1.CelesiaWeapon) int32 {
	switch {
	case w.MaximumIncrements > 0:
		return w.MaximumIncrements
	case w.Load == loadSimple:
		return 5
	case w.Kind == kindProjectile:
		return 10
	}
	return 5
}

// useLimbs marks the limbs of an attack in one's own turn.
//
// celesia.attack.natural-limbs
func useLimbs(r *rules.Resolution, c *eventv1.Creature, w *eventv1.CelesiaWeapon) {
	for _, limb := range limbsOf(c, w) {
		if inTurn(r.State(), c) {
			r.Mark(c.Id, mLimb+limb, limbUse(w), cite.AttackNaturalLimbs)
		}
	}
}
