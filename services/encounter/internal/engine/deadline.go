package engine

import (
	"context"
	"fmt"
	"maps"
	"time"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Name is the fight's table and encounter id.
func (f *Fight) Name() (table, id string) { return f.table, f.id }

// Deadlines returns the decisions with the time when their default is taken:
// when they were stored, plus the seconds that the encounter allows. Decisions
// without a default wait for ever.
func (f *Fight) Deadlines(ds []*eventv1.Decision) []*eventv1.Decision {
	out := make([]*eventv1.Decision, len(ds))
	f.Read(func(r *replica.Replica) {
		for i, d := range ds {
			out[i] = d
			if at := deadline(r, d); at > 0 {
				out[i] = proto.Clone(d).(*eventv1.Decision)
				out[i].DeadlineUnixMillis = at
			}
		}
	})
	return out
}

func deadline(r *replica.Replica, d *eventv1.Decision) int64 {
	seconds := r.State().DecisionSeconds
	if seconds == 0 || d.DefaultOption == "" || r.Pending == nil || r.Pending.Asked[d.Id] == 0 {
		return 0
	}
	return r.Pending.Asked[d.Id] + int64(seconds)*1000
}

// Run takes defaults when deadlines pass and drops idle encounters from
// memory, until the context ends.
func (e *Engine) Run(ctx context.Context) error {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			e.sweep(ctx)
		}
	}
}

func (e *Engine) sweep(ctx context.Context) {
	now := e.cfg.Clock()
	e.mu.Lock()
	var all []*Fight
	// order-free: fights do not touch each other
	for key, s := range e.fights {
		if s.fight == nil {
			continue
		}
		broken := s.fight.Broken() != nil
		s.fight.mu.RLock()
		idle := now.Sub(s.fight.used) > e.cfg.KeepIdle && s.fight.replica.Pending == nil && s.fight.holders == 0
		s.fight.mu.RUnlock()
		if idle && s.fight.execute.TryLock() {
			delete(e.fights, key)
			s.fight.execute.Unlock()
			continue
		}
		if !broken {
			all = append(all, s.fight)
		}
	}
	e.mu.Unlock()
	for _, f := range all {
		e.takeDefaults(ctx, f, now)
		e.makeUp(ctx, f)
	}
}

// makeUp reveals the dice of a fight whose reveal failed, or whose server died
// before it.
func (e *Engine) makeUp(ctx context.Context, f *Fight) {
	if !f.owes() || !f.execute.TryLock() {
		return
	}
	defer f.execute.Unlock()
	e.revealIfOver(ctx, f)
}

// takeDefaults answers what is overdue. The request id is made from the
// decision and the time at which it was asked, so that two servers that both see
// the deadline answer it once, and a question that a ruling puts again is
// answered again.
func (e *Engine) takeDefaults(ctx context.Context, f *Fight, now time.Time) {
	var due []*eventv1.Decision
	var asked map[string]int64
	f.Read(func(r *replica.Replica) {
		if r.Pending == nil {
			return
		}
		asked = maps.Clone(r.Pending.Asked)
		// order-free: each is answered by itself
		for _, d := range r.State().Decisions {
			if at := deadline(r, d); at > 0 && at <= now.UnixMilli() {
				due = append(due, d)
			}
		}
	})
	for _, d := range due {
		_, err := e.Execute(ctx, Request{ID: fmt.Sprintf("deadline %s %d", d.Id, asked[d.Id]), As: &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "deadline"},
			Table: f.table, Encounter: f.id, Command: &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{
				Decision: d.Id, Answer: &eventv1.Answer{Option: d.DefaultOption}, ByDefault: true}}}})
		if err != nil && ctx.Err() == nil {
			e.cfg.Logger.Warn("taking a default", "encounter", f.id, "decision", d.Name, "error", err)
		}
	}
}
