package mending

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AttackModifiers is what goes on the attack roll.
//
// celesia.attack.melee-bonus, celesia.attack.ranged-bonus, celesia.attack.natural-reach
func AttackModifiers(c *eventv1.Creature, w *eventv1.CelesiaWeapon, feet int32, known bool) []*eventv1.Modifier {
	s := body.SheetOf(c)
	out := []*eventv1.Modifier{body.Mod(s.BaseAttack, "base attack", cite.AttackBabSource)}
	for _, a := range attackAbilities(w) {
		out = append(out, body.Mod(body.Modifier(c, a), a, BonusRule(w)))
	}
	out = append(out, body.Mod(s.SizeModifier, "size", BonusRule(w)), body.Mod(w.AttackBonus, w.Name, BonusRule(w)))
	if body.Ranged(w) && known && w.RangeFeet > 0 && feet > 0 {
		out = append(out, body.Mod(-w.RangePenalty*((feet-1)/w.RangeFeet), "range", cite.AttackRangedBonus))
	}
	return body.Nonzero(out...)
}

// BonusRule is the rule of the attack bonus with a weapon.
//
// celesia.attack.melee-bonus, celesia.attack.ranged-bonus
func BonusRule(w *eventv1.CelesiaWeapon) string {
	if body.Ranged(w) {
		return cite.AttackRangedBonus
	}
	return cite.AttackMeleeBonus
}

// attackAbilities are the abilities of attack rolls and damage.
//
// celesia.damage.melee-abilities, celesia.damage.projectile, celesia.damage.thrown, celesia.damage.natural-ranged
func attackAbilities(w *eventv1.CelesiaWeapon) []string {
	switch w.Kind {
	case body.KindProjectile:
		return []string{"dexterity", "wisdom"}
	case body.KindThrown, body.KindNaturalRanged:
		return []string{"strength", "dexterity", "wisdom"}
	}
	return []string{"strength", "dexterity"}
}
