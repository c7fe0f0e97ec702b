package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Hands are what content has done by this system. The chapter of movement, which is
// above all that it may set off, fills them in when the program starts.
var Hands house.Hands

// Happen carries out what content sets off by a trigger for a creature; label names
// the rolls.
func Happen(r *rules.Resolution, label string, c *eventv1.Creature, trigger string, env effects.Env) {
	Hands.Happen(r, label, c, trigger, env)
}
