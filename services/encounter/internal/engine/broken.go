package engine

import (
	"context"
	"errors"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// A fight whose record is broken is closed: everything that is asked of it answers
// fault.BrokenRecord, its watches end with that, and other fights go on.

// Broken is the fault that a closed fight, or one of a deleted table, answers; nil
// while it is open.
func (f *Fight) Broken() error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.closed == nil || f.gone != nil {
		return f.gone
	}
	return f.name.Broken(*f.closed)
}

// shut closes the fight and wakes its watches; false when it was closed before.
func (f *Fight) shut(c projection.Closure) bool {
	f.mu.Lock()
	if f.closed != nil {
		f.mu.Unlock()
		return false
	}
	f.closed = &c
	close(f.changed)
	f.changed = make(chan struct{})
	f.mu.Unlock()
	f.stir()
	return true
}

// Closed lists what was found broken here, beside what the projection found.
func (e *Engine) Closed() []projection.Closure { return e.closed.All() }

// IsClosed tells whether an encounter was found broken here.
func (e *Engine) IsClosed(table, encounter string) bool {
	_, ok := e.closed.Of(aggregate.Name{Table: table, Kind: aggregate.Encounter, ID: encounter})
	return ok
}

// catchUp reads what others appended; where that is nothing, the head is held against
// the log's. A record that does not follow, or was altered, closes the fight. The caller
// holds execute.
func (e *Engine) catchUp(ctx context.Context, f *Fight) error {
	if err := f.Broken(); err != nil {
		return err
	}
	at, err := e.log.Onward(ctx, f.name, f.replica.Head, aggregate.CommitHash, func(rec journal.Record) error {
		_, err := f.apply(ctx, rec)
		return err
	})
	if aggregate.Broken(err) {
		f.shut(e.closed.Add(f.name, at, err))
		return f.Broken()
	}
	return aggregate.Fault(e.compared(f, err))
}

// compared closes the fight when the log holds another head than was folded.
func (e *Engine) compared(f *Fight, err error) error {
	var altered *journal.AlteredError
	if !errors.As(err, &altered) {
		return err
	}
	f.shut(e.closed.Add(f.name, altered.Sequence, altered))
	return f.Broken()
}
