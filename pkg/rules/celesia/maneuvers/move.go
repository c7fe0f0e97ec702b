package maneuvers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FreeEnd refuses a way that ends in the space of another; the foe in hold is not in
// the way.
func FreeEnd(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if n := len(take.Path); n > 0 && body.Blocked(s, c, take.Path[n-1], answers.Holds(c)) {
		return body.Refuse("OCCUPIED", cite.MovementMove, "somebody stands there")
	}
	return nil
}
