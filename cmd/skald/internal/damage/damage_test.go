package damage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/backup"
	"github.com/skaldrpg/skald/cmd/skald/internal/mend"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/services/encounter"
)

// runsVariable names how many seeds are drawn instead of those of every day, and
// firstVariable the first of them.
const (
	runsVariable  = "SKALD_DAMAGE_RUNS"
	firstVariable = "SKALD_DAMAGE_FIRST"
)

// kinds of damage.
var kinds = []string{"flip", "truncate", "empty", "delete", "older", "garbage"}

// trial is one draw.
type trial struct {
	seed    uint64
	random  *rand.Rand
	unclean bool
	files   []string // relative to the data folder
	kinds   []string
	dir     string
}

func (d *trial) String() string {
	how := "clean"
	if d.unclean {
		how = "unclean"
	}
	var what []string
	for i, f := range d.files {
		what = append(what, d.kinds[i]+" "+f)
	}
	return fmt.Sprintf("seed %d, %s stop, %s", d.seed, how, strings.Join(what, ", "))
}

// TestDamage is the matrix, drawn by seed.
func TestDamage(t *testing.T) {
	if os.Getenv("SKALD_RACE") == "1" {
		t.Skip("starts the suite hundreds of times")
	}
	w, err := made()
	if err != nil {
		t.Fatal(err)
	}
	runs, first := uint64(120), uint64(1)
	if n, err := strconv.ParseUint(os.Getenv(runsVariable), 10, 64); err == nil {
		runs = n
	}
	if n, err := strconv.ParseUint(os.Getenv(firstVariable), 10, 64); err == nil {
		first = n
	}
	counts := tally{}
	seeds := make(chan uint64)
	var workers sync.WaitGroup
	for range 6 { // most of a trial is waiting for the disk
		workers.Go(func() { // ends with seeds
			for seed := range seeds {
				d := draw(w, seed)
				outcome, err := d.run(t.Context(), w)
				if err != nil {
					t.Errorf("%v: %v", d, err)
				}
				counts.add(d, outcome)
			}
		})
	}
	deadline, bounded := t.Deadline()
	for seed := first; seed < first+runs && !t.Failed(); seed++ {
		if bounded && time.Until(deadline) < time.Minute {
			break
		}
		seeds <- seed
	}
	close(seeds)
	workers.Wait()
	t.Logf("%s", counts.String())
}

// tally counts outcomes by kind of file.
type tally struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *tally) add(d *trial, outcome string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[string]int{}
	}
	c.n["trials"]++
	c.n["outcome: "+outcome]++
	for i, f := range d.files {
		c.n["file: "+class(f)]++
		c.n["damage: "+d.kinds[i]]++
	}
	if d.unclean {
		c.n["stop: unclean"]++
	} else {
		c.n["stop: clean"]++
	}
}

func (c *tally) String() string {
	var out []string
	for k, v := range c.n {
		out = append(out, fmt.Sprintf("%s %d", k, v))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// class is the kind of a file.
func class(f string) string {
	switch base := filepath.Base(f); {
	case strings.HasPrefix(f, "archive/"):
		return "archive " + filepath.Ext(base)
	case filepath.Ext(base) == ".blk":
		return "block"
	default:
		return base
	}
}

// draw decides the trial of a seed: mostly one file, sometimes two or three.
func draw(w *world, seed uint64) *trial {
	d := &trial{seed: seed, random: rand.New(rand.NewPCG(seed, 8))}
	d.unclean = d.random.IntN(2) == 0
	all := map[string][]string{} // by kind of file, so that blocks do not outweigh the rest
	root := d.from(w)
	filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error { //nolint:errcheck // a folder of ours
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(root, path)
			all[class(rel)] = append(all[class(rel)], rel)
		}
		return nil
	})
	var classes []string
	for c := range all {
		classes = append(classes, c)
	}
	slices.Sort(classes)
	n := []int{1, 1, 1, 1, 1, 1, 2, 3}[d.random.IntN(8)]
	for range n {
		c := all[classes[d.random.IntN(len(classes))]]
		if d.random.IntN(3) == 0 {
			c = all["block"]
		}
		d.files = append(d.files, c[d.random.IntN(len(c))])
		d.kinds = append(d.kinds, kinds[d.random.IntN(len(kinds))])
	}
	return d
}

func (d *trial) from(w *world) string {
	if d.unclean {
		return w.unclean
	}
	return w.clean
}

// damage changes one file.
func (d *trial) damage(w *world, file, kind string) error {
	path := filepath.Join(d.dir, file)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) { // a damage before has removed it
		return nil
	} else if err != nil {
		return err
	}
	if len(data) == 0 && kind != "delete" {
		kind = "garbage"
	}
	switch kind {
	case "flip":
		for range 1 + d.random.IntN(3) {
			data[d.random.IntN(len(data))] ^= 1 << d.random.IntN(8)
		}
	case "truncate":
		data = data[:d.random.IntN(len(data))]
	case "empty":
		data = nil
	case "delete":
		return os.Remove(path)
	case "older":
		older, err := os.ReadFile(filepath.Join(w.older, file))
		if errors.Is(err, fs.ErrNotExist) {
			return os.Remove(path)
		} else if err != nil {
			return err
		}
		data = older
	case "garbage":
		data = make([]byte, d.random.IntN(2*len(data)+100))
		for i := range data {
			data[i] = byte(d.random.Uint32())
		}
	}
	return os.WriteFile(path, data, 0o600)
}

