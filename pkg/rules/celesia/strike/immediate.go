package strike

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Effort is the points that an action costs a disabled creature: one for each
// act of it. Of what takes none only what is strenuous costs one: a quickened
// spell, and what the game master says.
//
// celesia.injury.disabled-strain
func Effort(c *eventv1.Creature, a *Action, take *eventv1.TakeAction, cost int32, ownTurn bool) int32 {
	quickened := a.ID == "cast" && body.SpellOf(c, take.Item).GetQuickened()
	if cost == 0 && ownTurn && (quickened || spoken.Truth(take.GetFacts(), "strenuous")) {
		return 1
	}
	return cost
}
