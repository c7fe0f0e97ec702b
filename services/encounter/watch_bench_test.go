package encounter_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/benchfloor"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// audiences are how many watchers there are in these benchmarks.
var audiences = []int{0, 1, 100, 1000}

// viewerOf is who the watcher of a number is: game masters, two players and, for the
// most part, spectators of names of their own.
func viewerOf(i int) *eventv1.Principal {
	switch i % 10 {
	case 1:
		return gm
	case 2:
		return ann
	case 3:
		return bob
	}
	return &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR, Name: fmt.Sprint("s", i)}
}

// crowd are watchers of the fight "e"; whatever goes wrong with them ends the benchmark.
type crowd struct {
	*benchfloor.Crowd
	b *testing.B
}

// gather opens so many watches after what there is and waits until all are caught up.
func gather(b *testing.B, conns []*grpc.ClientConn, n int, after cursors) crowd {
	b.Helper()
	c, err := benchfloor.Gather(context.Background(), n, benchfloor.Audience{Encounter: "e", Viewer: viewerOf, After: after,
		Conn: func(i int) (grpc.ClientConnInterface, error) { return conns[i%len(conns)], nil }})
	if err != nil {
		b.Fatal(err)
	}
	return crowd{c, b}
}

// cursors tells where the fight is; nil for a floor.
type cursors func(ctx context.Context, as *eventv1.Principal) (string, error)

func (c crowd) expect(n int) {
	if err := c.Expect(n); err != nil {
		c.b.Fatal(err)
	}
}

func (c crowd) wait() {
	if err := c.Wait(c.b.Context()); err != nil {
		c.b.Fatal(err)
	}
}

// dials opens connections beside the first one: a hundred watches share one.
func dials(b *testing.B, p *rpc.InProcess) (out []*grpc.ClientConn) {
	b.Helper()
	for range 10 {
		conn, err := p.Dial()
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { conn.Close() }) //nolint:errcheck // benchmark
		out = append(out, conn)
	}
	return out
}

// hall is the service, or its floor, behind a server of its own.
func hall(b *testing.B, register func(grpc.ServiceRegistrar), stop func()) []*grpc.ClientConn {
	b.Helper()
	server, p := rpc.NewServer(rpc.Options{Logger: quiet}), rpc.NewInProcess()
	register(server)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- rpc.Serve(ctx, server, p.Listener()) }() // ends with cancel
	b.Cleanup(func() {
		stop()
		cancel()
		<-served
	})
	return dials(b, p)
}

// newBroadcaster is the floor: its Execute does one raw conditional publish of as many
// bytes as a Commit has, and then every watcher is sent the same bytes.
func newBroadcaster(log journal.Log, commit, data []byte, subject string) *benchfloor.Broadcaster {
	return benchfloor.NewBroadcaster(&benchfloor.Echo{Log: log, Data: commit, Subject: subject}, data)
}

// rounds measures b.N rounds: do is what all are told of, and everybody has one
// message for it before the next.
func rounds(b *testing.B, c crowd, do func(i int)) {
	b.Helper()
	var told, wrote []time.Duration
	busy := benchfloor.Processor()
	b.ResetTimer()
	for i := range b.N {
		c.expect(1)
		begin := time.Now()
		do(i)
		wrote = append(wrote, time.Since(begin))
		c.wait()
		told = c.Since(begin, told)
	}
	b.StopTimer()
	slices.Sort(wrote)
	b.ReportMetric(float64(wrote[len(wrote)/2].Microseconds()), "call-µs")
	quantiles(b, told)
	b.ReportMetric(float64((benchfloor.Processor()-busy).Microseconds())/float64(b.N), "cpu-µs")
}

// flood measures b.N commands one after the other that nobody waits for.
func flood(b *testing.B, c crowd, do func(i int)) {
	b.Helper()
	busy := benchfloor.Processor()
	b.ResetTimer()
	for i := range b.N {
		do(i)
	}
	b.StopTimer()
	b.ReportMetric(float64((benchfloor.Processor()-busy).Microseconds())/float64(b.N), "cpu-µs")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commands/s")
}

// stage is a fight with what its watchers are told of a command, as bytes.
type stage struct {
	c      *client
	conns  []*grpc.ClientConn
	commit []byte
	step   []byte
}

func newStage(b *testing.B, commands int, do func(c *client)) *stage {
	b.Helper()
	w := newWorld(b)
	c := w.start()
	c.fight("e", either)
	for range commands {
		c.do(gm, "e", attackCmd("a", "b", 50, 15, 1))
	}
	s := &stage{c: c, conns: hall(b, c.svc.Register, c.svc.StopWatches)}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	watch, err := benchfloor.WatchRaw(ctx, s.conns[0], &encounterv1.WatchRequest{As: spectator, Encounter: "e", After: s.cursor(spectator)})
	if err != nil {
		b.Fatal(err)
	}
	var m benchfloor.Raw
	for i := range 2 {
		if err := watch.RecvMsg(&m); err != nil {
			b.Fatal(err)
		}
		if i == 0 {
			do(c)
		}
	}
	s.step = m
	last, _, err := w.journal.Last(b.Context(), "skald.0.main.encounter.e")
	if err != nil {
		b.Fatal(err)
	}
	s.commit = last.Data
	return s
}

