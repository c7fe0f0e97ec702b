package robustness

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func (p *play) same(what string, got, want *eventv1.State) {
	p.t.Helper()
	for _, s := range []*eventv1.State{got, want} {
		for _, d := range s.Decisions {
			d.DeadlineUnixMillis = 0
		}
	}
	changes, err := event.Difference(want, got)
	if err != nil {
		p.t.Fatal(err)
	}
	if len(changes) > 0 {
		p.t.Errorf("%s: %v", what, changes)
	}
}

// underWay tells whether an action of a creature waits for dice, its own or those of
// whom it met: one who falls by what it did, its own fire for one, ends its turn when
// the action has ended.
func (p *play) underWay(s *eventv1.State, id string) bool {
	acting := p.fate != nil && p.fate.given[p.fate.root].GetTake().GetCreature() == id
	// order-free: any one will do
	for _, d := range s.Decisions {
		if d.Kind == eventv1.DecisionKind_DECISION_KIND_DICE && (acting || d.Creature == id) {
			return true
		}
	}
	return false
}

// invariants hold whatever the rules say.
func (p *play) invariants(s *eventv1.State) {
	p.t.Helper()
	for _, id := range s.Active {
		if c := s.Creatures[id]; (c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD) && !p.underWay(s, id) {
			p.t.Errorf("the dead or absent %q has a turn; open: %v", id, s.Decisions)
		}
	}
	for _, id := range rules.SortedKeys(s.Creatures) {
		c := s.Creatures[id]
		if c.GetHp() > c.GetHpMax() || c.GetHpTemp() < 0 {
			p.t.Errorf("%s has %d of %d hit points and %d temporary ones", id, c.GetHp(), c.GetHpMax(), c.GetHpTemp())
		}
		for _, name := range rules.SortedKeys(c.Counters) {
			if v := c.Counters[name]; v < -1000 || v > 1_000_000 {
				p.t.Errorf("%s: counter %s is %d", id, name, v)
			}
		}
	}
	for _, id := range rules.SortedKeys(s.Decisions) {
		d := s.Decisions[id]
		if d.Creature != "" && s.Creatures[d.Creature] == nil && !d.GmOnly {
			p.t.Errorf("nobody can answer %v", d)
		}
		if err := rules.CheckAnswer(d, p.answer(d)); err != nil {
			p.t.Errorf("a decision without an answer: %v: %v", d, err)
		}
	}
	if s.UnknownEvents != 0 {
		p.t.Errorf("%d events of unknown types", s.UnknownEvents)
	}
}

// perspectives folds what each sort of viewer was told and compares it with the
// state that the viewer is shown.
func (p *play) perspectives() {
	p.t.Helper()
	for _, as := range []*eventv1.Principal{gm, {Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}, {Role: eventv1.Principal_ROLE_SPECTATOR}} {
		folded := event.NewState()
		var after uint64
		for more := true; more; {
			h, err := p.client.GetHistory(p.t.Context(), &encounterv1.GetHistoryRequest{As: as, Encounter: p.id, After: after, Limit: 1000})
			if err != nil {
				p.t.Fatal(err)
			}
			for _, s := range h.Steps {
				if after++; s.Number != after {
					p.t.Errorf("%v: step %d where %d must follow", as, s.Number, after)
				}
				if s.Restored != nil {
					folded = event.Clone(s.Restored)
					continue
				}
				event.FoldAll(folded, s.Events)
			}
			more = h.More
		}
		shown, err := p.client.GetState(p.t.Context(), &encounterv1.GetStateRequest{As: as, Encounter: p.id})
		if err != nil {
			p.t.Fatal(err)
		}
		if shown.Number != after {
			p.t.Errorf("%v: at step %d after %d steps", as, shown.Number, after)
		}
		p.same(fmt.Sprintf("%v: the fold of what was told is not the state shown", as), folded, shown.State)
	}
}

// reload compares the live state of every fight with that of a second server
// that builds its projection from the log alone.
func (p *play) reload(stack *allinone.Stack) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	replica, err := stack.Replica(ctx, p.t.TempDir())
	if err != nil {
		p.t.Fatal(err)
	}
	defer replica.Close() //nolint:errcheck // the test is over
	other := encounterv1.NewEncounterServiceClient(replica.Conn())
	for n := 1; n <= p.fight; n++ {
		req := &encounterv1.GetStateRequest{As: gm, Encounter: fmt.Sprintf("play-%s-%d", p.system, n)}
		live, err := p.client.GetState(ctx, req)
		if err != nil {
			p.t.Fatal(err)
		}
		again, err := other.GetState(ctx, req)
		if err != nil {
			p.t.Fatal(err)
		}
		if !proto.Equal(live.State, again.State) || live.Number != again.Number {
			p.same("a server that reads the log alone has another state", again.State, live.State)
		}
	}
}
