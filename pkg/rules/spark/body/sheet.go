package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// empty stands in for the section of a sheet that a viewer may not see.
var empty = &eventv1.SparkSheet{}

// SheetOf is the system's section of a creature's sheet; never nil.
func SheetOf(c *eventv1.Creature) *eventv1.SparkSheet {
	if s := c.GetSheet().GetSpark(); s != nil {
		return s
	}
	return empty
}

// Dead tells whether a creature is dead; one that is not there counts as dead.
func Dead(c *eventv1.Creature) bool {
	return c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD
}

// Left tells whether a creature is off the field, or is being taken off it.
func Left(c *eventv1.Creature) bool { return c == nil || c.Marks[MLeaving] != "" }

// Out tells whether a creature is out of the fight.
//
// spark.dice.drop-to-zero
func Out(c *eventv1.Creature) bool {
	return Dead(c) || c.Life == eventv1.LifeStatus_LIFE_STATUS_DYING || Left(c)
}

// CastsUntil is the last round of a spell that takes rounds; 0 when there is none.
//
// spark.action.multi-round-lock
func CastsUntil(c *eventv1.Creature) int32 {
	return rules.BegunOf(c, BegunCasting).GetUntil().GetRound()
}

// Locked tells whether a creature does nothing but cast this round, of a fight that has begun.
//
// spark.action.multi-round-lock
func Locked(s *eventv1.State, c *eventv1.Creature) bool {
	return CastsUntil(c) >= s.Round
}

// Barred tells whether a creature may not attack this round.
//
// spark.fumble.trip-two-rounds, spark.fumble.trip-one-round
func Barred(s *eventv1.State, c *eventv1.Creature) bool {
	x := Conditions.On(c, CondStumbled)
	return x != nil && s.Round >= x.Values["from"] && (x.Until == nil || s.Round <= x.Until.Round)
}

// BarredUntil is the last round without attacks; 0 when nothing bars them or no
// round ends it.
func BarredUntil(c *eventv1.Creature) int32 {
	return Conditions.On(c, CondStumbled).GetUntil().GetRound()
}

// UntilRound is an end with a round.
func UntilRound(round int32) *eventv1.Until { return &eventv1.Until{When: "round", Round: round} }

// HitDiceOf is the counter of a creature's hit dice.
func HitDiceOf(c *eventv1.Creature) string { return CHitDice + Itoa(SheetOf(c).HitDie) }

// OfPlayers tells whether a creature counts as a player's where totals tie.
//
// spark.turn.tie-to-player
func OfPlayers(c *eventv1.Creature) bool {
	return len(c.GetControllers()) > 0 || SheetOf(c).Player
}

// Hostile tells whether two creatures are on different sides.
func Hostile(a, b *eventv1.Creature) bool { return a.GetSide() != b.GetSide() }

// Without is a list less the members of another.
func Without(list, less []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(id string) bool { return slices.Contains(less, id) })
}

// BarredBy is the rule by which a creature may not attack.
func BarredBy(c *eventv1.Creature) string {
	if rule := Conditions.On(c, CondStumbled).GetRule(); rule != "" {
		return rule
	}
	return cite.FumbleTripTwoRounds
}

// Has tells whether a creature is in a condition, by itself or by one that includes it.
func Has(c *eventv1.Creature, condition string) bool { return Conditions.Has(c, condition) }

// WeaponOf finds a weapon of a sheet by name; nil when there is none such.
func WeaponOf(c *eventv1.Creature, name string) *eventv1.SparkWeapon {
	for _, w := range SheetOf(c).Weapons {
		if w.Name == name {
			return w
		}
	}
	return nil
}

// SpellOf finds a spell of a sheet by name; nil when there is none such.
func SpellOf(c *eventv1.Creature, name string) *eventv1.SparkSpell {
	for _, sp := range SheetOf(c).Spells {
		if sp.Name == name {
			return sp
		}
	}
	return nil
}

// ItemOf finds an item of a sheet by name; nil when there is none such.
func ItemOf(c *eventv1.Creature, name string) *eventv1.SparkItem {
	for _, it := range SheetOf(c).Items {
		if it.Name == name {
			return it
		}
	}
	return nil
}

// AttacksOf is how many attacks the attack action holds.
//
// spark.action.attack
func AttacksOf(c *eventv1.Creature) int { return int(max(1, SheetOf(c).AttacksPerRound)) }

// LevelOf is the level less the levels drained.
func LevelOf(c *eventv1.Creature) int32 {
	return max(0, SheetOf(c).Level-int32(c.GetCounters()[CLevelsTemporary]+c.GetCounters()[CLevelsPermanent]))
}

// SpeedOf is how far a move goes: the walking speed, or the best of what cannot
// walk; half as far with a pulled leg.
//
// spark.fumble.alt-pulled-legs, spark.dice.rounding
func SpeedOf(c *eventv1.Creature) int32 {
	_, walks := c.GetSheet().GetSpeeds()["walk"]
	feet := speedIn(c, "walk")
	for mode := range c.GetSheet().GetSpeeds() { // order-free: the greatest
		if !walks {
			feet = max(feet, speedIn(c, mode))
		}
	}
	if HasInjury(c, InjuryLegs) {
		return feet / 2
	}
	return feet
}

// speedIn is a speed with what content makes of it.
func speedIn(c *eventv1.Creature, mode string) int32 {
	return max(0, c.GetSheet().GetSpeeds()[mode]+int32(c.GetCounters()[house.CounterSpeed+mode]))
}

// MayRunAndStrike tells whether a feat allows a full move with a full attack; one whose
// price is the bonus action does so when that is spent on it.
//
// spark.action.no-full-attack-with-full-move, spark.action.feat-bonus
func MayRunAndStrike(c *eventv1.Creature, bonus *Extra) bool {
	return slices.ContainsFunc(SheetOf(c).Feats, func(f *eventv1.SparkFeat) bool {
		return f.FullMoveFullAttack && (!f.Bonus || bonus.On(f.Name).Is("feat"))
	})
}

// BestTree is the mana tree of the highest rank; nil without one.
func BestTree(c *eventv1.Creature) *eventv1.SparkTree {
	var best *eventv1.SparkTree
	for _, t := range SheetOf(c).ManaTrees {
		if best == nil || t.Rank > best.Rank {
			best = t
		}
	}
	return best
}

// WeaponNames lists the names of the weapons on a sheet, usable or not.
func WeaponNames(c *eventv1.Creature) []string {
	var names []string
	for _, w := range SheetOf(c).Weapons {
		names = append(names, w.Name)
	}
	return names
}

// SpellNames lists the names of the spells on a sheet.
func SpellNames(c *eventv1.Creature) []string {
	var names []string
	for _, sp := range SheetOf(c).Spells {
		names = append(names, sp.Name)
	}
	return names
}
