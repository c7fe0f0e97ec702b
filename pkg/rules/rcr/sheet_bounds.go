package rcr

import (
	"fmt"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// bounds refuses numbers with which sums would no longer be what they say.
func (k *sheetChecker) bounds(s *eventv1.RcrSheet) {
	k.within("rcr.passive_perception", s.PassivePerception, 0, 100)
	k.within("rcr.escape_dc", s.EscapeDc, 0, 100)
	k.within("rcr.spell_attack_bonus", s.SpellAttackBonus, -100, 100)
	for i, x := range s.Skills {
		k.within(fmt.Sprintf("rcr.skills[%d].bonus", i), x.Bonus, -100, 100)
	}
	for i, x := range s.Tools {
		k.within(fmt.Sprintf("rcr.tools[%d].bonus", i), x.Bonus, -100, 100)
	}
	for i, x := range s.Resources {
		field := fmt.Sprintf("rcr.resources[%d]", i)
		k.within(field+".current", x.Current, 0, 10_000)
		k.within(field+".max", x.Max, 0, 10_000)
	}
	for i, a := range s.Attacks {
		k.usage(fmt.Sprintf("rcr.attacks[%d].usage", i), a.Usage)
	}
	for i, p := range s.Powers {
		field := fmt.Sprintf("rcr.powers[%d]", i)
		k.usage(field+".usage", p.Usage)
		k.within(field+".range_feet", p.RangeFeet, 0, body.MaxFeet)
	}
	for i, sp := range s.Spells {
		field := fmt.Sprintf("rcr.spells[%d]", i)
		k.usage(field+".usage", sp.Usage)
		k.within(field+".range_feet", sp.RangeFeet, 0, body.MaxFeet)
	}
}

// usage checks how often a thing may be used: what comes back does so by a d6.
func (k *sheetChecker) usage(field string, u *eventv1.RcrUsage) {
	k.within(field+".uses", u.GetUses(), 0, 10_000)
	k.within(field+".recharge_from", u.GetRechargeFrom(), 0, 6)
}
