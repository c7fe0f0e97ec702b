package ledger

import (
	"context"
	"errors"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
)

// How many encounters' records go to the log as one atomic batch: a batch is staged in a
// file of its own first, which is dearer than few appends, and then has one sync for all.
const (
	togetherLeast = 24
	togetherMost  = 64
)

// together appends what some encounters have queued in one batch, and tells done of each
// that it has done with. It returns those that are to be written one by one: all where
// they are too few, those that somebody works with, and everything where the batch was not
// stored or nobody knows. Each record has its own guard, so that one that lost its race
// keeps out the others; and a message whose outcome is open is appended again as it is,
// alone and before any other of its encounter.
func (l *Ledger) together(ctx context.Context, es []*encounter, done func(*encounter, error)) (rest []*encounter) {
	if len(es) < togetherLeast {
		return es
	}
	var in []*encounter
	var ms []journal.Message
	for _, e := range es {
		select {
		case e.turn <- struct{}{}:
		default:
			rest = append(rest, e)
			continue
		}
		if !l.ready(ctx, e) {
			e.unlock()
			rest = append(rest, e)
			continue
		}
		in, ms = append(in, e), append(ms, e.inflight.message)
	}
	var seqs []uint64
	err := errTooFew
	if len(in) >= togetherLeast {
		seqs, err = l.log.Append(ctx, ms...)
	}
	for i, e := range in {
		switch {
		case err == nil:
			folded := l.stored(e, seqs[i])
			e.unlock()
			done(e, folded)
			continue
		case !errors.Is(err, errTooFew) && !fault.Is(err, fault.Conflict):
			e.inflight.unknown = true
		}
		e.unlock()
		rest = append(rest, e)
	}
	return rest
}

// errTooFew is why nothing was sent.
var errTooFew = errors.New("ledger: too few")

// ready prepares the append of what an encounter has queued, as attempt does; false when
// there is nothing to append, or something is in the way. The caller holds the turn.
func (l *Ledger) ready(ctx context.Context, e *encounter) bool {
	if e.broken() != nil || e.inflight != nil {
		return false
	}
	if err := l.prepare(e, nil); err != nil || e.inflight == nil {
		return false
	}
	if err := l.compare(ctx, e); err != nil {
		e.inflight = nil // nothing of it was sent
		return false
	}
	return true
}
