package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/render"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// silence is how long a live connection can be still: heartbeats come every 20
// seconds.
const silence = 50 * time.Second

// watch tells what a viewer sees until the encounter has ended, and goes on
// from its cursor when the connection was lost.
func (t *table) watch(ctx context.Context, as *eventv1.Principal) error {
	w := &watching{table: t, request: &encounterv1.WatchRequest{As: as, Encounter: t.id}}
	for {
		switch err := w.once(ctx); {
		case err == nil, ctx.Err() != nil:
			return err
		case !errors.Is(err, errSilent) && status.Code(err) != codes.Unavailable:
			return err
		}
	}
}

var errSilent = errors.New("nothing came from the server for too long")

// watching is a watch that survives its connections.
type watching struct {
	table   *table
	request *encounterv1.WatchRequest
	style   render.Style
}

// once watches on one connection; nil when the encounter has ended.
func (w *watching) once(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	lost := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer lost.Stop()
	stream, err := w.table.fights.Watch(ctx, w.request)
	if err != nil {
		return err
	}
	for {
		m, err := stream.Recv()
		switch {
		case err != nil && errors.Is(context.Cause(ctx), errSilent):
			return errSilent
		case err != nil:
			return err
		}
		lost.Reset(silence)
		s := m.GetStep()
		if s == nil { // a heartbeat, the end of the past, or why the watch ends
			continue
		}
		w.request.After = s.Cursor
		w.style.Learn(s.Events)
		if _, err := fmt.Fprint(w.table.out, w.style.Step(s)); err != nil || ended(s) {
			return err
		}
	}
}

func ended(s *encounterv1.Step) bool {
	for _, e := range s.Events {
		if e.GetEncounterEnded() != nil {
			return true
		}
	}
	return false
}
