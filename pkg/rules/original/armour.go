package original

import (
	"slices"

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
	if dexDenied(s, target, b) == "" || dexBonus(target) < 0 { // what is denied is a bonus
		take(dexBonus(target), "DEX", cite.DefenseDexLowersAc)
	}
	if sh.ShieldBonus > 0 && shieldDenied(s, target, b) == "" {
		take(sh.ShieldBonus, "shield", cite.DefenseShieldContent)
	}
	take(sh.OtherAcBonus, "magic", cite.DefenseDexLowersAc)
	// One who is helpless or held does not defend itself.
	fights := !out(target) && helpless(target) == nil && !has(target, condStruggling)
	if has(target, condParrying) && b.melee && fights {
		take(2, "parries", cite.ActionParry)
	}
	if main, _ := pairOf(target); main != nil && b.melee && !b.unseen && b.position != "behind" && !has(target, condStruggling) {
		take(1, "florentine", cite.DefenseFlorentineAc)
	}
	if has(target, condWithdrawing) && fights {
		take(2, "fighting withdrawal", cite.MovementFightingWithdrawal)
	}
	return sum(parts), parts
}

// dexDenied is the rule that takes DEX from the armour class; empty for none.
func dexDenied(s *eventv1.State, target *eventv1.Creature, b *blow) string {
	switch {
	case b.unseen || b.position == "behind":
		return cite.DefenseBehindDeniesShieldDex
	case b.position == "flank":
		return cite.DefenseFlankDeniesShieldDex
	case has(target, condCharging):
		return cite.ChargeNoDex
	case (b.stationary || has(target, condStationary)) && !has(target, condRan) && len(engagedWith(s, target)) == 0:
		return cite.DefenseDexDeniedWhenStationary
	case has(target, condProne):
		return cite.ActionWhipOutcome
	case out(target) || helpless(target) != nil:
		return cite.GrapplePinned
	}
	return ""
}

// shieldDenied is the rule that takes the shield from the armour class; empty
// for none.
func shieldDenied(s *eventv1.State, target *eventv1.Creature, b *blow) string {
	switch {
	case b.unseen || b.position == "behind":
		return cite.DefenseBehindDeniesShieldDex
	case b.position == "flank":
		return cite.DefenseFlankDeniesShieldDex
	case b.parting || has(target, condFleeing) && (has(target, condRan) || is(b.attacker, relPursues, target.Id)):
		return cite.MovementRetreatShieldLost
	case out(target) || helpless(target) != nil || has(target, condStruggling):
		return cite.GrapplePinned
	}
	if list := shieldedFrom(target); len(list) >= 2 && !slices.Contains(list, b.attacker.Id) {
		return cite.DefenseShieldTwoAttackers
	}
	return ""
}

// shieldedFrom lists the attackers that the shield serves against this round.
//
// original.defense.shield-two-attackers
func shieldedFrom(c *eventv1.Creature) []string {
	return rules.RelatedTo(c, relShield)
}
