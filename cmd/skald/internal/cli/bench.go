package cli

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/skaldrpg/skald/cmd/skald/internal/bench"
	"github.com/skaldrpg/skald/pkg/heap"
)

// benchSizes are how much is measured, unless flags say otherwise.
type benchSizes struct {
	rounds, commits, log int
	watchers, fights     []int
}

var (
	quickBench = benchSizes{rounds: 200, commits: 3000, watchers: []int{0, 1, 100, 1000}, fights: []int{1, 100}}
	longBench  = benchSizes{rounds: 2000, commits: 20_000, log: 100_000, watchers: []int{0, 1, 100, 1000, 10_000}, fights: []int{1, 100, 10_000}}
)

// into takes what no flag says otherwise.
func (b benchSizes) into(cfg *bench.Config, changed func(flag string) bool) {
	// order-free: each sets one of its own
	for name, set := range map[string]func(){
		"rounds": func() { cfg.Rounds = b.rounds }, "commits": func() { cfg.Commits = b.commits }, "log": func() { cfg.Log = b.log },
		"watchers": func() { cfg.Watchers = b.watchers }, "fights": func() { cfg.Fights = b.fights },
	} {
		if !changed(name) {
			set()
		}
	}
}

func (a *app) benchCommand() *cobra.Command {
	var cfg bench.Config
	var quick, list bool
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure this machine, every figure beside its floor",
		Long: `Bench starts everything in a temporary folder and measures what people wait for,
each figure beside its floor: what the machine needs for the least that could be done
in its place, measured in turns in the same run. Times are those of this machine and
of whoever uses it meanwhile; the ratios are what to compare.

Each line has the floor, the figure and their ratio, of the median and the 99th
percentile of the time of one operation, of the processor's time of one, all that ran
in the process included, and of how many there were in a second. A figure of few rounds
has its slowest as the 99th percentile; with --json each line says how many there were.

The log is synced on every write, as a server's is, and memory is collected as a server
does it. The rules are a drill of bench's own, whose fights never end. Nothing is left
behind, also when it is interrupted.

Figures: ` + strings.Join(bench.Names(), ", ") + `; --list says what each is.`,
		Example: "  skald bench\n  skald bench --only attack,dice\n  skald bench --quick=false --only past --commits 100000\n  skald bench --only start --log 1000000\n  skald bench --list",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if list {
				return a.listFigures()
			}
			sizes := quickBench
			if !quick {
				sizes = longBench
			}
			sizes.into(&cfg, cmd.Flags().Changed)
			return a.bench(cmd.Context(), cfg)
		},
	}
	f := c.Flags()
	f.BoolVar(&quick, "quick", true, "under half a minute in all; false takes some minutes: ten times as many rounds, a fight of 20,000 commands, 10,000 watchers, 10,000 fights and a start on a log of 100,000 Commits")
	f.BoolVar(&list, "list", false, "say what the figures are, and measure nothing")
	f.StringSliceVar(&cfg.Only, "only", nil, "these figures alone, by name")
	f.IntVar(&cfg.Rounds, "rounds", quickBench.rounds, "operations of each figure; where they take long there is a part of them, at least 2, where they are short ten times as many")
	f.IntSliceVar(&cfg.Watchers, "watchers", quickBench.watchers, "sizes of the audiences")
	f.IntVar(&cfg.Commits, "commits", quickBench.commits, "attacks in the long fight, which undo, past, open and start are about, and the most in the one that grows")
	f.IntSliceVar(&cfg.Fights, "fights", quickBench.fights, "how many fights there are when one of them is attacked")
	f.IntVar(&cfg.Log, "log", quickBench.log, "fill the log with so many Commits before a start is measured, once; a million take some minutes")
	return c
}

func (a *app) listFigures() error {
	for _, f := range bench.Figures() {
		err := a.answerValue(f, func() string { return f.Name + ": " + f.What + "\n  floor: " + f.Floor + "\n" })
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *app) bench(ctx context.Context, cfg bench.Config) error {
	if err := cfg.Check(); err != nil {
		return &usageError{err}
	}
	signal.Ignore(syscall.SIGPIPE) // who reads no more ends it by an error, so that all is removed
	defer signal.Reset(syscall.SIGPIPE)
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
		defer debug.SetGCPercent(debug.SetGCPercent(100))
	}
	if err := (heap.Options{Target: heap.DefaultTarget}).Set(silent()); err != nil {
		return err
	}
	cfg.Progress = func(text string) { fmt.Fprintln(a.err, text) } //nolint:errcheck // nobody reads it any more
	cfg.Machine = func(m bench.Machine) error { return a.answerValue(m, m.Text) }
	cfg.Report = func(f bench.Figure, lines []bench.Line) error {
		if !a.json {
			return a.tell(bench.Table(f, lines))
		}
		for _, l := range lines {
			l.Figure = f.Name
			if err := a.value(l); err != nil {
				return err
			}
		}
		return nil
	}
	return bench.Run(ctx, cfg)
}
