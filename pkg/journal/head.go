package journal

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// AlteredError says that the log does not hold what was read from it before: the
// last record of a subject is gone or another one.
type AlteredError struct {
	// Subject whose record it is.
	Subject string
	// Sequence of the record in the stream.
	Sequence uint64
	// Why says what is there instead.
	Why string
}

// Error names the record.
func (e *AlteredError) Error() string {
	return fmt.Sprintf("journal: %s at sequence %d was altered: %s", e.Subject, e.Sequence, e.Why)
}

// Head is the last record of a subject as somebody has folded it.
type Head struct {
	// Subject, and the Sequence of its last record; 0 when it has none.
	Subject  string
	Sequence uint64
	// Same tells whether a record's bytes are those that were folded.
	Same func(data []byte) bool
}

// TrustHead is how long a head counts as compared, after it was or after a record
// was appended to it over the same connection.
const TrustHead = time.Second

// maxTrusted bounds the heads that are remembered as compared.
const maxTrusted = 1 << 16

// Heads compares heads that were folded with those that the log really has, so
// that nothing is appended behind a record that was altered. It is safe for
// concurrent use.
type Heads struct {
	log Log
	now func() time.Time

	mu      sync.Mutex
	renewed uint64 // connections of the log when what follows was seen
	seen    map[string]trusted
}

type trusted struct {
	sequence uint64
	at       time.Time
}

// NewHeads makes a comparer for a log.
func NewHeads(log Log) *Heads { return &Heads{log: log, now: time.Now, seen: map[string]trusted{}} }

// Compare compares one head, unless it was compared or appended within TrustHead.
// A log that is further on is no error: whoever appends loses the race and reads
// on, and what follows is checked by its hash. Errors are *AlteredError and those
// of Log.Last.
func (h *Heads) Compare(ctx context.Context, head Head) error {
	if h.fresh(head) {
		return nil
	}
	last, ok, err := h.last(ctx, head)
	switch {
	case err != nil:
		return err
	case !ok && head.Sequence > 0:
		return &AlteredError{head.Subject, head.Sequence, "the log has no record of it"}
	case last.Seq < head.Sequence:
		return &AlteredError{head.Subject, head.Sequence, fmt.Sprintf("the log's last record is at %d", last.Seq)}
	case last.Seq == head.Sequence:
		return h.Hold(head, last)
	}
	return nil
}

// Hold compares a head with the record of its sequence, which the caller has just read
// as the subject's last. An error is *AlteredError; without one the head counts as
// compared.
func (h *Heads) Hold(head Head, last Record) error {
	if head.Sequence > 0 && !head.Same(last.Data) {
		return &AlteredError{head.Subject, head.Sequence, "the log holds other bytes there than were folded"}
	}
	h.Appended(head.Subject, head.Sequence)
	return nil
}

// A leader that was just elected may not have applied yet what it holds: a log that
// ends before the head is asked so often again, so long apart, before it counts.
const (
	lookAgain = 6
	lookPause = 250 * time.Millisecond
)

// last is the log's last record of the head's subject.
func (h *Heads) last(ctx context.Context, head Head) (last Record, ok bool, err error) {
	for try := 0; ; try++ {
		last, ok, err = h.log.Last(ctx, head.Subject)
		if err != nil || last.Seq >= head.Sequence || try == lookAgain {
			return last, ok, err
		}
		if err := sleep(ctx, lookPause); err != nil {
			return last, ok, err
		}
	}
}

// Start compares beside the caller, who goes on and calls the function that it
// gets before it appends, or at any rate before ctx ends.
func (h *Heads) Start(ctx context.Context, head Head) (wait func() error) {
	if h.fresh(head) {
		return func() error { return nil }
	}
	done := make(chan error, 1)
	go func() { done <- h.Compare(ctx, head) }() // ends with the request, at the latest with ctx
	return func() error { return <-done }
}

// Appended takes note of an own append.
func (h *Heads) Appended(subject string, sequence uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.expire()
	h.seen[subject] = trusted{sequence, h.now()}
}

func (h *Heads) fresh(head Head) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.expire()
	t, ok := h.seen[head.Subject]
	return ok && t.sequence == head.Sequence && h.now().Sub(t.at) < TrustHead
}

// expire forgets everything when the connection was renewed: another server may
// answer now. It holds mu.
func (h *Heads) expire() {
	var renewed uint64
	if j, ok := h.log.(interface{ Renewed() uint64 }); ok {
		renewed = j.Renewed()
	}
	if renewed != h.renewed || len(h.seen) >= maxTrusted {
		h.renewed = renewed
		clear(h.seen)
	}
}

// Renewed counts how often the connection was lost and made again.
func (j *Journal) Renewed() uint64 { return j.nc.Stats().Reconnects }
