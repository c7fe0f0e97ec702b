package engine

import (
	"time"

	"github.com/skaldrpg/skald/pkg/aggregate"
)

// deleted is what a deleted table answers; nil for any other.
func (e *Engine) deleted(table string) error {
	if e.cfg.Deleted == nil {
		return nil
	}
	return e.cfg.Deleted(table)
}

// Bury lets go of the fights of a table that was deleted: whoever works with one is
// answered so, and its watches end with that.
func (e *Engine) Bury(table string) {
	gone := e.deleted(table)
	if gone == nil {
		return
	}
	for _, f := range e.fights.All() {
		if f.table != table {
			continue
		}
		f.buried.Store(true)
		f.mu.Lock()
		f.gone = gone
		close(f.changed)
		f.changed = make(chan struct{})
		f.mu.Unlock()
		e.fights.Settle(f.name)
	}
	e.amendments.Clear()
	e.fights.DropIdle(time.Now().Add(time.Hour)) // other fights are loaded again when they are asked for
	e.stirAll(func(key aggregate.Name) bool { return key.Table == table })
}
