package memjournal

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
)

// store is the journal.Backend: one attempt each, answered as a server would.
type store struct {
	o       Options
	mu      sync.Mutex
	id      string
	records []journal.Record  // by sequence - 1; the zero Record where purged
	last    map[string]uint64 // subject -> sequence of its last record
	ids     map[string]uint64 // message id -> sequence
	bytes   int
	grown   chan struct{} // closed and replaced when something changes
}

var _ journal.Backend = (*store)(nil)

func (s *store) MaxMessage() int { return s.o.MaxMessage }

// Publish checks in the order of an unreplicated stream: guard, then id, then room.
func (s *store) Publish(ctx context.Context, ms []journal.Message) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("%w: %w", journal.ErrNotSent, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	size := s.bytes
	for _, m := range ms {
		if at := s.guarded(m); at != m.Expected {
			return 0, &journal.Refused{Code: journal.CodeWrongLastSequence, Status: 400, Text: fmt.Sprintf("wrong last sequence: %d", at)}
		}
		size += len(m.Data)
	}
	for _, m := range ms {
		if at, ok := s.ids[m.ID]; ok && len(ms) > 1 {
			return 0, &journal.Refused{Code: journal.CodeDuplicateInBatch, Status: 400, Text: "batch contains a duplicate"}
		} else if ok {
			return 0, &journal.Refused{Code: journal.CodeDuplicate, Text: fmt.Sprintf("duplicate of sequence %d", at)}
		}
	}
	if s.o.MaxBytes > 0 && size > s.o.MaxBytes {
		return 0, &journal.Refused{Code: journal.CodeStoreFailed, Status: 503, Text: "maximum bytes exceeded"}
	}
	var seq uint64
	for _, m := range ms {
		seq = s.add(m)
	}
	return seq, nil
}

// guarded is the sequence that a message's guard is compared with. Callers hold mu.
func (s *store) guarded(m journal.Message) (at uint64) {
	if m.Over == "" {
		return s.last[m.Subject]
	}
	for subject, seq := range s.last { // order-free: the largest
		if journal.Matches(m.Over, subject) {
			at = max(at, seq)
		}
	}
	return at
}

// add stores m. Callers hold mu.
func (s *store) add(m journal.Message) uint64 {
	seq := uint64(len(s.records)) + 1
	now := time.Unix(int64(seq), 0).UTC() //nolint:gosec // a count of records
	if s.o.Now != nil {
		now = s.o.Now()
	}
	s.records = append(s.records, journal.Record{Subject: m.Subject, Seq: seq, ID: m.ID, Data: bytes.Clone(m.Data), Time: now})
	s.last[m.Subject] = seq
	if m.ID != "" {
		s.ids[m.ID] = seq
	}
	s.bytes += len(m.Data)
	s.changed()
	return seq
}

func (s *store) changed() {
	close(s.grown)
	s.grown = make(chan struct{})
}

func (s *store) at(seq uint64) (journal.Record, bool) {
	if seq == 0 || seq > uint64(len(s.records)) || s.records[seq-1].Seq == 0 {
		return journal.Record{}, false
	}
	r := s.records[seq-1]
	r.Data = bytes.Clone(r.Data) // nobody can edit history by accident
	return r, true
}

// After is journal.Backend.After.
func (s *store) After(ctx context.Context, subject string, seq uint64) (journal.Record, bool, error) {
	if err := ctx.Err(); err != nil {
		return journal.Record{}, false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := seq; i < s.last[subject]; i++ {
		if s.records[i].Subject == subject {
			r, ok := s.at(i + 1)
			return r, ok, nil
		}
	}
	return journal.Record{}, false, nil
}

// Last is journal.Backend.Last.
func (s *store) Last(ctx context.Context, subject string) (journal.Record, bool, error) {
	if err := ctx.Err(); err != nil {
		return journal.Record{}, false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.at(s.last[subject])
	return r, ok, nil
}

// collect gathers up to size matching records from *next on, and the channel
// that tells of more.
func (s *store) collect(filter string, next *uint64, size int, id *string) (journal.Batch, <-chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	end := uint64(len(s.records))
	if *id == "" {
		*id = s.id
	}
	switch {
	case *id != s.id:
		return journal.Batch{}, nil, journal.ErrStreamReplaced
	case *next > end+1:
		return journal.Batch{}, nil, &journal.BehindError{From: *next, Last: end}
	}
	b := journal.Batch{}
	for ; *next <= end && len(b.Records) < size; *next++ {
		if r, ok := s.at(*next); ok && journal.Matches(filter, r.Subject) {
			b.Records = append(b.Records, r)
		}
	}
	if b.CaughtUp = *next > end; b.CaughtUp {
		b.LastSeq = end
	}
	return b, s.grown, nil
}

func (s *store) truncate(last uint64) {
	for _, r := range s.records[min(last, uint64(len(s.records))):] {
		s.bytes -= len(r.Data)
		delete(s.ids, r.ID)
	}
	s.records = s.records[:min(last, uint64(len(s.records)))]
	clear(s.last)
	for _, r := range s.records {
		if r.Seq != 0 {
			s.last[r.Subject] = r.Seq
		}
	}
	s.changed()
}
