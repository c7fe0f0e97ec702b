package gear

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseDrawOnTheWay says why a weapon is not drawn in the course of a Move.
//
// celesia.equipment.draw-with-move
func RefuseDrawOnTheWay(s *eventv1.State, c *eventv1.Creature, name string) error {
	if err := RefuseDraw(s, c, &eventv1.TakeAction{Creature: c.Id, Item: name}); err != nil {
		return err
	}
	switch {
	case body.SheetOf(c).BaseAttack < 1:
		return body.Refuse("NOT_FREE", answers.RuleDrawOnMove, "drawing on the move takes a base attack bonus of 1")
	case body.WeaponOf(c, name) == nil || body.Where(c, name) == body.PlacePack:
		return body.Refuse("NOT_FREE", answers.RuleDrawOnMove, "only a weapon in easy reach is drawn on the move")
	}
	return nil
}
