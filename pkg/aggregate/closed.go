package aggregate

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// Closed are the aggregates that a service found broken by itself, beside what its
// projection found: by a record that it read first, or one that was altered. It is
// safe for concurrent use.
type Closed struct {
	logger    *slog.Logger
	partition int
	mu        sync.Mutex
	by        map[Name]projection.Closure
}

// NewClosed makes the empty list of a stream; it tells the logger of what comes in.
func NewClosed(logger *slog.Logger, partition int) *Closed {
	return &Closed{logger: logger, partition: partition, by: map[Name]projection.Closure{}}
}

// Add closes an aggregate because of what is wrong with the record at a sequence,
// and tells the operator once, with the further facts given.
func (c *Closed) Add(n Name, sequence uint64, why error, facts ...any) projection.Closure {
	c.mu.Lock()
	defer c.mu.Unlock()
	if was, ok := c.by[n]; ok {
		return was
	}
	is := projection.Closure{Sequence: sequence, Why: why.Error()}
	var altered *journal.AlteredError
	if errors.As(why, &altered) {
		is.Sequence = altered.Sequence
	}
	is.Subject, _ = n.Subject(c.partition) // records of it were read: the name is good
	c.by[n] = is
	c.logger.Error("a record is broken: what it belongs to is closed, everything else goes on",
		append([]any{"kind", string(n.Kind), "table", n.Table, "id", n.ID, "sequence", is.Sequence, "why", why}, facts...)...)
	return is
}

// Of finds why an aggregate is closed.
func (c *Closed) Of(n Name) (projection.Closure, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	is, ok := c.by[n]
	return is, ok
}

// All lists what is closed, in order of subjects.
func (c *Closed) All() []projection.Closure {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make([]projection.Closure, 0, len(c.by))
	for _, is := range c.by { // order-free: sorted below
		out = append(out, is)
	}
	slices.SortFunc(out, func(a, b projection.Closure) int { return strings.Compare(a.Subject, b.Subject) })
	return out
}
