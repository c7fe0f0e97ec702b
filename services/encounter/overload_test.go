package encounter_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/load"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// behind serves a client's service on TCP, behind a front if there is one.
func (c *client) behind(t testing.TB, front *load.Front) encounterv1.EncounterServiceClient {
	t.Helper()
	o := rpc.Options{Logger: quiet}
	if front != nil {
		o.Admit = front.Admit
	}
	server := rpc.NewServer(o)
	c.svc.Register(server)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- rpc.Serve(ctx, server, l) }() // ends with stop
	conn, err := rpc.Dial(l.Addr().String(), rpc.TLSFiles{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close() //nolint:errcheck // the test is over
		c.svc.StopWatches()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return encounterv1.NewEncounterServiceClient(conn)
}

// attackAnswered is an attack that asks nobody anything.
func attackAnswered() *eventv1.Command {
	return early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "yes")
}

// A command that the front refuses was never begun: no die was drawn for it and
// nothing was stored. Reads and watches go on, and the very same request is taken
// later.
func TestRefusedCommandsLeaveNothing(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	c.fight("e", server)
	front := load.NewFront()
	outside := c.behind(t, front)
	// Hold every place, as calls of another table would.
	ctx, letGo := context.WithCancel(t.Context())
	defer letGo()
	var places []func()
	for i := range front.Status()[0].Limit {
		leave, err := front.Admit(ctx, encounterv1.EncounterService_Execute_FullMethodName,
			&encounterv1.ExecuteRequest{Table: "other", Encounter: fmt.Sprint(i)})
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, leave)
	}
	var refused error
	var resp *encounterv1.ExecuteResponse
	before, err := w.journal.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	req := &encounterv1.ExecuteRequest{RequestId: "r", As: gm, Encounter: "e", Command: attackAnswered()}
	// Nobody leaves: it waits as long as it may, and is sent away.
	if resp, refused = outside.Execute(t.Context(), req); status.Code(refused) != codes.ResourceExhausted || reason(refused) != load.ReasonOverloaded {
		t.Fatalf("%v, %v", resp, refused)
	}
	again := time.Duration(0)
	for _, d := range status.Convert(refused).Details() {
		if info, ok := d.(*errdetails.RetryInfo); ok {
			again = info.GetRetryDelay().AsDuration()
		}
	}
	if again < 100*time.Millisecond || rpc.FromStatus(refused).Retry != again {
		t.Errorf("try again after %v, as a fault %v", again, rpc.FromStatus(refused).Retry)
	}
	if _, err := outside.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: "e"}); err != nil {
		t.Errorf("a read: %v", err)
	}
	if _, err := outside.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: gm, Encounter: "e"}); err != nil {
		t.Errorf("a history: %v", err)
	}
	watch, err := outside.Watch(ctx, &encounterv1.WatchRequest{As: gm, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := watch.Recv(); err != nil {
		t.Errorf("a watch: %v", err)
	}
	time.Sleep(100 * time.Millisecond) // tapes get onto the log within 20 ms
	if after, err := w.journal.Info(t.Context()); err != nil || after.LastSeq != before.LastSeq {
		t.Errorf("the log went from %d to %d, %v", before.LastSeq, after.LastSeq, err)
	}
	for _, leave := range places {
		leave()
	}
	if resp, err := outside.Execute(t.Context(), req); err != nil || resp.Repeated {
		t.Errorf("the same request when there is room: %v, %v", resp, err)
	}
	if s := front.Status()[0]; s.Inside != 0 || s.Queued != 0 {
		t.Errorf("left: %+v", s)
	}
}

// outcome is what came of an arrival: how long after the time that it was due, and
// whether it was refused.
type outcome struct {
	took    time.Duration
	refused bool
	failed  error
}

// arrive sends commands at a rate, whatever becomes of those before them, each to
// one of the fights, and waits for all answers. Times count from when a command was
// due, so that one that could not be sent in time counts as late.
func arrive(t *testing.T, client encounterv1.EncounterServiceClient, run string, fights int, rate float64, lasts time.Duration) []outcome {
	n := int(rate * lasts.Seconds())
	out := make([]outcome, n)
	var wg sync.WaitGroup
	begin := time.Now()
	for i := range n {
		due := begin.Add(time.Duration(float64(i) / rate * float64(time.Second)))
		if d := time.Until(due); d > 0 {
			time.Sleep(d)
		}
		f := rand.IntN(fights)
		wg.Go(func() { // ends with its answer
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, err := client.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: fmt.Sprintf("%s-%d", run, i), As: gm,
				Table: fmt.Sprint("table", f%16), Encounter: fmt.Sprint("f", f), Command: attackAnswered()})
			out[i].took = time.Since(due)
			switch {
			case reason(err) == load.ReasonOverloaded:
				out[i].refused = true
			case err != nil:
				out[i].failed = err
			}
		})
	}
	wg.Wait()
	return out
}

