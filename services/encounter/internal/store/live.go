package store

import (
	"container/list"

	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Fold makes the content. It is used by one projection, from one goroutine.
type Fold struct {
	memory int64 // bytes that live may take
	live   map[string]*list.Element
	order  *list.List // of *live, folded last in front
	bytes  int64
}

// live is an encounter that the fold keeps in memory, since it is likely to be
// folded again soon.
type live struct {
	key     string
	replica *replica.Replica
	meter   replica.Meter
	bytes   int64
}

// NewFold makes a fold with nothing in memory that keeps at most so many bytes
// of encounters there, and always the one folded last; 0 means
// limits.FoldMemoryBytes.
func NewFold(memory int64) *Fold {
	if memory == 0 {
		memory = limits.FoldMemoryBytes
	}
	return &Fold{memory: memory, live: map[string]*list.Element{}, order: list.New()}
}

// replica finds an encounter in memory or loads it.
func (f *Fold) replica(tx *projection.Tx, table, id string) (*live, error) {
	key := table + "/" + id
	if el := f.live[key]; el != nil {
		f.order.MoveToFront(el)
		return el.Value.(*live), nil
	}
	r, err := load(tx, table, id, newest)
	if err != nil {
		return nil, err
	}
	l := &live{key: key, replica: r}
	f.live[key] = f.order.PushFront(l)
	f.weigh(l, l.meter.Measure(r))
	return l, nil
}

// applied takes account of a Commit of so many bytes.
func (f *Fold) applied(l *live, commit int) { f.weigh(l, l.meter.Applied(l.replica, commit)) }

// weigh counts an encounter for what it takes now, and makes room: those folded
// longest ago go first.
func (f *Fold) weigh(l *live, bytes int64) {
	f.bytes += bytes - l.bytes
	l.bytes = bytes
	for f.bytes > f.memory && f.order.Len() > 1 {
		el := f.order.Back()
		old := f.order.Remove(el).(*live)
		delete(f.live, old.key)
		f.bytes -= old.bytes
	}
}
