package body

import (
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MUnbarded is on a creature whose barding has been taken off.
const MUnbarded = "unbarded"

// BardingGrades are the grades of barding, and what a creature may be trained for,
// from none.
var BardingGrades = []string{"none", "light", "medium", "heavy"}

// Barding is a type of armour of mounts.
type Barding struct {
	// Grade: light, medium or heavy.
	Grade string
	// Base armour class.
	Base int32
	// Loud: it hampers stealth.
	Loud bool
	// Weight in pounds and Gold that it costs, for a Medium creature.
	Weight, Gold int32
}

// BardingOf is the barding that a creature has, worn or not; nil for none.
func BardingOf(c *eventv1.Creature) *Barding {
	kind := SheetOf(c).GetBarding().GetType()
	if kind == "" {
		return nil
	}
	return Book.Barding[strings.ToLower(kind)]
}

// Barded is the barding that a creature wears; nil for none.
func Barded(c *eventv1.Creature) *Barding {
	if c.GetMarks()[MUnbarded] != "" {
		return nil
	}
	return BardingOf(c)
}

// ArmorFor is the armour class that a barding gives a creature: with all of its
// Dexterity modifier when light, at most 2 of it when medium, none when heavy (a
// reading: as in the fifth edition).
//
// rcr.equipment.barding-stats, rcr.equipment.barding-light,
// rcr.equipment.barding-medium, rcr.equipment.barding-heavy
func (b *Barding) ArmorFor(c *eventv1.Creature) int32 {
	dexterity := AbilityMod(c, "dexterity")
	switch b.Grade {
	case "light":
		return b.Base + dexterity
	case "medium":
		return b.Base + min(2, dexterity)
	}
	return b.Base
}

// BardingLoad is the weight in pounds and the cost in gold of a creature's
// barding: twice those of the tables when it is Large. For other sizes than Medium
// and Large the sheet says it; 0 where it does not.
//
// rcr.equipment.barding-large
func BardingLoad(c *eventv1.Creature) (weight, gold int32) {
	own, b := SheetOf(c).GetBarding(), BardingOf(c)
	if b == nil {
		return 0, 0
	}
	switch c.GetSize() {
	case "medium":
		weight, gold = b.Weight, b.Gold
	case "large":
		weight, gold = 2*b.Weight, 2*b.Gold
	}
	if own.Weight > 0 {
		weight = own.Weight
	}
	if own.Gold > 0 {
		gold = own.Gold
	}
	return weight, gold
}

// untrainedBarding tells whether a creature wears barding that it is not trained
// for.
//
// rcr.equipment.barding-untrained
func untrainedBarding(c *eventv1.Creature) bool {
	b := Barded(c)
	return b != nil && gradeRank(b.Grade) > gradeRank(BardingTraining(c))
}

// BardingTraining is the heaviest grade of barding that a creature is trained for: what
// its sheet says, or what it was trained to as a mount.
//
// rcr.equipment.barding-untrained, rcr.mount.training-barding
func BardingTraining(c *eventv1.Creature) string {
	return BardingGrades[max(gradeRank(SheetOf(c).BardingTraining), TrainedForBarding(c))]
}

// gradeRank is the position of a grade; none is 0.
func gradeRank(grade string) int {
	for i, g := range BardingGrades {
		if strings.EqualFold(g, grade) {
			return i
		}
	}
	return 0
}

func loudBarding(c *eventv1.Creature) bool {
	b := Barded(c)
	return b != nil && b.Loud
}
