//go:build linux

package robustness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/cluster"
	"github.com/skaldrpg/skald/pkg/client"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// listening is the suite on a port of this machine until the test ends.
func listening(t *testing.T, seed uint64) (direct encounterv1.EncounterServiceClient, address string) {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: newRandom(seed), Clock: func() time.Time { return time.Unix(int64(seed), 0) }, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	server := rpc.NewServer(rpc.Options{Logger: quiet})
	stack.Register(server)
	l, err := listen()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- rpc.Serve(ctx, server, l) }() // ends with stop
	t.Cleanup(func() {
		stack.StopWatches()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		stack.Close() //nolint:errcheck // the test is over
	})
	return encounterv1.NewEncounterServiceClient(stack.Conn()), l.Addr().String()
}

// dialled is a connection of the Go client until the test ends.
func dialled(t *testing.T, target string, opts ...grpc.DialOption) encounterv1.EncounterServiceClient {
	t.Helper()
	conn, err := client.Dial(target, client.Options{Dial: opts})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() }) //nolint:errcheck // the test is over
	return encounterv1.NewEncounterServiceClient(conn)
}

func cuttable(t *testing.T, target string) *cluster.Link {
	t.Helper()
	link, err := cluster.NewLink("client", target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(link.Close)
	return link
}

// over carries commands out by the Go client and asks everything else directly.
type over struct {
	encounterv1.EncounterServiceClient
	by encounterv1.EncounterServiceClient
}

// Execute carries a command out once, however often it has to be sent.
func (o over) Execute(ctx context.Context, req *encounterv1.ExecuteRequest, _ ...grpc.CallOption) (*encounterv1.ExecuteResponse, error) {
	return client.Execute(ctx, o.by, req)
}

// counted counts the streams that a watch opened.
type counted struct {
	encounterv1.EncounterServiceClient
	streams atomic.Int32
}

// Watch implements encounterv1.EncounterServiceClient.
func (c *counted) Watch(ctx context.Context, req *encounterv1.WatchRequest, opts ...grpc.CallOption) (grpc.ServerStreamingClient[encounterv1.WatchResponse], error) {
	c.streams.Add(1)
	return c.EncounterServiceClient.Watch(ctx, req, opts...)
}

// follower follows a fight as a viewer and keeps what it was told.
type follower struct {
	fights *counted
	done   chan error
	stop   context.CancelFunc

	mu    sync.Mutex
	steps []*encounterv1.Step
	state *eventv1.State
}

func follows(t *testing.T, fights encounterv1.EncounterServiceClient, encounter string, as *eventv1.Principal) *follower {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	f := &follower{fights: &counted{EncounterServiceClient: fights}, done: make(chan error, 1), stop: stop}
	go func() { // ends with stop
		f.done <- client.Follow(ctx, f.fights, &encounterv1.WatchRequest{As: as, Encounter: encounter}, client.WatchOptions{First: 5 * time.Second},
			func(s *eventv1.State, m *encounterv1.WatchResponse) error {
				f.mu.Lock()
				defer f.mu.Unlock()
				f.state = s
				if m.GetStep() != nil {
					f.steps = append(f.steps, m.GetStep())
				}
				return nil
			})
	}()
	return f
}

// is waits until so many steps were told and holds that they are those wanted.
func (f *follower) is(t *testing.T, who string, first int, want []*encounterv1.Step, shown *eventv1.State) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(30 * time.Second); ; <-tick.C {
		f.mu.Lock()
		n := len(f.steps)
		f.mu.Unlock()
		if n >= len(want)-first {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%s was told %d steps of %d", who, n, len(want)-first)
		}
	}
	f.stop()
	if err := <-f.done; !errors.Is(err, context.Canceled) {
		t.Errorf("%s: the end of a watch that was stopped is %v", who, err)
	}
	for i, got := range f.steps {
		if i+first >= len(want) || !proto.Equal(got, want[i+first]) {
			t.Fatalf("%s: message %d is step %d, which the history has otherwise or not there", who, i, got.Number)
		}
	}
	if !proto.Equal(f.state, shown) {
		t.Errorf("%s: the state followed is not the one shown", who)
	}
}

