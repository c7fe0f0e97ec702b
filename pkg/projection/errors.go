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
	// ErrForeign, from a Fold: the record is of no kind that it knows; it is passed
	// over, and no subject is closed.
	ErrForeign = errors.New("projection: a record that is nobody's")
	// ErrDamaged: a page or a value of the file is broken. Run builds it again;
	// opening it moves it aside.
	ErrDamaged = errors.New("projection: the file is damaged")
	// ErrStopped: Run has returned, so nothing more will be applied; the text says why.
	ErrStopped = errors.New("projection: stopped")
	// ErrLocked: another process has the file open.
	ErrLocked = errors.New("projection: the file is in use by another process")
)

// FoldError says at which record a fold failed. The record closes its subject.
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
