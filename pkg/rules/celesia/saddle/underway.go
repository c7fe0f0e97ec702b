package saddle

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// BeginPart takes a part of the acts of an action: it is told and answered by those
// whom it provokes, and goes on with the rest of its acts.
//
// celesia.turn.action-classes
func BeginPart(a *strike.Action, r *rules.Resolution, take *eventv1.TakeAction, part, cost int32) {
	id := take.Creature
	if !openAction(a, r, take, part, true) {
		return
	}
	// What it is everyone has been told; the rest of its command is its controllers'.
	told := &eventv1.TakeAction{Creature: id, Action: take.Action, Item: take.Item, Targets: take.Targets}
	for _, known := range []struct {
		to   *eventv1.Audience
		take *eventv1.TakeAction
	}{{event.Everyone(), told}, {event.Controllers(id), take}} {
		r.Emit(known.to, &eventv1.BegunSet{Creature: id, Begun: &eventv1.Begun{Id: body.BegunUnderway, Kind: body.BegunUnderway, Action: known.take,
			Done: part, Needed: cost, Counter: body.CActs, Until: &eventv1.Until{When: "end-of-turn", Creature: id}, Rule: answers.RuleClasses}}, answers.RuleClasses)
	}
	if body.Disabled(r.Creature(id)) {
		strain(r, id, part)
	}
}
