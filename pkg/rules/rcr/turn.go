package rcr

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Begin starts the fight.
func (System) Begin(r *rules.Resolution, start *eventv1.StartEncounter) error { return nil }

// EndTurn ends the turn of a creature and goes on to whatever follows.
func (System) EndTurn(r *rules.Resolution, creature string) error { return nil }

// Finish settles what the end of the encounter means.
func (System) Finish(r *rules.Resolution) error { return nil }

// mayAct says whether the creature may take an action at all now.
func mayAct(r *rules.Resolution, c *eventv1.Creature, a *action) error { return nil }

// endTurnOption is the option to end the turn.
func endTurnOption(s *eventv1.State, c *eventv1.Creature) *eventv1.Option {
	return &eventv1.Option{Creature: c.Id, Action: "end-turn", Title: "End turn"}
}
