package mending

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of several attacks in one action.
const (
	RuleMulti        = cite.AttackMultiweapon
	RuleMultiLimit   = cite.AttackMultiweaponLimit
	ruleMultiDamage  = cite.AttackMultiweaponOffHandDamage
	RuleNaturalPair  = cite.AttackNaturalTwoWeapon
	ruleNaturalLight = cite.AttackNaturalLight
)

// Hands of an attack that is one of several: what it adds to damage goes by
// these, not by where the weapon is held.
const (
	MainHand  = "main"
	OtherHand = "off"
)

// HandModifiers is what is added to the damage of one of several attacks: the
// main hand's ability bonuses are whole, the others' half; penalties are never
// halved.
//
// celesia.attack.multiweapon-off-hand-damage
func HandModifiers(c *eventv1.Creature, w *eventv1.CelesiaWeapon, hand string) []*eventv1.Modifier {
	if hand == MainHand && body.Bodyless(w) {
		return DamageModifiers(c, w)
	}
	var out []*eventv1.Modifier
	for _, a := range attackAbilities(w) {
		m := body.Modifier(c, a)
		source := a
		if hand == OtherHand && m > 0 {
			m, source = m/2, written(m, a, "/ 2")
		}
		out = append(out, body.Mod(m, source, ruleMultiDamage))
	}
	return body.Nonzero(append(out, body.Mod(w.DamageBonus, w.Name, cite.DamageDegreesWeapon))...)
}
