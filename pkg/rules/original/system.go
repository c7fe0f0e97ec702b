package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// System is the rule system. It holds nothing: all state is in the encounter.
type System struct{}

var (
	_ rules.System   = System{}
	_ rules.Worded   = System{}
	_ rules.Refereed = System{}
)

// Info names the system.
func (System) Info() rules.Info {
	return rules.Info{ID: ID, Title: "Original Edition Combat", Version: Version}
}

// Medicine is the system's part in harm and healing.
func (System) Medicine() rules.Medicine { return Medicine{} }

// Act carries out an action.
func (System) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	if bookError != nil {
		return bookError
	}
	for _, a := range actions() {
		if a.id != take.Action {
			continue
		}
		c := r.Creature(take.Creature)
		if err := mayAct(r.State(), c, a); err != nil {
			return err
		}
		if err := a.do(r, c, take); err != nil {
			return err
		}
		return settle(r)
	}
	return fault.Field("take.action", "there is no action %q; GetOptions lists them", take.Action)
}

// Options lists what a creature may do, and why not the rest.
func (System) Options(q rules.Query) []*eventv1.Option {
	c := q.State.GetCreatures()[q.Creature]
	if c == nil {
		return nil
	}
	var list []*eventv1.Option
	for _, a := range actions() {
		for _, o := range a.options(q.State, c) {
			o.Creature, o.Action = c.Id, a.id
			rules.Forbid(o, mayAct(q.State, c, a))
			if !o.Legal {
				o.Targets = nil
			}
			if o.Title == "" {
				o.Title = a.title
			}
			list = append(list, o)
		}
	}
	end := &eventv1.Option{Creature: c.Id, Action: "end-turn", Title: "End turn", Legal: true}
	if !slices.Contains(q.State.Active, c.Id) {
		rules.Forbid(end, refuse("NOT_YOUR_TURN", cite.TurnPrecedence, "it is not the turn of %s", c.Name))
	}
	return append(list, end)
}
