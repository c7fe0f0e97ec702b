package aggregate

import (
	"context"
	"errors"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// Reasons of faults of the event store.
const (
	// StoreFull: no room; RESOURCE_EXHAUSTED.
	StoreFull = "STORE_FULL"
	// StoreStalled: the disk under the store does not answer; UNAVAILABLE.
	StoreStalled = "STORE_STALLED"
	// StoreUnavailable: the store does not answer or can not write; UNAVAILABLE.
	StoreUnavailable = "STORE_UNAVAILABLE"
	// TableShut: the table is being deleted at this moment; UNAVAILABLE.
	TableShut = "TABLE_SHUT"
	// LostRace: another command came first; ABORTED.
	LostRace = "LOST_RACE"
	// ProjectionStopped: this process's cache has stopped; UNAVAILABLE.
	ProjectionStopped = "PROJECTION_STOPPED"
)

// Outcome is the fact of a fault that says whether the command may have been
// stored all the same: "unknown" when it may. It is not there otherwise.
const Outcome = "outcome"

// Fault is the fault for an error of the journal or of a projection. Nil stays nil,
// and so do a fault, an end of context and what is of neither.
func Fault(err error) error {
	if _, ok := fault.As(err); ok {
		return err
	}
	var large *journal.TooLargeError
	var conflict *journal.ConflictError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &large):
		return fault.Limit("commit bytes", int64(large.Limit), int64(large.Size))
	case errors.As(err, &conflict):
		return fault.Wrap(fault.Conflict, LostRace, err, "another command came first; try again")
	case errors.Is(err, journal.ErrShut):
		return fault.Wrap(fault.Unavailable, TableShut, err, "the table is being deleted")
	case errors.Is(err, journal.ErrFull):
		return open(err, fault.Wrap(fault.Exhausted, StoreFull, err, "the event store is full"))
	case errors.Is(err, projection.ErrStopped):
		return fault.Wrap(fault.Unavailable, ProjectionStopped, err, "this server's record has stopped; ask another")
	case errors.Is(err, journal.ErrStalled):
		return open(err, fault.Wrap(fault.Unavailable, StoreStalled, err, "the disk of the event store does not answer"))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		if !errors.Is(err, journal.ErrUnknownOutcome) {
			return err
		}
	case errors.Is(err, journal.ErrUnknownOutcome), errors.Is(err, journal.ErrUnavailable), errors.Is(err, journal.ErrUnwritable):
	default:
		return err
	}
	return open(err, fault.Wrap(fault.Unavailable, StoreUnavailable, err, "the event store does not answer"))
}

// open says it when nobody knows what became of the command.
func open(err error, f *fault.Fault) error {
	if errors.Is(err, journal.ErrUnknownOutcome) {
		f.Message += "; the command may have been stored: repeat it with the same request id"
		f.Meta = map[string]string{Outcome: "unknown"}
	}
	return f
}

// ofLog is Fault for what certainly comes from the journal: whatever it is, the
// store did not do what it was asked for.
func ofLog(err error) error {
	err = Fault(err)
	if _, ok := fault.As(err); ok || err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if errors.Is(err, journal.ErrInvalid) {
		return fault.Wrap(fault.Internal, "STORE", err, "the store refused a record")
	}
	return fault.Wrap(fault.Unavailable, StoreUnavailable, err, "the event store does not answer")
}

// altered is ofLog for a comparison, whose own error stays what it is.
func altered(err error) error {
	var is *journal.AlteredError
	if errors.As(err, &is) {
		return is
	}
	return ofLog(err)
}
