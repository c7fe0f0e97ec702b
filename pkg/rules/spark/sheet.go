package spark

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// empty stands in for the section of a sheet that a viewer may not see.
var empty = &eventv1.SparkSheet{}

// sheetOf is the system's section of a creature's sheet; never nil.
func sheetOf(c *eventv1.Creature) *eventv1.SparkSheet {
	if s := c.GetSheet().GetSpark(); s != nil {
		return s
	}
	return empty
}

func dead(c *eventv1.Creature) bool {
	return c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD
}

// left tells whether a creature is off the field, or is being taken off it.
func left(c *eventv1.Creature) bool { return c == nil || c.Marks[mLeaving] != "" }

// out tells whether a creature is out of the fight.
//
// spark.dice.drop-to-zero
func out(c *eventv1.Creature) bool {
	return dead(c) || c.Life == eventv1.LifeStatus_LIFE_STATUS_DYING || left(c)
}

// locked tells whether a creature does nothing but cast this round.
//
// spark.action.multi-round-lock
func locked(s *eventv1.State, c *eventv1.Creature) bool {
	return c.GetCounters()[cLocked] >= int64(s.Round) && c.GetCounters()[cLocked] > 0
}

// barred tells whether a creature may not attack this round.
//
// spark.fumble.trip-two-rounds, spark.fumble.trip-one-round
func barred(s *eventv1.State, c *eventv1.Creature) bool {
	n := c.GetCounters()
	return int64(s.Round) >= n[cBarredFrom] && int64(s.Round) <= n[cBarredUntil]
}

// ofPlayers tells whether a creature counts as a player's where totals tie.
//
// spark.turn.tie-to-player
func ofPlayers(c *eventv1.Creature) bool {
	return len(c.GetControllers()) > 0 || sheetOf(c).Player
}

// hostile tells whether two creatures are on different sides.
func hostile(a, b *eventv1.Creature) bool { return a.GetSide() != b.GetSide() }

// without is a list less the members of another.
func without(list, less []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(id string) bool { return slices.Contains(less, id) })
}

// barredBy is the rule by which a creature may not attack.
func barredBy(c *eventv1.Creature) string {
	if rule := c.GetMarks()[mBarred]; rule != "" {
		return rule
	}
	return cite.FumbleTripTwoRounds
}

func has(c *eventv1.Creature, condition string) bool {
	return slices.ContainsFunc(c.GetConditions(), func(x *eventv1.Condition) bool { return x.Name == condition })
}

func weaponOf(c *eventv1.Creature, name string) *eventv1.SparkWeapon {
	for _, w := range sheetOf(c).Weapons {
		if w.Name == name {
			return w
		}
	}
	return nil
}

func spellOf(c *eventv1.Creature, name string) *eventv1.SparkSpell {
	for _, sp := range sheetOf(c).Spells {
		if sp.Name == name {
			return sp
		}
	}
	return nil
}

func itemOf(c *eventv1.Creature, name string) *eventv1.SparkItem {
	for _, it := range sheetOf(c).Items {
		if it.Name == name {
			return it
		}
	}
	return nil
}

// attacksOf is how many attacks the attack action holds.
//
// spark.action.attack
func attacksOf(c *eventv1.Creature) int { return int(max(1, sheetOf(c).AttacksPerRound)) }

// levelOf is the level less the levels drained.
func levelOf(c *eventv1.Creature) int32 {
	return max(0, sheetOf(c).Level-int32(c.GetCounters()[cLevelsTemporary]+c.GetCounters()[cLevelsPermanent]))
}

// speedOf is how far a move goes: the walking speed, or the best of what cannot
// walk; half as far with a pulled leg.
//
// spark.fumble.alt-pulled-legs, spark.dice.rounding
func speedOf(c *eventv1.Creature) int32 {
	feet, walks := c.GetSheet().GetSpeeds()["walk"]
	for _, other := range c.GetSheet().GetSpeeds() { // order-free: the greatest
		if !walks {
			feet = max(feet, other)
		}
	}
	if hasInjury(c, injuryLegs) {
		return feet / 2
	}
	return feet
}

// mayRunAndStrike tells whether a feat allows a full move with a full attack.
//
// spark.action.no-full-attack-with-full-move
func mayRunAndStrike(c *eventv1.Creature) bool {
	return slices.ContainsFunc(sheetOf(c).Feats, func(f *eventv1.SparkFeat) bool { return f.FullMoveFullAttack })
}

// bestTree is the mana tree of the highest rank; nil without one.
func bestTree(c *eventv1.Creature) *eventv1.SparkTree {
	var best *eventv1.SparkTree
	for _, t := range sheetOf(c).ManaTrees {
		if best == nil || t.Rank > best.Rank {
			best = t
		}
	}
	return best
}

func weaponNames(c *eventv1.Creature) []string {
	var names []string
	for _, w := range sheetOf(c).Weapons {
		names = append(names, w.Name)
	}
	return names
}

func spellNames(c *eventv1.Creature) []string {
	var names []string
	for _, sp := range sheetOf(c).Spells {
		names = append(names, sp.Name)
	}
	return names
}
