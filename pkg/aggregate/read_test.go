package aggregate_test

import (
	"context"
	"testing"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
)

// reads counts what a log is asked to read.
type reads struct {
	journal.Log
	n int
}

func (r *reads) Read(ctx context.Context, filter string, from, to uint64, fn func(journal.Record) error) error {
	r.n++
	return r.Log.Read(ctx, filter, from, to, fn)
}

// Who has the last record reads nothing; who has less, another or a later one does.
func TestReadOfWhatIsThere(t *testing.T) {
	mem := &reads{Log: memjournal.New(memjournal.Options{})}
	log := aggregate.Over(mem, 3)
	ctx := context.Background()
	first := seal(t, aggregate.Head{}, "one")
	seqs, err := log.Append(ctx, first)
	if err != nil {
		t.Fatal(err)
	}
	read := func(after uint64, want, asked int) {
		t.Helper()
		n, before := 0, mem.n
		if _, err := log.Read(ctx, fight, after, func(journal.Record) error { n++; return nil }); err != nil || n != want || mem.n-before != asked {
			t.Errorf("after %d: %d records, %d reads, %v", after, n, mem.n-before, err)
		}
	}
	read(0, 1, 1)
	read(seqs[0], 0, 0)
	read(seqs[0]+1, 0, 1)
}
