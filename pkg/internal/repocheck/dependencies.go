package repocheck

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// dependencyList is the document that lists the direct dependencies.
const dependencyList = "docs/DEPENDENCIES.md"

var (
	listedModule = regexp.MustCompile("^\\| `([^`]+)` \\|")
	toolLine     = regexp.MustCompile(`^(?:tool |\t)([a-z0-9.-]+\.[a-z]+/\S+)$`)
)

// Dependencies checks that every third-party module that code imports or the
// tools module pins is listed with its reason, and that every listed one is
// used.
func Dependencies(t *Tree) []Finding {
	listed := t.listedModules()
	used := map[string]bool{}
	var out []Finding
	use := func(importPath string, missing func(string) Finding) {
		found := false
		for module := range listed {
			if under(importPath, module) {
				used[module], found = true, true
			}
		}
		if !found {
			out = append(out, missing(fmt.Sprintf("%s is not listed in %s: add its module with the reason", importPath, dependencyList)))
		}
	}
	for _, p := range t.Packages {
		for _, f := range p.Files {
			for _, spec := range f.AST.Imports {
				target := importPath(spec)
				first, _, _ := strings.Cut(target, "/")
				if !strings.Contains(first, ".") || strings.HasPrefix(target, modulePrefix) {
					continue
				}
				use(target, func(m string) Finding { return t.at(spec.Pos(), "%s", m) })
			}
		}
	}
	for _, tool := range t.tools() {
		use(tool, func(m string) Finding { return Finding{Path: "tools/go.mod", Message: m} })
	}
	var unused []Finding
	for module, line := range listed {
		if !used[module] {
			unused = append(unused, Finding{Path: dependencyList, Line: line, Message: "nothing uses " + module})
		}
	}
	slices.SortFunc(unused, func(a, b Finding) int { return a.Line - b.Line })
	return append(out, unused...)
}

// listedModules are the modules in the first columns of the document's tables,
// with their lines.
func (t *Tree) listedModules() map[string]int {
	listed := map[string]int{}
	for i, line := range t.lines(dependencyList) {
		if m := listedModule.FindStringSubmatch(line); m != nil {
			listed[m[1]] = i + 1
		}
	}
	return listed
}

// tools are the programs pinned in the tools module.
func (t *Tree) tools() []string {
	var out []string
	inBlock := false
	for _, line := range t.lines("tools/go.mod") {
		switch {
		case line == "tool (":
			inBlock = true
		case line == ")":
			inBlock = false
		case inBlock || strings.HasPrefix(line, "tool "):
			if m := toolLine.FindStringSubmatch(line); m != nil {
				out = append(out, m[1])
			}
		}
	}
	return out
}

// lines are the lines of a text file; none if there is no such file.
func (t *Tree) lines(name string) []string {
	for _, text := range t.Texts {
		if text.Path == name {
			return strings.Split(text.Content, "\n")
		}
	}
	return nil
}
