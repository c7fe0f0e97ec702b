package checks

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// UntilStart is the start of a creature's next turn.
func UntilStart(id string) *eventv1.Until { return &eventv1.Until{When: "start-of-turn", Creature: id} }
