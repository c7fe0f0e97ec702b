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
	seed  uint64
	only  string
	list  bool
	least float64
	limit time.Duration
	stop  time.Duration
	near  bool
	pins  bool
	dirs  []string
}

func parse(args []string) (s settings, err error) {
	f := flag.NewFlagSet("mutate", flag.ContinueOnError)
	f.IntVar(&s.n, "n", 20, "how many mutants")
	f.Uint64Var(&s.seed, "seed", 1, "of what is drawn")
	f.StringVar(&s.only, "only", "", "the mutants of one line alone, FILE:LINE")
	f.BoolVar(&s.list, "list", false, "list every place and run nothing")
	f.Float64Var(&s.least, "least", 0, "fail when a smaller share than this is found, 0 to 1")
	f.DurationVar(&s.limit, "limit", 5*time.Minute, "of the tests of one stage; what hangs is found")
	f.BoolVar(&s.near, "near", false, "run the tests of the package, its neighbours and the scenarios alone")
	f.BoolVar(&s.pins, "pinned", false, "run the mutants of pinned.csv alone, by near tests, and fail unless each is found")
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
	all, err := collect(root, s.dirs)
	if err != nil {
		return err
	}
	if all, err = narrowed(all, s); err != nil {
		return err
	}
	if s.list {
		for _, m := range all {
			fmt.Fprintln(w, m)
		}
		return nil
	}
	return experiment(ctx, s, root, all, w)
}

// top is the top of the tree.
func top(ctx context.Context) (string, error) {
	work, err := exec.CommandContext(ctx, "go", "env", "GOWORK").Output()
	if err != nil {
		return "", err
	}
	return filepath.Dir(strings.TrimSpace(string(work))), nil
}

// collect finds all mutants below folders but those known to change nothing.
func collect(root string, dirs []string) ([]Mutant, error) {
	known, err := readRows(filepath.Join(root, "tools/mutate/equivalent.csv"))
	if err != nil {
		return nil, err
	}
	var all []Mutant
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(root, dir), func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if d.Name() == "testdata" {
					return fs.SkipDir
				}
				return nil
			}
			file, err := filepath.Rel(root, p)
			if err != nil {
				return err
			}
			file = filepath.ToSlash(file)
			if !mutable(file) {
				return nil
			}
			found, err := mutants(root, file)
			all = append(all, slices.DeleteFunc(found, known.has)...)
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

// narrowed keeps what the command line asks for, in the order in which it is run.
func narrowed(all []Mutant, s settings) ([]Mutant, error) {
	if s.only == "" {
		if !s.list {
			r := rand.New(rand.NewPCG(s.seed, 0))
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		}
		return all, nil
	}
	file, at, ok := strings.Cut(s.only, ":")
	line, err := strconv.Atoi(at)
	if !ok || err != nil {
		return nil, fmt.Errorf("-only %q: want FILE:LINE", s.only)
	}
	return slices.DeleteFunc(all, func(m Mutant) bool { return m.File != file || m.Line != line }), nil
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
	return &lab{root: root, tmp: tmp, graph: g, limit: s.limit, near: s.near}, func() { _ = os.RemoveAll(tmp) }, nil
}

// experiment tries mutants until as many as wanted were viable, and reports.
func experiment(ctx context.Context, s settings, root string, all []Mutant, w io.Writer) error {
	l, done, err := newLab(s, root)
	if err != nil {
		return err
	}
	defer done()
	fmt.Fprintf(w, "%d places, seed %d\n", len(all), s.seed)
	killed, survived, unviable := 0, 0, 0
	began := time.Now()
	for _, m := range all {
		if killed+survived == s.n && s.only == "" || s.stop > 0 && killed+survived > 0 && time.Since(began) > s.stop {
			break
		}
		o, err := l.try(ctx, m)
		if err != nil {
			return err
		}
		switch o.Verdict {
		case Unviable:
			unviable++
			continue
		case Killed:
			killed++
		default:
			survived++
		}
		fmt.Fprintf(w, "%-8s %6.1f s  %s  %s\n", o.Verdict, o.Took.Seconds(), o.Mutant, o.By)
	}
	n := killed + survived
	if n == 0 {
		return errors.New("nothing to try")
	}
	fmt.Fprintf(w, "%d of %d found (%.0f %%); %d more did not compile\n", killed, n, 100*float64(killed)/float64(n), unviable)
	if share := float64(killed) / float64(n); share < s.least {
		return fmt.Errorf("%.2f found, at least %.2f wanted", share, s.least)
	}
	return nil
}
