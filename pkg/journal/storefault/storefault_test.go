package storefault_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/storefault"
	"github.com/skaldrpg/skald/pkg/projection"
)

func TestOf(t *testing.T) {
	other := errors.New("another")
	for _, c := range []struct {
		err    error
		code   fault.Code
		reason string
	}{
		{journal.ErrFull, fault.Exhausted, storefault.Full},
		{fmt.Errorf("%w: %w", journal.ErrFull, journal.ErrUnwritable), fault.Exhausted, storefault.Full},
		{journal.ErrStalled, fault.Unavailable, storefault.Stalled},
		{journal.ErrUnavailable, fault.Unavailable, storefault.Unavailable},
		{journal.ErrUnwritable, fault.Unavailable, storefault.Unavailable},
		{projection.ErrStopped, fault.Unavailable, storefault.Stopped},
		{&journal.ConflictError{}, fault.Conflict, storefault.Lost},
		{&journal.TooLargeError{Limit: 1, Size: 2}, fault.Exhausted, "LIMIT"},
		{errors.Join(journal.ErrUnknownOutcome, context.DeadlineExceeded), fault.Unavailable, storefault.Unavailable},
	} {
		for _, unknown := range []bool{false, true} {
			err := fmt.Errorf("appending: %w", c.err)
			if unknown {
				err = errors.Join(journal.ErrUnknownOutcome, err)
			}
			f, ok := fault.As(storefault.Of(err))
			if !ok || f.Code != c.code || f.Reason != c.reason {
				t.Errorf("%v: got %+v", err, f)
				continue
			}
			mayBe := f.Code == fault.Unavailable && f.Reason != storefault.Stopped || f.Reason == storefault.Full
			if said := f.Meta[storefault.Outcome] == "unknown" && strings.Contains(f.Message, "same request id"); mayBe && said != errors.Is(err, journal.ErrUnknownOutcome) {
				t.Errorf("%v: outcome %v, %q", err, f.Meta, f.Message)
			}
		}
	}
	for _, err := range []error{nil, other, context.Canceled, fmt.Errorf("%w: %w", journal.ErrUnavailable, context.DeadlineExceeded)} {
		if got := storefault.Of(err); got != err { //nolint:errorlint // the very same
			t.Errorf("%v became %v", err, got)
		}
	}
}
