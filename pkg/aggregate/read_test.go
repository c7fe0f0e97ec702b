package aggregate_test

import (
	"context"
	"errors"
	"testing"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
)

// reads counts what a log is asked.
type reads struct {
	journal.Log
	read, last int
}

func (r *reads) Read(ctx context.Context, filter string, from, to uint64, fn func(journal.Record) error) error {
	r.read++
	return r.Log.Read(ctx, filter, from, to, fn)
}

func (r *reads) Last(ctx context.Context, subject string) (journal.Record, bool, error) {
	r.last++
	return r.Log.Last(ctx, subject)
}

// Who has the last record reads nothing, and has it compared by the same question; who
// has less, another or a later one reads.
func TestOnward(t *testing.T) {
	under := &altering{Log: memjournal.New(memjournal.Options{})}
	counting := &reads{Log: under}
	log := aggregate.Over(counting, 3)
	first := seal(t, aggregate.Head{}, "one")
	seqs, err := log.Append(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	head := aggregate.Head{}.Then(seqs[0], aggregate.CommitHash(first.Data))
	later := head
	later.Sequence++
	onward := func(log *aggregate.Log, h aggregate.Head, want, read, last int) error {
		t.Helper()
		n, was := 0, *counting
		_, err := log.Onward(t.Context(), fight, h, aggregate.CommitHash, func(journal.Record) error { n++; return nil })
		if n != want || counting.read-was.read != read || counting.last-was.last != last {
			t.Errorf("behind %d: %d records, %d reads, %d questions for the last", h.Sequence, n, counting.read-was.read, counting.last-was.last)
		}
		return err
	}
	for _, c := range []struct {
		head             aggregate.Head
		want, read, last int
	}{{aggregate.Head{}, 1, 1, 0}, {head, 0, 0, 1}, {later, 0, 1, 1}} {
		if err := onward(log, c.head, c.want, c.read, c.last); err != nil {
			t.Errorf("behind %d: %v", c.head.Sequence, err)
		}
	}

	var altered *journal.AlteredError
	if err := log.Compare(t.Context(), fight, later, aggregate.CommitHash); !errors.As(err, &altered) || altered.Sequence != later.Sequence {
		t.Errorf("a log that ends before the head: %v", err)
	}

	log = aggregate.Over(counting, 3) // one that has not appended it itself
	if err := onward(log, head, 0, 0, 1); err != nil {
		t.Fatal(err)
	}
	was := counting.last
	if err := log.Compare(t.Context(), fight, head, aggregate.CommitHash); err != nil || counting.last != was {
		t.Errorf("what was just compared is asked for again: %v", err)
	}

	log, under.on = aggregate.Over(counting, 3), true
	if err := onward(log, head, 0, 0, 1); !errors.As(err, &altered) || altered.Sequence != seqs[0] {
		t.Errorf("an altered record: %v", err)
	}
	was = counting.last
	if err := log.Compare(t.Context(), fight, head, aggregate.CommitHash); !errors.As(err, &altered) || counting.last == was {
		t.Errorf("what is not what it was counts as compared: %v", err)
	}
}
