package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// broken is the fault that closed dice answer; nil while they are open.
func (e *encounter) broken() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed == nil {
		return nil
	}
	return fault.BrokenRecord(record.Kind, e.key.Encounter, e.closed.Sequence)
}

// close closes an encounter's dice because of what is wrong with a record, tells
// the operator once, and returns the fault. Tapes that were opened and are not on
// the log can not get there any more; their faces are in the encounter's Commits.
func (l *Ledger) close(e *encounter, sequence uint64, why error) error {
	c := projection.Closure{Subject: e.subject, Sequence: sequence, Why: why.Error()}
	e.mu.Lock()
	lost := len(e.queue)
	if e.closed == nil {
		e.closed, e.queue, e.inflight = &c, nil, nil
	}
	e.mu.Unlock()
	l.mu.Lock()
	_, known := l.closed[e.key]
	if !known {
		l.closed[e.key] = c
	}
	l.mu.Unlock()
	if !known {
		l.cfg.Logger.Error("a record is broken: these dice are closed, all others go on", "dice", e.key.String(),
			"sequence", sequence, "tapes not on the log", lost, "why", why)
	}
	return e.broken()
}

// Closed lists the dice that were found broken here.
func (l *Ledger) Closed() []projection.Closure {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]projection.Closure, 0, len(l.closed))
	for _, c := range l.closed {
		out = append(out, c)
	}
	return out
}

// compare holds the head that was folded against the log's. The caller holds the
// turn.
func (l *Ledger) compare(ctx context.Context, e *encounter) error {
	e.mu.Lock()
	hash := slices.Clone(e.head.Hash)
	head := journal.Head{Subject: e.subject, Sequence: e.head.Sequence, Same: func(data []byte) bool {
		sum := sha256.Sum256(data)
		return bytes.Equal(sum[:], hash)
	}}
	e.mu.Unlock()
	err := l.heads.Compare(ctx, head)
	var altered *journal.AlteredError
	switch {
	case errors.As(err, &altered):
		return l.close(e, altered.Sequence, altered)
	case err != nil:
		return unavailable(err)
	}
	return nil
}
