package api

import (
	"context"
	"time"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/recent"
	"github.com/skaldrpg/skald/services/encounter/internal/corrected"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Rulings are the encounters around rulings that were told last: each is restored once
// however many are told of it at the same time. It is safe for concurrent use.
type Rulings struct {
	shelf *recent.Shelf[rulingAt, *around]
}

// rulingAt names a ruling. The hash of its Commit says which history it is of.
type rulingAt struct {
	name    aggregate.Name
	version uint64
	hash    string
}

// around is the encounter before and after a ruling, which must only be read.
type around struct {
	before, after *replica.Replica
	since         int   // place of the first command at which the two part
	bytes         int64 // that it takes, as estimated
}

// NewRulings keeps at most so many bytes, as estimated, of those that nobody is being
// told.
func NewRulings(bytes int64) *Rulings {
	return &Rulings{recent.NewShelf[rulingAt](recent.Room[*around]{Bytes: bytes, Size: func(a *around) int64 { return a.bytes }})}
}

// Forget drops what nobody is being told.
func (r *Rulings) Forget() {
	if r != nil {
		r.shelf.DropIdle(time.Now().Add(time.Hour))
	}
}

// around restores the encounter before and after a ruling.
func (s *Server) around(ctx context.Context, f *engine.Fight, e *engine.Entry) (*around, func(), error) {
	table, id := f.Name()
	load := func(ctx context.Context) (*around, error) {
		before, err := s.Archive.LoadAt(ctx, table, id, e.Version-1)
		if err != nil {
			return nil, err
		}
		after, err := s.Archive.LoadAt(ctx, table, id, e.Version)
		if err != nil {
			return nil, err
		}
		return &around{before, after, corrected.Since(before.Chain, after.Chain), before.Bytes() + after.Bytes()}, nil
	}
	if s.Rulings == nil {
		a, err := load(ctx)
		return a, func() {}, err
	}
	at := rulingAt{aggregate.Name{Table: table, Kind: aggregate.Encounter, ID: id}, e.Version, string(e.Commit.Hash)}
	return s.Rulings.shelf.Hold(ctx, at, load)
}
