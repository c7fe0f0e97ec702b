package repocheck

import (
	"strings"
	"testing"
	"testing/fstest"
)

// A check that can not fail is worth nothing: each case is a small repository
// and says what the check finds in it, or that it finds nothing.
type checkCase struct {
	name  string
	files map[string]string
	// finds are parts of the findings expected, in order; none means clean.
	finds []string
}

func mapFS(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, content := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return fsys
}

func runCases(t *testing.T, check func(*Tree) []Finding, cases []checkCase) {
	t.Helper()
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			tree, err := Load(mapFS(tc.files))
			if err != nil {
				t.Fatal(err)
			}
			got := check(tree)
			for i, f := range got {
				if i >= len(tc.finds) || !strings.Contains(f.String(), tc.finds[i]) {
					t.Errorf("unexpected: %s", f)
				}
			}
			for i := len(got); i < len(tc.finds); i++ {
				t.Errorf("not found: %s", tc.finds[i])
			}
		})
	}
}

func TestPackageComments(t *testing.T) {
	runCases(t, PackageComments, []checkCase{
		{"one comment", map[string]string{
			"pkg/a/doc.go": "// Package a is good.\npackage a\n",
			"pkg/a/a.go":   "package a\n",
		}, nil},
		{"none", map[string]string{"pkg/a/a.go": "package a\n"}, []string{"pkg/a: no package comment"}},
		{"two", map[string]string{
			"pkg/a/a.go":   "// Package a is good.\npackage a\n",
			"pkg/a/doc.go": "// Package a is good.\npackage a\n",
		}, []string{"pkg/a/doc.go:1: a second package comment"}},
		{"generated code and tests need none", map[string]string{
			"proto/a.pb.go":     "package a\n",
			"pkg/b/b_test.go":   "package b\n",
			"pkg/testdata/c.go": "package c\n",
		}, nil},
	})
}

func TestExportedComments(t *testing.T) {
	runCases(t, ExportedComments, []checkCase{
		{"all documented", map[string]string{"pkg/a/a.go": `package a

// A is a type.
type A struct{}

// F does it.
func F() {}

func (A) Error() string { return "" }

type hidden struct{}

func (hidden) M() {}

// The kinds.
const (
	One = 1
	Two = 2
)

var (
	X = 1 // X is explained here.
)
`}, nil},
		{"function, method, type, constant", map[string]string{"pkg/a/a.go": `package a

func F() {}

type A struct{}

func (*A) M() {}

const C = 1
`}, []string{"a.go:3: exported F", "a.go:5: exported A", "a.go:7: exported M", "a.go:9: exported C"}},
		{"commands export nothing", map[string]string{"cmd/a/a.go": "package main\n\nfunc F() {}\n"}, nil},
	})
}

func TestFileLengths(t *testing.T) {
	long := "package a\n" + strings.Repeat("\n", maxLines)
	runCases(t, FileLengths, []checkCase{
		{"short", map[string]string{"pkg/a/a.go": "package a\n"}, nil},
		{"long", map[string]string{"pkg/a/a.go": long}, []string{"pkg/a/a.go: too long"}},
		{"long with a reason", map[string]string{"pkg/a/a.go": "// long file: it follows the book.\n\n" + long}, nil},
		{"long with an empty reason", map[string]string{"pkg/a/a.go": "// long file:\n\n" + long}, []string{"too long"}},
	})
}

func TestSystemNames(t *testing.T) {
	literal := "package a\n\nconst s = \"celesia\"\n"
	runCases(t, SystemNames, []checkCase{
		{"in shared code", map[string]string{"pkg/a/a.go": literal, "services/x/x.go": literal},
			[]string{`pkg/a/a.go:3: shared code names the rule system "celesia"`, "services/x/x.go:3"}},
		{"at home, in content and in tests", map[string]string{
			"pkg/rules/celesia/a.go": literal, "pkg/systems/a.go": literal, "pkg/a/a_test.go": literal}, nil},
		{"inside a longer text", map[string]string{"pkg/a/a.go": "package a\n\nconst s = \"celesia and others\"\n"}, nil},
	})
}

