package api

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/mem"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// sink takes what a watch sends.
type sink struct {
	grpc.ServerStream
	got chan *encounterv1.WatchResponse
}

func (s *sink) Send(m *encounterv1.WatchResponse) error { return s.SendMsg(m) }

func (s *sink) SendMsg(m any) error {
	s.got <- m.(*encounterv1.WatchResponse)
	return nil
}

// While something is waited for, such as a long past, the viewer hears that the
// watch lives; what is waited for comes all the same, and the end of the service
// is not missed.
func TestAwaitBeats(t *testing.T) {
	done := make(chan struct{})
	out := &sink{got: make(chan *encounterv1.WatchResponse)}
	w := &watch{server: &Server{Heartbeat: 8 * time.Millisecond, Done: done}, stream: out, table: "main", number: 7,
		req: &encounterv1.WatchRequest{Encounter: "e", As: &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}}}
	w.sent()
	type outcome struct {
		value string
		err   error
	}
	signal, ended := make(chan string), make(chan outcome, 1)
	wait := func() {
		v, err := await(t.Context(), w, signal)
		ended <- outcome{v, err}
	}
	go wait() // ends with the signal
	for range 3 {
		beat := (<-out.got).GetHeartbeat()
		if beat == nil || beat.Cursor != w.cursor() || beat.UnixMillis == 0 || beat.IntervalSeconds != 1 {
			t.Fatalf("heartbeat %v", beat)
		}
	}
	drain, stop := context.WithCancel(t.Context())
	defer stop()
	go func() { // ends with drain
		for {
			select {
			case <-out.got:
			case <-drain.Done():
				return
			}
		}
	}()
	signal <- "the past"
	if o := <-ended; o.value != "the past" || o.err != nil {
		t.Errorf("awaited %+v", o)
	}
	go wait() // ends with done
	close(done)
	if o := <-ended; o.err == nil || o.err.Error() != stopping().Error() {
		t.Errorf("ended with %v", o.err)
	}
}

// When the one who reads for all goes away, another reads; when reading fails, all are
// told so, and nothing of before is kept.
func TestFeedsOutliveWhoReads(t *testing.T) {
	srv := &Server{}
	f, leave := srv.feeds.join(audience{viewer: "gm"})
	defer leave()
	type key struct{}
	ctx, goes := context.WithCancel(context.WithValue(t.Context(), key{}, "a token"))
	r, mine := f.flight()
	if other, also := f.flight(); !mine || also || other != r {
		t.Fatal("two read at the same time")
	}
	f.fill(ctx, r, func(ctx context.Context, _ *news) (*news, error) {
		if ctx.Value(key{}) != nil {
			t.Error("what is read for all knows who reads")
		}
		goes()
		return nil, ctx.Err()
	})
	if <-r.done; !r.gaveUp || r.err == nil {
		t.Errorf("gave up %v: %v", r.gaveUp, r.err)
	}
	read := func(n *news, err error) *flight {
		r, mine := f.flight()
		if !mine {
			t.Fatal("nobody reads, and yet")
		}
		f.fill(t.Context(), r, func(context.Context, *news) (*news, error) { return n, err })
		<-r.done
		return r
	}
	if read(&news{change: 3, number: 7, more: true}, nil); f.since(3, 6) == nil || f.since(4, 6) != nil || f.since(3, 7) != nil {
		t.Error("news are taken for what they are not")
	}
	if r := read(nil, errors.New("broken")); r.err == nil || r.gaveUp || f.since(0, 0) != nil {
		t.Errorf("after %v there are news", r.err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a panic went nowhere")
			}
		}()
		r, _ := f.flight()
		f.fill(t.Context(), r, func(context.Context, *news) (*news, error) { panic("reading") })
	}()
	if r := read(&news{change: 1}, nil); r.err != nil || f.since(1, 0) == nil {
		t.Error("after a panic nobody reads any more")
	}
}

// A feed keeps a bounded stretch, the newest step in any case, and says what it does not have.
func TestFeedsAreBounded(t *testing.T) {
	n := &news{number: 10}
	for i := range uint64(300) {
		n = n.with([]told{{number: 11 + i, rest: mem.SliceBuffer(make([]byte, 1000))}})
		if n.number != 11+i || len(n.steps) > feedSteps || n.bytes != 1000*len(n.steps) {
			t.Fatalf("%d steps of %d bytes up to %d", len(n.steps), n.bytes, n.number)
		}
	}
	if got, ok := n.after(310); !ok || len(got) != 0 {
		t.Error("after the last there is something")
	}
	if got, ok := n.after(308); !ok || len(got) != 2 || got[0].number != 309 {
		t.Errorf("after 308: %v", got)
	}
	if _, ok := n.after(310 - feedSteps - 1); ok {
		t.Error("what was let go of is there")
	}
	if n = n.with([]told{{number: 311, rest: mem.SliceBuffer(make([]byte, feedBytes+1))}}); len(n.steps) != 1 || n.bytes != feedBytes+1 {
		t.Errorf("%d steps of %d bytes beside a large one", len(n.steps), n.bytes)
	}
}
