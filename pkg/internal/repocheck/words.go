package repocheck

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// systemNames are the ids of the rule systems.
var systemNames = []string{"rcr", "spark", "basic", "celesia", "original"}

// systemHomes are the folders that may name a rule system: the systems
// themselves, the one place that registers them, and content made for them.
var systemHomes = []string{"pkg/systems", "pkg/catalogue", "pkg/content", "pkg/internal/repocheck", "scenarios"}

// systemAllowed are files elsewhere that may name a rule system, with the
// names they may use.
var systemAllowed = map[string][]string{
	"cmd/skald/internal/cli/demo.go":    {"rcr"}, // the system that is shown when none is asked for
	"cmd/skald/internal/story/story.go": {"rcr"}, // the system that the story is played by
}

// SystemNames checks that code shared by all rule systems does not ask which
// one it serves: string literals that name a system stay in the folders of
// rule systems. Tests may name what they like.
func SystemNames(t *Tree) []Finding {
	var out []Finding
	for _, p := range t.Packages {
		if ruleSystem(p.Dir) != "" || underAny(p.Dir, systemHomes) {
			continue
		}
		for _, f := range p.Files {
			if f.Test {
				continue
			}
			for _, lit := range literals(f) {
				if slices.Contains(systemNames, lit.text) && !slices.Contains(systemAllowed[f.Path], lit.text) {
					out = append(out, t.at(lit.pos, "shared code names the rule system %q: ask the system through pkg/rules instead", lit.text))
				}
			}
		}
	}
	return out
}

// ruleID is what a cited rule looks like; a trailing hyphen cites a family.
var ruleID = regexp.MustCompile(`\b(?:` + strings.Join(systemNames, "|") + `)\.[a-z]+(?:-[a-z]+)*\.[a-z0-9-]+`)

// settingID is the id of a setting that is no rule: a reading that tables
// differ on, declared by its rule system.
var settingID = regexp.MustCompile(`^[a-z]+\.setting\.[a-z0-9-]+$`)

// declaredSettings are the ids of such settings in the code of rule systems.
func (t *Tree) declaredSettings() map[string]bool {
	declared := map[string]bool{}
	for _, p := range t.Packages {
		if ruleSystem(p.Dir) == "" {
			continue
		}
		for _, f := range p.Files {
			if f.Test {
				continue
			}
			for _, value := range literals(f) {
				if settingID.MatchString(value.text) {
					declared[value.text] = true
				}
			}
		}
	}
	return declared
}

// literal is a string in the code.
type literal struct {
	pos  token.Pos
	text string
}

func literals(f *File) []literal {
	var out []literal
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, literal{lit.Pos(), text})
			}
		}
		return true
	})
	return out
}

// RuleIDs checks that every rule cited in comments and strings of Go files, in
// scenarios and in documents is in the catalogue, and every setting declared
// by a rule system. known tells whether there is such a rule; anyWith whether
// any rule begins so.
func RuleIDs(t *Tree, known, anyWith func(id string) bool) []Finding {
	var out []Finding
	settings := t.declaredSettings()
	check := func(path string, line int, text string) {
		for i, l := range strings.Split(text, "\n") {
			for _, id := range ruleID.FindAllString(l, -1) {
				if known(id) || settings[id] || strings.HasSuffix(id, "-") && anyWith(id) {
					continue
				}
				out = append(out, Finding{Path: path, Line: line + i, Message: "no rule " + id + " in the catalogue"})
			}
		}
	}
	for _, p := range t.Packages {
		if underAny(p.Dir, []string{"pkg/catalogue", "pkg/internal/repocheck"}) {
			continue // their tests cite rules that must not exist
		}
		for _, f := range p.Files {
			for _, group := range f.AST.Comments {
				for _, c := range group.List {
					check(f.Path, t.Fset.Position(c.Pos()).Line, c.Text)
				}
			}
			for _, lit := range literals(f) {
				check(f.Path, t.Fset.Position(lit.pos).Line, lit.text)
			}
		}
	}
	for _, text := range t.Texts {
		if under(text.Path, "scenarios") || under(text.Path, "docs") || path.Ext(text.Path) == ".md" {
			if path.Ext(text.Path) != ".go" {
				check(text.Path, 1, text.Content)
			}
		}
	}
	return out
}

// forbidden are words that mark unfinished work or one particular machine.
var forbidden = []struct {
	pattern *regexp.Regexp
	why     string
}{
	{regexp.MustCompile(`\b(` + "TO" + `DO|` + "FIX" + `ME)\b`), "unfinished work: finish it, or open an issue"},
	{regexp.MustCompile(`(?i)\b(` + "not " + `implemented|` + "place" + `holder)\b`), "unfinished work: finish it, or do not offer it"},
	{regexp.MustCompile(`(^|[\s"'=(:` + "`" + `])/(` + `work|root)/`), "a path of one machine"},
}

// Words checks that no file has words that mark unfinished work or a path of
// one particular machine.
func Words(t *Tree) []Finding {
	var out []Finding
	for _, text := range t.Texts {
		for i, line := range strings.Split(text.Content, "\n") {
			for _, f := range forbidden {
				if word := f.pattern.FindString(line); word != "" {
					out = append(out, Finding{Path: text.Path, Line: i + 1, Message: strconv.Quote(strings.TrimSpace(word)) + ": " + f.why})
				}
			}
		}
	}
	return out
}
