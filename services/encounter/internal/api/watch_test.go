package api

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// sink takes what a watch sends.
type sink struct {
	grpc.ServerStream
	got chan *encounterv1.WatchResponse
}

func (s *sink) Send(m *encounterv1.WatchResponse) error {
	s.got <- m
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
