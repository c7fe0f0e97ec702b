package ledger

import "github.com/skaldrpg/skald/services/dice/internal/record"

// Bury lets go of the dice of a table that was deleted: keys, seeds and tapes that
// are not on the log. It does nothing while the table's tombstone is not believed.
func (l *Ledger) Bury(table string) {
	for _, e := range l.live.All() {
		if e.name.Table == table {
			l.buried(e)
			l.live.Settle(e.name)
		}
	}
}

// buried tells whether the table of some dice was deleted, and empties them then.
func (l *Ledger) buried(e *encounter) bool {
	gone := l.cfg.Store.DeletedFault(e.name.Table)
	if gone == nil {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gone, e.queue = gone, nil
	e.epochs, e.tapes = map[uint32]*epoch{}, map[record.TapeID]bool{}
	return true
}
