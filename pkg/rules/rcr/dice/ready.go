package dice

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Actions that are readied in ways of their own.
const (
	ReadyAttack = "attack"
	ReadyCast   = "cast"
	ReadyMove   = "move"
)

// Readied is what a creature has readied; empty when nothing.
func Readied(c *eventv1.Creature) (what, item string) {
	b := rules.BegunOf(c, body.BegunReadied)
	return b.GetAction().GetAction(), b.GetAction().GetItem()
}
