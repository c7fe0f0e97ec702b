package repocheck

import (
	"go/ast"
	"path"
	"strings"
)

// Cited are the rules that code decides by: those that the production code of
// rule systems, dice and services names in comments, strings or constants, and
// those that stand in the tables by which it decides. byConst gives the id of a
// system's rule that has such a constant; empty for none.
//
// The vocabulary (words.csv) decides nothing and does not count.
func Cited(t *Tree, byConst func(system, name string) string) map[string]bool {
	cited := map[string]bool{}
	find := func(text string) {
		for _, id := range ruleID.FindAllString(text, -1) {
			cited[id] = true
		}
	}
	for _, p := range t.Packages {
		if !underAny(p.Dir, []string{"pkg/rules", "pkg/dice", "services"}) || under(p.Dir, "pkg/rules/rulestest") {
			continue
		}
		for _, f := range p.Files {
			if f.Test {
				continue
			}
			for _, group := range f.AST.Comments {
				find(group.Text())
			}
			for _, lit := range literals(f) {
				find(lit.text)
			}
			for _, id := range constants(f, byConst) {
				cited[id] = true
			}
		}
	}
	for _, text := range t.Texts {
		if under(text.Path, "pkg/content") && path.Base(path.Dir(text.Path)) == "tables" && path.Base(text.Path) != "words.csv" {
			find(text.Content)
		}
	}
	return cited
}

// constants are the rules that a file names by the generated constants of a book.
func constants(f *File, byConst func(system, name string) string) []string {
	system := ""
	for _, spec := range f.AST.Imports {
		if rest, ok := strings.CutPrefix(importPath(spec), modulePrefix+"pkg/content/"); ok && path.Base(rest) == "cite" {
			system = path.Dir(rest)
		}
	}
	if system == "" {
		return nil
	}
	var ids []string
	ast.Inspect(f.AST, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == "cite" {
			if id := byConst(system, sel.Sel.Name); id != "" {
				ids = append(ids, id)
			}
		}
		return true
	})
	return ids
}
