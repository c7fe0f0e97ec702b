package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Helpless is the condition that leaves a creature without a turn; nil when
// there is none. Being surprised is not one: it is over with the round.
func Helpless(c *eventv1.Creature) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == body.CondStunned {
			return x
		}
	}
	return Defenceless(c)
}

// Defenceless is the condition that leaves a creature no defence: it is struck as if
// from behind; nil when there is none. The stunned defend themselves.
//
// original.grapple.pinned, original.grapple.thrown-off
func Defenceless(c *eventv1.Creature) *eventv1.Condition {
	x, _ := ConditionBook.Barring(c, condition.BarsDefence)
	return x
}

// Able tells whether a creature can act in this round.
func Able(s *eventv1.State, c *eventv1.Creature) bool {
	return !body.Out(c) && c.Marks[body.MLeaving] == "" && Helpless(c) == nil && !body.Surprised(c)
}

// HeldBack lists the foes that a creature cannot leave freely: those in melee
// with it and with nobody else of its side.
//
// original.movement.free-disengage
func HeldBack(s *eventv1.State, c *eventv1.Creature) []string { return See(s, c).HeldBack() }

// FullMove is the full Turn movement in feet a round.
//
// original.initiative.haste-movement
func FullMove(s *eventv1.State, c *eventv1.Creature) int32 {
	feet := max(0, c.GetSheet().GetSpeeds()["walk"]+int32(c.GetCounters()[house.CounterSpeed+"walk"]))
	if body.Defaults.On(s, body.SetOutdoors) {
		feet *= 3
	}
	if body.Has(c, body.CondHasted) {
		feet *= 2
	}
	if stopped(c) {
		return 0
	}
	return feet
}

// stopped tells whether a condition leaves a creature no speed.
func stopped(c *eventv1.Creature) bool {
	return slices.ContainsFunc(c.GetConditions(), func(x *eventv1.Condition) bool {
		d := ConditionBook.Find(x.Name)
		return d != nil && d.Speed == "0"
	})
}
