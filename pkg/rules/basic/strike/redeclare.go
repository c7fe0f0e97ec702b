package strike

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/play"
)

// RedeclareActions change what was declared, with the game master's leave.
func RedeclareActions() []*play.Action {
	return []*play.Action{
		{ID: "redeclare", Title: "Do something else than was declared, if the game master allows it", Rule: cite.TurnDeclare, Group: play.GroupTurn,
			Costs: body.OneAction, Items: order.KindItems, Refuse: refuseRedeclaring, Do: order.DoRedeclare},
	}
}

// refuseRedeclaring says why the declaration stands: it binds at this table, or what was
// moved does not go with another.
//
// basic.turn.declare
func refuseRedeclaring(at *play.At) error {
	s, c, kind := at.State, at.Actor, body.KindOf(at.Item())
	const rule = cite.TurnDeclare
	switch {
	case body.Defaults.Value(s, body.SetChange) == "never":
		return body.Refuse("BINDING", rule, "what was declared binds")
	case order.DeclaredBy(c) == kind:
		return body.Refuse("DECLARED", rule, "%s has declared %s", c.Name, kind)
	case c.Counters[body.CMoved] > int64(order.AllowanceOf(c, kind)), c.Counters[body.CMoved] > 0 && kind == body.KindRun:
		return body.Refuse("NO_MOVEMENT", rule, "%s has moved %d feet, too many for %s", c.Name, c.Counters[body.CMoved], kind)
	}
	return refuseDeclaring(s, c, kind)
}
