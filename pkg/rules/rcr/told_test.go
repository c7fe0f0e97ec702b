package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Must gives a command; when it is done all are told of it.
func (f *table) Must(cmd *eventv1.Command, faces ...int) {
	f.T.Helper()
	price := f.priceOf(cmd.GetTake())
	f.Table.Must(cmd, faces...)
	f.wantTold()
	f.wantPaid(price)
}

// price is what an action costs as it is offered, and what there was before.
type price struct {
	costs  map[string]int32
	before map[string]int64
}

// paidWith are what actions are paid with.
var paidWith = []string{body.CAction, body.CBonus, body.CReaction}

// priceOf is what the options say that a command costs; nil when they do not list it, or
// not alone.
func (f *table) priceOf(take *eventv1.TakeAction) *price {
	chosen := take.GetParameters().GetFields()
	if take == nil || f.State.Creatures[take.Creature] == nil || take.Action == "carry-on" || chosen["cost"] != nil || chosen["metamagic"] != nil {
		return nil // what was ordered is paid, or what was chosen
	}
	var found *price
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: take.Creature, Content: f.Content, Actions: []string{take.Action}, LegalOnly: true, WithoutDetails: true}) {
		if o.Action != take.Action || o.Item != take.Item || !o.Legal {
			continue
		}
		if found != nil {
			return nil
		}
		found = &price{costs: o.Costs, before: map[string]int64{}}
	}
	if found != nil {
		for _, n := range paidWith {
			found.before[n] = f.Creature(take.Creature).Counters[n]
		}
	}
	return found
}

// wantPaid holds that an action that is done costs what its option said.
func (f *table) wantPaid(p *price) {
	f.T.Helper()
	take := f.Command.GetTake()
	if p == nil || len(f.Decisions) > 0 || f.Creature(take.Creature) == nil {
		return
	}
	for _, n := range paidWith {
		if paid := p.before[n] - f.Creature(take.Creature).Counters[n]; paid != int64(p.costs[n]) {
			f.T.Errorf("%s by %s takes %d of %s, its option said %v", take.Action, take.Creature, paid, n, p.costs)
		}
	}
}

// Answer answers a decision; when the command is done all are told of it.
func (f *table) Answer(name, option string, faces ...int) {
	f.T.Helper()
	f.Table.Answer(name, option, faces...)
	f.wantTold()
}

// wantTold holds that an action that is done is told, with who did what.
func (f *table) wantTold() {
	f.T.Helper()
	take := f.Command.GetTake()
	if take == nil || len(f.Decisions) > 0 {
		return
	}
	told := func(e *eventv1.Event) bool {
		switch a := e.GetAction(); {
		case take.Action == "end-task":
			return e.GetTaskEnded() != nil
		case a == nil || a.Creature != take.Creature:
			return take.Action == "use-ready" && e.GetAttack() != nil
		case take.Action == "use-ready", f.Content != nil: // told as what was readied, or as what content puts in its place
			return true
		default:
			return a.Action == take.Action
		}
	}
	if !slices.ContainsFunc(f.Published, told) {
		f.T.Errorf("%s by %s: nothing tells of it", take.Action, take.Creature)
	}
}
