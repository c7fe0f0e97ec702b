package projection

import (
	"errors"
	"fmt"
)

var (
	// ErrAhead: the checkpoint lies beyond the end of the log (I3).
	ErrAhead = errors.New("projection: the file is ahead of the log; the log has lost records, keep both")
	// ErrDiverged: the log holds another record at the checkpoint (I3).
	ErrDiverged = errors.New("projection: the log differs from what the file was built from; keep both")
	// ErrDamaged: a page of the open file is broken. Opening it again moves it aside.
	ErrDamaged = errors.New("projection: the file is damaged")
	// ErrStopped: Run has returned, so nothing more will be applied; the text says why.
	ErrStopped = errors.New("projection: stopped")
	// ErrLocked: another process has the file open.
	ErrLocked = errors.New("projection: the file is in use by another process")
)

// FoldError says at which record a fold failed.
type FoldError struct {
	// Subject and Seq of the record.
	Subject string
	Seq     uint64
	// Err is what the fold said.
	Err error
}

// Error names the record.
func (e *FoldError) Error() string {
	return fmt.Sprintf("projection: %s sequence %d: %v", e.Subject, e.Seq, e.Err)
}

// Unwrap is what the fold said.
func (e *FoldError) Unwrap() error { return e.Err }
