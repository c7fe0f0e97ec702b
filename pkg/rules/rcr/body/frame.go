package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Frame is everything that creatures can do; nil where FrameError says what is wrong
// with it. The package of the system, which stands above all actions, sets both when
// it is initialised.
var (
	Frame      = func() *play.Frame { return nil }
	FrameError = func() error { return nil }
)

// Deed is an action's deed by a function of the creature and the command.
func Deed(do func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error) func(*rules.Resolution, *play.At) error {
	return func(r *rules.Resolution, at *play.At) error { return do(r, r.Creature(at.Actor.Id), at.Take) }
}

// Offer adds a word to those that an action takes: in a listing where it has a use,
// in a command always, so that what is wrong with it is said by the rule.
func Offer(list []play.Field, at *play.At, useful bool, f play.Field) []play.Field {
	switch {
	case !at.Listing:
		return append(list, play.Field{Name: f.Name})
	case useful:
		return append(list, f)
	}
	return list
}

// InspirationField is the inspiration that a roll is made with.
//
// rcr.base.inspiration-held
func InspirationField(list []play.Field, at *play.At) []play.Field {
	return Offer(list, at, at.Actor.Counters[CInspiration] > 0, play.Field{Name: "inspiration"})
}
