package play

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What content does to actions is done here for all systems: what is barred, what
// another action is carried out for, what costs more or less. A readied action, or
// one that is chosen inside another, is judged as itself: nothing replaces it.

// env is the place as expressions of content see it.
func (at *At) env() effects.Env {
	e := effects.Env{State: at.State, Actor: at.Actor, Target: at.Target(), Weapon: effects.Weapon{Name: at.Item()}, Action: at.Action.ID}
	if at.Action.Group == GroupMagic {
		e.Spell = at.Item()
	}
	return e
}

// barred says by what content an action may not be taken; nil when it may.
func (at *At) barred() error {
	if !at.Content.Asks(effects.KindBar) {
		return nil
	}
	by, barred := at.Content.Barred(at.Actor, at.Action.ID, at.env())
	if !barred {
		return nil
	}
	return fault.Refuse("BARRED", by.Rule, "%s cannot take %s: %s", at.Actor.GetName(), at.Action.ID, by.Title)
}

// Barred says by what content the action may not be taken; nil when it may. Systems
// ask it of actions inside others, such as those that are readied.
func (at *At) Barred() error { return at.barred() }

// quiet tells whether content keeps the action from provoking anybody.
func (at *At) quiet() bool {
	if !at.Content.Asks(effects.KindNoProvoke) {
		return false
	}
	_, none := at.Content.NoProvoke(at.Actor, at.Action.ID, at.env())
	return none
}

// changed are costs as content has them; those of nothing are left out.
func (at *At) changed(costs []Cost) []Cost {
	out := make([]Cost, 0, len(costs))
	for _, c := range costs {
		if c.Amount = at.Content.Cost(at.Actor, at.Action.ID, c.Counter, c.Amount, at.env()).Value; c.Amount > 0 {
			out = append(out, c)
		}
	}
	return out
}

// replaced is the action that is listed in place of one, and by what; the same
// action when nothing replaces it. A command is replaced before it comes here.
func (f *Frame) replaced(content *effects.Book, s *eventv1.State, c *eventv1.Creature, a *Action) (*Action, effects.Cite) {
	if !content.Asks(effects.KindReplace) || c == nil {
		return a, effects.Cite{}
	}
	by, cite, found := content.Replacement(c, a.ID, effects.Env{State: s, Actor: c})
	if other := f.byID[by]; found && other != nil && (a.Referee || !other.Referee) {
		return other, cite
	}
	return a, effects.Cite{}
}
