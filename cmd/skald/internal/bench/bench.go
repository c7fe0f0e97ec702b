package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/skaldrpg/skald/pkg/near"
)

// Figure is one thing that is measured.
type Figure struct {
	// Name by which it is asked for.
	Name string `json:"name"`
	// What is measured, and the Floor beside it.
	What  string `json:"what"`
	Floor string `json:"floor"`

	suite   bool // it needs the suite
	measure func(ctx context.Context, r *run) error
}

// Figures are all of them, in the order in which they are measured: those that stop the
// suite come last.
func Figures() []Figure {
	return []Figure{
		{"attack", "an attack on one fight: three rolls, one deed of harm", "a gRPC call that does one raw publish of as many bytes, synced", true, attack},
		{"watchers", "commands one after the other, watched", "the same raw publish, and as many bytes sent to each watcher", true, watchers},
		{"deliver", "from a command's call until a watcher has it, everybody having the one before", "the same raw publish, and as many bytes sent to each watcher", true, deliver},
		{"growth", "an attack in a fight of so many commands", "a gRPC call that does one raw publish of as many bytes, synced", true, growth},
		{"fights", "an attack in one of so many fights, drawn at random", "a gRPC call that does one raw publish of as many bytes, synced", true, fights},
		{"undo", "an undo in a long fight, or its redo, until each watcher has it", "the same raw publish, and as many bytes sent to each watcher", true, undo},
		{"past", "the state of a long fight at an earlier number, over gRPC", "a read of one Commit from a raw bbolt file, without gRPC", true, past},
		{"open", "the first command to a long fight that is not in memory", "the command after it", true, open},
		{"start", "a start without projections: all is folded from the log", "a start with them, and the Commits copied into a raw bbolt file", true, cold},
		{"dice", "a roll outside fights, parsed and evaluated", "a gRPC call that answers the same", false, dice},
		{"command", "a command line from start to exit", "skald version", false, command},
	}
}

// Names of the figures.
func Names() []string {
	var out []string
	for _, f := range Figures() {
		out = append(out, f.Name)
	}
	return out
}

// Config says what is measured, and how long.
type Config struct {
	// Only these figures; empty means all.
	Only []string
	// Rounds of each figure; those whose rounds take long have fewer.
	Rounds int
	// Watchers are the sizes of audiences.
	Watchers []int
	// Commits are how many attacks the long fight has, and the most of the one that grows.
	Commits int
	// Fights are how many there are when one is attacked.
	Fights []int
	// Log is how many Commits of fights the log is filled with before a start is measured;
	// 0 leaves it with what other figures stored.
	Log int
	// Progress is told what is done where that takes long; nil is told nothing.
	Progress func(text string)
	// Machine is told of the machine before anything is measured.
	Machine func(Machine) error
	// Report is given each figure when it has been measured.
	Report func(Figure, []Line) error
}

// Bounds of what may be asked for.
const (
	maxRounds   = 1_000_000
	maxWatchers = 10_000
	maxCommits  = 1_000_000
	maxFights   = 100_000
	maxLog      = 10_000_000
)

// Check says what of the configuration can not be.
func (c Config) Check() error {
	for _, name := range c.Only {
		if !slices.Contains(Names(), name) {
			return fmt.Errorf("no figure %q%s; there are %v", name, near.DidYouMean(name, Names()), Names())
		}
	}
	if c.Rounds < 1 || c.Rounds > maxRounds {
		return fmt.Errorf("%d rounds: want 1 to %d", c.Rounds, maxRounds)
	}
	if c.Commits < 1 || c.Commits > maxCommits {
		return fmt.Errorf("%d Commits: want 1 to %d", c.Commits, maxCommits)
	}
	for _, n := range c.Watchers {
		if n < 0 || n > maxWatchers {
			return fmt.Errorf("%d watchers: want 0 to %d", n, maxWatchers)
		}
	}
	for _, n := range c.Fights {
		if n < 1 || n > maxFights {
			return fmt.Errorf("%d fights: want 1 to %d", n, maxFights)
		}
	}
	if c.Log < 0 || c.Log > maxLog {
		return fmt.Errorf("a log of %d Commits: want 0 to %d", c.Log, maxLog)
	}
	return nil
}

// run is one run of the figures.
type run struct {
	Config
	world
	folder string
	lines  []Line
}

// Run measures in a temporary folder, which it removes. It ends with ctx.
func Run(ctx context.Context, cfg Config) (err error) {
	if err := cfg.Check(); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	dir, err := os.MkdirTemp("", "skald-bench-")
	if err != nil {
		return fmt.Errorf("bench: temporary folder: %w", err)
	}
	if cfg.Progress == nil {
		cfg.Progress = func(string) {}
	}
	r := &run{Config: cfg, folder: dir, world: world{dir: filepath.Join(dir, "data"), progress: cfg.Progress}}
	defer func() { err = errors.Join(err, r.stop(), os.RemoveAll(dir)) }()
	m, err := look(dir)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	if err := cfg.Machine(m); err != nil {
		return err
	}
	for _, f := range Figures() {
		if len(cfg.Only) > 0 && !slices.Contains(cfg.Only, f.Name) {
			continue
		}
		if err := r.figure(ctx, f); err != nil {
			return fmt.Errorf("bench: %s: %w", f.Name, err)
		}
	}
	return nil
}

func (r *run) figure(ctx context.Context, f Figure) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if f.suite && r.stack == nil {
		if err := r.start(ctx); err != nil {
			return err
		}
	}
	r.lines = nil
	if err := f.measure(ctx, r); err != nil {
		if ctx.Err() != nil { // whatever it led to
			return context.Cause(ctx)
		}
		return err
	}
	return r.Report(f, r.lines)
}

// rounds is how many of a figure there are whose rounds take so many times as long.
func (r *run) rounds(long int) int { return max(2, r.Rounds/long) }

// add is a case that has been measured.
func (r *run) add(l Line) { r.lines = append(r.lines, l) }

// file is one beside the data.
func (r *run) file(name string) string { return filepath.Join(r.folder, name+".db") }

// closing is an error with that of closing a hall, if that matters yet.
func closing(err error, h *hall) error { return errors.Join(err, h.close()) }

// plural is how many there are of something.
func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return grouped(n) + " " + what
}

// grouped writes a number with commas.
func grouped(n int) string {
	s := strconv.Itoa(n) // never negative
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
