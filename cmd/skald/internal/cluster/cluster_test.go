//go:build linux

package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/systems"
)

// Environment variables of longer runs, by hand.
const (
	envSeconds = "SKALD_CLUSTER_SECONDS" // how long faults are injected
	envFaults  = "SKALD_CLUSTER_FAULTS"  // kinds of faults, after commas; all when not given
	envSeed    = "SKALD_CLUSTER_SEED"    // of the choices; processes and networks are not repeated
	envKeep    = "SKALD_CLUSTER_KEEP"    // a folder that stays, for its logs
)

// setting is how one run goes.
type setting struct {
	kinds []string      // in turn, each once or until time is over
	time  time.Duration // 0: each kind once
	hold  time.Duration // how long a fault lasts at most
	small bool          // the third server has a small disk of its own
}

// TestCluster is the short run: one fault of some kinds.
func TestCluster(t *testing.T) {
	if testing.Short() || os.Getenv("SKALD_RACE") == "1" {
		t.Skip("starts nine processes and breaks them for a minute")
	}
	if os.Getenv(envSeconds) != "" {
		t.Skip("the long run is asked for")
	}
	run(t, setting{hold: 3 * time.Second, kinds: []string{"kill the stream leader", "isolate with clients", "leader change", "kill a service", "flip"}})
}

// TestClusterLong is the long run, by hand.
func TestClusterLong(t *testing.T) {
	seconds, err := strconv.Atoi(os.Getenv(envSeconds))
	if err != nil {
		t.Skip(envSeconds + " is not given")
	}
	s := setting{hold: 10 * time.Second, time: time.Duration(seconds) * time.Second, kinds: Kinds()}
	if names := os.Getenv(envFaults); names != "" {
		s.kinds = strings.Split(names, ",")
	}
	s.small = slices.Contains(s.kinds, "full disk")
	run(t, s)
}

// bin is the folder of the programs; empty while no test wants them.
var bin string