// TestGoClientOverCuts: fights at random with rulings, in every system, whose commands
// go over connections that are cut, and are watched so: each command is done once, and
// each viewer is told each step once and in order.
func TestGoClientOverCuts(t *testing.T) {
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			seed := uint64(number(envSeed, int(time.Now().UnixNano()&0x7fffffff)))
			t.Logf("repeat with %s=%d", envSeed, seed)
			direct, address := listening(t, seed)
			link := cuttable(t, address)
			far := dialled(t, link.Addr())
			p := &play{t: t, system: system, rng: rand.New(rand.NewPCG(seed, 1)), client: over{direct, far}, actions: map[string]bool{}, tough: true}
			p.begin()
			encounter, viewers := p.id, map[string]*follower{}
			first := map[string]int{}
			for name, as := range vectorViewers {
				first[name] = len(everyStep(t, direct, encounter, as))
				viewers[name] = follows(t, far, encounter, as)
				waitFor(t, func() bool {
					viewers[name].mu.Lock()
					defer viewers[name].mu.Unlock()
					return viewers[name].state != nil
				})
			}
			for n := range number(envSteps, 50) {
				if n%8 == 7 {
					link.Cut()
					link.Heal()
				}
				if !p.step() {
					break
				}
			}
			restored := 0
			for name, f := range viewers {
				want := everyStep(t, direct, encounter, vectorViewers[name])
				shown, err := direct.GetState(t.Context(), &encounterv1.GetStateRequest{As: vectorViewers[name], Encounter: encounter})
				if err != nil {
					t.Fatal(err)
				}
				f.is(t, name, first[name], want, shown.State)
				if n := f.fights.streams.Load(); n < 3 {
					t.Errorf("%s: %d streams: nothing was cut", name, n)
				}
				for _, s := range f.steps {
					if s.Restored != nil {
						restored++
					}
				}
			}
			t.Logf("%d restored states were told", restored)
		})
	}
}

func waitFor(t *testing.T, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(30 * time.Second); !holds(); <-tick.C {
		if time.Now().After(end) {
			t.Fatal("what was waited for does not come")
		}
	}
}

// TestGoClientOverAKill: the server's process is killed in the middle and another one
// serves its data: the same watch and the same commands go on.
func TestGoClientOverAKill(t *testing.T) {
	dir := t.TempDir()
	var address atomic.Pointer[string]
	serve := func() *suite {
		s := startSuite(t, dir)
		at := s.conn.Target()
		address.Store(&at)
		return s
	}
	s := serve()
	far := dialled(t, "passthrough:///suite", grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", *address.Load())
	}))
	do := func(id string, cmd *eventv1.Command) {
		if _, err := client.Execute(t.Context(), far, &encounterv1.ExecuteRequest{RequestId: id, As: gm, Encounter: "bridge", Command: cmd}); err != nil {
			t.Fatalf("%s: %v", id, err)
		}
	}
	do("c", &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr"}}})
	var told sync.Mutex
	var seen []uint64
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { // ends with stop
		done <- client.Watch(ctx, far, &encounterv1.WatchRequest{As: gm, Encounter: "bridge"}, func(m *encounterv1.WatchResponse) error {
			told.Lock()
			defer told.Unlock()
			if m.GetStep() != nil {
				seen = append(seen, m.GetStep().Number)
			}
			return nil
		})
	}()
	count := func() int { told.Lock(); defer told.Unlock(); return len(seen) }
	for n := range 9 {
		waitFor(t, func() bool { return count() == n+1 })
		if n%3 == 2 {
			s.kill()
			s = serve()
		}
		id := fmt.Sprint("s", n)
		do(id, &eventv1.Command{What: &eventv1.Command_Save{Save: &eventv1.SaveState{Name: id}}})
		do(id, &eventv1.Command{What: &eventv1.Command_Save{Save: &eventv1.SaveState{Name: id}}}) // done once
	}
	waitFor(t, func() bool { return count() == 10 })
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the watch ended with %v", err)
	}
	for i, n := range seen {
		if n != uint64(i)+1 {
			t.Fatalf("steps %v", seen)
		}
	}
}

