package strike

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FinishTurn ends a creature's turn.
func FinishTurn(r *rules.Resolution, id string) {
	if p := r.State().Phase; r.Content() != nil && p != body.SegFirst && p != body.SegLast && !body.Out(r.Creature(id)) {
		Turn(r, id, effects.TriggerTurnEnd)
		TurnSaves(r, id)
	}
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
}
