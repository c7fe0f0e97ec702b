package kills

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
)

// writes are the system calls that leave something on disk, or tell somebody.
const writes = "write,writev,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat,mkdirat,sendto"

// traced has strace kill a process as one of its threads enters its n-th of those calls; it
// returns when strace is in place.
func traced(t testing.TB, p *process, n int) (release func()) {
	t.Helper()
	cmd := exec.Command("strace", "-f", "-p", fmt.Sprint(p.cmd.Process.Pid), "-o", os.DevNull, //nolint:gosec // this test
		"-e", "trace="+writes, "-e", fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", writes, n))
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(said)
	if !lines.Scan() || !strings.Contains(lines.Text(), "attached") {
		text := lines.Text()
		cmd.Process.Kill() //nolint:errcheck // it may be gone
		cmd.Wait()         //nolint:errcheck // killed
		t.Skipf("strace does not attach: %q", text)
	}
	go func() { // ends with strace
		for lines.Scan() {
		}
	}()
	return func() {
		cmd.Process.Signal(os.Interrupt) //nolint:errcheck // it may be gone
		cmd.Wait()                       //nolint:errcheck // interrupted
	}
}

// A kill at every system call that writes, in steps whose append touches several
// subjects or is followed by another: in the midst of a batch's commit, of a
// block of the journal, of a projection's transaction. By hand: SKALD_KILL_RUNS
// is how many of each, or "all".
func TestKilledAtSystemCalls(t *testing.T) {
	runs, inCI := runs()
	if inCI {
		t.Skip("by hand: " + envRuns)
	}
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip(err)
	}
	seed := seed()
	t.Logf("repeat with %s=%d", envSeed, seed)
	rng := rand.New(rand.NewPCG(seed, 5))
	r := newRecorder(t, "rcr", 1)
	wanted := []string{"add a patient", "remove a patient", "end with patients", "action with dice", "tend: rest", "create", "enrol"}
	r.wants = func(kind string) bool { return kind == "action with dice" || slices.Contains(wanted, kind) }
	r.script()
	r.p.kill()
	for _, s := range r.steps {
		if !slices.Contains(wanted, s.kind) {
			continue
		}
		kills, stored := 0, 0
		// strace counts the calls of each thread by itself, and which thread does
		// what changes from run to run.
		for i := range min(runs, 100) {
			n := rng.IntN(16)
			t.Run(fmt.Sprintf("%s/%d", s.kind, i), func(t *testing.T) {
				j := job{step: s, points: []point{{"system call", n + 1}}, whole: i%4 == 0}
				there, killed := j.atCall(t, filepath.Join(t.TempDir(), "data"), n+1)
				if killed {
					kills++
				}
				if there && killed {
					stored++
				}
			})
		}
		t.Logf("%s: killed at %d calls, stored %d times", s.kind, kills, stored)
	}
}

// atCall is run for a kill at a system call.
func (j job) atCall(t *testing.T, dir string, n int) (there, killed bool) {
	t.Helper()
	if err := copied(j.step.image, dir); err != nil {
		t.Fatal(err)
	}
	w := j.watch()
	defer w.end()
	p := start(t, "suite", dir)
	release := traced(t, p, n)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var acked proto.Message
	acked, err := j.step.call(ctx, p)
	wait := 20 * time.Second
	if err == nil {
		wait = 300 * time.Millisecond
	}
	killed = p.died(wait)
	p.kill()
	release()
	if err != nil && !killed {
		t.Fatalf("it failed alive: %v", err)
	}
	p = start(t, "suite", dir)
	there = j.standsAfter(t, p, err == nil && acked != nil)
	w.on(p)
	j.repeat(t, p, there)
	j.after(t, p, w)
	if id := j.step.about(); id != "" {
		proves(t, p, id)
	}
	p.passed(t) // until it is quiet: the projections have all
	p.kill()
	if j.whole {
		rebuilt(t, config(dir))
	}
	return there, killed
}