// run damages a copy, starts, mends and starts again; it says how it went.
func (d *trial) run(ctx context.Context, w *world) (outcome string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	if d.dir, err = os.MkdirTemp(w.root, "trial"); err != nil {
		return "", err
	}
	defer os.RemoveAll(d.dir) //nolint:errcheck // scratch
	if err := copyFolder(d.from(w), d.dir); err != nil {
		return "", err
	}
	for i := range d.files {
		if err := d.damage(w, d.files[i], d.kinds[i]); err != nil {
			return "", err
		}
	}
	refused := d.start(ctx, w)
	if refused == nil {
		return "served at once", nil
	}
	if refused, err = d.withKeys(w, refused, func() error { return d.start(ctx, w) }); err != nil {
		return "", err
	}
	if refused == nil {
		return "refused, served with the keys put back", nil
	}
	return d.mended(ctx, w, refused)
}

// withKeys puts keys back and starts again, as long as a start is refused for want of
// them: nothing mends those but the operator's own copy. It returns how the last
// start went.
func (d *trial) withKeys(w *world, refused error, start func() error) (last, err error) {
	for range []string{backup.KeyFile, encounter.KeysFile} {
		name := d.keyRefused(refused)
		if name == "" {
			return refused, nil
		}
		data, err := os.ReadFile(filepath.Join(d.from(w), name))
		if err == nil {
			err = os.WriteFile(filepath.Join(d.dir, name), data, 0o600)
		}
		if err != nil {
			return nil, err
		}
		refused = start()
	}
	return refused, nil
}

// keyRefused is the file of keys for which a start was refused; empty for none. The
// keys that sign heads say what mends them.
func (d *trial) keyRefused(err error) string {
	switch path := filepath.Join(d.dir, encounter.KeysFile); {
	case err == nil || errors.Is(err, journal.ErrDamaged):
	case errors.Is(err, encounter.ErrKeysMissing) || errors.Is(err, encounter.ErrKeysBroken):
		if slices.Contains(d.files, encounter.KeysFile) && strings.Contains(err.Error(), "skald keys rotate --lost --keys "+path) {
			return encounter.KeysFile
		}
	case slices.Contains(d.files, backup.KeyFile) && strings.Contains(err.Error(), "key"):
		return backup.KeyFile
	}
	return ""
}

// mended mends after a refusal and starts again.
func (d *trial) mended(ctx context.Context, w *world, refused error) (string, error) {
	var damaged *journal.DamageError
	if !errors.As(refused, &damaged) {
		return "", fmt.Errorf("neither served nor refused with what mends it: %w", refused)
	}
	if len(damaged.Found) == 0 || !strings.Contains(refused.Error(), "skald mend --data "+d.dir) || !strings.Contains(damaged.Found[0], d.dir) {
		return "", fmt.Errorf("a refusal without file and command: %w", refused)
	}
	report, err := mend.Run(ctx, mend.Config{DataDir: d.dir, Archive: archiveOf(d.dir), Logger: quiet})
	if err != nil {
		return "", fmt.Errorf("mend: %w (after %w)", err, refused)
	}
	if n := report.Lost(); n > 0 {
		if d.copies() {
			return "", fmt.Errorf("%d records are lost although a copy holds them:\n%s", n, report)
		}
		refused, err := d.withKeys(w, d.opens(ctx), func() error { return d.opens(ctx) })
		if err := errors.Join(err, refused); err != nil {
			return "", fmt.Errorf("does not open after a loss: %w\n%s", err, report)
		}
		return "mended, with losses that were told", nil
	}
	refused, err = d.withKeys(w, d.start(ctx, w), func() error { return d.start(ctx, w) })
	if err := errors.Join(err, refused); err != nil {
		return "", fmt.Errorf("after mending: %w\n%s", err, report)
	}
	again, err := mend.Run(ctx, mend.Config{DataDir: d.dir, Archive: archiveOf(d.dir), Logger: quiet})
	if err != nil || !again.Sound {
		return "", fmt.Errorf("mended twice: %w %v", err, again)
	}
	return "refused, mended, served", nil
}

// copies tells whether some copy of every record was left alone: the archive has
// all, the projections have the Commits of encounters.
func (d *trial) copies() bool {
	for _, f := range d.files {
		if strings.HasPrefix(f, "archive/") {
			return false
		}
	}
	return true
}

// start starts the suite and compares all that it serves, but for what is named; an error of the start is
// returned as it is.
func (d *trial) start(ctx context.Context, w *world, but ...string) (err error) {
	s, err := allinone.Start(ctx, allinone.Config{DataDir: d.dir, Archive: archiveOf(d.dir), Logger: quiet, DiskReserve: 1 << 20})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	got, err := serves(ctx, s)
	for try := 0; status.Code(err) == codes.Unavailable && try < 5; try++ { // a machine under load answers late
		got, err = serves(ctx, s)
	}
	if err != nil {
		return fmt.Errorf("it started and does not serve: %w", err)
	}
	for name, want := range w.want {
		if got[name] != want && !slices.Contains(but, name) {
			return fmt.Errorf("it started and serves another %s", name)
		}
	}
	return nil
}

// opens starts the suite without asking what it serves.
func (d *trial) opens(ctx context.Context) error {
	s, err := allinone.Start(ctx, allinone.Config{DataDir: d.dir, Archive: archiveOf(d.dir), Logger: quiet, DiskReserve: 1 << 20})
	if err != nil {
		return err
	}
	return s.Close()
}
