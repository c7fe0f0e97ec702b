package encounter_test

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// figure is a number of how the fights in memory stand.
func (c *client) figure(name string) int64 {
	for _, f := range c.svc.Memory().Figures {
		if f.Name == name {
			return int64(f.Value)
		}
	}
	c.w.t.Fatalf("no figure %s", name)
	return 0
}

// inParallel runs fn for 0 to n-1, sixteen at a time.
func inParallel(t testing.TB, n int, fn func(i int) error) {
	t.Helper()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() { // ends when all are done
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := fn(i); err != nil {
					t.Errorf("%d: %v", i, err)
				}
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// number is one of the environment, for runs by hand.
func number(name string, standard int) int {
	n, _ := strconv.Atoi(os.Getenv(name))
	return cmp.Or(n, standard)
}

// movable is a clock that a test puts forward.
type movable struct{ ahead atomic.Int64 }

func (m *movable) now() time.Time { return time.Now().Add(time.Duration(m.ahead.Load())) }

// heap is what is in use after everything that can go has gone.
func heap() int64 {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// ask begins a fight in which bob has to decide within ten minutes.
func (c *client) ask(id string) error {
	create := createCmd(server)
	create.GetCreate().DecisionSeconds = 600
	for i, cmd := range []*eventv1.Command{create, addCmd("a", 1000, "ann"), addCmd("b", 1000, "bob"),
		{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}, takeCmd("a", "attack", "b")} {
		if _, err := c.Execute(context.Background(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint(i), As: gm, Encounter: id, Command: cmd}); err != nil {
			return err
		}
	}
	return nil
}

// Many fights wait for people, in a budget for a few dozen of them: all of their
// deadlines are taken, after a restart as well, where nobody asks for any.
func TestOpenDecisionsInALittleMemory(t *testing.T) {
	fights := number("SKALD_MEMORY_FIGHTS", 2000)
	if os.Getenv("SKALD_RACE") != "" {
		fights = 100
	}
	w, clock := newWorld(t), &movable{}
	w.clock, w.memory = clock.now, 2<<20
	budget := w.memory / 4 * 3
	c := w.start()
	var most atomic.Int64
	look := func() {
		for now, was := c.figure("fights_bytes"), most.Load(); now > was && !most.CompareAndSwap(was, now); was = most.Load() {
		}
	}
	inParallel(t, fights, func(i int) error { look(); return c.ask(fmt.Sprintf("f%d", i)) })
	if c.figure("fights_in_memory") >= int64(fights) && fights > 500 {
		t.Errorf("%d fights in memory", c.figure("fights_in_memory"))
	}
	c.stop()
	c = w.start()
	time.Sleep(1200 * time.Millisecond) // two sweeps find nothing
	if n := c.figure("fights_in_memory"); n != 0 {
		t.Errorf("%d fights are in memory though nobody asked for any and none is due", n)
	}
	begin := time.Now()
	for round := range 2 { // whether to parry, then whether to endure
		clock.ahead.Add(int64(11 * time.Minute))
		for limit := time.Now().Add(2 * time.Minute); !defaults(t, w, fights, round+1); time.Sleep(50 * time.Millisecond) {
			if look(); time.Now().After(limit) {
				t.Fatalf("round %d of defaults is not over", round)
			}
		}
	}
	t.Logf("%d deadlines of %d fights taken in %v, with at most %d of %d bytes", 2*fights, fights, time.Since(begin).Round(time.Millisecond), most.Load(), budget)
	// What calls hold at the moment may go beyond the budget.
	if over := most.Load() - budget; over > 32*(64<<10) {
		t.Errorf("%d bytes beyond the budget", over)
	}
	if c.figure("fights_evicted") == 0 && fights > 500 {
		t.Error("nothing was ever let go")
	}
	inParallel(t, fights, func(i int) error {
		s, err := c.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: fmt.Sprintf("f%d", i)})
		if err == nil && (len(s.State.Decisions) != 0 || s.State.Creatures["b"].GetHp() >= 1000) {
			err = fmt.Errorf("not decided: %v", s.State.Decisions)
		}
		return err
	})
}

// defaults tells whether so many defaults were taken in every fight: each is one
// Commit after the five that ask.
func defaults(t *testing.T, w *world, fights, n int) bool {
	for i := range fights {
		last, ok, err := w.journal.Last(t.Context(), fmt.Sprintf("skald.0.main.encounter.f%d", (i*7)%fights))
		if err != nil || !ok {
			return false
		}
		c, err := event.Open(last.Data)
		if err != nil || c.Header.Version < uint64(5+n) {
			return false
		}
		if c.Header.Version > uint64(5+n) {
			t.Fatalf("fight %d has %d Commits: a default was taken twice", i, c.Header.Version)
		}
	}
	return true
}

// Two services see the same deadlines; each default is taken once.
func TestTwoServicesTakeADefaultOnce(t *testing.T) {
	w, clock := newWorld(t), &movable{}
	w.clock = clock.now
	one, _ := w.start(), w.replica(t.TempDir(), w.log)
	inParallel(t, 50, func(i int) error { return one.ask(fmt.Sprintf("f%d", i)) })
	for round := range 2 {
		clock.ahead.Add(int64(11 * time.Minute))
		until(t, "defaults", func() bool { return defaults(t, w, 50, round+1) })
	}
	time.Sleep(1500 * time.Millisecond)
	if !defaults(t, w, 50, 2) {
		t.Error("defaults went on")
	}
}

// A reveal that is owed is made up for after a restart, without anybody asking.
func TestOwedRevealAfterARestart(t *testing.T) {
	w := newWorld(t)
	dice := w.dice
	w.dice = noReveal{dice}
	c := w.start()
	ids := []string{"e", "f", "g", "h"}
	for _, id := range ids {
		c.fight(id, server)
		c.do(gm, id, &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{Reason: "done"}}})
	}
	time.Sleep(1200 * time.Millisecond) // sweeps that fail
	c.stop()
	w.dice = dice
	c = w.start()
	until(t, "reveals", func() bool {
		for _, id := range ids {
			last, _, err := w.journal.Last(t.Context(), "skald.0.main.encounter."+id)
			if err != nil || c.svc.Status().Applied < last.Seq {
				return false
			}
			if o, err := event.Open(last.Data); err != nil || o.Events[len(o.Events)-1].GetDiceRevealed() == nil {
				return false
			}
		}
		return true
	})
	live := hashOf(t, c)
	c.stop()
	w.dir = t.TempDir()
	if c = w.start(); string(hashOf(t, c)) != string(live) {
		t.Error("what is due differs in a projection made from nothing")
	}
}

