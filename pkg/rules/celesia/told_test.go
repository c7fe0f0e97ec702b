package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
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

// price is what an action costs as it is offered, and the acts spent before.
type price struct {
	costs  map[string]int32
	before int64
}

// priceOf is what the options say that a command costs; nil when they do not list it, or
// not alone.
func (f *table) priceOf(take *eventv1.TakeAction) *price {
	chosen := take.GetParameters().GetFields()
	if take == nil || f.State.Creatures[take.Creature] == nil || chosen["commit"] != nil || chosen["acts"] != nil || take.Action == "continue-casting" || take.Action == "ready" {
		return nil // a part of it is paid, or what it is
	}
	var found *price
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: take.Creature, Content: f.Content, Actions: []string{take.Action}, LegalOnly: true, WithoutDetails: true}) {
		if o.Action != take.Action || o.Item != take.Item || !o.Legal {
			continue
		}
		if found != nil {
			return nil
		}
		found = &price{costs: o.Costs, before: f.Creature(take.Creature).Counters[body.CSpent]}
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
	if paid := f.Creature(take.Creature).Counters[body.CSpent] - p.before; paid != int64(p.costs[body.CActs]) {
		f.T.Errorf("%s by %s takes %d acts, its option said %v", take.Action, take.Creature, paid, p.costs)
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
		a := e.GetAction()
		return a != nil && a.Creature == take.Creature && (a.Action == take.Action || f.Content != nil) // as what content puts in its place
	}
	if !slices.ContainsFunc(f.Published, told) {
		f.T.Errorf("%s by %s: nothing tells of it", take.Action, take.Creature)
	}
}
