package engine

import (
	"context"
	"sync/atomic"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// tracker says how far the ruling is that is being made on a fight. It is written by the
// one who makes it, and read by whoever asks, without a lock.
type tracker struct {
	of    *Fight
	began int64
	now   atomic.Pointer[encounterv1.Progress]
}

// trackerKey is the key of the tracker in a context.
type trackerKey struct{}

// tracked has what is done under a context tell how far it is, where the command is a
// ruling. The second result ends that.
func (e *Engine) tracked(ctx context.Context, f *Fight, cmd *eventv1.Command) (context.Context, func()) {
	switch cmd.GetWhat().(type) {
	case *eventv1.Command_Amend, *eventv1.Command_Revert, *eventv1.Command_Redo:
	default:
		return ctx, func() {}
	}
	t := &tracker{of: f, began: e.cfg.Clock().UnixMilli()}
	t.now.Store(&encounterv1.Progress{BeganUnixMillis: t.began})
	f.ruling.Store(t)
	return context.WithValue(ctx, trackerKey{}, t), func() { f.ruling.Store(nil) }
}

// progress notes how far a ruling is, if one is made under the context; first begins a
// round.
func progress(ctx context.Context, f *Fight, phase encounterv1.Progress_Phase, done, total int, first bool) {
	t, ok := ctx.Value(trackerKey{}).(*tracker)
	if !ok {
		return
	}
	p := &encounterv1.Progress{Phase: phase, Done: uint64(done), Total: uint64(total), Round: t.now.Load().Round, Elsewhere: f != t.of, BeganUnixMillis: t.began} //nolint:gosec // counts
	if first {
		p.Round++
	}
	t.now.Store(p)
}

// Progress is how far the ruling is that is being made on the fight; nil when none is.
func (f *Fight) Progress() *encounterv1.Progress {
	if t := f.ruling.Load(); t != nil {
		return t.now.Load()
	}
	return nil
}
