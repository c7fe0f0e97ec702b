package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// standard is what is mutated unless folders are named: what decides.
var standard = []string{"pkg/rules", "pkg/content", "pkg/dice", "pkg/event", "services"}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// settings are the command line.
type settings struct {
	n     int
	from  int
	seed  uint64
	only  string
	list  bool
	least float64
	limit time.Duration
	stop  time.Duration
	near  bool
	own   bool
	pins  bool
	apart bool
	all   bool
	rows  bool
	dirs  []string
}

func parse(args []string) (s settings, err error) {
	f := flag.NewFlagSet("mutate", flag.ContinueOnError)
	f.IntVar(&s.n, "n", 20, "how many mutants of each folder that is named; folders joined by + are one, a folder with /. is without those in it")
	f.IntVar(&s.from, "from", 0, "leave out so many of those: they were tried before")
	f.Uint64Var(&s.seed, "seed", 1, "of what is drawn")
	f.StringVar(&s.only, "only", "", "the mutants of some lines alone, FILE:LINE,FILE:LINE")
	f.BoolVar(&s.list, "list", false, "list every place and run nothing")
	f.Float64Var(&s.least, "least", 0, "fail when a smaller share than this is found, 0 to 1")
	f.DurationVar(&s.limit, "limit", 5*time.Minute, "of the tests of one stage; what hangs is found")
	f.BoolVar(&s.near, "near", false, "run the tests of the package, its neighbours and system, the scenarios with their digests and the recorded fights alone")
	f.BoolVar(&s.apart, "apart", false, "build the tests for each mutant anew: quicker for a few")
	f.BoolVar(&s.own, "own", false, "run the tests beside a change alone: without scenarios and random play; a lower bound, and quick")
	f.BoolVar(&s.pins, "pinned", false, "run the mutants of pinned.csv alone, by near tests, and fail unless each is found")
	f.BoolVar(&s.all, "survey", false, "try no change: list all places of the folders at which a change would never differ, in all tests, with -near those near, with -own those beside")
	f.BoolVar(&s.rows, "rows", false, "with -survey: as rows of equivalent.csv, with the line in place of the reason")
	f.DurationVar(&s.stop, "within", 0, "begin no mutant after this time; 0 is no bound")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if s.dirs = f.Args(); len(s.dirs) == 0 {
		s.dirs = standard
	}
	if s.n < 1 || s.limit <= 0 || s.least < 0 || s.least > 1 {
		return s, errors.New("-n and -limit are more than nothing, -least is 0 to 1")
	}
	return s, nil
}

func run(ctx context.Context, args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	root, err := top(ctx)
	if err != nil {
		return err
	}
	if s.pins {
		return hold(ctx, s, root, w)
	}
	if s.all {
		return survey(ctx, s, root, w)
	}
	areas, err := drawn(root, s)
	if err != nil {
		return err
	}
	if s.list {
		for _, a := range areas {
			for _, m := range a.all {
				fmt.Fprintln(w, m)
			}
		}
		return nil
	}
	return experiment(ctx, s, root, areas, w)
}

// top is the top of the tree.
func top(ctx context.Context) (string, error) {
	work, err := exec.CommandContext(ctx, "go", "env", "GOWORK").Output()
	if err != nil {
		return "", err
	}
	return filepath.Dir(strings.TrimSpace(string(work))), nil
}

// collect finds all mutants below folders.
func collect(root string, dirs []string) ([]Mutant, error) {
	var all []Mutant
	for _, dir := range dirs {
		dir, flat := strings.CutSuffix(dir, "/.")
		err := filepath.WalkDir(filepath.Join(root, dir), func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			file, err := filepath.Rel(root, p)
			if err != nil {
				return err
			}
			file = filepath.ToSlash(file)
			if d.IsDir() {
				if d.Name() == "testdata" || flat && file != filepath.ToSlash(filepath.Clean(dir)) {
					return fs.SkipDir
				}
				return nil
			}
			if !mutable(file) {
				return nil
			}
			found, err := mutants(root, file)
			all = append(all, found...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// mutable tells whether a file is mutated: code that ships, and the tables of content.
func mutable(file string) bool {
	if strings.HasSuffix(file, ".csv") {
		return strings.HasPrefix(file, "pkg/content/")
	}
	if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
		return false
	}
	for _, part := range strings.Split(filepath.Dir(file), "/") { // packages for tests
		if strings.HasSuffix(part, "test") {
			return false
		}
	}
	return true
}

// area is what is drawn from together.
type area struct {
	name   string
	places int
	all    []Mutant // in the order in which they are tried
}

// drawn draws mutants for each area by itself: what is drawn for one does not hang
// on the others, nor on what is listed as known.
func drawn(root string, s settings) ([]area, error) {
	if s.only != "" {
		var all []Mutant
		for _, one := range strings.Split(s.only, ",") {
			file, at, ok := strings.Cut(one, ":")
			line, err := strconv.Atoi(at)
			if !ok || err != nil {
				return nil, fmt.Errorf("-only %q: want FILE:LINE", one)
			}
			of, err := mutants(root, file)
			if err != nil {
				return nil, err
			}
			all = append(all, slices.DeleteFunc(of, func(m Mutant) bool { return m.Line != line })...)
		}
		return []area{{s.only, len(all), all}}, nil
	}
	var out []area
	for _, name := range s.dirs {
		all, err := collect(root, strings.Split(name, "+"))
		if err != nil {
			return nil, err
		}
		out = append(out, area{name, len(all), all})
		if !s.list {
			a := &out[len(out)-1]
			rand.New(rand.NewPCG(s.seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			a.all = all[:min(s.n, len(all))]
		}
	}
	return out, nil
}

// newLab is a place to run mutants of a tree, and what takes it away.
func newLab(s settings, root string) (*lab, func(), error) {
	tmp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, nil, err
	}
	g, err := readGraph(root)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(tmp))
	}
	return &lab{root: root, tmp: tmp, graph: g, limit: s.limit, near: s.near || s.own, own: s.own}, func() { _ = os.RemoveAll(tmp) }, nil
}
