package journal

import "sync"

// lone knows, where nobody but this process writes to the server, that tables have no
// tombstone, so that not every append has to ask the leader for one. A table's first
// append asks; from then on the answer stands until a tombstone of the table is about to
// be sent from here. From then on it is asked again each time, for ever: an attempt
// whose outcome is not known may be stored at any later moment.
//
// It holds because a tombstone that stands before a record was sent before the record
// was acknowledged, and is noted here before it is sent.
type lone struct {
	mu   sync.Mutex
	none map[string]bool // subjects of tombstones that do not exist
	sent map[string]bool // tables of which one was sent, or may have been
}

// loneKept is how many subjects are remembered; a table that is forgotten asks again.
const loneKept = 10_000

func newLone() *lone { return &lone{none: map[string]bool{}, sent: map[string]bool{}} }

// sends takes note of messages that are about to be sent.
func (l *lone) sends(ms []Message) {
	for _, m := range ms {
		table, ok := SplitTombstone(m.Subject)
		if l == nil || !ok {
			continue
		}
		l.mu.Lock()
		l.sent[table] = true
		l.mu.Unlock()
	}
}

// knows tells whether a subject is that of a tombstone that does not exist.
func (l *lone) knows(subject string) bool {
	if l == nil {
		return false
	}
	table, ok := SplitTombstone(subject)
	if !ok {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.none[subject] && !l.sent[table]
}

// found takes note of what the leader said of a subject: that it has no record. One that
// was sent meanwhile counts, whenever the leader was asked.
func (l *lone) found(subject string) {
	if l == nil {
		return
	}
	if _, ok := SplitTombstone(subject); !ok {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.none) >= loneKept {
		clear(l.none)
	}
	l.none[subject] = true
}
