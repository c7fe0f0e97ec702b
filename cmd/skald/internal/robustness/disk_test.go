//go:build linux

package robustness

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal/disktest"
	"github.com/skaldrpg/skald/pkg/rpc"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

const mib = 1 << 20

// diskRuns is how often a disk is filled or stalled: many times by hand.
func diskRuns(def int) int {
	if n, err := strconv.Atoi(os.Getenv("SKALD_DISK_RUNS")); err == nil {
		return n
	}
	return def
}

// tables are encounters that somebody plays at without end, on a suite whose
// disk is not well.
type tables struct {
	t     *testing.T
	stack *allinone.Stack
	stop  context.CancelFunc
	wg    sync.WaitGroup

	mu      sync.Mutex
	acked   map[string]map[uint64]string // encounter, step, request id
	reasons map[string]int
	slowest time.Duration // of a refused command
	good    time.Time     // last success
	watched map[string][]uint64
}

func atTables(t *testing.T, d *disktest.Disk) *tables {
	t.Helper()
	if os.Getenv("SKALD_RACE") == "1" || testing.Short() {
		t.Skip("fills disks")
	}
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	ctx, stop := context.WithCancel(t.Context())
	stack, err := allinone.Start(ctx, allinone.Config{DataDir: filepath.Join(d.Dir, "data"), Logger: quiet})
	if err != nil {
		stop()
		t.Fatal(err)
	}
	p := &tables{t: t, stack: stack, stop: stop, acked: map[string]map[uint64]string{}, reasons: map[string]int{}, watched: map[string][]uint64{}}
	t.Cleanup(func() {
		d.Thaw() // or nothing ends
		p.end()
		if err := stack.Close(); err != nil {
			t.Error(err)
		}
	})
	for i := range 3 {
		e := fmt.Sprint("e", i)
		p.acked[e] = map[uint64]string{}
		p.do(ctx, e, "create", &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr"}}})
		p.do(ctx, e, "add", addSheet(t, "rcr", "ogre", "ogre", "monsters"))
		p.wg.Go(func() { p.watch(ctx, e) })
		p.wg.Go(func() { p.play(ctx, e) })
	}
	return p
}

func (p *tables) end() {
	p.stop()
	p.wg.Wait()
}

func (p *tables) client() encounterv1.EncounterServiceClient {
	return encounterv1.NewEncounterServiceClient(p.stack.Conn())
}

// do repeats a command under its request id until it is acknowledged.
func (p *tables) do(ctx context.Context, e, id string, cmd *eventv1.Command) {
	for ctx.Err() == nil {
		began := time.Now()
		resp, err := p.client().Execute(context.WithoutCancel(ctx), &encounterv1.ExecuteRequest{RequestId: id, As: gm, Encounter: e, Command: cmd})
		p.mu.Lock()
		if err == nil {
			if was := p.acked[e][resp.Step.Number]; was != "" {
				p.t.Errorf("step %d of %s is both %s and %s", resp.Step.Number, e, was, id)
			}
			p.acked[e][resp.Step.Number] = id
			p.good = time.Now()
			p.mu.Unlock()
			return
		}
		p.reasons[reason(err)]++
		p.slowest = max(p.slowest, time.Since(began))
		p.mu.Unlock()
		time.Sleep(20 * time.Millisecond)
	}
}

func reason(err error) string {
	if f, ok := fault.As(rpc.FromStatus(err)); ok {
		return f.Reason
	}
	return status.Code(err).String()
}

func (p *tables) play(ctx context.Context, e string) {
	for n := 1; ctx.Err() == nil; n++ {
		p.do(ctx, e, fmt.Sprint("edit-", n), hours(n))
	}
}

func hours(n int) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "ogre",
		Vitals: &eventv1.Vitals{Counters: map[string]int64{"hours": int64(n)}}}}}
}

// watch never watches anew: a watch must outlive a disk that is not well.
func (p *tables) watch(ctx context.Context, e string) {
	s, err := p.client().Watch(ctx, &encounterv1.WatchRequest{As: gm, Encounter: e})
	for err == nil {
		var m *encounterv1.WatchResponse
		if m, err = s.Recv(); err == nil && m.GetStep() != nil {
			p.mu.Lock()
			p.watched[e] = append(p.watched[e], m.GetStep().Number)
			p.mu.Unlock()
		}
	}
	if ctx.Err() == nil {
		p.t.Errorf("the watch of %s ended: %v", e, err)
	}
}

func (p *tables) met(reason string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reasons[reason]
}

func (p *tables) goodSince(at time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.good.After(at)
}

func (p *tables) until(what string, limit time.Duration, ok func() bool) time.Duration {
	p.t.Helper()
	began := time.Now()
	for !ok() {
		if time.Since(began) > limit {
			p.t.Fatalf("not within %s: %s; refusals so far %v", limit, what, p.reasons)
		}
		select {
		case err := <-p.stack.Failed():
			p.t.Fatalf("a service stopped: %v", err)
		case <-time.After(2 * time.Millisecond):
		}
	}
	return time.Since(began)
}

// reads holds that what needs no writing goes on.
func (p *tables) reads() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*time.Second)
	defer cancel()
	for e := range p.acked { // order-free: each is read by itself
		if _, err := p.client().GetState(ctx, &encounterv1.GetStateRequest{As: gm, Encounter: e}); err != nil {
			p.t.Errorf("reading %s: %v", e, err)
		}
		if _, err := p.client().GetHistory(ctx, &encounterv1.GetHistoryRequest{As: gm, Encounter: e, Limit: 10}); err != nil {
			p.t.Errorf("reading the history of %s: %v", e, err)
		}
	}
	if _, err := dicev1.NewDiceServiceClient(p.stack.Conn()).Roll(ctx, &dicev1.RollRequest{Expression: "3d6", RequestId: fmt.Sprint(time.Now().UnixNano())}); err != nil {
		p.t.Errorf("dice outside fights: %v", err)
	}
}

