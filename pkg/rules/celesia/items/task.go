package items

import (
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TaskCost(_ *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if n, ok := spoken.Number(take.GetParameters(), "acts"); ok {
		return n
	}
	return 1
}

func TaskID(c, name string) string { return "task-" + c + "-" + name }
