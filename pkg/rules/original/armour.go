package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// unarmoured is the armour class without armour.
const unarmoured = 9

// armourClass is the armour class of a target against one blow and what made
// it up; lower is better.
func armourClass(s *eventv1.State, target *eventv1.Creature, b *blow) (int32, []*eventv1.Modifier) {
	sh := sheetOf(target)
	base := int32(unarmoured)
	if sh.ArmorAc != nil {
		base = *sh.ArmorAc
	}
	parts := []*eventv1.Modifier{mod(base, "armour", cite.AttackRoll)}
	take := func(value int32, source, rule string) {
		if value != 0 {
			parts = append(parts, mod(-value, source, rule))
		}
	}
	if b.denied(s, rollDexDenied) == "" || dexBonus(target) < 0 { // what is denied is a bonus
		take(dexBonus(target), "DEX", cite.DefenseDexLowersAc)
	}
	if sh.ShieldBonus > 0 && b.denied(s, rollShieldDenied) == "" {
		take(sh.ShieldBonus, "shield", cite.DefenseShieldContent)
	}
	take(sh.OtherAcBonus, "magic", cite.DefenseDexLowersAc)
	parts = append(parts, situations.Modifiers(b.roll(s, rollArmour))...)
	return sum(parts), parts
}

// shieldedFrom lists the attackers that the shield serves against this round.
//
// original.defense.shield-two-attackers
func shieldedFrom(c *eventv1.Creature) []string {
	return rules.RelatedTo(c, relShield)
}
