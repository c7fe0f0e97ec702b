package aggregate

import (
	"context"
	"errors"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/tombstone"
)

// Log is one stream of the journal as a service appends to it. Its errors are
// faults as Fault words them, ends of
// context, and what is said otherwise. It is safe for concurrent use.
type Log struct {
	journal   journal.Log
	partition int
	heads     *journal.Heads
	believe   *tombstone.Reader
}

// Over makes the log of a stream, whose number in the journal is partition.
func Over(j journal.Log, partition int) *Log {
	return &Log{journal: j, partition: partition, heads: journal.NewHeads(j)}
}

// Believing says by whom the deletion of a table is believed, and returns the log;
// without it nobody is. Set it before use.
func (l *Log) Believing(r *tombstone.Reader) *Log {
	l.believe = r
	return l
}

// Append stores messages, each under its own guard: one alone, several of one table
// all or none. It returns their sequences. A lost race is a Conflict fault that wraps
// *journal.ConflictError. What was stored behind the tombstone of its table counts
// for nothing, and is answered with projection.ReasonDeleted.
func (l *Log) Append(ctx context.Context, ms ...journal.Message) ([]uint64, error) {
	var seqs []uint64
	var err error
	if len(ms) == 1 {
		seqs = make([]uint64, 1)
		seqs[0], err = l.journal.Append(ctx, ms[0])
	} else {
		seqs, err = l.journal.AppendAtomic(ctx, ms)
	}
	if err != nil {
		return nil, ofLog(err)
	}
	if err := l.alive(ctx, ms, seqs); err != nil {
		return nil, err
	}
	for i, m := range ms {
		l.heads.Appended(m.Subject, seqs[i])
	}
	return seqs, nil
}

// alive looks whether the tables of records had been deleted before they were stored.
// No guard does: until the deletion has removed a subject's last record, a guard on
// that holds. The question is asked after the append and never beside it, so that a
// tombstone that came in between is seen.
func (l *Log) alive(ctx context.Context, ms []journal.Message, seqs []uint64) error {
	asked := map[string]bool{}
	for i, m := range ms {
		table, _, ok := journal.TableOf(m.Subject)
		if !ok || asked[table] {
			continue
		}
		asked[table] = true // the records of a batch stand one behind the other
		if err := Alive(ctx, l.journal, l.partition, l.believe, table, seqs[i]); err != nil {
			return err
		}
	}
	return nil
}

// Alive tells, after a record was stored, whether it counts: it does not when its
// table was deleted before. Where the log does not say, the outcome is unknown.
func Alive(ctx context.Context, log journal.Log, partition int, believe *tombstone.Reader, table string, seq uint64) error {
	t, err := believe.Before(ctx, log, partition, table, seq)
	switch {
	case err != nil:
		return ofLog(errors.Join(journal.ErrUnknownOutcome, err))
	case t != nil:
		return projection.Deletion{Table: table, Sequence: t.Sequence, Note: t.Note}.Fault()
	}
	return nil
}

// Last is the sequence of an aggregate's last record, as the stream's leader
// knows it; 0 when it has none.
func (l *Log) Last(ctx context.Context, n Name) (uint64, error) {
	subject, err := n.Subject(l.partition)
	if err != nil {
		return 0, err
	}
	rec, _, err := l.journal.Last(ctx, subject)
	return rec.Seq, ofLog(err)
}

// End is the sequence of the stream's last record.
func (l *Log) End(ctx context.Context) (uint64, error) {
	info, err := l.journal.Info(ctx)
	return info.LastSeq, ofLog(err)
}

// Read hands over an aggregate's records after a sequence, in order, up to the
// end as it is now. When fn fails the read ends: its error comes back as it is,
// with the record that it was about.
func (l *Log) Read(ctx context.Context, n Name, after uint64, fn func(journal.Record) error) (at uint64, err error) {
	subject, err := n.Subject(l.partition)
	if err != nil {
		return 0, err
	}
	var own error
	err = l.journal.Read(ctx, subject, after+1, 0, func(rec journal.Record) error {
		at = rec.Seq
		own = fn(rec)
		return own
	})
	if own != nil {
		return at, own
	}
	return at, ofLog(err)
}

// Onward is Read behind a head that was folded. Most who go on have all there is: the
// last record says so, for which no reader has to be made, and since it was read it is
// held against the head, as Compare does it: *journal.AlteredError says that the log
// holds something else. Where more came, and where the log ends before the head,
// nothing is compared.
func (l *Log) Onward(ctx context.Context, n Name, h Head, hash Hash, fn func(journal.Record) error) (at uint64, err error) {
	if h.Sequence == 0 {
		return l.Read(ctx, n, 0, fn)
	}
	subject, err := n.Subject(l.partition)
	if err != nil {
		return 0, err
	}
	last, ok, err := l.journal.Last(ctx, subject)
	if err != nil {
		return 0, ofLog(err)
	}
	if ok && last.Seq == h.Sequence {
		return 0, altered(l.heads.Hold(h.on(subject, hash), last))
	}
	return l.Read(ctx, n, h.Sequence, fn)
}

// Compare holds a head that was folded against the log's own, so that nothing is
// appended behind a record that was altered; one that was compared or appended
// within the last second counts as compared. *journal.AlteredError says that the
// log holds something else.
func (l *Log) Compare(ctx context.Context, n Name, h Head, hash Hash) error {
	subject, err := n.Subject(l.partition)
	if err != nil {
		return err
	}
	return altered(l.heads.Compare(ctx, h.on(subject, hash)))
}

// CatchUp has an aggregate folded up to its last record, and holds the head that
// comes of it against that record: folded waits until a projection has a sequence
// and returns where the record stands there, the zero head for nothing. Errors are
// those of folded and Compare.
func (l *Log) CatchUp(ctx context.Context, n Name, hash Hash, folded func(sequence uint64) (Head, error)) error {
	subject, err := n.Subject(l.partition)
	if err != nil {
		return err
	}
	last, _, err := l.journal.Last(ctx, subject)
	if err != nil {
		return ofLog(err)
	}
	head, err := folded(last.Seq)
	if err != nil || head.Sequence == 0 {
		return err
	}
	if head.Sequence == last.Seq {
		return altered(l.heads.Hold(head.on(subject, hash), last))
	}
	return l.Compare(ctx, n, head, hash) // it went on meanwhile
}

// Comparing compares beside the caller, who calls what it gets before it appends,
// or at any rate before ctx ends.
func (l *Log) Comparing(ctx context.Context, n Name, h Head, hash Hash) (wait func() error) {
	subject, err := n.Subject(l.partition)
	if err != nil {
		return func() error { return err }
	}
	compared := l.heads.Start(ctx, h.on(subject, hash))
	return func() error { return altered(compared()) }
}
