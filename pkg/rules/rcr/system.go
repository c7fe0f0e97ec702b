package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// System is the rule system. It holds nothing: all state is in the encounter.
type System struct{}

var _ rules.System = System{}

// Info names the system.
func (System) Info() rules.Info {
	return rules.Info{ID: ID, Title: "Revised Combat Rules (5e)", Version: Version}
}

// Medicine is the system's part in harm and healing.
func (System) Medicine() rules.Medicine { return Medicine{} }

var allActions []*action

func init() { // not in the declaration: actions look one another up
	allActions = slices.Concat(fightActions(), moveActions(), handActions(), spellActions(), checkActions(), tableActions(), legendaryActions())
}

// actions is everything a creature can do, in the order in which options are
// listed.
func actions() []*action { return allActions }

// Act carries out an action.
func (System) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	for _, a := range actions() {
		if a.id != take.Action {
			continue
		}
		c := r.Creature(take.Creature)
		if err := mayAct(r, c, a); err != nil {
			return err
		}
		if err := checkObjects(r, take); err != nil {
			return err
		}
		if !a.anytime {
			closeLegendary(r, rules.SortedKeys(r.State().Creatures)...)
		}
		if err := a.do(r, c, take); err != nil {
			return err
		}
		return settle(r)
	}
	return fault.Field("take.action", "there is no action %q%s", take.Action, rules.DidYouMean(take.Action, System{}.Vocabulary().Actions))
}

// Options lists what a creature may do, and why not the rest.
func (System) Options(q rules.Query) []*eventv1.Option {
	c := q.State.GetCreatures()[q.Creature]
	if c == nil {
		return nil
	}
	var out []*eventv1.Option
	for _, a := range actions() {
		for _, o := range a.options(q.State, c) {
			o.Creature, o.Action = c.Id, a.id
			if err := mayActIn(q.State, c, a); err != nil {
				rules.Forbid(o, err)
			}
			if o.Title == "" {
				o.Title = a.title
			}
			out = append(out, o)
		}
	}
	return append(out, endTurnOption(q.State, c))
}
