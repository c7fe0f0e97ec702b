package strike

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CarryThrough does what an action does; cost is all of its acts.
func CarryThrough(a *Action, r *rules.Resolution, take *eventv1.TakeAction, cost int32, ownTurn bool) error {
	id := take.Creature
	at := checks.Frame().At(r.State(), take)
	at.Scratch.(*items.Spot).Cost, at.Content = cost, r.Content()
	if err := a.Do(r, at); err != nil {
		return err
	}
	if manners.Supported(r.Creature(id), a.ID) {
		manners.Remember(r, id, a.ID)
	}
	return nil
}

// Prevented says why an action cannot go on after the answers to it; empty
// when it can.
func Prevented(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, ownTurn bool) string {
	switch {
	case !Able(c):
		return c.GetName() + " can no longer act"
	case ownTurn && int32(c.Counters[body.CSpent]) > Allowance(s, c):
		return "not enough acts are left in the turn"
	}
	if err := answers.Fits(s, take); err != nil {
		return err.Error()
	}
	return ""
}
