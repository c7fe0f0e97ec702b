package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// OffHand are the weapons of the off-hand attacks: those named, else the other
// end of a double weapon, else the others in hand.
func OffHand(c *eventv1.Creature, take *eventv1.TakeAction) []*eventv1.CelesiaWeapon {
	main := body.WeaponOf(c, take.Item)
	names, named := spoken.Words(take.Parameters, "offs")
	if one := spoken.Word(take.Parameters, "off"); one != "" {
		names, named = []string{one}, true
	}
	var out []*eventv1.CelesiaWeapon
	if named {
		for _, n := range names {
			w := body.WeaponOf(c, n)
			if w == main && w.GetDoubleDice() != "" {
				w = manners.OtherEnd(w)
			}
			out = append(out, w)
		}
		return out
	}
	if main == nil {
		return nil
	}
	if main.DoubleDice != "" {
		return []*eventv1.CelesiaWeapon{manners.OtherEnd(main)}
	}
	for _, w := range body.SheetOf(c).Weapons {
		if w != main && !body.Ranged(w) && !body.Bodyless(w) && Wieldable(c, w) {
			out = append(out, w)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, w := range body.SheetOf(c).Weapons { // else the body, on a limb of its own
		if refuseOffHand(c, &eventv1.TakeAction{Creature: c.Id, Item: main.Name, Parameters: body.ParamStruct("off", w.Name)}) == nil {
			return []*eventv1.CelesiaWeapon{w}
		}
	}
	return nil
}

// MultiTargets is how many targets an attack with several weapons takes at most: one
// for each weapon.
func MultiTargets(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	return int32(1 + len(OffHand(c, take)))
}

// MultiProvokes: bare fists among the weapons provoke from the one they strike.
func MultiProvokes(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	for i, w := range append([]*eventv1.CelesiaWeapon{body.WeaponOf(c, take.Item)}, OffHand(c, take)...) {
		one := &eventv1.TakeAction{Creature: c.Id, Item: w.GetName()}
		if n := len(take.Targets); n > 0 {
			one.Targets = []string{take.Targets[min(i, n-1)]}
		}
		if provokes, only := AttackProvokes(s, c, one); provokes {
			return true, only
		}
	}
	return false, ""
}

// RefuseMulti: with two weapons or more, each on limbs of its own, once a turn
// or as often as the feat allows.
//
// celesia.attack.multiweapon, celesia.attack.multiweapon-limit, celesia.attack.natural-two-weapon
func RefuseMulti(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	main := body.WeaponOf(c, take.Item)
	if main == nil || body.Ranged(main) {
		return body.Nameless("take.item", "melee weapon", c.GetName(), take.Item, checks.MeleeNames(s, c))
	}
	if int32(c.Counters[body.CMulti]) >= manners.MultiUses(c) {
		return body.Refuse("ONCE_A_TURN", mending.RuleMultiLimit, "%d times a turn are the most", manners.MultiUses(c))
	}
	if err := RefuseAttack(s, c, take); err != nil {
		return err
	}
	if spoken.Word(take.Parameters, "off") != "" || take.GetParameters().GetFields()["offs"] != nil {
		return nil // judged with the parameters
	}
	return refuseOffHand(c, take)
}

// refuseOffHand says why weapons do not go together.
//
// celesia.attack.natural-two-weapon
func refuseOffHand(c *eventv1.Creature, take *eventv1.TakeAction) error {
	main, others := body.WeaponOf(c, take.Item), OffHand(c, take)
	if len(others) == 0 {
		return body.Refuse("ONE_WEAPON", mending.RuleMulti, "%s has no weapon in an off hand", c.Name)
	}
	limbs := manners.LimbsOf(c, main)
	for _, w := range others {
		if w == nil || body.Ranged(w) {
			return body.Nameless("take.parameters.off", "melee weapon", c.GetName(), manners.StrayName(c, take), checks.MeleeNames(nil, c))
		}
		if w.Name == main.Name {
			if main.DoubleDice == "" {
				return body.Refuse("SAME_WEAPON", mending.RuleMulti, "%s cannot be both", w.Name)
			}
			continue
		}
		if err := RefuseWeapon(c, w, take); err != nil {
			return err
		}
		for _, limb := range manners.LimbsOf(c, w) {
			if slices.Contains(limbs, limb) {
				return body.Refuse("SAME_LIMB", mending.RuleNaturalPair, "two of the attacks would use the %s", limb)
			}
			limbs = append(limbs, limb)
		}
	}
	return manners.RefuseBothHands(c, limbs)
}

// CheckMulti judges the attack and whether the off-hand weapons go together with the
// first.
func CheckMulti(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := manners.CheckAttack(s, c, take); err != nil {
		return err
	}
	return refuseOffHand(c, take)
}
