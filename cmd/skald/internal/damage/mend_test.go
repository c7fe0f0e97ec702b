package damage

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/mend"
	"github.com/skaldrpg/skald/pkg/journal"
)

// childVariable tells a copy of this test binary to mend a data folder; its
// parent kills it.
const childVariable = "SKALD_DAMAGE_CHILD"

func child(dir string) int {
	if _, err := mend.Run(context.Background(), mend.Config{DataDir: dir, Archive: archiveOf(dir), Logger: quiet}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// damaged is a copy of the clean folder with a broken block.
func damaged(t *testing.T, random *rand.Rand) (*world, *trial) {
	t.Helper()
	w, err := made()
	if err != nil {
		t.Fatal(err)
	}
	d := &trial{random: random, dir: filepath.Join(t.TempDir(), "data")}
	if err := copyFolder(w.clean, d.dir); err != nil {
		t.Fatal(err)
	}
	if err := d.damage(w, "journal/jetstream/$G/streams/SKALD_0/msgs/2.blk", "garbage"); err != nil {
		t.Fatal(err)
	}
	return w, d
}

// A mend that is killed at any moment is gone on with; no server starts between.
func TestMendKilled(t *testing.T) {
	if os.Getenv("SKALD_RACE") == "1" {
		t.Skip("starts processes")
	}
	random := rand.New(rand.NewPCG(9, 9))
	for range 2 {
		w, d := damaged(t, random)
		killed := 0
		for range 3 {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childVariable+"="+d.dir)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(random.IntN(700)) * time.Millisecond) // any moment will do
			cmd.Process.Kill()                                             //nolint:errcheck // it may have ended
			if cmd.Wait() == nil {
				break
			}
			killed++
			var refused *journal.DamageError
			if err := d.opens(t.Context()); err != nil && !errors.As(err, &refused) {
				t.Fatalf("between two mends: %v", err)
			}
		}
		report, err := mend.Run(t.Context(), mend.Config{DataDir: d.dir, Archive: archiveOf(d.dir), Logger: quiet})
		if err != nil || report.Lost() > 0 {
			t.Fatalf("after %d kills: %v\n%v", killed, err, report)
		}
		if err := d.start(t.Context(), w); err != nil {
			t.Fatalf("after %d kills: %v", killed, err)
		}
	}
}

func TestMend(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	remove := func(names ...string) func(*trial) {
		return func(d *trial) {
			for _, n := range names {
				if err := os.RemoveAll(filepath.Join(d.dir, n)); err != nil {
					panic(err)
				}
			}
		}
	}
	cases := map[string]struct {
		before  func(*trial)
		from    bool
		archive bool
		lost    bool
		whole   bool   // all of every encounter is there: only records of dice and patients are lost
		text    string // in the report
	}{
		"from the archive alone":     {before: remove("projections"), archive: true, text: "records from the archive"},
		"from another folder alone":  {before: remove("projections", "archive"), from: true, text: "clean/journal"},
		"commits from projections":   {before: remove("archive"), lost: true, whole: true, text: "records from the projection"},
		"no copy at all":             {before: remove("archive", "projections"), lost: true, text: "lacks versions"},
		"the journal is gone":        {before: remove("journal"), archive: true, text: "records from the archive"},
		"the journal is gone, twice": {before: remove("journal", "projections"), archive: true, text: "records from the archive"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w, d := damaged(t, random)
			c.before(d)
			cfg := mend.Config{DataDir: d.dir, Archive: archiveOf(d.dir), Logger: quiet}
			if c.from {
				cfg.From = []string{w.clean}
			}
			before := tree(t, d.dir)
			cfg.DryRun = true
			dry, err := mend.Run(t.Context(), cfg)
			if err != nil || (dry.Lost() > 0) != c.lost {
				t.Fatalf("dry: %v\n%v", err, dry)
			}
			if after := tree(t, d.dir); after != before {
				t.Fatalf("a dry run changed files:\n%s\n%s", before, after)
			}
			cfg.DryRun = false
			report, err := mend.Run(t.Context(), cfg)
			if err != nil || (report.Lost() > 0) != c.lost || !strings.Contains(report.String(), c.text) {
				t.Fatalf("%v\n%v", err, report)
			}
			if c.lost && !c.whole {
				lossIsClosed(t, d)
				return
			}
			var but []string
			if c.lost { // patients have no copy but archive and blocks
				but = []string{"patient-a", "patient-b"}
			}
			if err := d.start(t.Context(), w, but...); err != nil {
				t.Fatalf("%v\n%v", err, report)
			}
		})
	}
}

// lossIsClosed: what is lost closes what it belongs to; the suite starts and
// serves the rest.
func lossIsClosed(t *testing.T, d *trial) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := allinone.Start(ctx, allinone.Config{DataDir: d.dir, Archive: archiveOf(d.dir), Logger: quiet, DiskReserve: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // the test is over
	_, err = serves(ctx, s)
	// Not found: all of it was in the block, and no other copy knows of it.
	if code := status.Code(err); code != codes.DataLoss && code != codes.NotFound {
		t.Errorf("what is lost is not said to be broken: %v", err)
	}
}

// tree lists the files of a folder with their sizes and times.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	if err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "skald.lock" {
			return err
		}
		info, err := e.Info()
		fmt.Fprintln(&b, path, info.Size(), info.ModTime())
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
