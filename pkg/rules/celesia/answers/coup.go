package answers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// BegunCoup is the id under which a coup de grace on an unseen foe is under way.
const BegunCoup = "coup-de-grace"

// EndCoup ends a coup de grace under way, if there is one.
func EndCoup(r *rules.Resolution, id, outcome string) {
	if BegunByID(r.Creature(id), BegunCoup) != nil {
		r.Emit(event.Everyone(), &eventv1.BegunEnded{Creature: id, Id: BegunCoup, Outcome: outcome}, cite.AttackCoupTotalConcealment)
	}
}