// A watch of a fight that is let go whenever nobody works with it sees each step
// once, whichever service stored it.
func TestWatchOfAFightThatIsNotInMemory(t *testing.T) {
	w := newWorld(t)
	w.memory = 4
	here, there := w.start(), w.replica(t.TempDir(), w.log)
	here.fight("e", server)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	stream, err := here.Watch(ctx, &encounterv1.WatchRequest{As: gm, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	next := uint64(1)
	read := func(to uint64) {
		t.Helper()
		for next <= to {
			m, err := stream.Recv()
			if err != nil {
				t.Fatalf("waiting for step %d: %v", next, err)
			}
			if s := m.GetStep(); s != nil {
				if s.Number != next {
					t.Fatalf("step %d, want %d", s.Number, next)
				}
				next++
			}
		}
	}
	read(4)
	for i := range uint64(40) {
		until(t, "nothing in memory", func() bool { return here.figure("fights_in_memory") == 0 && there.figure("fights_in_memory") == 0 })
		c := here
		if i%2 == 1 {
			c = there
		}
		c.do(gm, "e", takeCmd("a", "whisper", "b"))
		read(5 + i)
	}
	if n := here.figure("fights_watched"); n != 1 {
		t.Errorf("%d watched, want 1", n)
	}
	cancel()
	until(t, "the watch's end", func() bool { return here.figure("fights_watched") == 0 })
}

// The estimate of what fights take is near what they take.
func TestEstimateOfMemory(t *testing.T) {
	if os.Getenv("SKALD_RACE") != "" {
		t.Skip("the race detector takes memory of its own")
	}
	w, clock := newWorld(t), &movable{}
	w.clock = clock.now
	c := w.start()
	const fights = 30
	inParallel(t, fights, func(i int) error {
		id := fmt.Sprintf("f%d", i)
		if err := c.ask(id); err != nil {
			return err
		}
		for n := range 20 {
			cmd := addCmd(fmt.Sprintf("c%d", n), 20, "ann", "bob")
			if n == 0 {
				s, err := c.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: id})
				if err != nil {
					return err
				}
				for d := range s.State.Decisions {
					cmd = early(answerCmd(d, "no"), "endure", "no")
				}
			}
			if _, err := c.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("n", n), As: gm, Encounter: id, Command: cmd}); err != nil {
				return err
			}
		}
		for n := range 30 {
			if _, err := c.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("w", n), As: gm, Encounter: id,
				Command: early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no")}); err != nil {
				return err
			}
		}
		return nil
	})
	estimate := c.figure("fights_bytes")
	full := heap()
	clock.ahead.Add(int64(9 * time.Minute)) // before any deadline, after nobody asked for long
	clock.ahead.Add(int64(2 * time.Minute))
	until(t, "idle fights leave", func() bool { return c.figure("fights_in_memory") == 0 })
	if left := c.figure("fights_bytes"); left != 0 {
		t.Errorf("%d bytes are counted for nothing", left)
	}
	actual := full - heap()
	t.Logf("%d fights: estimated %d kB, taken %d kB (%.2f)", fights, estimate>>10, actual>>10, float64(estimate)/float64(actual))
	if estimate < actual/2 || estimate > actual*2 {
		t.Errorf("estimated %d bytes, taken %d", estimate, actual)
	}
}

