package opsapi

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
)

// Journals asks every stream of a journal how it is, those included that are made
// later. The parts of streams after the first have the stream's number at the end
// of their name.
type Journals struct {
	streams *journal.Set

	mu  sync.Mutex
	all []*Journal
}

// NewJournals watches the streams of a journal.
func NewJournals(streams *journal.Set) *Journals {
	j := &Journals{streams: streams}
	j.grow()
	return j
}

// grow returns the watches, after adding those of new streams.
func (j *Journals) grow() []*Journal {
	j.mu.Lock()
	defer j.mu.Unlock()
	for p, one := range j.streams.All() {
		if p < len(j.all) {
			continue
		}
		name := "journal"
		if p > 0 {
			name += "-" + strconv.Itoa(p)
		}
		j.all = append(j.all, NewJournal(name, one))
	}
	return append([]*Journal(nil), j.all...)
}

// Run asks until the context ends, and returns nil then.
func (j *Journals) Run(ctx context.Context) error {
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		var asking sync.WaitGroup
		for _, one := range j.grow() {
			asking.Go(func() { one.ask(ctx) }) // ends within askWait
		}
		asking.Wait()
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// Parts is how the streams stand.
func (j *Journals) Parts() []ops.Part {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := make([]ops.Part, len(j.all))
	for i, one := range j.all {
		out[i] = one.Part()
	}
	return out
}