// closed measures what the service carries: so many callers, each with the next
// command when the last was answered.
func closed(t *testing.T, client encounterv1.EncounterServiceClient, run string, fights, callers int, lasts time.Duration) float64 {
	var done atomic.Int64
	var wg sync.WaitGroup
	end := time.Now().Add(lasts)
	for k := range callers {
		wg.Go(func() { // ends with the time
			for i := 0; time.Now().Before(end); i++ {
				f := (k + i*callers) % fights
				if _, err := client.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprintf("%s-%d-%d", run, k, i), As: gm,
					Table: fmt.Sprint("table", f%16), Encounter: fmt.Sprint("f", f), Command: attackAnswered()}); err == nil {
					done.Add(1)
				}
			}
		})
	}
	wg.Wait()
	return float64(done.Load()) / lasts.Seconds()
}

// TestOverload is a run by hand: SKALD_OVERLOAD_RUNS says how many seconds each
// load lasts. It measures what the service carries, then lets 1, 2, 4 and 8 times
// as much arrive, with a front and, up to SKALD_OVERLOAD_BARE times, without one.
func TestOverload(t *testing.T) {
	seconds := number("SKALD_OVERLOAD_RUNS", 0)
	if seconds == 0 {
		t.Skip("SKALD_OVERLOAD_RUNS is not set")
	}
	lasts := time.Duration(seconds) * time.Second
	w := newWorld(t)
	c := w.start()
	const fights = 128
	inParallel(t, fights, func(i int) error {
		for n, cmd := range []*eventv1.Command{createCmd(server), addCmd("a", 1_000_000), addCmd("b", 1_000_000), {What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}} {
			if _, err := c.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint(n), As: gm, Table: fmt.Sprint("table", i%16), Encounter: fmt.Sprint("f", i), Command: cmd}); err != nil {
				return err
			}
		}
		return nil
	})
	bare, front := c.behind(t, nil), load.NewFront()
	fronted := c.behind(t, front)
	closed(t, bare, "warm", fights, 32, 2*time.Second)
	peak := 0.0
	for _, callers := range []int{8, 16, 32, 64, 128} {
		rate := closed(t, bare, fmt.Sprint("peak", callers), fights, callers, lasts/2)
		t.Logf("%4d callers in a circle: %.0f a second", callers, rate)
		peak = max(peak, rate)
	}
	report := func(name string, client encounterv1.EncounterServiceClient, times float64) {
		all := arrive(t, client, fmt.Sprint(name, times), fights, peak*times, lasts)
		var took, refusals []time.Duration
		failed := 0
		for _, o := range all {
			switch {
			case o.failed != nil:
				failed++
			case o.refused:
				refusals = append(refusals, o.took)
			default:
				took = append(took, o.took)
			}
		}
		t.Logf("%s, %.0f times: %d of %d arrived were done, %.0f a second (%.2f of the peak), p50 %v, p99 %v, most %v; %.0f %% refused within %v (p50), %v (p99); %d failed; %+v", name, times, len(took), len(all),
			float64(len(took))/lasts.Seconds(), float64(len(took))/lasts.Seconds()/peak, at(took, 50), at(took, 99), at(took, 100),
			100*float64(len(refusals))/float64(len(all)), at(refusals, 50), at(refusals, 99), failed, front.Status()[0])
		time.Sleep(time.Second)
	}
	for _, times := range []float64{0.5, 1, 2, 4, 8} {
		report("front", fronted, times)
	}
	for times := 1.0; times <= float64(number("SKALD_OVERLOAD_BARE", 0)); times *= 2 {
		report("bare", bare, times)
	}
}

// at is a percentile.
func at(took []time.Duration, percent int) time.Duration {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[min(len(took)-1, len(took)*percent/100)].Round(10 * time.Microsecond)
}
