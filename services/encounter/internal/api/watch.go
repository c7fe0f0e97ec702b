package api

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
)

// What a watch reads at a time, and so what a slow viewer keeps in memory: so many
// steps, and of so many bytes; the last one may go beyond.
const (
	watchPage  = 100
	watchBytes = 256 << 10
)

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
	in, leave := s.feeds.join(audience{table, req.Encounter, aggregate.ViewerOf(req.As), req.WithBytes})
	defer func() { // before Close: the numbers of changes go on while there is a feed
		if leave() {
			s.Rulings.Forget()
		}
	}()
	var transcript []byte
	if err = reach(ctx, f, req.As, at.number); err == nil {
		transcript, err = s.same(ctx, f, req.As, at)
	}
	release()
	if err != nil {
		return err
	}
	w := &watch{server: s, stream: stream, listening: listening, feed: in, req: req, table: table, tag: cursorTag(table, req.Encounter, req.As),
		number: at.number, transcript: transcript, grant: auth.From(ctx)}
	defer w.rest()
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
	feed      *feed
	req       *encounterv1.WatchRequest
	table     string
	tag       []byte      // of its cursors
	number    uint64      // of the last step sent
	grant     *auth.Grant // nil where no guard stands before the service
	beat      time.Time   // when the next heartbeat is due
	alarm     alarm

	transcript []byte // after the last step sent
	public     public // as of the last reading
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
		change := w.listening.Now()
		more, err := w.forward(ctx, marked, change)
		if err != nil {
			return err
		}
		if more {
			continue
		}
		if !marked {
			marked = true
			mark := &encounterv1.CaughtUp{Cursor: w.cursor(), Number: w.number, Public: w.public.mark()}
			if err := w.send(&encounterv1.WatchResponse{What: &encounterv1.WatchResponse_CaughtUp{CaughtUp: mark}}); err != nil {
				return err
			}
		}
		if _, err := await(ctx, w, change.Next); err != nil {
			return err
		}
	}
}

// forward sends what comes after the last step sent, a page at most: of what happens now as
// the feed has it, of the past as the viewer alone reads it.
func (w *watch) forward(ctx context.Context, live bool, change *engine.Change) (more bool, err error) {
	if live {
		n, err := w.latest(ctx, change.Number)
		if err != nil {
			return false, last(err)
		}
		if steps, ok := n.after(w.number); ok {
			w.public = n.public
			for _, t := range steps {
				if err := w.pass(t.number, t.transcript, t.message); err != nil {
					return false, err
				}
			}
			return n.more, nil
		}
	}
	p, err := w.past(ctx)
	if err != nil {
		return false, last(err)
	}
	w.public = p.public
	for _, step := range p.steps {
		whole := func(string) proto.Message {
			return &encounterv1.WatchResponse{What: &encounterv1.WatchResponse_Step{Step: step}}
		}
		if err := w.pass(step.Number, step.Transcript, whole); err != nil {
			return false, err
		}
	}
	return p.more, nil
}

// last makes of an error of reading what ends the watch with a word, where it is for
// good.
func last(err error) error {
	if f, ok := fault.As(err); ok && (f.Code == fault.Broken || f.Reason == projection.ReasonDeleted) {
		return &ended{fault: f}
	}
	return err
}

// latest is what the feed has read at a change or later. The first who asks reads; the
// others hear meanwhile that their watches live.
func (w *watch) latest(ctx context.Context, change uint64) (*news, error) {
	for {
		if n := w.feed.since(change, w.number); n != nil {
			return n, nil
		}
		r, mine := w.feed.flight()
		if mine {
			w.feed.fill(ctx, r, func(ctx context.Context, last *news) (*news, error) {
				if n := w.feed.since(change, w.number); n != nil {
					return n, nil // another has read just now
				}
				at := w.listening.Now().Number
				n, err := w.server.readNews(ctx, w.feed.of, last, w.number)
				if err == nil {
					n.change = at
				}
				return n, err
			})
		} else if _, err := await(ctx, w, r.done); err != nil {
			return nil, err
		}
		if r.err != nil && (mine || !r.gaveUp) {
			return nil, r.err
		}
	}
}

// reading is what one reading of steps gave.
type reading struct {
	steps  []*encounterv1.Step
	public public
	more   bool
	err    error
}

// past reads the steps after the last one sent for this viewer alone. It may take
// long: the reading goes on beside, so that the viewer hears that the watch lives.
func (w *watch) past(ctx context.Context) (reading, error) {
	number := w.number
	got := make(chan reading, 1)
	readCtx, stop := context.WithCancel(ctx)
	defer stop()
	go func() { // ends with the reading, which ends with its context at the latest
		got <- w.page(readCtx, number)
	}()
	p, err := await(ctx, w, got)
	if err != nil {
		return p, err
	}
	return p, p.err
}

// page reads the steps after a number; the fight is loaded when it is not in
// memory.
func (w *watch) page(ctx context.Context, number uint64) (out reading) {
	f, release, err := w.server.Engine.Fight(ctx, w.table, w.req.Encounter)
	if err != nil {
		return reading{err: err}
	}
	defer release()
	out.public = publicOf(f)
	out.steps, out.more, out.err = w.server.watched(ctx, f, w.req.As, number, w.req.WithBytes)
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
		select {
		case v := <-signal:
			return v, nil
		case <-w.alarm.at(due):
			w.alarm.rang()
		case <-revoked:
		case <-ctx.Done():
			return none, ctx.Err()
		case <-w.server.Done:
			return none, stopping()
		}
		if !time.Now().Before(w.beat) {
			beat := &encounterv1.Heartbeat{UnixMillis: time.Now().UnixMilli(), Cursor: w.cursor(), Public: w.public.mark(),
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
	return taggedCursor(w.tag, w.number, w.transcript)
}

func (w *watch) send(m proto.Message) error {
	if err := w.stream.SendMsg(m); err != nil {
		return err
	}
	w.sent()
	return nil
}

// pass sends a step, unless the watch has to end before.
func (w *watch) pass(number uint64, transcript []byte, m func(cursor string) proto.Message) error {
	if err := w.ended(); err != nil {
		return err
	}
	if err := w.send(m(taggedCursor(w.tag, number, transcript))); err != nil {
		return err
	}
	w.number, w.transcript = number, transcript
	return nil
}

// rest lets go of what the watch had.
func (w *watch) rest() { w.alarm.off() }

// alarm is a timer that may ring early: what it is set to moves on with every message,
// and to set it each time would cost more than to look at the clock again.
type alarm struct {
	timer *time.Timer
	set   time.Time
}

// at rings at a time at the latest.
func (a *alarm) at(due time.Time) <-chan time.Time {
	switch {
	case a.timer == nil:
		a.timer = time.NewTimer(time.Until(due))
	case a.set.IsZero() || due.Before(a.set):
		a.timer.Reset(time.Until(due))
	default:
		return a.timer.C
	}
	a.set = due
	return a.timer.C
}

// rang is called when it has.
func (a *alarm) rang() { a.set = time.Time{} }

func (a *alarm) off() {
	if a.timer != nil {
		a.timer.Stop()
	}
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
