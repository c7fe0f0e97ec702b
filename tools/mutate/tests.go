package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
)

// slow are packages whose tests start processes or take minutes; they are run
// for mutants of their own alone.
var slow = []string{
	"cmd/skald/internal/cluster", "cmd/skald/internal/damage", "cmd/skald/internal/kills", "cmd/skald/internal/robustness",
	"cmd/skald/internal/scale", "cmd/skald/internal/backup", "tools/mutate",
}

// recorded decide whole fights again that were recorded before, of all systems, or
// the same situations by another's code: they are quick, and run before the scenarios.
var recorded = []string{"services/encounter/internal/verify", "pkg/systems/oracle"}

const module = "github.com/skaldrpg/skald/"

// graph knows which package's tests see which package.
type graph struct {
	seenBy map[string][]string // folder to the folders whose tests have it
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
	return g, nil
}

// stages are the tests that may find a change of a file, from near to far: its
// package, the packages beside it, the recorded fights, the scenarios, the rule
// systems, and, unless near is set, whoever else sees it.
func (g *graph) stages(file string, near bool) [][]string {
	own := path.Dir(file)
	for len(g.seenBy[own]) == 0 && own != "." { // a table lies in a folder of the package that embeds it
		own = path.Dir(own)
	}
	var beside, again, systems, far []string
	for _, p := range slices.Compact(slices.Clone(g.seenBy[own])) {
		switch {
		case p == own || p == "cmd/skald":
		case slices.Contains(slow, p):
		case family(p) != "" && family(p) == family(file):
			beside = append(beside, p)
		case slices.Contains(recorded, p) && strings.HasPrefix(file, "pkg/"):
			again = append(again, p)
		case strings.HasPrefix(p, "pkg/rules/") && strings.Count(p, "/") == 2:
			systems = append(systems, p)
		default:
			far = append(far, p)
		}
	}
	out := [][]string{{own}}
	if len(beside) > 0 {
		out = append(out, beside)
	}
	if len(again) > 0 {
		out = append(out, again)
	}
	if slices.Contains(g.seenBy[own], "cmd/skald") {
		out = append(out, []string{"cmd/skald"})
	}
	if len(systems) > 0 { // what all rule systems stand on
		out = append(out, systems)
	}
	if len(far) > 0 && !near {
		out = append(out, far)
	}
	return out
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
