package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// silence is how long a live stream can be still before a heartbeat says how often they
// come.
const silence = 50 * time.Second

// ErrStop ends a watch without an error when what is told returns it.
var ErrStop = errors.New("client: enough was seen")

var errSilent = errors.New("client: nothing came from the server for too long")

// Watch tells every message of a watch, steps each once and in order: when a stream is
// lost or falls silent, the next goes on from the last cursor. It ends with the
// context, with an error of told, or when the server refuses the watch for good. A
// token that ran out is asked for anew once.
func Watch(ctx context.Context, fights encounterv1.EncounterServiceClient, req *encounterv1.WatchRequest, told func(*encounterv1.WatchResponse) error) error {
	w := &watching{fights: fights, request: proto.CloneOf(req), told: told, silence: silence}
	for {
		err := w.once(ctx)
		switch {
		case errors.Is(err, ErrStop):
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case w.stopped:
			return err
		case status.Code(err) == codes.Unauthenticated && !w.refused:
			w.refused = true
		case !errors.Is(err, errSilent) && !errors.Is(err, io.EOF) && !Again(err):
			return err
		}
		if err := wait(ctx, w.failures, err); err != nil {
			return err
		}
		w.failures++
	}
}

// watching is a watch that survives its streams.
type watching struct {
	fights   encounterv1.EncounterServiceClient
	request  *encounterv1.WatchRequest
	told     func(*encounterv1.WatchResponse) error
	silence  time.Duration
	number   uint64 // of the last step; 0 until one is known
	failures int    // streams that brought nothing, one after the other
	refused  bool   // the token was, since something came
	stopped  bool   // told returned an error
}

// once watches on one stream.
func (w *watching) once(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stream, err := w.fights.Watch(ctx, w.request)
	if err != nil {
		return err
	}
	for {
		lost := time.AfterFunc(w.silence, func() { cancel(errSilent) }) // not while told is at work
		m, err := stream.Recv()
		lost.Stop()
		switch {
		case err != nil && errors.Is(context.Cause(ctx), errSilent):
			return errSilent
		case err != nil:
			return err
		}
		w.failures, w.refused = 0, false
		if err := w.take(m); err != nil {
			return err
		}
	}
}

// take passes a message on.
func (w *watching) take(m *encounterv1.WatchResponse) error {
	if s := m.GetStep(); s != nil {
		switch {
		case w.number > 0 && s.Number <= w.number:
			return nil
		case w.number > 0 && s.Number != w.number+1:
			return fmt.Errorf("%w: step %d came where %d must follow", errSilent, s.Number, w.number+1) // once more, from the cursor
		}
	}
	if h := m.GetHeartbeat(); h.GetIntervalSeconds() > 0 {
		w.silence = time.Duration(h.IntervalSeconds) * 2500 * time.Millisecond
	}
	if err := w.told(m); err != nil {
		w.stopped = true
		return err
	}
	if s := m.GetStep(); s != nil {
		w.number, w.request.After = s.Number, s.Cursor
	}
	return nil
}
