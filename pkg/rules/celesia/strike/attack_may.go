package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	definitions "github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AttackProvokes: ranged attacks provoke from all, unarmed ones from an armed
// target alone.
//
// celesia.turn.attack-of-opportunity, celesia.attack.unarmed-provoke, celesia.attack.armed-unarmed
func AttackProvokes(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	w := body.WeaponOf(c, take.Item)
	switch {
	case body.Ranged(w):
		return body.Defaults.Value(s, body.SetRangedProvokes) == "on", ""
	case manners.Strikes(c, w):
		return false, ""
	case len(take.Targets) == 0:
		return true, "" // from whomever it is aimed at
	}
	return armed(s.Creatures[body.Target(take)]), body.Target(take)
}

// Wieldable tells whether a weapon is in hand and the hands that it needs can
// hold it.
func Wieldable(c *eventv1.Creature, w *eventv1.CelesiaWeapon) bool {
	return RefuseWeapon(c, w, nil) == nil
}

// RefuseWeapon says why a creature cannot attack with a weapon, whatever the target.
//
// celesia.injury.hand, celesia.injury.arm, celesia.attack.natural-limbs
func RefuseWeapon(c *eventv1.Creature, w *eventv1.CelesiaWeapon, take *eventv1.TakeAction) error {
	switch {
	case !body.Held(c, w):
		return body.Refuse("NOT_IN_HAND", cite.EquipmentDrawSheathe, "%s is not in hand", w.Name)
	case Barred(c, definitions.BarsHands) && len(manners.HandsOf(c, w)) > 0:
		return body.Refuse("HANDS_BOUND", cite.AttackUnarmedBasics, "the hands of %s are bound", c.Name)
	case body.Place(c, w) == body.PlaceBoth && UsableHands(c) < 2:
		return body.Refuse("HAND_LOST", cite.InjuryHand, "%s needs two hands", w.Name)
	case body.Place(c, w) == body.PlaceMain && body.Parts(c, "hand") == 2 && !Usable(c, "right"),
		body.Place(c, w) == body.PlaceOff && body.Parts(c, "hand") == 2 && !Usable(c, "left"):
		return body.Refuse("HAND_LOST", cite.InjuryHand, "the hand that holds %s is of no use", w.Name)
	case w.Hands == 2 && body.Place(c, w) != body.PlaceBoth:
		return body.Refuse("ONE_HAND", cite.DamageTwoHanded, "%s needs two hands", w.Name)
	}
	if err := body.RefuseUnloaded(c, w); err != nil {
		return err
	}
	if err := manners.RefuseReins(c, w); err != nil {
		return err
	}
	for _, limb := range manners.LimbsOf(c, w) {
		if used := c.Marks[body.MLimb+limb]; take != nil && used != "" && used != manners.LimbUse(w) {
			return body.Refuse("LIMB_USED", cite.AttackNaturalLimbs, "the %s has made another attack this turn", limb)
		}
	}
	return nil
}

// RefuseAttack says why an attack cannot be made.
//
// celesia.attack.melee-reach, celesia.attack.ranged-target, celesia.attack.maximum-range
func RefuseAttack(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := body.WeaponOf(c, take.Item)
	if w == nil {
		return body.Nameless("take.item", "weapon", c.GetName(), take.Item, manners.WeaponNames(s, c))
	}
	if err := RefuseWeapon(c, w, take); err != nil {
		return err
	}
	if err := manners.RefuseLeaderless(c); err != nil {
		return err
	}
	if err := manners.RefuseBetween(s, c, w); err != nil {
		return err
	}
	return manners.RefuseReach(s, c, take)
}
