package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Kinds of rolls that situations touch.
const (
	RollAttack     = "attack"
	RollArmour     = "armour" // the number that an attack must reach
	RollCheck      = "check"
	RollSave       = "save"
	RollGrapple    = "grapple"
	RollInitiative = "initiative"
)

// Barring is the first condition of the book that keeps a creature from something;
// nil when none does. The words are those of package condition.
func Barring(s *eventv1.State, c *eventv1.Creature, what string) *condition.Definition {
	if len(c.GetConditions()) == 0 {
		return nil
	}
	for _, d := range Book.Conditions.All() {
		if slices.Contains(d.Bars, what) && Counts(s, ConditionOf(c, d.Name)) {
			return d
		}
	}
	return nil
}

// Counts tells whether a condition is there and counts by now: some count from a later
// round on, or from after the number on which they came.
//
// basic.fumble.second-roll, basic.fumble.stumble, basic.action.hold-silence
func Counts(s *eventv1.State, x *eventv1.Condition) bool {
	if x == nil || s.GetRound() < x.Values["from"] {
		return false
	}
	n, numbered := x.Values["number"]
	return !numbered || x.Values["round"] != s.Round || int64(n) != s.Counters[CCount]
}
