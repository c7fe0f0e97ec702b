package journal

import (
	"bytes"
	"context"
	"time"
)

// Log is what services need of the event store. *[Journal] implements it over
// JetStream, memjournal in memory, and faultjournal wraps either with faults.
// Every method is safe for concurrent use and honours its context.
type Log interface {
	// Append stores one message if its subject's last record is still the one
	// at m.Expected, and returns its stream sequence. Appending the same ID and
	// bytes under the same guard again succeeds with the first sequence.
	//
	// Errors: *ConflictError (lost the race: catch up, decide again),
	// *TooLargeError, ErrFull, ErrUnwritable, ErrUnavailable, ErrUnknownOutcome
	// (may or may not be stored; appending the same message again is safe),
	// ErrInvalid. Nothing is stored on any other error than ErrUnknownOutcome.
	Append(ctx context.Context, m Message) (uint64, error)

	// AppendAtomic stores all messages or none; each carries its own guard and
	// subjects and IDs must differ. The sequences are in the order given. It
	// costs several times an Append: use it where two aggregates must move at
	// once. Errors are those of Append.
	AppendAtomic(ctx context.Context, ms []Message) ([]uint64, error)

	// Last returns the last record of a literal subject, as the stream's leader
	// knows it; false when there is none.
	Last(ctx context.Context, subject string) (Record, bool, error)

	// At returns the record at a stream sequence; false when there is none
	// (never appended, or purged).
	At(ctx context.Context, seq uint64) (Record, bool, error)

	// Read calls fn for each record that matches filter (empty: all) with
	// from <= Seq <= to, in order, and returns. A to of 0, or beyond the end,
	// means the end of the stream when Read was called. An error of fn ends
	// the read and is returned as it is.
	Read(ctx context.Context, filter string, from, to uint64, fn func(Record) error) error

	// Tail hands over matching records from cfg.FromSeq on, in order, without
	// gap or duplicate, for ever: it returns only when ctx ends (with its
	// error), when the handler fails (with that error), or with *BehindError,
	// ErrRewritten, ErrStreamReplaced or ErrNoStream. It survives reconnects and server restarts.
	Tail(ctx context.Context, cfg TailConfig, h Handler) error

	// Info describes the stream as its leader knows it.
	Info(ctx context.Context) (Info, error)
}

// Message is one record to append.
type Message struct {
	Subject  string // literal subject, see [Subject]
	ID       string // unique id of this record (a commit id); kept in the header, at most 128 bytes
	Data     []byte // opaque payload, stored as given
	Expected uint64 // stream sequence of the subject's last record, 0 when it has none
	// Over widens the guard: Expected is then the sequence of the last record on any
	// subject that matches this filter, which must match Subject. On a replicated
	// stream an append to another of these subjects that is under way at the same
	// moment may come in between. Empty means Subject alone.
	Over string
}

// Record is one stored message.
type Record struct {
	Subject string
	Seq     uint64 // sequence in the stream, from 1
	ID      string // the Message's ID; empty when published by something else
	Data    []byte
	Time    time.Time // when the server stored it; domain time belongs in the payload
}

// Is tells whether the record is the stored form of m.
func (r Record) Is(m Message) bool {
	return r.Subject == m.Subject && r.ID == m.ID && bytes.Equal(r.Data, m.Data)
}

// TailConfig says what a tail delivers.
type TailConfig struct {
	Filter   string // subject filter, may hold wildcards; empty means all
	FromSeq  uint64 // first stream sequence wanted; 0 and 1 mean the beginning
	MaxBatch int    // most records in one Batch; 0 means 512
}

// Batch is what a tail had ready.
type Batch struct {
	Records  []Record // in order; empty only in a caught-up signal without news
	CaughtUp bool     // every matching record up to LastSeq has been handed over, this batch included
	LastSeq  uint64   // with CaughtUp: the stream's last sequence when that was determined
}

// Handler receives batches, one at a time. An error ends the tail. The records
// may be kept; the slice may not.
type Handler func(ctx context.Context, b Batch) error

// Info describes a stream.
type Info struct {
	Stream   string
	StreamID string // random, set at creation: a different one means another stream under the same name
	FirstSeq uint64
	LastSeq  uint64 // 0 when nothing was ever appended
	Messages uint64
	Bytes    uint64
	Replicas int
}

// Refused is the answer of a server that did not store an attempt, with the
// JetStream error code.
type Refused struct {
	Code   int    // JetStream error code, for example 10071
	Status int    // HTTP-like status, 503 when worth another attempt
	Text   string // for people
}

func (r *Refused) Error() string { return "journal: refused: " + r.Text }

// Backend is the part of a store beneath the retry logic: single attempts whose
// outcome may stay unknown. faultjournal wraps it, so that lost acknowledgements
// and races meet the same code that runs in production.
type Backend interface {
	// Publish makes one attempt to store the messages, atomically when there
	// are several, and returns the sequence of the last. *Refused means not
	// stored, by this attempt; ErrNotSent means it never left; any
	// other error means unknown.
	Publish(ctx context.Context, ms []Message) (uint64, error)
	// After returns the first record of subject with a sequence above seq, as
	// the leader knows it.
	After(ctx context.Context, subject string, seq uint64) (Record, bool, error)
	// Last is Log.Last.
	Last(ctx context.Context, subject string) (Record, bool, error)
	// MaxMessage is the largest sum of header and payload, in bytes.
	MaxMessage() int
}
