package rulestest

import (
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
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
	p.holdQueries()
	if p.game.Hold != nil {
		p.game.Hold(p)
	}
}

// follow folds what happened since, whole and as the viewer's player sees it,
// and holds that the whole is the state and that the player is offered the same.
func (p *Play) follow() {
	p.T.Helper()
	if left := Unexplained(p.Log, p.seen); len(left) > 0 {
		p.T.Fatalf("nothing explains %v", left)
	}
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
	told := p.System.Options(rules.Query{State: p.view, Creature: viewer.Id, Content: p.Content})
	all := p.System.Options(rules.Query{State: p.State, Creature: viewer.Id, Content: p.Content})
	for i := range max(len(told), len(all)) {
		if i < len(told) && i < len(all) { // from whom a thing would be provoked a player may not see
			told[i].Provokes, all[i].Provokes = nil, nil
			for _, squares := range [][]*eventv1.Square{told[i].Squares, all[i].Squares} {
				for _, q := range squares {
					q.Provokes = nil
				}
			}
		}
		switch {
		case i >= len(told):
			p.T.Fatalf("the player of %s is not offered %v", viewer.Id, all[i])
		case i >= len(all):
			p.T.Fatalf("the player of %s is offered %v, the game master is not", viewer.Id, told[i])
		case !alike(told[i], all[i]) && !(told[i].Action == all[i].Action && slices.Contains(p.game.Secret, all[i].Action)):
			p.T.Fatalf("the player of %s is offered %v\nthe game master %v", viewer.Id, told[i], all[i])
		}
	}
}

// holdQueries holds that what a query leaves out changes nothing of what it leaves.
func (p *Play) holdQueries() {
	p.T.Helper()
	if len(p.State.Creatures) == 0 {
		return
	}
	q := rules.Query{State: p.State, Creature: Pick(p.asked, rules.SortedKeys(p.State.Creatures)), Content: p.Content}
	all := p.System.Options(q)
	q.LegalOnly, q.WithoutSquares, q.WithoutDetails = p.asked.OneIn(2), p.asked.OneIn(2), p.asked.OneIn(2)
	q.First = p.asked.OneIn(2)
	if some := Some(p.asked, all, 1+p.asked.N(3)); len(some) > 0 && p.asked.OneIn(2) {
		for _, o := range some {
			q.Actions = append(q.Actions, o.Action)
		}
	} else if len(some) > 0 && p.asked.OneIn(2) {
		q.Groups = []string{some[0].Group}
	}
	var want []*eventv1.Option
	for _, o := range all {
		if q.Wants(o.Action, o.Group) && (o.Legal || !q.LegalOnly) {
			want = append(want, proto.CloneOf(o))
			q.Strip(want[len(want)-1])
		}
	}
	if q.First {
		want = ofFirst(q.Actions, want)
	}
	if p.asked.OneIn(2) { // in a room in which another listing of the state was made
		q.Room = &rules.Room{}
		p.System.Options(rules.Query{State: p.State, Creature: q.Creature, Content: p.Content, LegalOnly: q.LegalOnly, WithoutDetails: p.asked.OneIn(2), Room: q.Room})
	}
	got := p.System.Options(q)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !proto.Equal(got[i], want[i]) {
			p.T.Fatalf("legal %t, actions %v, groups %v, first %t, squares %t, details %t, room %t: %d options, the query leaves %d; the rest from number %d is\n%v\nwant\n%v", q.LegalOnly, q.Actions, q.Groups,
				q.First, !q.WithoutSquares, !q.WithoutDetails, q.Room != nil, len(got), len(want), i, got[min(i, len(got)):], want[min(i, len(want)):])
		}
	}
}

// ofFirst are the options of the first of the actions, or else of the list, that has any.
func ofFirst(actions []string, all []*eventv1.Option) []*eventv1.Option {
	if len(all) == 0 {
		return nil
	}
	has := func(action string) bool {
		return slices.ContainsFunc(all, func(o *eventv1.Option) bool { return o.Action == action })
	}
	first := all[0].Action
	if at := slices.IndexFunc(actions, has); at >= 0 {
		first = actions[at]
	}
	return slices.DeleteFunc(all, func(o *eventv1.Option) bool { return o.Action != first })
}

// viewer is the principal of the viewer's first player.
func (p *Play) viewer() *eventv1.Principal {
	if c := p.full.Creatures[p.game.Viewer]; len(c.GetControllers()) > 0 {
		return Player(c.Controllers[0])
	}
	return Player("nobody")
}

// alike tells whether two options offer the same. Whom they would provoke is as far
// as the viewer can tell: what arms others have only their own players know.
func alike(a, b *eventv1.Option) bool {
	if proto.Equal(a, b) {
		return true
	}
	a, b = proto.CloneOf(a), proto.CloneOf(b)
	a.Provokes, b.Provokes = nil, nil
	return proto.Equal(a, b)
}
