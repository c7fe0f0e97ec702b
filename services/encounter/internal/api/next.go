package api

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// GetNext says what the encounter waits for, as far as the caller may see.
func (s *Server) GetNext(ctx context.Context, req *encounterv1.GetNextRequest) (*encounterv1.GetNextResponse, error) {
	f, table, release, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	n := next{as: req.As, systems: s.Systems}
	var seen uint64 // the last version that the caller saw something of
	var number int
	var transcript []byte
	var contested []*encounterv1.Waiting
	f.Read(func(r *replica.Replica) {
		v := r.View(req.As)
		n.state, n.waits = event.Clone(v.State), r.Pending != nil
		if n.waits {
			n.asked, n.action = maps.Clone(r.Pending.Asked), own(r.Pending, req.As, v.State)
		}
		transcript = v.Transcript
		if contested = contestsWaiting(r, req.As); v.State.Imported { // nobody can settle them here
			contested = nil
		}
		if number = len(v.Versions); number > 0 {
			seen = v.Versions[number-1]
		}
	})
	if seen > 0 {
		entries, err := s.entries(ctx, f, seen, seen)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			n.since = e.Millis
		}
	}
	if !n.waits && len(n.state.Active) == 0 && n.state.Status == eventv1.State_STATUS_STARTED && !n.state.Imported {
		if n.content, err = s.Engine.Book(ctx, f, n.state); err != nil {
			return nil, err
		}
	}
	out := &encounterv1.GetNextResponse{Waiting: append(n.all(), contested...), Round: n.state.Round, Phase: n.state.Phase,
		Cursor: encodeCursor(table, req.Encounter, req.As, uint64(number), transcript)}
	if sys, err := s.Systems.System(n.state.System); err == nil && len(out.Waiting) > 0 {
		out.DiceOrder = rules.DiceOrder(sys, n.state)
	}
	for _, w := range out.Waiting {
		if w.Decision != nil {
			w.Decision = f.Deadlines([]*eventv1.Decision{w.Decision})[0]
			w.ByDefault = byDefault(w.Decision)
		}
	}
	return out, nil
}

// next is what a caller may know of what an encounter waits for.
type next struct {
	as      *eventv1.Principal
	systems *rules.Registry
	state   *eventv1.State // the caller's
	content *effects.Book
	since   int64
	waits   bool             // an action waits
	asked   map[string]int64 // when each was
	// action that waits, where the caller may be told of it.
	action *eventv1.TakeAction
}

// all lists what is waited for.
func (n *next) all() []*encounterv1.Waiting {
	switch {
	case n.state.Status == eventv1.State_STATUS_ENDED, n.state.Imported:
		return nil
	case n.waits:
		return n.decisions()
	case n.state.Status != eventv1.State_STATUS_STARTED:
		return []*encounterv1.Waiting{n.masters(encounterv1.Waiting_KIND_START)}
	}
	var out []*encounterv1.Waiting
	for _, id := range n.awaited() {
		out = append(out, n.of(encounterv1.Waiting_KIND_ACT, id))
	}
	if len(out) == 0 {
		return []*encounterv1.Waiting{n.masters(encounterv1.Waiting_KIND_UNSEEN)}
	}
	return out
}

// awaited are those who may act: who has the turn, or what the rules wait for from each
// before anybody has one.
func (n *next) awaited() []string {
	sys, err := n.systems.System(n.state.System)
	if err != nil {
		return n.state.Active // of a build that has it no more
	}
	return rules.Awaited(sys, n.state, n.content)
}

