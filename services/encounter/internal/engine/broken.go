package engine

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// A fight whose record is broken is closed: everything that is asked of it answers
// fault.BrokenRecord, its watches end with that, and other fights go on.

// Broken is the fault that a closed fight answers; nil while it is open.
func (f *Fight) Broken() error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.closed == nil {
		return nil
	}
	return fault.BrokenRecord(replica.Kind, f.id, f.closed.Sequence)
}

// shut closes the fight and wakes its watches; false when it was closed before.
func (f *Fight) shut(c projection.Closure) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed != nil {
		return false
	}
	f.closed = &c
	close(f.changed)
	f.changed = make(chan struct{})
	return true
}

// close closes a fight because of what is wrong with a record, and tells the
// operator once.
func (e *Engine) close(f *Fight, sequence uint64, why error) {
	c := projection.Closure{Subject: f.subject, Sequence: sequence, Why: why.Error()}
	if !f.shut(c) {
		return
	}
	e.mu.Lock()
	_, known := e.closed[f.table+"/"+f.id]
	e.closed[f.table+"/"+f.id] = c
	e.mu.Unlock()
	if !known {
		e.cfg.Logger.Error("a record is broken: the encounter is closed, all others go on",
			"table", f.table, "encounter", f.id, "sequence", sequence, "why", why)
	}
}

// Closed lists what was found broken here, beside what the projection found.
func (e *Engine) Closed() []projection.Closure {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]projection.Closure, 0, len(e.closed))
	for _, c := range e.closed {
		out = append(out, c)
	}
	return out
}

// IsClosed tells whether an encounter was found broken here.
func (e *Engine) IsClosed(table, encounter string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, ok := e.closed[table+"/"+encounter]
	return ok
}

// catchUp reads what others appended. A record that does not follow closes the
// fight. The caller holds execute.
func (e *Engine) catchUp(ctx context.Context, f *Fight) error {
	if err := f.Broken(); err != nil {
		return err
	}
	var at uint64
	err := e.cfg.Log.Read(ctx, f.subject, f.replica.Sequence+1, 0, func(rec journal.Record) error {
		at = rec.Seq
		_, err := f.apply(ctx, rec)
		return err
	})
	if errors.Is(err, event.ErrBroken) {
		e.close(f, at, err)
		return f.Broken()
	}
	return err
}

// head is the last record as it was folded. The caller holds execute.
func (f *Fight) head() journal.Head {
	hash := slices.Clone(f.replica.Hash)
	return journal.Head{Subject: f.subject, Sequence: f.replica.Sequence, Same: func(data []byte) bool {
		c, err := event.Open(data)
		return err == nil && bytes.Equal(c.Hash, hash)
	}}
}

// compared closes the fight when the log holds another head than was folded.
func (e *Engine) compared(f *Fight, err error) error {
	var altered *journal.AlteredError
	if !errors.As(err, &altered) {
		return err
	}
	e.close(f, altered.Sequence, altered)
	return f.Broken()
}
