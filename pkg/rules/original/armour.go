package original

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
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
	if target.Marks[mParrying] == itoa(s.Round) && b.melee && fights {
		take(2, "parries", cite.ActionParry)
	}
	if main, _ := pairOf(target); main != nil && b.melee && !b.unseen && b.position != "behind" && !has(target, condStruggling) {
		take(1, "florentine", cite.DefenseFlorentineAc)
	}
	if target.Marks[mWithdrawing] != "" && fights {
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
	case target.Marks[mCharging] == itoa(s.Round):
		return cite.ChargeNoDex
	case (b.stationary || target.Marks[mStationary] != "") && target.Marks[mRan] != itoa(s.Round) && len(engagedWith(s, target)) == 0:
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
	case b.parting || target.Marks[mFleeing] != "" && (target.Marks[mRan] == itoa(s.Round) || b.attacker.Marks[mPursues+target.Id] != ""):
		return cite.MovementRetreatShieldLost
	case out(target) || helpless(target) != nil || has(target, condStruggling):
		return cite.GrapplePinned
	}
	if list := shieldedFrom(s, target); len(list) >= 2 && !slices.Contains(list, b.attacker.Id) {
		return cite.DefenseShieldTwoAttackers
	}
	return ""
}

// shieldedFrom lists the attackers that the shield serves against this round.
//
// original.defense.shield-two-attackers
func shieldedFrom(s *eventv1.State, c *eventv1.Creature) []string {
	round, list, _ := strings.Cut(c.Marks[mShield], ":")
	if round != itoa(s.Round) || list == "" {
		return nil
	}
	return strings.Split(list, ",")
}
