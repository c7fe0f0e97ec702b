package injury_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/faultjournal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A deed whose acknowledgement is lost is found again by its request id.
func TestADeedOfUnknownOutcomeCountsOnce(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	w.harm("kesh", 10)
	var lose atomic.Bool
	w.cfg.Journal = &faultjournal.Log{Log: w.journal, After: func(context.Context, []journal.Message) error {
		if lose.Swap(false) {
			return journal.ErrUnknownOutcome
		}
		return nil
	}}
	w.restart()
	for _, c := range []*eventv1.PatientCommand{
		{Deed: "treat", Patients: []string{"kesh"}},
		{Deed: "treat", Patients: []string{"kesh"}, User: "jeera"}, // two messages at once
	} {
		before := len(w.commits("kesh"))
		req := w.deed(gm, c)
		lose.Store(true)
		w.refused(req, fault.Unavailable, "STORE_UNAVAILABLE")
		if !w.tend(req).Repeated {
			t.Errorf("%v was carried out again", c)
		}
		if n := len(w.commits("kesh")); n != before+1 {
			t.Errorf("%d commits after %d", n, before)
		}
	}
	if n := len(w.commits("jeera")); n != 2 {
		t.Errorf("the healer has %d commits, want 2", n)
	}
}

func TestStoreErrorsAreFaults(t *testing.T) {
	for _, tc := range []struct {
		name   string
		err    error
		code   fault.Code
		reason string
	}{
		{"full", journal.ErrFull, fault.Exhausted, "STORE_FULL"},
		{"too large", &journal.TooLargeError{Size: 2, Limit: 1}, fault.Exhausted, "LIMIT"},
		{"unavailable", journal.ErrUnavailable, fault.Unavailable, "STORE_UNAVAILABLE"},
		{"always lost", &journal.ConflictError{Subject: "skald.0.t1.patient.jeera"}, fault.Conflict, "LOST_RACE"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			w.enrol("jeera", 20, "ann")
			w.cfg.Journal = &faultjournal.Log{Log: w.journal, Before: func(context.Context, []journal.Message) error { return tc.err }}
			w.restart()
			w.refused(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}}), tc.code, tc.reason)
			if n := len(w.commits("jeera")); n != 1 {
				t.Errorf("%d commits, want 1", n)
			}
		})
	}
}