// held watches over a line that lets nothing come back.
type held struct {
	encounterv1.EncounterServiceClient
	line encounterv1.EncounterServiceClient
}

// Watch implements encounterv1.EncounterServiceClient.
func (h held) Watch(ctx context.Context, req *encounterv1.WatchRequest, opts ...grpc.CallOption) (grpc.ServerStreamingClient[encounterv1.WatchResponse], error) {
	return h.line.Watch(ctx, req, opts...)
}

// TestGoClientAsksForHistories: where streams bring nothing, every step comes by
// histories, from the beginning and from a cursor; when the line lets through again, by
// a stream.
func TestGoClientAsksForHistories(t *testing.T) {
	direct, address := listening(t, 1)
	link := cuttable(t, address)
	link.Hold(cluster.Back)
	save := func(n int) string {
		cmd := &eventv1.Command{What: &eventv1.Command_Save{Save: &eventv1.SaveState{Name: fmt.Sprint("s", n)}}}
		if n == 0 {
			cmd = &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr"}}}
		}
		resp, err := client.Execute(t.Context(), direct, &encounterv1.ExecuteRequest{As: gm, Encounter: "bridge", Command: cmd})
		if err != nil {
			t.Fatal(err)
		}
		return resp.Cursor
	}
	var cursor string
	for n := range 5 {
		at := save(n)
		if n == 2 {
			cursor = at
		}
	}
	quick := client.WatchOptions{First: 100 * time.Millisecond, Poll: 10 * time.Millisecond, PollFor: 300 * time.Millisecond, Streams: 1}
	for name, c := range map[string]struct {
		after string
		want  []uint64
	}{"from the beginning": {"", []uint64{1, 2, 3, 4, 5}}, "from a cursor": {cursor, []uint64{4, 5}}} {
		var seen []uint64
		err := client.WatchWith(t.Context(), held{direct, dialled(t, link.Addr())}, &encounterv1.WatchRequest{As: gm, Encounter: "bridge", After: c.after}, quick,
			func(m *encounterv1.WatchResponse) error {
				if m.GetStep() != nil {
					seen = append(seen, m.GetStep().Number)
				}
				if m.GetCaughtUp() != nil {
					return client.ErrStop
				}
				return nil
			})
		if err != nil || fmt.Sprint(seen) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, %v", name, seen, err)
		}
	}
	var seen []uint64
	beats, caught := 0, 0
	err := client.WatchWith(t.Context(), held{direct, dialled(t, link.Addr())}, &encounterv1.WatchRequest{As: gm, Encounter: "bridge"}, quick,
		func(m *encounterv1.WatchResponse) error {
			switch {
			case m.GetStep() != nil:
				seen = append(seen, m.GetStep().Number)
			case m.GetCaughtUp() != nil:
				caught++
				if m.GetCaughtUp().Public != nil { // a stream's own
					beats++
					return client.ErrStop
				}
				save(5)
				link.Heal()
			}
			return nil
		})
	if err != nil || beats != 1 || fmt.Sprint(seen) != "[1 2 3 4 5 6]" {
		t.Errorf("back to a stream: %v, %d, %d, %v", seen, caught, beats, err)
	}
	if err := client.WatchWith(t.Context(), direct, &encounterv1.WatchRequest{As: gm, Encounter: "bridge", After: "no cursor"}, client.WatchOptions{Streams: -1},
		func(*encounterv1.WatchResponse) error { return io.ErrUnexpectedEOF }); err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a cursor of nowhere: %v", err)
	}
}
