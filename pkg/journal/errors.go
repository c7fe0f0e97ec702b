package journal

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrInvalid wraps what is wrong with a message, subject or configuration.
	ErrInvalid = errors.New("journal: invalid")
	// ErrFull: the stream, the server's storage limit or its disk is full. Nothing
	// was stored unless it is joined with ErrUnknownOutcome.
	ErrFull = errors.New("journal: stream is full")
	// ErrUnwritable: the server can not write its store (disk full or failing). It
	// is not retried; joined with ErrUnknownOutcome where a failed write may yet be
	// found on disk.
	ErrUnwritable = errors.New("journal: server can not write")
	// ErrStalled: the disk does not answer. Nothing was stored unless it is joined
	// with ErrUnknownOutcome.
	ErrStalled = errors.New("journal: the disk does not answer")
	// ErrUnavailable: the server did not answer or no leader was found within
	// the attempts allowed, and nothing was stored. Worth retrying later.
	ErrUnavailable = errors.New("journal: unavailable")
	// ErrUnknownOutcome: the message may or may not have been stored and it
	// could not be found out. Appending the very same message again is safe.
	ErrUnknownOutcome = errors.New("journal: outcome unknown")
	// ErrLocked: another process uses the store folder.
	ErrLocked = errors.New("journal: store folder is in use by another process")
	// ErrNoStream: the stream does not exist and Config.Create is not set.
	ErrNoStream = errors.New("journal: stream does not exist")
	// ErrStreamReplaced: the stream was deleted and created again. Nothing read
	// from the earlier one may be mixed with it.
	ErrStreamReplaced = errors.New("journal: stream was replaced by another of the same name")
	// ErrRewritten: the record that a reader saw last is not what the stream holds
	// there now: the log lost its end and grew another one.
	ErrRewritten = errors.New("journal: history changed under a reader")
	// ErrNotSent marks a Backend attempt that never left this process.
	ErrNotSent = errors.New("journal: not sent")
)

// ConflictError says that the guard no longer holds: somebody else's record
// follows Expected. Nothing was stored. Catch up, decide again, append anew.
type ConflictError struct {
	Subject  string
	Expected uint64 // the guard
	Found    uint64 // sequence of the record that took the place, 0 when not known
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("journal: lost the race on %s: expected last sequence %d, found %d", e.Subject, e.Expected, e.Found)
}

// TooLargeError says that a message exceeds what one record may hold.
type TooLargeError struct {
	Subject string
	Size    int // bytes, header included
	Limit   int // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("journal: message for %s has %d bytes, limit %d", e.Subject, e.Size, e.Limit)
}

// BehindError says that a reader asked for records beyond the stream's end: its
// own position is ahead of the log, so the log has lost records.
type BehindError struct {
	From uint64 // first sequence wanted
	Last uint64 // the stream's last sequence
}

func (e *BehindError) Error() string {
	return fmt.Sprintf("journal: reader wants sequence %d but the stream ends at %d: the log has lost records or is another one", e.From, e.Last)
}

// WeakStreamError lists every setting of a live stream that is weaker than
// required. Only an administrator can mend it.
type WeakStreamError struct {
	Stream   string
	Settings []string // "max_age is 1h0m0s, must be 0s"
}

func (e *WeakStreamError) Error() string {
	return fmt.Sprintf("journal: stream %s is configured too weakly: %s", e.Stream, strings.Join(e.Settings, "; "))
}
