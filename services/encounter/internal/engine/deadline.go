package engine

import (
	"context"
	"fmt"
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
			if at := r.Deadline(d); at > 0 {
				out[i] = proto.Clone(d).(*eventv1.Decision)
				out[i].DeadlineUnixMillis = at
			}
		}
	})
	return out
}

// Run takes defaults when deadlines pass, makes up for reveals that failed, and
// drops idle encounters from memory, until the context ends.
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
	e.fights.DropIdle(now.Add(-e.cfg.KeepIdle))
	for _, n := range e.lateOnes() {
		there := make(chan *Fight, 1)
		e.fights.With(n, func(f *Fight) { there <- f }) // one that is being loaded is kept up by who holds it
		select {
		case f := <-there:
			e.keepUp(ctx, f)
		default:
		}
	}
	e.attendAll(ctx, now)
}

// takeDefaults answers what is overdue. The request id is made from the
// decision and the time at which it was asked, so that two servers that both see
// the deadline answer it once, and a question that a ruling puts again is
// answered again.
func (e *Engine) takeDefaults(ctx context.Context, f *Fight, now time.Time) error {
	type overdue struct {
		id, option string
		asked      int64
	}
	var due []overdue
	f.Read(func(r *replica.Replica) {
		// order-free: each is answered by itself
		for _, d := range r.State().Decisions {
			if at := r.Deadline(d); at > 0 && at <= now.UnixMilli() {
				due = append(due, overdue{d.Id, d.DefaultOption, r.Pending.Asked[d.Id]})
			}
		}
	})
	var failed error
	for _, d := range due {
		_, err := e.Execute(ctx, Request{ID: fmt.Sprintf("deadline %s %d", d.id, d.asked), As: &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "deadline"},
			Table: f.table, Encounter: f.id, Command: &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{
				Decision: d.id, Answer: &eventv1.Answer{Option: d.option}, ByDefault: true}}}})
		if err != nil {
			failed = fmt.Errorf("taking the default of decision %s: %w", d.id, err)
		}
	}
	return failed
}

// makeUp reveals the dice of a fight whose reveal failed, or whose server died
// before it.
func (e *Engine) makeUp(ctx context.Context, f *Fight) error {
	if !f.owes() && !f.owesSecrets(e.cfg.Clock()) {
		return nil
	}
	f.execute.Lock()
	defer f.execute.Unlock()
	if err := e.reveal(ctx, f); err != nil {
		return fmt.Errorf("revealing dice: %w", err)
	}
	return nil
}
