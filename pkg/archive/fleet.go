package archive

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
)

// lastCopy bounds what the end of a process waits for the archive.
const lastCopy = 5 * time.Second

// growEvery is how often a fleet looks for streams that are new.
const growEvery = time.Second

// Fleet is the archivers of a journal, one a stream, those included that are made
// while it runs. Each has a folder of the stream's name.
type Fleet struct {
	dir     string
	streams *journal.Set
	board   *ops.Board
	log     *slog.Logger

	mu        sync.Mutex
	archivers []*Archiver
	folders   []*Folder
}

// NewFleet archives every stream in folders below dir and puts each archiver on
// the board. With an empty dir there are none.
func NewFleet(dir string, streams *journal.Set, board *ops.Board, log *slog.Logger) *Fleet {
	f := &Fleet{dir: dir, streams: streams, board: board, log: log}
	if dir != "" {
		f.grow()
	}
	return f
}

// grow makes archivers for streams that have none, and returns them.
func (f *Fleet) grow() (added []*Archiver) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for p, one := range f.streams.All() {
		if p < len(f.archivers) {
			continue
		}
		folder := LaterFolder(filepath.Join(f.dir, journal.StreamName(p)))
		archiver := New(Config{Log: one, Store: folder, Subjects: []string{journal.PartitionFilter(p)}, Logger: f.log})
		f.folders, f.archivers, added = append(f.folders, folder), append(f.archivers, archiver), append(added, archiver)
		f.board.Add(func() ops.Part {
			part := archiver.Part()
			if p > 0 {
				part.Name += "-" + strconv.Itoa(p)
			}
			return part
		})
	}
	return added
}

// Run copies every stream until the context ends, which is no error, or an
// archiver stops: errors are those of Archiver.Run.
func (f *Fleet) Run(ctx context.Context) error {
	if f.dir == "" {
		<-ctx.Done()
		return nil
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	start := func(archivers []*Archiver) {
		for _, one := range archivers {
			wg.Go(func() { // ends with inner
				if err := one.Run(inner); err != nil && inner.Err() == nil {
					cancel(err)
				}
			})
		}
	}
	f.mu.Lock()
	first := slices.Clone(f.archivers)
	f.mu.Unlock()
	start(first)
	tick := time.NewTicker(growEvery)
	defer tick.Stop()
	for inner.Err() == nil {
		select {
		case <-inner.Done():
		case <-tick.C:
			start(f.grow())
		}
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return context.Cause(inner)
}

// Close copies what is left, while the journal still answers, and lets go of the
// folders. Run must have returned. What can not be copied is no error: the log has it.
func (f *Fleet) Close() error {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), lastCopy)
	defer cancel()
	var errs []error
	for i, one := range f.archivers {
		if one.Part().State == ops.Fine {
			one.CatchUp(ctx) //nolint:errcheck // as above
		}
		if err := f.folders[i].Close(); err != nil {
			errs = append(errs, fmt.Errorf("archive: %w", err))
		}
	}
	return errors.Join(errs...)
}
