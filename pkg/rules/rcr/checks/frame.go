package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// One is the cost of one of a counter; nothing of none.
func One(counter string) []play.Cost {
	switch counter {
	case "":
		return nil
	case body.CAction:
		return OneAction
	case body.CBonus:
		return OneBonus
	case body.CReaction:
		return OneReaction
	}
	return []play.Cost{{Counter: counter, Amount: 1}}
}

var (
	// OneAction is the cost of an action.
	OneAction = []play.Cost{{Counter: body.CAction, Amount: 1}}
	// OneBonus is the cost of a bonus action.
	OneBonus = []play.Cost{{Counter: body.CBonus, Amount: 1}}
	// OneReaction is the cost of a reaction.
	OneReaction = []play.Cost{{Counter: body.CReaction, Amount: 1}}
)

// Bare is the one way to do a thing that is done without an item.
var Bare = []string{""}

// Verdict is a refusal that is worded once for all that it refuses.
type Verdict struct {
	Given bool
	Err   error
}

// Target is the only target of a command.
func Target(take *eventv1.TakeAction) string { return take.Targets[0] }