// built makes the programs, once for all tests.
var built = sync.OnceValue(func() (err error) {
	if bin, err = os.MkdirTemp("", "skald-cluster-"); err != nil {
		return err
	}
	return Build(context.Background(), bin)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if bin != "" {
		os.RemoveAll(bin) //nolint:errcheck // a temporary folder
	}
	os.Exit(code)
}

func run(t *testing.T, s setting) {
	seed := uint64(time.Now().UnixNano() & 0x7fffffff)
	if n, err := strconv.ParseUint(os.Getenv(envSeed), 10, 64); err == nil {
		seed = n
	}
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	c := start(t, &s)
	h := NewHistory()
	fighting, stop := context.WithCancel(t.Context())
	defer stop()
	var tables, watchers sync.WaitGroup
	for i, system := range systems.Registry().IDs() {
		tb := &table{c: c, h: h, system: system, name: "t-" + system, seed: seed + uint64(i), pace: 40 * time.Millisecond}
		tables.Go(func() { tb.run(fighting, &watchers) }) // ends with stop
	}
	time.Sleep(2 * time.Second)
	n := &Nemesis{c: c, rng: rng, hold: s.hold, log: func(f string, args ...any) {
		t.Logf("%6.1f s  "+f, append([]any{time.Since(h.began).Seconds()}, args...)...)
	}}
	var faults []*Fault
	deadline := time.Now().Add(s.time)
	for i := 0; i < len(s.kinds) || time.Now().Before(deadline); i++ {
		if i%len(s.kinds) == 0 && s.time > 0 {
			rng.Shuffle(len(s.kinds), func(i, j int) { s.kinds[i], s.kinds[j] = s.kinds[j], s.kinds[i] })
		}
		if s.time > 0 && time.Now().After(deadline) {
			break
		}
		f, err := n.Strike(t.Context(), s.kinds[i%len(s.kinds)])
		faults = append(faults, f)
		if err != nil {
			t.Errorf("%s (%s): %v", f.Kind, f.What, err)
			break
		}
		time.Sleep(time.Second)
	}
	stop()
	tables.Wait()
	t.Logf("%6.1f s  the writers are done", time.Since(h.began).Seconds())
	watchers.Wait()
	t.Logf("%6.1f s  the watchers are done", time.Since(h.began).Seconds())
	check(t, c, h, faults)
}

// start builds and starts a cluster that ends with the test.
func start(t *testing.T, s *setting) *Cluster {
	t.Helper()
	top, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := os.Getenv(envKeep)
	if dir == "" {
		dir = t.TempDir()
	}
	began := time.Now()
	if err := built(); err != nil {
		t.Fatal(err)
	}
	ready := time.Now()
	var stores [3]string
	if s.small {
		stores[2] = filepath.Join(dir, "small")
		if err := os.MkdirAll(stores[2], 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mount("tmpfs", stores[2], "tmpfs", 0, "size=192m"); err != nil {
			t.Logf("no small disk can be mounted here: %v", err)
			s.kinds = slices.DeleteFunc(s.kinds, func(k string) bool { return k == "full disk" })
		} else {
			t.Cleanup(func() { syscall.Unmount(stores[2], syscall.MNT_DETACH) }) //nolint:errcheck // the folder is thrown away
		}
	}
	c, err := New(top, dir, bin, stores)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	t.Cleanup(func() {
		if t.Failed() {
			tails(t, c)
		}
	})
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("built in %.1f s, up in %.1f s", ready.Sub(began).Seconds(), time.Since(ready).Seconds())
	return c
}

// tails shows the ends of the logs.
func tails(t *testing.T, c *Cluster) {
	for _, p := range c.processes() {
		data, err := os.ReadFile(p.log)
		if err != nil {
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		t.Logf("%s:\n%s", p.Name, strings.Join(lines[max(0, len(lines)-12):], "\n"))
	}
}

// check checks everything once the clients have ended.
func check(t *testing.T, c *Cluster, h *History, faults []*Fault) {
	ctx := t.Context()
	if err := c.Serving(ctx); err != nil {
		t.Error(err)
	}
	j, err := c.Journal(ctx)
	if err != nil {
		t.Fatal(err)
	}
	l, err := ReadLog(ctx, j)
	if err != nil {
		t.Errorf("the log: %v", err)
	}
	lost, doubled := Once(h, l)
	checked := Linearizable(h, l)
	t.Logf("%6.1f s  the histories are checked", time.Since(h.began).Seconds())
	if found, err := c.Scrub(ctx); err != nil || len(found) > 0 {
		t.Errorf("the copies in the end: %v, %v", found, err)
	}
	for _, s := range c.Services {
		s.Terminate()
	}
	if err := c.Projections(ctx, j); err != nil {
		t.Error(err)
	}
	t.Logf("%6.1f s  the copies and the projections are checked", time.Since(h.began).Seconds())
	for _, p := range h.problems {
		t.Error(p)
	}
	if n := h.count(Done); n < 50 {
		t.Errorf("only %d commands were acknowledged: the run says nothing", n)
	}
	t.Logf("%d commands acknowledged, %d refused, %d stale, %d never answered, %d attempts repeated, %d reads, in %d encounters; lost %d, doubled %d; %d operations linearizable; %d records on every copy; refusals %v",
		h.count(Done), h.count(Refused), h.count(Stale), h.count(Unknown), h.retries, h.count(Read), len(h.byEncounter()), lost, doubled, checked, l.Records, h.refused)
	report(t, h, faults)
}

// report logs the faults by kind: how many, and the time without service.
func report(t *testing.T, h *History, faults []*Fault) {
	byKind := map[string][]*Fault{}
	for _, f := range faults {
		byKind[f.Kind] = append(byKind[f.Kind], f)
	}
	for _, kind := range Kinds() {
		fs := byKind[kind]
		if len(fs) == 0 {
			continue
		}
		var most, sum time.Duration
		damaged, remedied := 0, 0
		for _, f := range fs {
			d := h.longest(f.Began, f.Served)
			most, sum = max(most, d), sum+d
			damaged += min(1, len(f.Found))
			if f.Remedied {
				remedied++
			}
		}
		extra := ""
		if damaged+remedied > 0 {
			extra = fmt.Sprintf(" | scrub found something %d, copies removed %d", damaged, remedied)
		}
		t.Logf("| %s | %d | mean %.1f s | longest %.1f s%s", kind, len(fs), sum.Seconds()/float64(len(fs)), most.Seconds(), extra)
	}
}
