package robustness

import (
	"slices"

	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// refused takes an option that is listed as illegal: it must be refused for the
// reason that is listed, and nothing must happen.
func (p *play) refused(o *eventv1.Option) {
	p.t.Helper()
	if o.Reason == "" {
		p.t.Errorf("an illegal option gives no reason: %v", o)
	}
	f := p.mustRefuse(p.command(o))
	if f != nil && f.Code == fault.Illegal && o.Rule != "" && f.Rule != o.Rule {
		p.t.Errorf("listed as illegal by %s (%s), refused by %s: %v", o.Rule, o.Reason, f.Rule, f)
	}
}

// unlisted tries what no option lists: somebody's action that is not offered
// to a creature, and a target that a legal option does not name.
func (p *play) unlisted(s *eventv1.State, options []*eventv1.Option) {
	p.t.Helper()
	ids := rules.SortedKeys(s.Creatures)
	creature := ids[p.rng.IntN(len(ids))]
	actions := rules.SortedKeys(p.actions)
	action := actions[p.rng.IntN(len(actions))]
	if action != "end-turn" && !slices.ContainsFunc(options, func(o *eventv1.Option) bool { return o.Creature == creature && o.Action == action }) {
		p.mustRefuse(&eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: creature, Action: action,
			Targets: []string{ids[p.rng.IntN(len(ids))]}}}})
	}
	o := options[p.rng.IntN(len(options))]
	other := ids[p.rng.IntN(len(ids))]
	if !o.Legal || autoplay.Walks(o) || len(o.Targets) == 0 || o.MaximumTargets != 1 || o.MinimumTargets != 1 ||
		slices.ContainsFunc(options, func(x *eventv1.Option) bool {
			return x.Legal && x.Creature == o.Creature && x.Action == o.Action && slices.Contains(x.Targets, other)
		}) {
		return
	}
	cmd := p.command(o)
	cmd.GetTake().Targets = []string{other}
	p.mustRefuse(cmd)
}

// mustRefuse takes what may not be done, and gives the refusal.
func (p *play) mustRefuse(cmd *eventv1.Command) *fault.Fault {
	p.t.Helper()
	before := p.state()
	_, err := p.try(cmd)
	if err == nil {
		p.t.Errorf("what may not be done was done: %v", cmd)
		return nil
	}
	f := rpc.FromStatus(err)
	if f.Reason == "" || f.Code == fault.Internal {
		p.t.Errorf("no refusal: %v", err)
	}
	if after := p.state(); after.Number != before.Number {
		p.t.Errorf("a refused command changed the encounter: %v", cmd)
	}
	return f
}
