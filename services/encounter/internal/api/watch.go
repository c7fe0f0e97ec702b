package api

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
)

// watchPage is how many steps a watch reads at a time.
const watchPage = 100

// DefaultHeartbeat is how long a watch is silent at most when nothing is said.
const DefaultHeartbeat = 20 * time.Second

// reasonStopping is why watches end when the service does.
const reasonStopping = "STOPPING"

// Watch sends steps after a cursor: the past, a caught-up marker, then what
// happens. Its promises:
//
//   - ordered: steps come in the order of their numbers;
//   - gapless and unique: each number comes once;
//   - resumable: from the cursor of any step, here or on another server;
//   - caught up: the marker comes once, when everything stored at the start was sent;
//   - private: a step holds only what the viewer may see, and nothing is sent
//     for what it may not;
//   - alive: no heartbeat interval passes without a message, and when one comes
//     depends on the messages sent alone;
//   - no longer than the token: it ends with it, and says why and from where to go on.
//
// A watch reads at its client's pace and waits on a signal; a slow client holds
// up nobody. It keeps the fight in memory only while it reads.
func (s *Server) Watch(req *encounterv1.WatchRequest, stream encounterv1.EncounterService_WatchServer) error {
	ctx := stream.Context()
	f, table, release, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return err
	}
	at, err := decodeCursor("after", req.After, table, req.Encounter, req.As)
	if err != nil {
		release()
		return err
	}
	listening := s.Engine.Watched(table, req.Encounter)
	defer listening.Close()
	var transcript []byte
	if err = reach(ctx, f, req.As, at.number); err == nil {
		transcript, err = s.same(ctx, f, req.As, at)
	}
	release()
	if err != nil {
		return err
	}
	w := &watch{server: s, stream: stream, listening: listening, req: req, table: table, number: at.number, transcript: transcript, grant: auth.From(ctx)}
	w.sent()
	err = w.run(ctx)
	var end *ended
	if errors.As(err, &end) {
		return w.end(end)
	}
	return err
}

// watch is one watch under way. One goroutine sends.
type watch struct {
	server    *Server
	stream    encounterv1.EncounterService_WatchServer
	listening *engine.Watched
	req       *encounterv1.WatchRequest
	table     string
	number    uint64      // of the last step sent
	grant     *auth.Grant // nil where no guard stands before the service
	beat      time.Time   // when the next heartbeat is due

	transcript []byte                  // after the last step sent
	public     *encounterv1.PublicMark // as of the last reading
}

// ended is why the server ends a watch.
type ended struct {
	fault *fault.Fault
	again bool
}

func (e *ended) Error() string { return e.fault.Error() }

// run sends until the watch ends.
func (w *watch) run(ctx context.Context) error {
	for marked := false; ; {
		changed := w.listening.Changed()
		steps, more, err := w.read(ctx, marked)
		if f, ok := fault.As(err); ok && f.Code == fault.Broken {
			return &ended{fault: f}
		}
		if err != nil {
			return err
		}
		for _, step := range steps {
			if err := w.ended(); err != nil {
				return err
			}
			if err := w.send(&encounterv1.WatchResponse{What: &encounterv1.WatchResponse_Step{Step: step}}); err != nil {
				return err
			}
			w.number, w.transcript = step.Number, step.Transcript
		}
		if more {
			continue
		}
		if !marked {
			marked = true
			mark := &encounterv1.CaughtUp{Cursor: w.cursor(), Number: w.number, Public: w.public}
			if err := w.send(&encounterv1.WatchResponse{What: &encounterv1.WatchResponse_CaughtUp{CaughtUp: mark}}); err != nil {
				return err
			}
		}
		if _, err := await(ctx, w, changed); err != nil {
			return err
		}
	}
}

// reading is what one reading of steps gave.
type reading struct {
	steps  []*encounterv1.Step
	public *encounterv1.PublicMark
	more   bool
	err    error
}

