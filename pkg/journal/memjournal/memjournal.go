// Package memjournal is the in-memory twin of the journal, for pure tests and
// simulations: the same guards, error codes, batches and tails as JetStream,
// beneath the same retry logic, and it passes the same conformance suite.
//
// It must never be used where records have to survive the process.
package memjournal

import (
	"context"
	"fmt"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
)

// Options configures a Log; the zero value will do.
type Options struct {
	StreamID   string                                // empty means "memory"
	MaxMessage int                                   // bytes, 0 means 1 MiB
	MaxBytes   int                                   // sum of payloads after which appends answer ErrFull; 0 means unlimited
	Now        func() time.Time                      // record times; nil counts seconds from 1970, one a record
	Wrap       func(journal.Backend) journal.Backend // faults beneath the retry logic
}

// Log is a journal.Log in memory.
type Log struct {
	*journal.Appender
	s *store
}

var _ journal.Log = (*Log)(nil)

// New returns an empty Log.
func New(o Options) *Log {
	if o.StreamID == "" {
		o.StreamID = "memory"
	}
	if o.MaxMessage == 0 {
		o.MaxMessage = 1 << 20
	}
	s := &store{o: o, id: o.StreamID, last: map[string]uint64{}, ids: map[string]uint64{}, grown: make(chan struct{})}
	l := &Log{s: s, Appender: journal.NewAppender(s)}
	if o.Wrap != nil {
		l.Appender = journal.NewAppender(o.Wrap(s))
	}
	return l
}

// Last is journal.Log.Last.
func (l *Log) Last(ctx context.Context, subject string) (journal.Record, bool, error) {
	return l.s.Last(ctx, subject)
}

// At is journal.Log.At.
func (l *Log) At(ctx context.Context, seq uint64) (journal.Record, bool, error) {
	if err := ctx.Err(); err != nil {
		return journal.Record{}, false, err
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	r, ok := l.s.at(seq)
	return r, ok, nil
}

// Info is journal.Log.Info.
func (l *Log) Info(ctx context.Context) (journal.Info, error) {
	if err := ctx.Err(); err != nil {
		return journal.Info{}, err
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	i := journal.Info{Stream: "memory", StreamID: l.s.id, LastSeq: uint64(len(l.s.records)), Bytes: uint64(l.s.bytes), Replicas: 1}
	for _, r := range l.s.records {
		if r.Seq != 0 {
			if i.FirstSeq == 0 {
				i.FirstSeq = r.Seq
			}
			i.Messages++
		}
	}
	return i, nil
}

// Read is journal.Log.Read.
func (l *Log) Read(ctx context.Context, filter string, from, to uint64, fn func(journal.Record) error) error {
	l.s.mu.Lock()
	end := uint64(len(l.s.records))
	l.s.mu.Unlock()
	if to == 0 || to > end {
		to = end
	}
	for seq := max(from, 1); seq <= to; seq++ {
		r, ok, err := l.At(ctx, seq)
		if err != nil {
			return err
		}
		if ok && journal.Matches(filter, r.Subject) {
			if err := fn(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// Tail is journal.Log.Tail.
func (l *Log) Tail(ctx context.Context, cfg journal.TailConfig, h journal.Handler) error {
	next, size := max(cfg.FromSeq, 1), cfg.MaxBatch
	if size <= 0 {
		size = 512
	}
	id := ""
	for first := true; ; first = false {
		b, grown, err := l.s.collect(cfg.Filter, &next, size, &id)
		if err != nil {
			return err
		}
		if len(b.Records) > 0 || first {
			if err := h(ctx, b); err != nil {
				return err
			}
		}
		if !b.CaughtUp {
			grown = nil
		}
		if err := wait(ctx, grown); err != nil {
			return err
		}
	}
}

// wait returns at once for nil, else when more was stored or ctx ends.
func wait(ctx context.Context, grown <-chan struct{}) error {
	if grown == nil {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-grown:
		return nil
	}
}

// Purge removes every record that matches filter, as journal.Journal.Purge does.
func (l *Log) Purge(ctx context.Context, filter string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if filter == "" || filter == ">" {
		return fmt.Errorf("%w: purge needs a subject", journal.ErrInvalid)
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	for i, r := range l.s.records {
		if r.Seq != 0 && journal.Matches(filter, r.Subject) {
			l.s.bytes -= len(r.Data)
			l.s.records[i] = journal.Record{}
			delete(l.s.last, r.Subject)
		}
	}
	return nil
}

// Foreign stores a record as a publish without a guard or an id would.
func (l *Log) Foreign(subject string, data []byte) uint64 {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return l.s.add(journal.Message{Subject: subject, Data: data})
}

// Truncate forgets every record after last: a log that lost its end.
func (l *Log) Truncate(last uint64) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	l.s.truncate(last)
}

// Replace empties the log and gives it another id: a stream that was deleted and
// made again.
func (l *Log) Replace(streamID string) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	l.s.truncate(0)
	l.s.id = streamID
}
