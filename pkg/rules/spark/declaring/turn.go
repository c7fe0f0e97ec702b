package declaring

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PassTurn ends the turn of a creature that has one; of others nothing.
func PassTurn(r *rules.Resolution, id string) {
	if slices.Contains(r.State().Active, id) {
		r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}}, cite.TurnTwoHalves)
	}
}
