package kills

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/systems"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rebuild builds every projection anew; points are passed while it reads the log,
// before the new file takes the old one's place, and after that.
func rebuild(dir string, p *points) error {
	ctx := context.Background()
	r, err := allinone.OpenRebuilder(ctx, config(dir))
	if err != nil {
		return err
	}
	for _, s := range r.Services {
		err := r.Rebuild(ctx, s, func(done, total uint64) {
			if done < total {
				p.at("rebuilding " + s.Name)
			} else {
				p.at("read for " + s.Name)
			}
		})
		if err != nil {
			return err
		}
		p.at("rebuilt " + s.Name)
	}
	return r.Close()
}

// Killed while a projection is built anew, by the command or by the start that
// finds none: the next start serves what the log holds.
func TestKilledInRebuild(t *testing.T) {
	if testing.Short() || os.Getenv("SKALD_RACE") == "1" {
		t.Skip("kills processes for several seconds")
	}
	system := systems.Registry().IDs()[0]
	r := newRecorder(t, system, 0)
	r.enrol(0, "p0", "")
	r.enrol(1, "p1", "")
	const e = "e"
	r.must(e, "create", create(&eventv1.CreateEncounter{System: system}))
	r.must(e, "add", add(&eventv1.AddCreature{Sheet: &eventv1.Sheet{Patient: "p0", Side: "left"}}))
	r.settle(e)
	s := &step{encounters: r.encounters, patients: r.patients}
	var err error
	if s.after, err = r.p.look(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	r.p.passed(t) // until it is quiet
	r.p.kill()
	killed := func(role, dir string, at point) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // this test
		armed, err := json.Marshal(at)
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(os.Environ(), envRole+"="+role, envData+"="+dir, envPoint+"="+string(armed))
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe() // a suite that is not killed waits for its parent
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close() //nolint:errcheck // of a dead child
		if err := cmd.Run(); err == nil || cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("%s is not killed at %v: %v", role, at, err)
		}
	}
	serves := func(dir, why string) {
		t.Helper()
		p := start(t, "suite", dir)
		defer p.kill()
		now, err := p.look(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if diff := s.after.same(now); diff != "" {
			t.Errorf("%s: %s", why, diff)
		}
	}
	for _, name := range []string{"dice", "injury", "encounter"} {
		dir := filepath.Join(t.TempDir(), "data")
		if err := copied(r.data, dir); err != nil {
			t.Fatal(err)
		}
		for _, at := range []point{{"rebuilding " + name, 1}, {"read for " + name, 1}, {"rebuilt " + name, 1}} {
			killed("rebuild", dir, at)
			serves(dir, at.Name)
		}
		if err := os.Remove(filepath.Join(dir, "projections", name+".db")); err != nil {
			t.Fatal(err)
		}
		of := map[string]string{"dice": "skald.0.*.dice.>", "injury": "skald.0.>", "encounter": "skald.0.*.encounter.>"}[name]
		for _, at := range []point{{"before folding " + of, 1}, {"after folding " + of, 1}} {
			killed("suite", dir, at)
		}
		serves(dir, "started without "+name)
		rebuilt(t, config(dir))
	}
}
