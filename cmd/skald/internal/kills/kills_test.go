package kills

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
)

// envRuns is how many jobs a system is given, or "all"; envSeed which.
const (
	envRuns = "SKALD_KILL_RUNS"
	envSeed = "SKALD_KILL_SEED"
	envKind = "SKALD_KILL_KIND" // steps whose kind holds this word alone
)

// allowed is how long the jobs of all systems may take in CI; what has not begun
// by then is left out.
const allowed = 40 * time.Second

// enough failures of a system to look into.
const enough = 5

// A kill -9 at every point of every kind of command, in all systems.
func TestKilledInEveryStep(t *testing.T) {
	if testing.Short() || os.Getenv("SKALD_RACE") == "1" {
		t.Skip("kills processes for most of a minute")
	}
	runs, inCI := runs()
	keep := 2
	if inCI {
		runs, keep = 8, 1
	}
	seed := seed()
	start := time.Now()
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			rng := rand.New(rand.NewPCG(seed, 1))
			r := newRecorder(t, system, keep)
			if only := os.Getenv(envKind); only != "" {
				r.wants = func(kind string) bool { return strings.Contains(kind, only) }
			} else if inCI { // half of the kinds, another half in another run
				drawn := map[string]bool{}
				r.wants = func(kind string) bool {
					if _, ok := drawn[kind]; !ok {
						drawn[kind] = rng.IntN(2) == 0
					}
					return drawn[kind]
				}
			}
			r.script()
			r.p.kill()
			recorded := time.Since(began)
			var jobs []job
			kinds := map[string]int{}
			for _, s := range r.steps {
				kinds[s.kind]++
				jobs = append(jobs, s.jobs()...)
			}
			rng.Shuffle(len(jobs), func(i, k int) { jobs[i], jobs[k] = jobs[k], jobs[i] })
			o := &outcome{by: map[string]int{}}
			all := len(jobs)
			jobs = jobs[:min(runs, all)]
			failed, ran := 0, 0
			for i, j := range jobs {
				j.whole = i%4 == 0
				if !t.Run(fmt.Sprint(i), func(t *testing.T) { j.run(t, filepath.Join(t.TempDir(), "data"), o) }) {
					failed++
				}
				ran = i + 1
				if failed == enough || inCI && time.Since(start) > allowed {
					break
				}
			}
			if failed > 0 {
				t.Logf("repeat with %s=%d", envSeed, seed)
			}
			t.Logf("%d kinds of step; %d of %d jobs, %d kills; stored then %d, not stored %d; %d points not met; recorded in %s, all in %s", len(kinds), ran, all, o.kills, o.stored, o.unstored, o.notThere, recorded.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
			for _, name := range rules.SortedKeys(o.by) {
				t.Logf("%4d x %s", o.by[name], name)
			}
			for _, s := range r.refused {
				t.Log("refused:", s)
			}
		})
	}
}

// seed is the one that is set, or one of this run's own.
func seed() uint64 {
	if n, err := strconv.ParseUint(os.Getenv(envSeed), 10, 64); err == nil {
		return n
	}
	return uint64(time.Now().UnixNano() & 0x7fffffff) //nolint:gosec // positive
}

// runs is how many runs are asked for; inCI when nothing is said.
func runs() (n int, inCI bool) {
	v := os.Getenv(envRuns)
	if v == "all" {
		return 1 << 30, false
	}
	n, err := strconv.Atoi(v)
	return n, err != nil
}
