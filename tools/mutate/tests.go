package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// slow are packages whose tests start processes or take minutes; they are run
// for mutants of their own alone.
var slow = []string{
	"cmd/skald/internal/cluster", "cmd/skald/internal/damage", "cmd/skald/internal/kills", "cmd/skald/internal/robustness",
	"cmd/skald/internal/scale", "cmd/skald/internal/backup", "tools/mutate",
}

// recorded decides whole fights again that were recorded before, of all systems: it
// says that something is decided otherwise than it was, not that it is wrong.
const recorded = "services/encounter/internal/verify"

// oracle decides the same situations by another's code.
const oracle = "pkg/systems/oracle"

// together are tests of all systems beside each other.
const together = "pkg/systems"

// stage is tests that are run together.
type stage struct {
	folders []string
	// before says that they compare with what came out before, and know no rule.
	before bool
}

// expects keeps scenarios and tests to what they say of the rules; the digests of what
// they decided before are stages of their own.
const expects = "SKALD_DIGESTS=off"

// env is what the tests of the stage are run with.
func (s stage) env() []string {
	if s.before {
		return nil
	}
	return []string{expects}
}

const module = "github.com/skaldrpg/skald/"

// graph knows which package's tests see which package.
type graph struct {
	seenBy map[string][]string // folder to the folders whose tests have it
	// digested are folders whose tests write down what their tables decided.
	digested map[string]bool
}

// listed is what `go list -test` says of a package.
type listed struct {
	ImportPath string
	ForTest    string
	Deps       []string
	Standard   bool
}

// readGraph asks the go command who tests with what.
func readGraph(root string) (*graph, error) {
	cmd := exec.Command("go", "list", "-test", "-json=ImportPath,ForTest,Deps,Standard", "work")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	g := &graph{seenBy: map[string][]string{}}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		tester, ok := strings.CutSuffix(p.ImportPath, ".test")
		if !ok {
			continue
		}
		for _, dep := range p.Deps {
			dep, _, _ = strings.Cut(dep, " ") // "path [path.test]": as built for a test
			if of, ok := strings.CutPrefix(dep, module); ok && !strings.HasSuffix(dep, ".test") {
				g.seenBy[of] = append(g.seenBy[of], strings.TrimPrefix(tester, module))
			}
		}
	}
	for _, by := range g.seenBy { // order-free: each is sorted by itself
		slices.Sort(by)
	}
	return g, g.findDigested(root)
}

// findDigested notes the folders whose tests have digests (pkg/internal/decided).
func (g *graph) findDigested(root string) error {
	files, err := filepath.Glob(filepath.Join(root, "pkg/rules/*/testdata/decided.txt"))
	if err != nil {
		return err
	}
	g.digested = map[string]bool{}
	for _, file := range files {
		folder, err := filepath.Rel(root, filepath.Dir(filepath.Dir(file)))
		if err != nil {
			return err
		}
		g.digested[filepath.ToSlash(folder)] = true
	}
	return nil
}

// stages are the tests that may find a change of a file, from near to far: its
// package, the packages beside it, the second opinion and what holds for all systems, the
// rule systems by themselves, what the scenarios expect; then what came out before, by
// the digests of the scenarios and of the tests, and the recorded fights; and, unless near
// is set, whoever else sees it.
func (g *graph) stages(file string, near bool) []stage {
	own := path.Dir(file)
	for len(g.seenBy[own]) == 0 && own != "." { // a table lies in a folder of the package that embeds it
		own = path.Dir(own)
	}
	var beside, second, systems, again, far []string
	for _, p := range slices.Compact(slices.Clone(g.seenBy[own])) {
		switch {
		case p == own || p == scenarios:
		case slices.Contains(slow, p):
		case p == recorded:
			again = append(again, p)
		case family(p) != "" && family(p) == family(file):
			beside = append(beside, p)
		case p == oracle || p == together:
			second = append(second, p)
		case strings.HasPrefix(p, "pkg/rules/") && strings.Count(p, "/") == 2:
			systems = append(systems, p) // what all rule systems stand on
		default:
			far = append(far, p)
		}
	}
	out := []stage{{folders: []string{own}}, {folders: beside}, {folders: second}, {folders: systems}}
	if slices.Contains(g.seenBy[own], scenarios) {
		out = append(out, stage{folders: []string{scenarios}}, stage{folders: []string{scenarios}, before: true})
	}
	tables := slices.Concat([]string{own}, beside, systems)
	out = append(out, stage{folders: slices.DeleteFunc(tables, func(p string) bool { return !g.digested[p] }), before: true})
	out = append(out, stage{folders: again, before: true})
	if !near {
		out = append(out, stage{folders: far})
	}
	return slices.DeleteFunc(out, func(s stage) bool { return len(s.folders) == 0 })
}

// family is what a folder belongs to: a rule system, whether its rules or its
// content, or a service.
func family(p string) string {
	parts := strings.Split(p, "/")
	switch {
	case len(parts) > 2 && parts[0] == "pkg" && (parts[1] == "rules" || parts[1] == "content"):
		return parts[2]
	case len(parts) > 1:
		return parts[0] + "/" + parts[1]
	}
	return ""
}
