package api_test

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/api"
	"github.com/skaldrpg/skald/services/encounter/internal/innertest"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
	"github.com/skaldrpg/skald/services/encounter/internal/store"
)

// counting counts what is restored.
type counting struct {
	store.Reader
	restored atomic.Int64
}

func (c *counting) LoadAt(ctx context.Context, table, id string, version uint64) (*replica.Replica, error) {
	c.restored.Add(1)
	return c.Reader.LoadAt(ctx, table, id, version)
}

// served is a server behind gRPC.
func served(t *testing.T, srv *api.Server) encounterv1.EncounterServiceClient {
	t.Helper()
	s, pipe := rpc.NewServer(rpc.Options{Logger: innertest.Quiet}), rpc.NewInProcess()
	encounterv1.RegisterEncounterServiceServer(s, srv)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- rpc.Serve(ctx, s, pipe.Listener()) }() // ends with stop
	conn, err := pipe.Dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close() //nolint:errcheck // test
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return encounterv1.NewEncounterServiceClient(conn)
}

// watching opens so many watches of each viewer that are caught up.
func watching(t *testing.T, c encounterv1.EncounterServiceClient, each int, viewers ...*eventv1.Principal) (all []grpc.ServerStreamingClient[encounterv1.WatchResponse], leave func()) {
	t.Helper()
	ctx, leave := context.WithTimeout(t.Context(), time.Minute)
	for _, as := range viewers {
		for range each {
			s, err := c.Watch(ctx, &encounterv1.WatchRequest{As: as, Encounter: "e"})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, s)
		}
	}
	for _, s := range all {
		for {
			m, err := s.Recv()
			if err != nil {
				t.Fatal(err)
			}
			if m.GetCaughtUp() != nil {
				break
			}
		}
	}
	return all, leave
}

// What a ruling made is restored once, however many watch and whoever they are.
func TestARulingIsRestoredOnce(t *testing.T) {
	for _, c := range []struct {
		name    string
		rulings *api.Rulings
		most    int64
	}{{"for all", api.NewRulings(1 << 20), 2}, {"for each viewer, where nothing is kept", nil, 2 * 5}} {
		t.Run(c.name, func(t *testing.T) {
			w := innertest.New(t, others)
			s := w.Open(innertest.Options{})
			s.Begin("e")
			rows := &counting{Reader: s.Reader}
			srv := server(s)
			srv.Archive, srv.Rulings = rows, c.rulings
			spectator := &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}
			all, leave := watching(t, served(t, srv), 20, innertest.GM, innertest.Ann, innertest.Bob, spectator, &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "zoe"})
			defer leave()
			for range 3 {
				s.Do(innertest.GM, "e", innertest.Take("a", "count"))
				rows.restored.Store(0)
				s.Do(innertest.GM, "e", &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}})
				for _, stream := range all {
					for ruled := false; !ruled; {
						m, err := stream.Recv()
						if err != nil {
							t.Fatal(err)
						}
						ruled = m.GetStep().GetRuling() != nil
					}
				}
				if n := rows.restored.Load(); n == 0 || n > c.most {
					t.Errorf("restored %d times, %d are enough", n, c.most)
				}
			}
			leave()
			await(t, func() bool { return srv.Feeds() == 0 && (c.rulings == nil || c.rulings.Kept() == 0) })
		})
	}
}

// A thousand watches that end at once leave no goroutine and nothing of what they shared.
func TestAThousandWatchesEndAtOnce(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{})
	s.Begin("e")
	srv := server(s)
	c := served(t, srv)
	viewers := []*eventv1.Principal{innertest.GM, innertest.Ann, innertest.Bob}
	for i := range 7 {
		viewers = append(viewers, &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR, Name: fmt.Sprint("s", i)})
	}
	_, leave := watching(t, c, 1, viewers...) // the connection has goroutines of its own
	before := runtime.NumGoroutine()
	all, leaveAll := watching(t, c, 100, viewers...)
	s.Do(innertest.GM, "e", innertest.Take("a", "count"))
	for _, stream := range all {
		if m, err := stream.Recv(); err != nil || m.GetStep() == nil {
			t.Fatal(m, err)
		}
	}
	leaveAll()
	await(t, func() bool { return runtime.NumGoroutine() < before+20 })
	leave()
	await(t, func() bool { return srv.Feeds() == 0 })
}

// await waits on a condition.
func await(t *testing.T, fn func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(20 * time.Second); !fn(); <-tick.C {
		if time.Now().After(end) {
			t.Fatal("it does not come about")
		}
	}
}
