package rpc

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// open is the encounter service with watches and calls that stay until they are
// cancelled.
type open struct {
	encounterv1.UnimplementedEncounterServiceServer
	began chan struct{}
}

func (o *open) Watch(_ *encounterv1.WatchRequest, s grpc.ServerStreamingServer[encounterv1.WatchResponse]) error {
	if err := s.Send(&encounterv1.WatchResponse{}); err != nil {
		return err
	}
	<-s.Context().Done()
	return s.Context().Err()
}

func (o *open) GetState(ctx context.Context, _ *encounterv1.GetStateRequest) (*encounterv1.GetStateResponse, error) {
	o.began <- struct{}{}
	<-ctx.Done()
	return nil, ctx.Err()
}

func startOpen(t *testing.T, l Limits) (dial func() encounterv1.EncounterServiceClient, began chan struct{}) {
	t.Helper()
	server := NewServer(Options{Logger: slog.New(slog.DiscardHandler), Limits: &l})
	began = make(chan struct{}, 1000)
	encounterv1.RegisterEncounterServiceServer(server, &open{began: began})
	pipe := NewInProcess()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, server, pipe.Listener()) }()
	var conns []*grpc.ClientConn
	t.Cleanup(func() {
		for _, cc := range conns {
			cc.Close()
		}
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return func() encounterv1.EncounterServiceClient {
		cc, err := pipe.Dial()
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, cc)
		return encounterv1.NewEncounterServiceClient(cc)
	}, began
}

// watchOpen opens a watch and tells whether it stays.
func watchOpen(ctx context.Context, c encounterv1.EncounterServiceClient) error {
	s, err := c.Watch(ctx, &encounterv1.WatchRequest{})
	if err == nil {
		_, err = s.Recv()
	}
	return err
}

// limited tells by which limit an error refuses.
func limited(err error) string {
	f, ok := fault.As(err)
	if !ok || status.Code(err) != codes.ResourceExhausted {
		return fmt.Sprintf("not refused: %v", err)
	}
	return f.Meta["limit"]
}

// TestManyWatchesOnOneConnection: of 20,000 watches on one connection as many
// stay as may, each other one is told why, and when those are over there is room
// again.
func TestManyWatchesOnOneConnection(t *testing.T) {
	const asked = 20_000
	dial, _ := startOpen(t, DefaultLimits())
	c := dial()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var mu sync.Mutex
	stay, refused := 0, map[string]int{}
	var wg sync.WaitGroup
	work := make(chan struct{})
	for range 64 {
		wg.Go(func() {
			for range work {
				err := watchOpen(ctx, c)
				mu.Lock()
				if err == nil {
					stay++
				} else {
					refused[limited(err)]++
				}
				mu.Unlock()
			}
		})
	}
	for range asked {
		work <- struct{}{}
	}
	close(work)
	wg.Wait()
	if stay != limits.ConnectionStreams || refused[LimitConnectionStreams] != asked-limits.ConnectionStreams {
		t.Errorf("%d watches stay, refused %v", stay, refused)
	}
	cancel()
	for watchOpen(t.Context(), c) != nil { // the server hears of the end a moment later
		if t.Context().Err() != nil {
			t.Fatal("no room again")
		}
	}
}

func who(ctx context.Context) string {
	md, _ := metadata.FromIncomingContext(ctx)
	return fmt.Sprint(md.Get("who"))
}

func as(ctx context.Context, name string) context.Context {
	return metadata.AppendToOutgoingContext(ctx, "who", name)
}

// TestStreamLimits: of a principal over several connections, and of the server
// over all principals.
func TestStreamLimits(t *testing.T) {
	dial, _ := startOpen(t, Limits{ConnectionStreams: 10, PrincipalStreams: 3, ServerStreams: 5, Who: who})
	a, b := dial(), dial()
	ann, bob := as(t.Context(), "ann"), as(t.Context(), "bob")
	for i, step := range []struct {
		ctx  context.Context
		c    encounterv1.EncounterServiceClient
		want string
	}{
		{ann, a, ""}, {ann, a, ""}, {ann, b, ""}, {ann, b, LimitPrincipalStreams}, {ann, a, LimitPrincipalStreams},
		{bob, a, ""}, {bob, b, ""}, {bob, b, LimitServerStreams},
	} {
		err := watchOpen(step.ctx, step.c)
		if step.want == "" && err != nil || step.want != "" && limited(err) != step.want {
			t.Errorf("step %d: %v, want %q", i, err, step.want)
		}
	}
}

// TestCallLimits: of a connection and of a principal; what ends makes room.
func TestCallLimits(t *testing.T) {
	dial, began := startOpen(t, Limits{ConnectionCalls: 3, PrincipalCalls: 2, Who: who})
	a, b := dial(), dial()
	hold := func(name string, c encounterv1.EncounterServiceClient) (end func()) {
		ctx, cancel := context.WithCancel(as(t.Context(), name))
		done := make(chan struct{})
		go func() {
			defer close(done)
			for ctx.Err() == nil { // the server hears of an end a moment later
				c.GetState(ctx, &encounterv1.GetStateRequest{}) //nolint:errcheck // it is cancelled
			}
		}()
		<-began
		return func() { cancel(); <-done }
	}
	first := hold("ann", a)
	second := hold("ann", b)
	refusedBy := func(name string, c encounterv1.EncounterServiceClient) string {
		_, err := c.GetState(as(t.Context(), name), &encounterv1.GetStateRequest{})
		return limited(err)
	}
	if got := refusedBy("ann", a); got != LimitPrincipalCalls {
		t.Errorf("a third call of ann's: %s", got)
	}
	third, fourth := hold("bob", a), hold("bob", a)
	if got := refusedBy("cyd", a); got != LimitConnectionCalls {
		t.Errorf("a fourth call on one connection: %s", got)
	}
	for _, end := range []func(){first, second, third, fourth} {
		end()
	}
	hold("ann", b)()
}

// TestNothingIsCountedForEver: when nothing is in flight nothing is remembered.
func TestNothingIsCountedForEver(t *testing.T) {
	l := newLimiter(Limits{PrincipalCalls: 1})
	for i := range 100 {
		leave, err := l.enter(fmt.Sprint(i), func(u *use) *int { return &u.calls }, 1, LimitPrincipalCalls)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.enter(fmt.Sprint(i), func(u *use) *int { return &u.calls }, 1, LimitPrincipalCalls); err == nil {
			t.Fatal("a second one was let in")
		}
		leave()
	}
	if n := len(l.principals); n != 0 {
		t.Errorf("%d principals are remembered", n)
	}
}

func TestRaised(t *testing.T) {
	l := Limits{ConnectionStreams: 10, PrincipalStreams: 50, ConnectionCalls: 10}.Raised()
	if l.ConnectionStreams != 50 || l.ConnectionCalls != 0 {
		t.Errorf("%+v", l)
	}
}
