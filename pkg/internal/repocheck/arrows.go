package repocheck

import (
	"go/ast"
	"go/parser"
	"slices"
	"strconv"
	"strings"
)

// pure are the packages that compute and do nothing else.
var pure = []string{"pkg/dice", "pkg/event", "pkg/rules"}

// worldly is what a pure package and everything first-party below it must not
// import, with the reason.
var worldly = []struct{ path, why string }{
	{"google.golang.org/grpc", "the transport is the services' business"},
	{"github.com/nats-io", "the journal is the services' business"},
	{"go.etcd.io/bbolt", "projections are the services' business"},
	{"net", "no network"},
	{"os", "no files, no environment"},
	{"io/ioutil", "no files"},
	{"syscall", "no system calls"},
	{"time", "no clock: time comes in as data"},
	{"math/rand", "no randomness: faces come from the tape"},
	{"crypto/rand", "no randomness: faces come from the tape"},
	{"log", "no output: errors are returned"},
	{"database", "no storage"},
}

// ImportArrows checks that imports point one way: commands to services,
// services to packages, packages to pure packages; and that no rule system
// knows another.
func ImportArrows(t *Tree) []Finding {
	var out []Finding
	for _, p := range t.Packages {
		for _, f := range p.Files {
			if f.Test {
				continue
			}
			for _, spec := range f.AST.Imports {
				if why := badArrow(p.Dir, importPath(spec)); why != "" {
					out = append(out, t.at(spec.Pos(), "%s must not import %s: %s", p.Dir, importPath(spec), why))
				}
			}
		}
		if underAny(p.Dir, pure) {
			out = append(out, t.checkPure(p)...)
		}
	}
	return out
}

// badArrow says why a folder must not import a path; empty if it may.
func badArrow(dir, target string) string {
	to, firstParty := strings.CutPrefix(target, modulePrefix)
	if !firstParty {
		return ""
	}
	from, toParts := strings.Split(dir, "/"), strings.Split(to, "/")
	switch {
	case under(to, "pkg/internal/repocheck"):
		return "it is for its own tests"
	case from[0] == "proto" && toParts[0] != "proto":
		return "contracts know nobody"
	case from[0] == "pkg" && (toParts[0] == "services" || toParts[0] == "cmd"):
		return "packages do not know who uses them"
	case from[0] == "services" && toParts[0] == "cmd":
		return "services do not know who runs them"
	case from[0] == "services" && toParts[0] == "services" && len(from) > 1 && from[1] != toParts[1]:
		return "services meet over gRPC only"
	case from[0] == "cmd" && toParts[0] == "services" && len(toParts) != 2:
		return "a command uses a service's one exported package"
	case ruleSystem(dir) != "" && ruleSystem(to) != "" && ruleSystem(dir) != ruleSystem(to):
		return "no rule system imports another"
	}
	return ""
}

// ruleSystem is the rule system that a folder belongs to; empty if none.
func ruleSystem(dir string) string {
	rest, ok := strings.CutPrefix(dir, "pkg/rules/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	if !slices.Contains(systemNames, name) {
		return ""
	}
	return name
}

// checkPure walks everything first-party that a pure package reaches.
func (t *Tree) checkPure(start *Package) []Finding {
	var out []Finding
	seen := map[string]bool{start.Dir: true}
	for queue := []*Package{start}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		for _, spec := range t.imports(p) {
			target := importPath(spec)
			for _, w := range worldly {
				if under(target, w.path) {
					out = append(out, t.at(spec.Pos(), "pure package %s reaches %s: %s", start.Dir, target, w.why))
				}
			}
			dir, firstParty := strings.CutPrefix(target, modulePrefix)
			if next := t.pkg(dir); firstParty && next != nil && !seen[dir] {
				seen[dir] = true
				queue = append(queue, next)
			}
		}
	}
	return out
}

// imports are the imports of a package's files, tests left out, generated
// files included.
func (t *Tree) imports(p *Package) []*ast.ImportSpec {
	var specs []*ast.ImportSpec
	for _, f := range p.Files {
		if !f.Test {
			specs = append(specs, f.AST.Imports...)
		}
	}
	for _, f := range t.generated(p, parser.ImportsOnly) {
		specs = append(specs, f.Imports...)
	}
	return specs
}

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return p
}
