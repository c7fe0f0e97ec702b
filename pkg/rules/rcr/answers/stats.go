package answers

import (
	"cmp"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ArmorClass is what an attack on the target must reach. A stated cover beats
// none; a croucher's shield counts when it is the better one.
func ArmorClass(r *rules.Resolution, target, attacker *eventv1.Creature, _ bool, cover string) *eventv1.TargetNumber {
	ac := ownArmor(target)
	for ch := range body.ChangesOf(target) {
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

// ownArmor is the armour class of a creature by itself, with its parts: that of the
// sheet, or what stands in its place where that is better. The number of a sheet that
// carries a shield has the shield in it.
//
// rcr.equipment.barding-stats
func ownArmor(c *eventv1.Creature) *eventv1.TargetNumber {
	const rule = cite.BaseAttackAndCritical
	sheet := body.SheetOf(c)
	ac := &eventv1.TargetNumber{Kind: "AC", Value: sheet.ArmorClass,
		Modifiers: rules.SheetParts(c.GetSheet(), rules.NumberArmor, sheet.ArmorClass, "armour class on the sheet", rule)}
	better := func(value int32, source, rule string) {
		if value > ac.Value {
			ac.Value, ac.Modifiers = value, []*eventv1.Modifier{body.Mod(value, source, rule)}
		}
	}
	if len(ac.Modifiers) == 1 && sheet.Shield != eventv1.RcrSheet_SHIELD_UNSPECIFIED {
		shield := cmp.Or(sheet.ShieldBonus, 2)
		ac.Modifiers = []*eventv1.Modifier{body.Mod(sheet.ArmorClass-shield, "armour class on the sheet", rule), body.Mod(shield, "shield", rule)}
	}
	if b := body.Barded(c); b != nil {
		better(b.ArmorFor(c), "barding", cite.EquipmentBardingStats)
	}
	for ch := range body.ChangesOf(c) {
		if ch.Key == body.ChArmorAtLeast {
			better(ch.Value, ch.From.Cause, cite.BaseFifthEditionFallback)
		}
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