// enrol is a command of the other service.
func (p *tables) enrol(id string) error {
	sheet := addSheet(p.t, "rcr", "fighter", id, "party", "ann").GetAdd().Sheet
	_, err := injuryv1.NewInjuryServiceClient(p.stack.Conn()).Tend(p.t.Context(), &injuryv1.TendRequest{RequestId: id, As: gm, System: "rcr",
		Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: "enrol", Patients: []string{id}, Sheet: sheet}}}})
	return err
}

func (p *tables) refuses(id, want string, code codes.Code) {
	p.t.Helper()
	began := time.Now()
	if err := p.enrol(id); status.Code(err) != code || reason(err) != want || time.Since(began) > 3*time.Second {
		p.t.Errorf("a patient is refused with %v after %s, want %s", err, time.Since(began), want)
	}
	if err := p.enrol(id); reason(err) != want {
		p.t.Errorf("and then with %v", err)
	}
}

// whole ends the play and holds that nothing acknowledged is lost, nothing is
// doubled, watchers saw each step once in order, and the projections are what the
// log makes of them.
func (p *tables) whole() {
	p.t.Helper()
	time.Sleep(300 * time.Millisecond) // watchers see the last steps
	p.mu.Lock()
	for e, steps := range p.watched {
		for i, n := range steps {
			if i > 0 && n != steps[i-1]+1 {
				p.t.Errorf("the watch of %s showed step %d after %d", e, n, steps[i-1])
			}
		}
	}
	p.mu.Unlock()
	p.end()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	commands := 0
	for e, acked := range p.acked { // order-free: each is compared by itself
		state, err := p.client().GetState(ctx, &encounterv1.GetStateRequest{As: gm, Encounter: e})
		if err != nil {
			p.t.Fatal(err)
		}
		commands += len(acked)
		// The last command may have been stored without anybody learning of it.
		if got, min := state.Number, uint64(len(acked)); got != min && got != min+1 {
			p.t.Errorf("%s has %d steps for %d commands", e, got, min)
		}
		for n := range uint64(len(acked)) {
			if acked[n+1] == "" {
				p.t.Errorf("step %d of %s is nobody's", n+1, e)
			}
		}
	}
	replica, err := p.stack.Replica(ctx, p.t.TempDir())
	if err != nil {
		p.t.Fatal(err)
	}
	defer replica.Close() //nolint:errcheck // the test is over
	fresh, err := replica.ContentHash()
	if err != nil {
		p.t.Fatal(err)
	}
	p.until("the projection is what the log makes of it", 10*time.Second, func() bool {
		live, err := p.stack.ContentHash()
		return err == nil && string(fresh) == string(live)
	})
	p.t.Logf("%d commands acknowledged, refusals %v, the slowest after %s", commands, p.reasons, p.slowest)
}

// A full disk under the whole suite: commands are refused at once, reads, dice and
// watches go on, and so do commands when there is room again.
func TestSuiteOnAFullDisk(t *testing.T) {
	d := disktest.Memory(t, 192*mib)
	p := atTables(t, d)
	var full, again time.Duration
	for n := range diskRuns(3) {
		p.until("commands", 10*time.Second, func() bool { return p.goodSince(time.Now().Add(-200 * time.Millisecond)) })
		before := p.met("STORE_FULL")
		d.Fill(2 * mib)
		full = max(full, p.until("STORE_FULL", 3*time.Second, func() bool { return p.met("STORE_FULL") > before }))
		p.reads()
		p.refuses(fmt.Sprint("p", n), "STORE_FULL", codes.ResourceExhausted)
		for range 3 { // and takes what is given up as well
			d.Fill(0)
			time.Sleep(200 * time.Millisecond)
			p.reads()
		}
		freed := time.Now()
		d.Empty()
		again = max(again, p.until("commands after room", 10*time.Second, func() bool { return p.goodSince(freed) }))
		if err := p.enrol(fmt.Sprint("p", n)); err != nil {
			t.Errorf("a patient after room: %v", err)
		}
	}
	p.whole()
	t.Logf("STORE_FULL after %s at most, commands again after %s", full, again)
}

// A disk that does not answer under the whole suite.
func TestSuiteOnAStalledDisk(t *testing.T) {
	d := disktest.Block(t, 128*mib)
	p := atTables(t, d)
	var stalled, again time.Duration
	for n := range diskRuns(2) {
		p.until("commands", 20*time.Second, func() bool { return p.goodSince(time.Now().Add(-200 * time.Millisecond)) })
		before := p.met("STORE_STALLED")
		d.Freeze()
		stalled = max(stalled, p.until("STORE_STALLED", 4*time.Second, func() bool { return p.met("STORE_STALLED") > before }))
		p.reads()
		p.refuses(fmt.Sprint("p", n), "STORE_STALLED", codes.Unavailable)
		p.reads()
		thawed := time.Now()
		d.Thaw()
		again = max(again, p.until("commands after the stall", 10*time.Second, func() bool { return p.goodSince(thawed) }))
		if err := p.enrol(fmt.Sprint("p", n)); err != nil {
			t.Errorf("a patient after the stall: %v", err)
		}
	}
	p.whole()
	t.Logf("STORE_STALLED after %s at most, commands again after %s", stalled, again)
}
