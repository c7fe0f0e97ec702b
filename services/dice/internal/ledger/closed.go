package ledger

import (
	"context"
	"errors"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// broken is the fault that closed dice answer; nil while they are open.
func (e *encounter) broken() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed == nil || e.gone != nil {
		return e.gone
	}
	return e.name.Broken(*e.closed)
}

// close closes an encounter's dice because of what is wrong with a record, and
// returns the fault. Tapes that were opened and are not on the log can not get
// there any more; their faces are in the encounter's Commits.
func (l *Ledger) close(e *encounter, sequence uint64, why error) error {
	e.mu.Lock()
	lost := len(e.queue)
	e.mu.Unlock()
	c := l.closed.Add(e.name, sequence, why, "tapes not on the log", lost)
	e.mu.Lock()
	if e.closed == nil {
		e.closed, e.queue, e.inflight = &c, nil, nil
	}
	e.mu.Unlock()
	return e.broken()
}

// Closed lists the dice that were found broken here.
func (l *Ledger) Closed() []projection.Closure { return l.closed.All() }

// compare holds the head that was folded against the log's. The caller holds the
// turn.
func (l *Ledger) compare(ctx context.Context, e *encounter) error {
	e.mu.Lock()
	head := e.head
	e.mu.Unlock()
	err := l.log.Compare(ctx, e.name, head, aggregate.PlainHash)
	var altered *journal.AlteredError
	if errors.As(err, &altered) {
		return l.close(e, altered.Sequence, altered)
	}
	return err
}
