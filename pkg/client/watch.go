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
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// silence is how long a live stream can be still before a heartbeat says how often they
// come.
const silence = 50 * time.Second

// ErrStop ends a watch without an error when what is told returns it.
var ErrStop = errors.New("client: enough was seen")

var errSilent = errors.New("client: nothing came from the server for too long")

// WatchOptions say how is watched. What is 0 has its default.
type WatchOptions struct {
	// First is how long a new stream may take until its first message; 10 s. A server
	// sends one at once.
	First time.Duration
	// Streams is how many streams one after the other may bring nothing before
	// histories are asked for instead, as behind a proxy that holds streams back; 2.
	// Less than 0 asks at once.
	Streams int
	// Poll is how often histories are asked for; 2 s.
	Poll time.Duration
	// PollFor is for how long, before a stream is tried again; 5 minutes.
	PollFor time.Duration
}

func (o WatchOptions) whole() WatchOptions {
	or := func(d *time.Duration, other time.Duration) {
		if *d <= 0 {
			*d = other
		}
	}
	or(&o.First, 10*time.Second)
	or(&o.Poll, 2*time.Second)
	or(&o.PollFor, 5*time.Minute)
	switch {
	case o.Streams == 0:
		o.Streams = 2
	case o.Streams < 0:
		o.Streams = 0
	}
	return o
}

// Watch tells every message of a watch, steps each once and in order: when a stream is
// lost or falls silent, the next goes on from the last cursor; where streams bring
// nothing, histories are asked for, and what they bring is told as the same messages.
// It ends with the context, with an error of told, or when the server refuses the
// watch for good. A token that ran out is asked for anew once.
func Watch(ctx context.Context, fights encounterv1.EncounterServiceClient, req *encounterv1.WatchRequest, told func(*encounterv1.WatchResponse) error) error {
	return WatchWith(ctx, fights, req, WatchOptions{}, told)
}

// WatchWith is Watch with options.
func WatchWith(ctx context.Context, fights encounterv1.EncounterServiceClient, req *encounterv1.WatchRequest, o WatchOptions, told func(*encounterv1.WatchResponse) error) error {
	w := &watching{fights: fights, request: proto.CloneOf(req), options: o.whole(), told: told, silence: silence, known: req.GetAfter() == ""}
	return w.run(ctx)
}

// Follow tells the viewer's state now, with a nil message, and then the state after
// everything that a watch tells. States are not written to. After of the request is
// not looked at.
func Follow(ctx context.Context, fights encounterv1.EncounterServiceClient, req *encounterv1.WatchRequest, o WatchOptions, told func(*eventv1.State, *encounterv1.WatchResponse) error) error {
	var now *encounterv1.GetStateResponse
	err := again(ctx, func() (err error) {
		now, err = fights.GetState(ctx, &encounterv1.GetStateRequest{As: req.GetAs(), Encounter: req.GetEncounter(), Table: req.GetTable()})
		return err
	})
	if err != nil {
		return err
	}
	state := now.State
	switch err := told(state, nil); {
	case errors.Is(err, ErrStop):
		return nil
	case err != nil:
		return err
	}
	from := proto.CloneOf(req)
	from.After = now.Cursor
	w := &watching{fights: fights, request: from, options: o.whole(), silence: silence, known: true, number: now.Number}
	w.told = func(m *encounterv1.WatchResponse) error {
		if s := m.GetStep(); s != nil {
			state = Fold(state, s)
		}
		return told(state, m)
	}
	return w.run(ctx)
}

// watching is a watch that survives its streams.
type watching struct {
	fights   encounterv1.EncounterServiceClient
	request  *encounterv1.WatchRequest
	options  WatchOptions
	told     func(*encounterv1.WatchResponse) error
	silence  time.Duration
	number   uint64 // of the last step, when it is known
	known    bool
	failures int  // streams that brought nothing, one after the other
	silent   int  // those among them on which nothing came in time
	refused  bool // the token was, since something came
	stopped  bool // told returned an error
}

func (w *watching) run(ctx context.Context) error {
	for {
		by := w.once
		if w.silent >= w.options.Streams {
			by = w.poll
		}
		err := by(ctx)
		switch {
		case err == nil: // a stream is tried again
			continue
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

// once watches on one stream. The error is never nil.
func (w *watching) once(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	within := func(d time.Duration) *time.Timer { return time.AfterFunc(d, func() { cancel(errSilent) }) } // not while told is at work
	lost := within(w.options.First)
	defer func() { lost.Stop() }()
	stream, err := w.fights.Watch(ctx, w.request)
	for heard := false; ; heard = true {
		var m *encounterv1.WatchResponse
		if err == nil {
			m, err = stream.Recv()
		}
		lost.Stop()
		switch {
		case err != nil && errors.Is(context.Cause(ctx), errSilent):
			if !heard {
				w.silent++
			}
			return errSilent
		case err != nil:
			return err
		}
		w.silent = 0
		if err := w.take(m); err != nil {
			return err
		}
		lost = within(w.silence)
	}
}

// take passes a message on.
func (w *watching) take(m *encounterv1.WatchResponse) error {
	if s := m.GetStep(); s != nil && w.known {
		switch {
		case s.Number <= w.number:
			return nil
		case s.Number != w.number+1:
			return fmt.Errorf("%w: step %d came where %d must follow", errSilent, s.Number, w.number+1) // once more, from the cursor
		}
	}
	w.failures, w.refused = 0, false
	if h := m.GetHeartbeat(); h.GetIntervalSeconds() > 0 {
		w.silence = time.Duration(h.IntervalSeconds) * 2500 * time.Millisecond
	}
	if err := w.told(m); err != nil {
		w.stopped = true
		return err
	}
	switch {
	case m.GetStep() != nil:
		w.number, w.known, w.request.After = m.GetStep().Number, true, m.GetStep().Cursor
	case m.GetCaughtUp() != nil:
		if !w.known {
			w.number, w.known = m.GetCaughtUp().Number, true
		}
		if m.GetCaughtUp().Cursor != "" {
			w.request.After = m.GetCaughtUp().Cursor
		}
	}
	return nil
}
