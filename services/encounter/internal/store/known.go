package store

import (
	"context"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/recent"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Sheets keeps sheets in memory that were read last, so that the states of a fight
// share them. A nil one keeps nothing.
type Sheets struct {
	cache *recent.Cache[string, *eventv1.Sheet]
}

// of finds a sheet of an encounter by its digest. It must only be read.
func (s *Sheets) of(tx *projection.Tx, prefix, sum []byte) (*eventv1.Sheet, error) {
	key := string(prefix) + string(sum)
	if s != nil {
		if sheet, ok := s.cache.Get(key); ok {
			return sheet, nil
		}
	}
	sheet := &eventv1.Sheet{}
	if err := getPart(tx, prefix, sum, sheet); err != nil {
		return nil, err
	}
	if s != nil {
		s.cache.Put(key, sheet)
	}
	return sheet, nil
}

// Known is what of the past was asked for last: states of views, each restored
// once however many ask for it at the same time. It is safe for concurrent use.
type Known struct {
	sheets Sheets
	states *recent.Shelf[past, *eventv1.State]
}

// past is a view of an encounter after a version.
type past struct {
	name    aggregate.Name
	viewer  string
	version uint64
}

// NewKnown keeps at most so many bytes, as estimated; 0 means limits.PastMemoryBytes.
func NewKnown(bytes int64) *Known {
	if bytes <= 0 {
		bytes = limits.PastMemoryBytes
	}
	return &Known{
		sheets: Sheets{recent.NewCache(recent.Bounds[string, *eventv1.Sheet]{Bytes: bytes / 4, Size: func(key string, s *eventv1.Sheet) int64 {
			return int64(len(key)) + replica.Expansion*int64(proto.Size(s))
		}})},
		states: recent.NewShelf[past](recent.Room[*eventv1.State]{Bytes: bytes / 4 * 3, Size: func(s *eventv1.State) int64 {
			return replica.Expansion * int64(proto.Size(s))
		}}),
	}
}

// Forget drops everything that nobody works with.
func (k *Known) Forget() {
	k.sheets.cache.Clear()
	k.states.DropIdle(time.Now().Add(time.Hour))
}

// StateAt is a view of an encounter as it was after a version; viewer is a key of
// aggregate.ViewerOf. It waits until the projection has the version. Others may be
// given the same state: it must only be read.
func (s Reader) StateAt(ctx context.Context, table, id, viewer string, version uint64) (*eventv1.State, error) {
	n := aggregate.Name{Table: table, Kind: aggregate.Encounter, ID: id}
	if s.Known == nil {
		return s.stateAt(ctx, n, viewer, version, nil)
	}
	state, release, err := s.Known.states.Hold(ctx, past{n, viewer, version}, func(ctx context.Context) (*eventv1.State, error) {
		return s.stateAt(ctx, n, viewer, version, &s.Known.sheets)
	})
	if err != nil {
		return nil, err
	}
	release()
	return state, nil
}

func (s Reader) stateAt(ctx context.Context, n aggregate.Name, viewer string, version uint64, sheets *Sheets) (state *eventv1.State, err error) {
	if err := s.await(ctx, n.Table, n.ID, version); err != nil {
		return nil, err
	}
	err = s.P.View(func(tx *projection.Tx) (err error) {
		state, err = stateAt(tx, n, viewer, version, sheets)
		return err
	})
	return state, err
}

// Request finds what a request id led to, after waiting until the projection has a
// version.
func (s Reader) Request(ctx context.Context, table, id, key string, version uint64) (q replica.Request, ok bool, err error) {
	if err := s.await(ctx, table, id, version); err != nil {
		return q, false, err
	}
	err = s.P.View(func(tx *projection.Tx) error {
		q, ok, err = request(tx, table, id, key)
		return err
	})
	return q, ok, err
}
