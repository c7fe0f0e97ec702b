package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Traits of actions.
const (
	// WhileHolding actions may come first in the turn of one who holds a foe.
	WhileHolding play.Traits = 1 << iota
	// Task actions carry on a task and so do not break it.
	Task
	// Aims keeps the run of aiming.
	Aims
	// Unruled: may be done before a frightened mount is in hand.
	Unruled
	// Sealed: with what and against whom is not told.
	Sealed
	// Whole actions cannot be begun with a part of their acts.
	Whole
)

// Judged judges what was said with a command.
func Judged(j body.Judging) func(*play.At) error {
	return func(at *play.At) error { return j(at.State, at.Actor, at.Take) }
}

// Bare lists maneuvers once, with bare limbs; a command may name a weapon.
func Bare(*eventv1.State, *eventv1.Creature) []string { return []string{""} }

// Those are the creatures that an action can come into question for.
func Those(fit func(c, t *eventv1.Creature) bool) func(*play.At) []string {
	return func(at *play.At) []string {
		var out []string
		for _, id := range at.Creatures() {
			if fit(at.Actor, at.State.Creatures[id]) {
				out = append(out, id)
			}
		}
		return out
	}
}

// Always provokes from everyone who threatens.
func Always(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) (bool, string) { return true, "" }

// Frame is everything a creature can do; a frame without actions when the rule book
// does not hold.
func Frame() *play.Frame {
	if f := play.Registered(body.ID); f != nil {
		return f
	}
	return noFrame
}

var noFrame = &play.Frame{System: body.ID}
