package limits

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of docs/OPERATIONS.md anew")

const (
	page  = "../../docs/OPERATIONS.md"
	begin = "<!-- limits: begin -->\n"
	end   = "<!-- limits: end -->"
)

// table is the limits as documentation shows them.
func table() string {
	var b strings.Builder
	b.WriteString("| what | limit | name |\n|---|---|---|\n")
	group := ""
	for _, l := range All() {
		if l.Group != group {
			group = l.Group
			fmt.Fprintf(&b, "| **%s** | | |\n", group)
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` |\n", l.What, amount(l.Value, l.Unit), l.Name)
	}
	return b.String()
}

func amount(n int64, unit string) string {
	switch {
	case unit == "bytes" && n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case unit == "bytes" && n >= 1<<14 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && n >= 10_000; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + " " + unit
}

// TestTable: docs/OPERATIONS.md lists what is in force.
func TestTable(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	old, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("docs/OPERATIONS.md has no place for the limits")
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+table()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != table() {
		t.Errorf("docs/OPERATIONS.md has other limits: run go test ./limits -run TestTable -update in pkg; it wants\n%s", table())
	}
}

// TestAll: every constant is listed, once and in order.
func TestAll(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "limits.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			for _, n := range s.(*ast.ValueSpec).Names {
				names = append(names, n.Name)
			}
		}
	}
	all := All()
	for i := range max(len(names), len(all)) {
		if i >= len(names) || i >= len(all) || all[i].Name != names[i] || all[i].Value <= 0 {
			t.Fatalf("place %d: the constants are %v, the list is %+v", i, names, all)
		}
	}
}
