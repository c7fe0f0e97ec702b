package answers

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// StartTurnEffects ends what lasts until the start of this creature's turn.
func StartTurnEffects(r *rules.Resolution, id string) {
	DropReady(r, id, "its time is over")
	body.Expire(r, "its time is over", cite.InitiativeDurationNextTurn, func(_ string, u *eventv1.Until) bool {
		return u.When == body.UntilTurnStart && u.Creature == id
	})
}
