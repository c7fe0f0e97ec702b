package aggregate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

func TestFault(t *testing.T) {
	other := errors.New("another")
	for _, c := range []struct {
		err    error
		code   fault.Code
		reason string
	}{
		{journal.ErrFull, fault.Exhausted, aggregate.StoreFull},
		{fmt.Errorf("%w: %w", journal.ErrFull, journal.ErrUnwritable), fault.Exhausted, aggregate.StoreFull},
		{journal.ErrStalled, fault.Unavailable, aggregate.StoreStalled},
		{journal.ErrUnavailable, fault.Unavailable, aggregate.StoreUnavailable},
		{journal.ErrUnwritable, fault.Unavailable, aggregate.StoreUnavailable},
		{projection.ErrStopped, fault.Unavailable, aggregate.ProjectionStopped},
		{&journal.ConflictError{}, fault.Conflict, aggregate.LostRace},
		{&journal.TooLargeError{Limit: 1, Size: 2}, fault.Exhausted, "LIMIT"},
		{errors.Join(journal.ErrUnknownOutcome, context.DeadlineExceeded), fault.Unavailable, aggregate.StoreUnavailable},
	} {
		for _, unknown := range []bool{false, true} {
			err := fmt.Errorf("appending: %w", c.err)
			if unknown {
				err = errors.Join(journal.ErrUnknownOutcome, err)
			}
			f, ok := fault.As(aggregate.Fault(err))
			if !ok || f.Code != c.code || f.Reason != c.reason {
				t.Errorf("%v: got %+v", err, f)
				continue
			}
			mayBe := f.Code == fault.Unavailable && f.Reason != aggregate.ProjectionStopped || f.Reason == aggregate.StoreFull
			if said := f.Meta[aggregate.Outcome] == "unknown" && strings.Contains(f.Message, "same request id"); mayBe && said != errors.Is(err, journal.ErrUnknownOutcome) {
				t.Errorf("%v: outcome %v, %q", err, f.Meta, f.Message)
			}
		}
	}
	for _, err := range []error{nil, other, context.Canceled, fmt.Errorf("%w: %w", journal.ErrUnavailable, context.DeadlineExceeded)} {
		if got := aggregate.Fault(err); got != err { //nolint:errorlint // the very same
			t.Errorf("%v became %v", err, got)
		}
	}
}