// Encounters that rest on disk cost nothing but disk.
func TestIdleEncountersCostNothing(t *testing.T) {
	n := number("SKALD_MEMORY_IDLE", 20_000)
	if os.Getenv("SKALD_RACE") != "" {
		t.Skip("many Commits")
	}
	w := newWorld(t)
	w.memory = 4 << 20
	base := func() int64 { // a service that has caught up, without what else is in the process
		before := heap()
		c := w.start()
		full := heap()
		c.stop()
		return full - before
	}
	empty := base()
	began := time.Now()
	commits := idle(t, w, n)
	wrote := time.Since(began)
	before := heap()
	began = time.Now()
	c := w.start() // folds it all
	folded := time.Since(began)
	full := heap()
	c.stop()
	if kept := full - before - empty; kept > w.memory+int64(n)*100 {
		t.Errorf("after folding %d encounters the service holds %d bytes more", n, kept)
	}
	began = time.Now()
	w.start().stop()
	started := time.Since(began)
	taken := base() - empty
	info, err := os.Stat(w.dir + "/encounter.db")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d encounters, %d Commits written in %v, folded in %v, started again in %v; the cache has %d MiB; heap of the service: %d kB empty, %+d kB with them: %.1f bytes each",
		n, commits, wrote.Round(time.Millisecond), folded.Round(time.Millisecond), started.Round(time.Millisecond), info.Size()>>20, empty>>10, taken>>10, float64(taken)/float64(n))
	if taken > int64(n)*100 {
		t.Errorf("each idle encounter takes %d bytes", taken/int64(n))
	}
}

// idle writes encounters straight to the log, each of them two creatures in a
// fight that has begun, in one Commit with the events of a played one.
func idle(t *testing.T, w *world, n int) (commits int) {
	c := w.start()
	c.fight("template", server)
	c.stop()
	var all []*eventv1.Event
	var header *eventv1.CommitHeader
	if err := w.journal.Read(t.Context(), "skald.0.main.encounter.template", 1, 0, func(rec journal.Record) error {
		o, err := event.Open(rec.Data)
		if err == nil {
			all, header = append(all, o.Events...), o.Header
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	inParallel(t, n, func(i int) error {
		id := fmt.Sprintf("idle%d", i)
		h := &eventv1.CommitHeader{Kind: "encounter", Id: id, Table: "main", Version: 1, UnixMillis: header.UnixMillis,
			EngineVersion: header.EngineVersion, System: header.System, SystemVersion: header.SystemVersion}
		data, hash, err := event.Seal(event.Draft{Header: h, Cause: &eventv1.CommitCause{Action: 1, RequestId: "r"}, Inputs: &eventv1.CommitInputs{}, Events: all}, salt{})
		if err != nil {
			return err
		}
		_, err = w.journal.Append(t.Context(), journal.Message{Subject: "skald.0.main.encounter." + id, ID: hex.EncodeToString(hash), Data: data})
		return err
	})
	return n
}

// salt is no salt: these Commits keep no secrets.
type salt struct{}

func (salt) Read(p []byte) (int, error) { return len(p), nil }
