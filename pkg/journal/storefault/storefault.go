// Package storefault words the errors of the event store for callers, for every
// service alike.
//
// It must never hide that the outcome of a command is not known, nor show a
// caller more of an error than which of its kinds it is.
package storefault

import (
	"context"
	"errors"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// Reasons of the faults.
const (
	// Full: no room; RESOURCE_EXHAUSTED.
	Full = "STORE_FULL"
	// Stalled: the disk under the store does not answer; UNAVAILABLE.
	Stalled = "STORE_STALLED"
	// Unavailable: the store does not answer or can not write; UNAVAILABLE.
	Unavailable = "STORE_UNAVAILABLE"
	// Lost: another command came first; ABORTED.
	Lost = "LOST_RACE"
	// Stopped: this process's cache has stopped; UNAVAILABLE.
	Stopped = "PROJECTION_STOPPED"
)

// Outcome is the fact of a fault that says whether the command may have been
// stored all the same: "unknown" when it may. It is not there otherwise.
const Outcome = "outcome"

// Of is the fault for an error of the journal or of a projection. Nil stays nil,
// and so do an end of context and what is of neither.
func Of(err error) error {
	var large *journal.TooLargeError
	var conflict *journal.ConflictError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &large):
		return fault.Limit("commit bytes", int64(large.Limit), int64(large.Size))
	case errors.As(err, &conflict):
		return fault.Wrap(fault.Conflict, Lost, err, "another command came first; try again")
	case errors.Is(err, journal.ErrFull):
		return open(err, fault.Wrap(fault.Exhausted, Full, err, "the event store is full"))
	case errors.Is(err, projection.ErrStopped):
		return fault.Wrap(fault.Unavailable, Stopped, err, "this server's record has stopped; ask another")
	case errors.Is(err, journal.ErrStalled):
		return open(err, fault.Wrap(fault.Unavailable, Stalled, err, "the disk of the event store does not answer"))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		if !errors.Is(err, journal.ErrUnknownOutcome) {
			return err
		}
	case errors.Is(err, journal.ErrUnknownOutcome), errors.Is(err, journal.ErrUnavailable), errors.Is(err, journal.ErrUnwritable):
	default:
		return err
	}
	return open(err, fault.Wrap(fault.Unavailable, Unavailable, err, "the event store does not answer"))
}

// open says it when nobody knows what became of the command.
func open(err error, f *fault.Fault) error {
	if errors.Is(err, journal.ErrUnknownOutcome) {
		f.Message += "; the command may have been stored: repeat it with the same request id"
		f.Meta = map[string]string{Outcome: "unknown"}
	}
	return f
}
