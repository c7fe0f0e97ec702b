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
	own, added := b.houseArmour(b.content, s, base)
	parts := []*eventv1.Modifier{body.Mod(base, "armour", cite.AttackRoll)}
	if own != nil {
		parts[0] = own
	}
	take := func(value int32, source, rule string) {
		if value != 0 {
			parts = append(parts, body.Mod(-value, source, rule))
		}
	}
	if b.Denied(s, body.RollDexDenied) == "" || b.book().DexBonus(target) < 0 { // what is denied is a bonus
		take(b.book().DexBonus(target), "DEX", b.book().AbilityRule(target, "dexterity", cite.DefenseDexLowersAc))
	}
	if sh.ShieldBonus > 0 && b.Denied(s, body.RollShieldDenied) == "" {
		take(sh.ShieldBonus, "shield", cite.DefenseShieldContent)
	}
	take(sh.OtherAcBonus, "magic", cite.DefenseDexLowersAc)
	parts = append(parts, b.book().Situations.Modifiers(b.roll(s, body.RollArmour))...)
	parts = append(parts, added...)
	return body.Sum(parts), parts
}
