package strike

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ArmourClass is the armour class of a target against one blow and what made
// it up; lower is better.
func ArmourClass(s *eventv1.State, target *eventv1.Creature, b *Blow) (int32, []*eventv1.Modifier) {
	sh := body.SheetOf(target)
	base := int32(body.Unarmoured)
	if sh.ArmorAc != nil {
		base = *sh.ArmorAc
	}
	parts := []*eventv1.Modifier{body.Mod(base, "armour", cite.AttackRoll)}
	take := func(value int32, source, rule string) {
		if value != 0 {
			parts = append(parts, body.Mod(-value, source, rule))
		}
	}
	if b.Denied(s, body.RollDexDenied) == "" || DexBonus(target) < 0 { // what is denied is a bonus
		take(DexBonus(target), "DEX", cite.DefenseDexLowersAc)
	}
	if sh.ShieldBonus > 0 && b.Denied(s, body.RollShieldDenied) == "" {
		take(sh.ShieldBonus, "shield", cite.DefenseShieldContent)
	}
	take(sh.OtherAcBonus, "magic", cite.DefenseDexLowersAc)
	parts = append(parts, Situations.Modifiers(b.roll(s, body.RollArmour))...)
	return body.Sum(parts), parts
}
