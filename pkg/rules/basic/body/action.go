package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// During are the traits of an action that some declarations leave room for.
func During(kinds ...string) play.Traits {
	var t play.Traits
	for _, kind := range kinds {
		t |= RoomFor(kind)
	}
	return t
}

// RoomFor is the trait of the actions that a declaration leaves room for; none before
// anything is declared.
func RoomFor(kind string) play.Traits {
	if i := slices.Index(Declarable, kind); i >= 0 {
		return 2 << i
	}
	return 0
}

// OneAction is the cost of what takes the action of the round.
var OneAction = []play.Cost{{Counter: CAction, Amount: 1}}

// Of lists the ways to do something from what a creature has.
func Of(list func(*eventv1.Creature) []string) func(*play.At) []string {
	return func(at *play.At) []string { return list(at.Actor) }
}

// Pay takes what the action costs, as content has it, off what the round leaves.
func Pay(r *rules.Resolution, at *play.At, ruleIDs ...string) {
	id := at.Actor.Id
	r.Set(id, CAction, max(0, r.Count(id, CAction)-int64(at.Action.Cost(at, CAction))), at.Action.ID, ruleIDs...)
}

// Spend uses up an action of the round.
func Spend(r *rules.Resolution, id, why string, ruleIDs ...string) {
	r.Set(id, CAction, max(0, r.Count(id, CAction)-1), why, ruleIDs...)
}