func (s *stage) cursor(as *eventv1.Principal) string { return s.c.state(as, "e", 0).Cursor }

func (s *stage) at(_ context.Context, as *eventv1.Principal) (string, error) {
	return s.cursor(as), nil
}

func hit(c *client) { c.do(gm, "e", attackCmd("a", "b", 50, 15, 1)) }

// BenchmarkWatch is what watchers cost, each beside its floor: a server that does one
// raw publish of as many bytes and sends every watcher the same bytes. Deliver is
// from the command's call until a watcher has it, everybody having the one before;
// Commands is commands one after the other, whether anybody has read them or not.
func BenchmarkWatch(b *testing.B) {
	s := newStage(b, 10, hit)
	floors := 0
	floor := func(b *testing.B) ([]*grpc.ClientConn, func(int)) {
		floors++
		f := newBroadcaster(s.c.w.journal, s.commit, s.step, fmt.Sprint("skald.0.main.floor.w", floors))
		conns := hall(b, func(r grpc.ServiceRegistrar) { encounterv1.RegisterEncounterServiceServer(r, f) }, f.Stop)
		client := encounterv1.NewEncounterServiceClient(conns[0])
		return conns, func(int) {
			if _, err := client.Execute(b.Context(), &encounterv1.ExecuteRequest{As: gm, Encounter: "e", Command: attackCmd("a", "b", 50, 15, 1)}); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, n := range audiences {
		for _, way := range []struct {
			name string
			run  func(*testing.B, crowd, func(int))
		}{{"Deliver", rounds}, {"Commands", flood}} {
			if n == 0 && way.name == "Deliver" {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d/floor", way.name, n), func(b *testing.B) {
				conns, do := floor(b)
				c := gather(b, conns, n, nil)
				defer c.Leave()
				way.run(b, c, do)
			})
			b.Run(fmt.Sprintf("%s/%d/watch", way.name, n), func(b *testing.B) {
				c := gather(b, s.conns, n, s.at)
				defer c.Leave()
				way.run(b, c, func(int) { hit(s.c) })
			})
		}
	}
}

// BenchmarkWatchRuling is an undo, and its redo, in a fight of 3,000 commands, until
// the last of 1,000 watchers has it; the floor sends as many bytes to each.
func BenchmarkWatchRuling(b *testing.B) {
	s := newStage(b, 3000, func(c *client) { c.do(gm, "e", lastCmd) })
	b.Logf("%d bytes to each watcher", len(s.step))
	for _, n := range audiences[1:] {
		b.Run(fmt.Sprintf("%d/floor", n), func(b *testing.B) {
			f := newBroadcaster(s.c.w.journal, s.commit, s.step, fmt.Sprintf("skald.0.main.floor.r%d-%d", n, b.N))
			conns := hall(b, func(r grpc.ServiceRegistrar) { encounterv1.RegisterEncounterServiceServer(r, f) }, f.Stop)
			client := encounterv1.NewEncounterServiceClient(conns[0])
			c := gather(b, conns, n, nil)
			defer c.Leave()
			rounds(b, c, func(int) {
				if _, err := client.Execute(b.Context(), &encounterv1.ExecuteRequest{As: gm, Encounter: "e", Command: lastCmd}); err != nil {
					b.Fatal(err)
				}
			})
		})
		b.Run(fmt.Sprintf("%d/undo", n), func(b *testing.B) {
			c := gather(b, s.conns, n, s.at)
			defer c.Leave()
			rounds(b, c, func(int) { s.c.do(gm, "e", lastCmd) })
		})
	}
}

// BenchmarkWatchMemory is what a watcher takes, heap and stacks, its client's half in
// the same process included; the floor is a stream that does nothing but broadcast.
func BenchmarkWatchMemory(b *testing.B) {
	const n = 1000
	s := newStage(b, 10, hit)
	used := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	measure := func(b *testing.B, conns []*grpc.ClientConn, after cursors, do func()) {
		for b.Loop() {
			warm := gather(b, conns, 10, after)
			before := used()
			c := gather(b, conns, n, after)
			for range 20 { // everybody has read
				c.expect(1)
				warm.expect(1)
				do()
				c.wait()
				warm.wait()
			}
			b.ReportMetric((float64(used())-float64(before))/n, "bytes/watcher")
			c.Leave()
			warm.Leave()
		}
	}
	b.Run("floor", func(b *testing.B) {
		f := newBroadcaster(nil, s.commit, s.step, "") // publishes nothing
		conns := hall(b, func(r grpc.ServiceRegistrar) { encounterv1.RegisterEncounterServiceServer(r, f) }, f.Stop)
		client := encounterv1.NewEncounterServiceClient(conns[0])
		measure(b, conns, nil, func() {
			if _, err := client.Execute(b.Context(), &encounterv1.ExecuteRequest{}); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("watch", func(b *testing.B) { measure(b, s.conns, s.at, func() { hit(s.c) }) })
}
