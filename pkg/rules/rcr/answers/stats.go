package answers

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ArmorClass is what an attack on the target must reach. A stated cover beats
// none; a croucher's shield counts when it is the better one.
func ArmorClass(r *rules.Resolution, target, attacker *eventv1.Creature, _ bool, cover string) *eventv1.TargetNumber {
	ac := &eventv1.TargetNumber{Kind: "AC", Value: body.SheetOf(target).ArmorClass}
	if b := body.Barded(target); b != nil {
		ac.Value = max(ac.Value, b.ArmorFor(target)) // rcr.equipment.barding-stats: the better of its hide and the barding
	}
	for _, ch := range body.ChangesOf(target) {
		if ch.Key == body.ChArmorAtLeast {
			ac.Value = max(ac.Value, ch.Value)
		}
	}
	for _, ch := range body.ChangesOf(target) {
		if ch.Key == body.ChArmor {
			ac.Value += ch.Value
			ac.Modifiers = append(ac.Modifiers, body.Mod(ch.Value, ch.From.Cause, cite.BaseFifthEditionFallback))
		}
	}
	for _, mod := range twoWeapons(r.State(), target) {
		ac.Value += mod.Value
		ac.Modifiers = append(ac.Modifiers, mod)
	}
	houseArmor(r, target, attacker, ac)
	if bonus, source, rule := body.CoverBonus(r.State(), target, cover); bonus != 0 {
		ac.Value += bonus
		ac.Modifiers = append(ac.Modifiers, body.Mod(bonus, source, rule))
	}
	return ac
}

// twoWeapons are what the feats of two weapons give to the armour class of whoever
// holds a weapon in each hand; both together give both.
//
// rcr.feat.dual-wielder-ac, rcr.feat.improved-dual-ac
func twoWeapons(s *eventv1.State, c *eventv1.Creature) (out []*eventv1.Modifier) {
	if !body.ArmedTwice(c) {
		return nil
	}
	if body.Feat(s, c, body.FeatDualWielder, cite.FeatDualWielderAc) {
		out = append(out, body.Mod(1, "Dual Wielder", cite.FeatDualWielderAc))
	}
	if body.Feat(s, c, body.FeatImprovedDualWielder, cite.FeatImprovedDualAc) {
		out = append(out, body.Mod(1, "Improved Dual Wielder", cite.FeatImprovedDualAc))
	}
	return out
}
