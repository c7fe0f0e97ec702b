package journal

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrShut: the table takes no records for now, or ever again; nothing was stored.
var ErrShut = errors.New("journal: the table is shut")

// shut keeps appends of this process away from tables that are being deleted.
type shut struct {
	mu     sync.Mutex
	inside map[string]int           // appends under way
	tables map[string]chan struct{} // those that are shut; closed when the last append has left
}

func (s *shut) enter(table string) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tables[table] != nil {
		return nil, fmt.Errorf("%w: %q", ErrShut, table)
	}
	if s.inside == nil {
		s.inside = map[string]int{}
	}
	s.inside[table]++
	return func() { s.leave(table) }, nil
}

func (s *shut) leave(table string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inside[table]--; s.inside[table] > 0 {
		return
	}
	delete(s.inside, table)
	if empty := s.tables[table]; empty != nil {
		close(empty)
	}
}

// Shut refuses every further append of this process to a table (ErrShut) and waits
// until those under way have ended. Open lets them in again; who shuts a table for
// good need not call it. The error is of the context: then the table is open.
func (s *Set) Shut(ctx context.Context, table string) (open func(), err error) {
	s.shut.mu.Lock()
	if s.shut.tables == nil {
		s.shut.tables = map[string]chan struct{}{}
	}
	if s.shut.tables[table] != nil {
		s.shut.mu.Unlock()
		return nil, fmt.Errorf("%w: %q, by somebody else", ErrShut, table)
	}
	empty := make(chan struct{})
	s.shut.tables[table] = empty
	if s.shut.inside[table] == 0 {
		close(empty)
	}
	s.shut.mu.Unlock()
	open = func() {
		s.shut.mu.Lock()
		defer s.shut.mu.Unlock()
		delete(s.shut.tables, table)
	}
	select {
	case <-empty:
		return open, nil
	case <-ctx.Done():
		open()
		return nil, ctx.Err()
	}
}
