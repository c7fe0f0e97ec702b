package items

import (
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TaskCost is how many acts the creature spends on a task now, one when nothing is
// said.
func TaskCost(_ *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if n, ok := spoken.Number(take.GetParameters(), "acts"); ok {
		return n
	}
	return 1
}

// TaskID is the id of a creature's task of that name in the state.
func TaskID(c, name string) string { return "task-" + c + "-" + name }
