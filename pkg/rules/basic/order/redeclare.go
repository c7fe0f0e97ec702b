package order

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DoRedeclare asks the game master, or takes the word that is stated, and then lets
// the other declaration count from now on.
//
// basic.turn.declare
func DoRedeclare(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	const rule = cite.TurnDeclare
	was, kind := DeclaredBy(c), body.KindOf(take.Item)
	allowed, stated := body.Told(take.Facts, "allowed")
	switch {
	case stated && !allowed:
		return body.Refuse("NOT_ALLOWED", rule, "the game master does not allow it")
	case !stated:
		d := rules.YesNo(body.DecChange, c.Id, c.Name+" declared "+was, "May it do "+kind+" instead?", body.DecideNo, rule)
		d.GmOnly = true
		allowed = r.Ask("change/"+c.Id, d).GetOption() == body.DecideYes
	}
	if !allowed {
		r.Note(event.Everyone(), c.Id, "what was declared binds", rule)
		return nil
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: kind, Notes: []string{"allowed in place of " + was}}, rule)
	for _, name := range []string{body.CondDodging, body.CondCharging} {
		if x := body.ConditionOf(r.Creature(c.Id), name); x != nil {
			r.RemoveCondition(c.Id, x, "does something else", rule)
		}
	}
	setDeclared(r, c.Id, kind)
	left, moved := r.Count(c.Id, body.CMovement), r.Count(c.Id, body.CMoved)
	if left > 0 || moved >= int64(AllowanceOf(c, was)) { // it did not stand up, which takes it all
		left = int64(AllowanceOf(c, kind)) - moved
	}
	r.Set(c.Id, body.CMovement, left, "declared "+kind, rule)
	if kind == body.KindDodge {
		UntilRoundEnds(r, c.Id, body.CondDodging, cite.ActionDodge)
	}
	BeginCharge(r, c.Id)
	return nil
}
