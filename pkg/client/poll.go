package client

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// pollTimeout bounds one history that is asked for.
const pollTimeout = 15 * time.Second

// poll asks for histories until it is time to try a stream again; then the error is nil.
func (w *watching) poll(ctx context.Context) error {
	end, caughtUp := time.Now().Add(w.options.PollFor), false
	for {
		if !w.known {
			if err := w.find(ctx); err != nil {
				return err
			}
		}
		page, err := w.page(ctx, w.number)
		if err != nil {
			return err
		}
		for _, s := range page.Steps {
			if err := w.take(&encounterv1.WatchResponse{What: &encounterv1.WatchResponse_Step{Step: s}}); err != nil {
				return err
			}
		}
		if page.More {
			continue
		}
		if !caughtUp {
			caughtUp = true
			mark := &encounterv1.CaughtUp{Cursor: w.request.After, Number: w.number}
			if err := w.take(&encounterv1.WatchResponse{What: &encounterv1.WatchResponse_CaughtUp{CaughtUp: mark}}); err != nil {
				return err
			}
		}
		if time.Now().After(end) {
			w.silent = max(0, w.options.Streams-1) // one stream is tried
			return nil
		}
		if err := pause(ctx, w.options.Poll*3/4+rand.N(w.options.Poll/2+1)); err != nil {
			return err
		}
	}
}

// page is the history after a number, a page of it.
func (w *watching) page(ctx context.Context, after uint64) (*encounterv1.GetHistoryResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	r := w.request
	page, err := w.fights.GetHistory(ctx, &encounterv1.GetHistoryRequest{As: r.As, Encounter: r.Encounter, Table: r.Table, After: after})
	if err == nil {
		w.failures, w.refused = 0, false
	}
	return page, err
}

// find finds the number at which the cursor given stands: a history is asked for by
// number.
func (w *watching) find(ctx context.Context) error {
	for after := uint64(0); ; {
		page, err := w.page(ctx, after)
		if err != nil {
			return err
		}
		for _, s := range page.Steps {
			if after = s.Number; s.Cursor == w.request.After {
				w.number, w.known = s.Number, true
				return nil
			}
		}
		if !page.More || len(page.Steps) == 0 {
			w.stopped = true
			return fmt.Errorf("client: the cursor %q is of no step in the history", w.request.After)
		}
	}
}