// read reads the steps after the last one sent. The past may take long: there the
// reading goes on beside, so that the viewer hears that the watch lives.
func (w *watch) read(ctx context.Context, live bool) ([]*encounterv1.Step, bool, error) {
	number := w.number
	if live {
		p := w.page(ctx, number)
		w.public = p.public
		return p.steps, p.more, p.err
	}
	got := make(chan reading, 1)
	readCtx, stop := context.WithCancel(ctx)
	defer stop()
	go func() { // ends with the reading, which ends with its context at the latest
		got <- w.page(readCtx, number)
	}()
	p, err := await(ctx, w, got)
	if err != nil {
		return nil, false, err
	}
	w.public = p.public
	return p.steps, p.more, p.err
}

// page reads the steps after a number; the fight is loaded when it is not in
// memory.
func (w *watch) page(ctx context.Context, number uint64) (out reading) {
	f, release, err := w.server.Engine.Fight(ctx, w.table, w.req.Encounter)
	if err != nil {
		return reading{err: err}
	}
	defer release()
	out.public = publicMark(f)
	if w.req.WithBytes {
		out.steps, out.more, out.err = w.server.stepsEach(ctx, f, w.req.As, number, watchPage, w.server.withBytes(ctx, f, w.req.As))
	} else {
		out.steps, out.more, out.err = w.server.steps(ctx, f, w.req.As, number, watchPage)
	}
	return out
}

// await waits for a signal, and meanwhile sends heartbeats and looks whether the
// watch has to end.
func await[T any](ctx context.Context, w *watch, signal <-chan T) (T, error) {
	var none T
	for {
		revoked := w.grant.Changed() // before the question, so that no change is missed
		if err := w.ended(); err != nil {
			return none, err
		}
		due := w.beat
		if w.grant != nil && !w.grant.Open && w.grant.Until.Before(due) {
			due = w.grant.Until
		}
		timer := time.NewTimer(time.Until(due))
		select {
		case v := <-signal:
			timer.Stop()
			return v, nil
		case <-timer.C:
		case <-revoked:
		case <-ctx.Done():
			timer.Stop()
			return none, ctx.Err()
		case <-w.server.Done:
			timer.Stop()
			return none, stopping()
		}
		timer.Stop()
		if !time.Now().Before(w.beat) {
			beat := &encounterv1.Heartbeat{UnixMillis: time.Now().UnixMilli(), Cursor: w.cursor(), Public: w.public,
				IntervalSeconds: uint32((w.server.heartbeat() + time.Second - 1) / time.Second)}
			if err := w.send(&encounterv1.WatchResponse{What: &encounterv1.WatchResponse_Heartbeat{Heartbeat: beat}}); err != nil {
				return none, err
			}
		}
	}
}

// ended says why the watch must end; nil while it need not.
func (w *watch) ended() error {
	err := w.grant.Ended()
	if err == nil {
		return nil
	}
	if f, ok := fault.As(err); ok {
		return &ended{fault: f}
	}
	return err
}

func stopping() error {
	return &ended{fault: fault.New(fault.Unavailable, reasonStopping, "the server stops; watch again from the last cursor"), again: true}
}

// end tells the viewer why, then gives the status with the same reason.
func (w *watch) end(e *ended) error {
	last := &encounterv1.WatchEnd{Reason: e.fault.Reason, Message: e.fault.Message, Cursor: w.cursor(), Again: e.again}
	if err := w.send(&encounterv1.WatchResponse{What: &encounterv1.WatchResponse_End{End: last}}); err != nil {
		return err
	}
	return e.fault
}

func (w *watch) cursor() string {
	return encodeCursor(w.table, w.req.Encounter, w.req.As, w.number, w.transcript)
}

func (w *watch) send(m *encounterv1.WatchResponse) error {
	if err := w.stream.Send(m); err != nil {
		return err
	}
	w.sent()
	return nil
}

// sent sets when the next heartbeat is due: a little before the interval is over,
// and not for all viewers at once.
func (w *watch) sent() {
	interval := w.server.heartbeat()
	w.beat = time.Now().Add(interval - rand.N(interval/8+1))
}

// heartbeat is how long a watch is silent at most.
func (s *Server) heartbeat() time.Duration {
	if s.Heartbeat <= 0 {
		return DefaultHeartbeat
	}
	return s.Heartbeat
}
