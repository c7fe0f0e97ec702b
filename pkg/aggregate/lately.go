package aggregate

import (
	"bytes"
	"slices"
	"sync"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Bounds of what is remembered as opened, which is only what several projections of a
// process are about to ask for: they are behind by the records that they gather for some
// 40 ms.
const (
	latelyCount = 256
	latelyBytes = 16 << 10 // of one Commit
)

// lately are the Commits that were opened last: whoever has folded what it stored itself,
// and each projection of the process, open the same bytes. Opened from the same bytes
// they are the same, whichever log they stand in; what is given is shared, and nobody may
// write into it.
type lately struct {
	mu   sync.Mutex
	byID map[string]once
	ring [latelyCount]string
	next int
}

// once is a Commit as it was opened and the bytes that it was opened from.
type once struct {
	data   []byte
	opened *event.Opened
}

var opens = &lately{byID: map[string]once{}}

// open opens a record's Commit, or finds it opened from just these bytes.
func (l *lately) open(rec journal.Record) (*event.Opened, error) {
	if c := l.known(rec); c != nil {
		return c, nil
	}
	c, err := event.Open(rec.Data)
	if err != nil || len(rec.Data) > latelyBytes || slices.ContainsFunc(c.Events, amends) {
		return c, err
	}
	l.keep(rec.ID, once{bytes.Clone(rec.Data), c})
	return shared(c), nil
}

// skim is open for whoever may want less: what is not known yet is not read, and not
// remembered.
func (l *lately) skim(rec journal.Record) (*event.Opened, error) {
	if c := l.known(rec); c != nil {
		return c, nil
	}
	return event.Skim(rec.Data)
}

// known is a record's Commit if it was opened from just these bytes; else nil.
func (l *lately) known(rec journal.Record) *event.Opened {
	l.mu.Lock()
	o := l.byID[rec.ID]
	l.mu.Unlock()
	if o.opened == nil || !bytes.Equal(o.data, rec.Data) {
		return nil
	}
	return shared(o.opened)
}

// amends tells of events into which their reader fills what a branch holds.
func amends(e *eventv1.Event) bool { return e.GetAmended() != nil }

// shared has lists of its own, so that who appends to them does so for itself.
func shared(c *event.Opened) *event.Opened {
	out := *c
	out.Events, out.Raw = slices.Clip(out.Events), slices.Clip(out.Raw)
	return &out
}

func (l *lately) keep(id string, o once) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, there := l.byID[id]; !there {
		delete(l.byID, l.ring[l.next])
		l.ring[l.next] = id
		l.next = (l.next + 1) % latelyCount
	}
	l.byID[id] = o
}
