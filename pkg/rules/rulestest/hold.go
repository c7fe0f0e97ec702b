package rulestest

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// largest is beyond what any counter of a fight comes to.
const largest = 1_000_000

// hold holds what must hold of a fight in which nothing is open.
func (p *Play) hold() {
	p.T.Helper()
	for _, id := range rules.SortedKeys(p.State.Creatures) {
		c := p.Creature(id)
		if c.GetHp() > c.GetHpMax() || c.GetHpTemp() < 0 {
			p.T.Fatalf("%s has %d of %d hit points and %d temporary ones", id, c.GetHp(), c.GetHpMax(), c.GetHpTemp())
		}
		for _, name := range rules.SortedKeys(c.Counters) {
			if n := c.Counters[name]; n < 0 && !slices.Contains(p.game.Signed, name) || n < -largest || n > largest {
				p.T.Fatalf("%s: counter %s is %d", id, name, n)
			}
		}
	}
	for i, id := range p.State.Active {
		if c := p.Creature(id); c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD || slices.Contains(p.State.Active[:i], id) {
			p.T.Fatalf("active %v: %q is dead, absent or named twice", p.State.Active, id)
		}
	}
	if len(p.State.Decisions) > 0 || p.State.UnknownEvents > 0 {
		p.T.Fatalf("decisions left in the state: %v; %d unknown events", p.State.Decisions, p.State.UnknownEvents)
	}
	p.follow()
	if p.game.Hold != nil {
		p.game.Hold(p)
	}
}

// follow folds what happened since, whole and as the viewer's player sees it,
// and holds that the whole is the state and that the player is offered the same.
func (p *Play) follow() {
	p.T.Helper()
	fresh := p.Log[p.seen:]
	p.seen = len(p.Log)
	viewer := p.Creature(p.game.Viewer)
	if p.game.Viewer != "" {
		for _, e := range fresh {
			event.FoldAll(p.view, event.Visible(p.full, []*eventv1.Event{e}, p.viewer()))
			event.Fold(p.full, e)
		}
	} else {
		event.FoldAll(p.full, fresh)
	}
	if !proto.Equal(p.full, p.State) {
		differences, _ := event.Difference(p.State, p.full)
		p.T.Fatalf("the fold since the creation is not the state: %v", differences)
	}
	if viewer == nil {
		return
	}
	told := p.System.Options(rules.Query{State: p.view, Creature: viewer.Id})
	all := p.System.Options(rules.Query{State: p.State, Creature: viewer.Id})
	for i := range max(len(told), len(all)) {
		switch {
		case i >= len(told):
			p.T.Fatalf("the player of %s is not offered %v", viewer.Id, all[i])
		case i >= len(all):
			p.T.Fatalf("the player of %s is offered %v, the game master is not", viewer.Id, told[i])
		case !proto.Equal(told[i], all[i]):
			p.T.Fatalf("the player of %s is offered %v\nthe game master %v", viewer.Id, told[i], all[i])
		}
	}
}

// viewer is the principal of the viewer's first player.
func (p *Play) viewer() *eventv1.Principal {
	if c := p.full.Creatures[p.game.Viewer]; len(c.GetControllers()) > 0 {
		return Player(c.Controllers[0])
	}
	return Player("nobody")
}

// refusals takes a sample of what is not allowed: it must be refused, and by
// the rule that its option names.
func (p *Play) refusals() {
	p.T.Helper()
	ids := rules.SortedKeys(p.State.Creatures)
	if len(ids) == 0 {
		return
	}
	id := Pick(p.Chance, ids)
	all := p.options(id)
	if len(all) == 0 {
		return
	}
	if o := Pick(p.Chance, all); !o.Legal {
		p.refused(o, ids)
	} else if others := without(ids, o.Targets); o.MinimumTargets > 0 && len(others) > 0 {
		cmd, _ := p.command(o, 0)
		p.unlisted(cmd, []string{Pick(p.Chance, others)}, o)
	}
	k := Pick(p.Chance, p.known)
	if !slices.ContainsFunc(all, func(o *eventv1.Option) bool { return o.Action == k.action && o.Item == k.item }) {
		p.unlisted(Act(id, k.action, k.item, ""), []string{Pick(p.Chance, ids)}, nil)
	}
}

// refused takes an option that is listed as illegal, with everybody for its
// target when it needs one: each is refused, one at least by the rule listed.
func (p *Play) refused(o *eventv1.Option, ids []string) {
	p.T.Helper()
	if o.Reason == "" {
		p.T.Fatalf("illegal without a reason: %v", o)
	}
	cmd, listed := p.command(o, 0)
	take := cmd.GetTake()
	targets := [][]string{take.GetTargets()}
	if need := int(o.MinimumTargets); need > len(take.GetTargets()) {
		targets = nil
		for _, id := range ids {
			targets = append(targets, append([]string{id}, Some(p.Chance, without(ids, []string{id}), need-1)...))
		}
	}
	var whys []string
	for _, list := range targets {
		if take != nil {
			take.Targets = list
		}
		why := p.try(cmd)
		if why == nil {
			p.T.Fatalf("listed as illegal and accepted: %v\noption %v", cmd, o)
		}
		// That it is not one's turn is refused before the system is asked.
		if why.Rule == o.Rule || take == nil || !listed && why.Code != fault.Illegal ||
			p.game.Otherwise != nil && p.game.Otherwise(o, why) {
			return
		}
		whys = append(whys, fmt.Sprintf("%v (%s, rule %q)", why, why.Reason, why.Rule))
	}
	p.T.Fatalf("refused, but not as listed: %v\noption %v\nrefusals %v", cmd, o, whys)
}

// unlisted takes an action that no option lists, at least not with such
// targets.
func (p *Play) unlisted(cmd *eventv1.Command, targets []string, o *eventv1.Option) {
	p.T.Helper()
	cmd.GetTake().Targets = targets
	if p.try(cmd) == nil {
		p.T.Fatalf("not listed and accepted: %v\noption %v", cmd, o)
	}
}

func without(list, gone []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(id string) bool { return slices.Contains(gone, id) })
}
