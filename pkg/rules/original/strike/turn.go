package strike

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FinishTurn ends a creature's turn.
func FinishTurn(r *rules.Resolution, id string) {
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
}
