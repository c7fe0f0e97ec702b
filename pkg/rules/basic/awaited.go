package basic

import (
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	theorder "github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Awaited lists those who have yet to declare: what is declared is open to all.
//
// basic.turn.declare
func (System) Awaited(s *eventv1.State, content *effects.Book) []string {
	if s.Phase != body.PhaseDeclare {
		return nil
	}
	return body.Those(s, func(c *eventv1.Creature) bool { return declares(s, content, c) && theorder.DeclaredBy(c) == "" })
}

// declares tells whether a creature is one that declares in this round.
func declares(s *eventv1.State, content *effects.Book, c *eventv1.Creature) bool {
	return body.Able(c) && !silenced(s, content, c)
}