func TestRuleIDs(t *testing.T) {
	is := func(id string) bool { return id == "rcr.dice.assurance" }
	anyWith := func(p string) bool { return strings.HasPrefix("rcr.dice.assurance", p) }
	check := func(t *Tree) []Finding { return RuleIDs(t, is, anyWith) }
	runCases(t, check, []checkCase{
		{"known ones", map[string]string{
			"pkg/a/a.go":           "package a\n\n// rcr.dice.assurance, and the family rcr.dice.assur-\nconst s = \"rcr.dice.assurance\"\n",
			"scenarios/rcr/a.yaml": "rules: [rcr.dice.assurance]\n",
		}, []string{"no rule rcr.dice.assur-"}},
		{"a family", map[string]string{"docs/a.md": "All of rcr.dice.a- and so on.\n"}, []string{"docs/a.md:1"}},
		{"unknown in comment, string, scenario, document", map[string]string{
			"pkg/a/a.go":           "package a\n\n// spark.dice.nothing\nconst s = \"basic.dice.nothing\"\n",
			"scenarios/rcr/a.yaml": "title: A\nrules: [rcr.dice.none]\n",
			"README.md":            "See original.dice.none.\n",
		}, []string{"pkg/a/a.go:3: no rule spark.dice.nothing", "pkg/a/a.go:4: no rule basic.dice.nothing",
			"README.md:1: no rule original.dice.none", "scenarios/rcr/a.yaml:2: no rule rcr.dice.none"}},
		{"settings that a system declares, and one that it does not", map[string]string{
			"pkg/rules/rcr/a.go": "package rcr\n\nconst s = \"rcr.setting.tie-break\"\n",
			"docs/a.md":          "rcr.setting.tie-break\nrcr.setting.tie-braek\n",
		}, []string{"docs/a.md:2: no rule rcr.setting.tie-braek"}},
		{"code is no citation", map[string]string{"pkg/a/a.go": "package a\n\nvar x = original.dice.none\n"}, nil},
	})
}

func TestWords(t *testing.T) {
	unfinished := "TO" + "DO"
	missing := "not " + "implemented"
	machine := "/ro" + "ot/.config"
	runCases(t, Words, []checkCase{
		{"clean", map[string]string{"a.md": "The method TodoList, a network, the path pkg/work/a and the root/ folder.\n"}, nil},
		{"unfinished", map[string]string{"a.go": "package a\n\n// " + unfinished + ": later\n"}, []string{"a.go:3"}},
		{"refused for lack of code", map[string]string{"a.proto": "// " + missing + "\n"}, []string{"a.proto:1"}},
		{"one machine's path", map[string]string{"a.yaml": "file: " + machine + "\n", ".ci/run": "cd " + machine + "\n"}, []string{".ci/run:1", "a.yaml:1"}},
		{"generated code is nobody's words", map[string]string{"a.pb.go": "// " + unfinished + "\n"}, nil},
	})
}

func TestDependencies(t *testing.T) {
	list := "| module | why |\n|---|---|\n| `example.com/a` | A |\n| `example.com/tool` | B |\n"
	tools := "module x\n\ntool (\n\texample.com/tool/cmd/x\n)\n\nrequire (\n\texample.com/other v1.0.0\n)\n"
	uses := "package a\n\nimport (\n\t_ \"example.com/a/sub\"\n\t_ \"fmt\"\n\t_ \"" + modulePrefix + "pkg/b\"\n)\n"
	runCases(t, Dependencies, []checkCase{
		{"all listed and used", map[string]string{dependencyList: list, "tools/go.mod": tools, "pkg/a/a.go": uses}, nil},
		{"an import not listed, in a test too", map[string]string{dependencyList: list, "tools/go.mod": tools, "pkg/a/a.go": uses,
			"pkg/a/a_test.go": imports("example.com/ab")}, []string{"a_test.go:3: example.com/ab is not listed"}},
		{"a tool not listed", map[string]string{dependencyList: list, "pkg/a/a.go": uses,
			"tools/go.mod": tools + "\ntool example.com/more\n"}, []string{"tools/go.mod: example.com/more is not listed"}},
		{"a listed one that nothing uses", map[string]string{dependencyList: list, "tools/go.mod": "module x\n", "pkg/a/a.go": uses},
			[]string{dependencyList + ":4: nothing uses example.com/tool"}},
	})
}
