package dice

import (
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// HelpAgainst is the help that a creature has on its next attack on a target.
func HelpAgainst(c *eventv1.Creature, target string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == body.CondHelped && x.Variant == target {
			return x
		}
	}
	return nil
}