// decisions are those open that the caller sees, or one word where it sees none.
func (n *next) decisions() []*encounterv1.Waiting {
	seen := make([]*eventv1.Decision, 0, len(n.state.Decisions))
	for _, id := range rules.SortedKeys(n.state.Decisions) {
		seen = append(seen, n.state.Decisions[id])
	}
	engine.InOrder(seen, n.asked)
	var out []*encounterv1.Waiting
	for _, d := range seen {
		w := n.of(encounterv1.Waiting_KIND_DECISION, d.Creature)
		if d.GmOnly || d.Creature == "" {
			w = n.masters(encounterv1.Waiting_KIND_DECISION)
			if d.Creature != "" {
				w.Creatures = []string{d.Creature}
			}
		}
		w.Decision, w.Yours, w.SinceUnixMillis = d, rules.MayAnswer(n.state, n.as, d), n.asked[d.Id]
		w.Otherwise = otherwise(d)
		if !d.GmOnly { // who sees it may answer it
			w.Order = n.orderable(d)
		}
		out = append(out, w)
	}
	alike(out)
	if len(out) == 0 { // beside one that is seen, nothing is said of another
		out = append(out, &encounterv1.Waiting{Kind: encounterv1.Waiting_KIND_UNSEEN, SinceUnixMillis: n.since})
	}
	for _, w := range out {
		w.Action = n.action
	}
	return out
}

// own is the action that waits, for whoever gave it and for the game master: whoever
// gave a command knows it, and that it has not ended. It tells nothing of what it waits
// for; targets that the caller does not know of, which a ruling may have named, are
// left out.
func own(p *replica.Pending, as *eventv1.Principal, seen *eventv1.State) *eventv1.TakeAction {
	master := as.GetRole() == eventv1.Principal_ROLE_GM
	if by := p.Caller; !master && (as.GetRole() != eventv1.Principal_ROLE_PLAYER || by.GetRole() != as.GetRole() || by.GetName() != as.GetName()) {
		return nil
	}
	var cmd eventv1.Command
	if err := proto.Unmarshal(p.Command, &cmd); err != nil || cmd.GetTake() == nil {
		return nil
	}
	take := cmd.GetTake()
	targets := slices.DeleteFunc(slices.Clone(take.Targets), func(id string) bool { return seen.Creatures[id] == nil })
	return &eventv1.TakeAction{Creature: take.Creature, Action: take.Action, Item: take.Item, Targets: targets}
}

// of is something that those who control a creature may do; the game master does it
// for a creature that nobody plays.
func (n *next) of(kind encounterv1.Waiting_Kind, id string) *encounterv1.Waiting {
	c := n.state.Creatures[id]
	return &encounterv1.Waiting{Kind: kind, Creatures: []string{id}, Players: slices.Sorted(slices.Values(c.GetControllers())),
		GameMaster: len(c.GetControllers()) == 0, Yours: event.Controls(c, n.as), SinceUnixMillis: n.since}
}

// masters is something that is the game master's to do.
func (n *next) masters(kind encounterv1.Waiting_Kind) *encounterv1.Waiting {
	return &encounterv1.Waiting{Kind: kind, GameMaster: true, Yours: n.as.GetRole() == eventv1.Principal_ROLE_GM, SinceUnixMillis: n.since}
}

// byDefault says what is taken when nobody answers in time.
func byDefault(d *eventv1.Decision) string {
	if d.DeadlineUnixMillis == 0 || d.DefaultOption == "" {
		return ""
	}
	return fmt.Sprintf("%s, at %s", otherwise(d), time.UnixMilli(d.DeadlineUnixMillis).UTC().Format(time.RFC3339))
}

// otherwise is the answer that a decision gives by default, in words; empty when it
// gives none.
func otherwise(d *eventv1.Decision) string {
	for _, o := range d.Options {
		if o.Id == d.DefaultOption && o.Text != "" {
			return o.Text
		}
	}
	return d.DefaultOption
}

// orderable says how a decision may be settled ahead from now on; nil when it may not.
func (n *next) orderable(d *eventv1.Decision) *eventv1.Orderable {
	sys, err := n.systems.System(n.state.System)
	if err != nil {
		return nil // of a build that has it no more
	}
	for _, o := range rules.Orderables(sys, n.state, n.state.Creatures[d.Creature]) {
		if o.Decision == d.Name {
			return o
		}
	}
	return nil
}

// alike counts for each decision how many of its name the caller has, where they are
// several: one answer can be given to all.
func alike(decisions []*encounterv1.Waiting) {
	count := map[string]uint32{}
	for _, w := range decisions {
		count[w.Decision.Name]++
	}
	for _, w := range decisions {
		if n := count[w.Decision.Name]; n > 1 {
			w.Alike = n
		}
	}
}
