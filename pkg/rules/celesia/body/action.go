package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Judging says why something cannot be done; nil when it can. Where the command
// names no target it judges the rest.
type Judging func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error

// Bars judges an action whatever its target.
func Bars(j Judging) func(*play.At) error {
	return func(at *play.At) error {
		take := at.Take
		if len(take.Targets) > 0 {
			take = AimedAt(take, nil)
		}
		return j(at.State, at.Actor, take)
	}
}

// Done carries out a deed.
func Done(do func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error) func(*rules.Resolution, *play.At) error {
	return func(r *rules.Resolution, at *play.At) error { return do(r, r.Creature(at.Take.Creature), at.Take) }
}

// Ways are what an action can be done with. A command may name anything: the action
// itself refuses what it cannot be done with, by its rule.
func Ways(items func(*eventv1.State, *eventv1.Creature) []string) func(*play.At) []string {
	return func(at *play.At) []string {
		if !at.Listing {
			return []string{at.Item()}
		}
		return items(at.State, at.Actor)
	}
}

// FewActs are the costs of so many acts, made once; those of none are nil.
var FewActs = func() (out [7][]play.Cost) {
	for n := int32(1); n < int32(len(out)); n++ {
		out[n] = []play.Cost{{Counter: CActs, Amount: n}}
	}
	return out
}()

// Acts is a cost of so many acts; none is a free action
// (celesia.turn.free-actions).
func Acts(n int32) []play.Cost {
	if uint32(n) < uint32(len(FewActs)) { // below 0 it is beyond them
		return FewActs[n]
	}
	return []play.Cost{{Counter: CActs, Amount: n}}
}

// Priced is a cost in acts that hangs on what is done with what.
func Priced(cost func(*eventv1.Creature, *eventv1.TakeAction) int32) func(*play.At) []play.Cost {
	return func(at *play.At) []play.Cost { return Acts(cost(at.Actor, at.Take)) }
}

// AimedAt is a command with other targets.
func AimedAt(take *eventv1.TakeAction, targets []string) *eventv1.TakeAction {
	return &eventv1.TakeAction{Creature: take.Creature, Action: take.Action, Item: take.Item, Targets: targets, Path: take.Path,
		Parameters: take.Parameters, Facts: take.Facts, Circumstances: take.Circumstances}
}
