package basic

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func redeclareActions() []*action {
	return []*action{{id: "redeclare", title: "Do something else than was declared, if the game master allows it", rule: cite.TurnDeclare,
		costs: true, items: func(*eventv1.State, *eventv1.Creature) []string { return declarable }, refuse: refuseRedeclaring, do: doRedeclare}}
}

// refuseRedeclaring says why the declaration stands: it binds at this table, or what was
// moved does not go with another.
//
// basic.turn.declare
func refuseRedeclaring(s *eventv1.State, c *eventv1.Creature, kind string) error {
	const rule = cite.TurnDeclare
	switch {
	case defaults.Value(s, setChange) == "never":
		return refuse("BINDING", rule, "what was declared binds")
	case c.Marks[mDeclared] == kind:
		return refuse("DECLARED", rule, "%s has declared %s", c.Name, kind)
	case c.Counters[cMoved] > int64(allowanceOf(c, kind)), c.Counters[cMoved] > 0 && kind == kindRun:
		return refuse("NO_MOVEMENT", rule, "%s has moved %d feet, too many for %s", c.Name, c.Counters[cMoved], kind)
	}
	return refuseDeclaring(s, c, kind)
}

// doRedeclare asks the game master, or takes the word that is stated, and then lets
// the other declaration count from now on.
//
// basic.turn.declare
func doRedeclare(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.TurnDeclare
	was := c.Marks[mDeclared]
	allowed, stated := told(take.Facts, "allowed")
	switch {
	case stated && !allowed:
		return refuse("NOT_ALLOWED", rule, "the game master does not allow it")
	case !stated:
		d := rules.YesNo(decChange, c.Id, c.Name+" declared "+was, "May it do "+take.Item+" instead?", decideNo, rule)
		d.GmOnly = true
		allowed = r.Ask("change/"+c.Id, d).GetOption() == decideYes
	}
	if !allowed {
		r.Note(event.Everyone(), c.Id, "what was declared binds", rule)
		return nil
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: take.Item, Notes: []string{"allowed in place of " + was}}, rule)
	for _, name := range []string{condDodging, condCharging} {
		if x := condition(r.Creature(c.Id), name); x != nil {
			r.RemoveCondition(c.Id, x, "does something else", rule)
		}
	}
	r.Mark(c.Id, mDeclared, take.Item, rule)
	left, moved := r.Count(c.Id, cMovement), r.Count(c.Id, cMoved)
	if left > 0 || moved >= int64(allowanceOf(c, was)) { // it did not stand up, which takes it all
		left = int64(allowanceOf(c, take.Item)) - moved
	}
	r.Set(c.Id, cMovement, left, "declared "+take.Item, rule)
	if take.Item == kindDodge {
		untilRoundEnds(r, c.Id, condDodging, cite.ActionDodge)
	}
	beginCharge(r, c.Id)
	return nil
}
