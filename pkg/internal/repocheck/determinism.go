package repocheck

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// orderFree is the comment that allows a loop over a map, on its line or the
// line above, followed by the reason why the order does not matter.
const orderFree = "// order-free:"

// Determinism checks that the pure packages compute the same from the same
// input, always: no goroutine, no channel, no loop over a map whose order could
// show, and, in rules and events, no floating point. Clocks and randomness are
// kept out by [ImportArrows].
func Determinism(t *Tree) []Finding {
	var out []Finding
	checker := newTypes(t)
	for _, p := range t.Packages {
		if !underAny(p.Dir, pure) {
			continue
		}
		info := checker.check(p)
		for _, f := range p.Files {
			if !f.Test {
				out = append(out, t.checkFile(p, f, info)...)
			}
		}
	}
	return out
}

func (t *Tree) checkFile(p *Package, f *File, info *types.Info) []Finding {
	var out []Finding
	allowed := t.commentLines(f, orderFree)
	floatLines := map[int]bool{}
	var sorted []ast.Expr // calls whose results are sorted at once
	ast.Inspect(f.AST, func(n ast.Node) bool {
		line := 0
		if n != nil {
			line = t.Fset.Position(n.Pos()).Line
		}
		orderMatters := !allowed[line] && !allowed[line-1]
		switch n := n.(type) {
		case *ast.GoStmt:
			out = append(out, t.at(n.Pos(), "a goroutine in a pure package: compute in order"))
		case *ast.SelectStmt, *ast.ChanType, *ast.SendStmt:
			out = append(out, t.at(n.Pos(), "a channel in a pure package: compute in order"))
		case *ast.RangeStmt:
			if isMap(info.TypeOf(n.X)) && orderMatters {
				out = append(out, t.at(n.Pos(), "range over a map: sort the keys first, or say why the order cannot show in a comment %q", orderFree+" ..."))
			}
		case *ast.CallExpr:
			if sorts(n) {
				sorted = append(sorted, n.Args...)
			}
			if iterates(n) && orderMatters && !slices.Contains(sorted, ast.Expr(n)) {
				out = append(out, t.at(n.Pos(), "iteration over a map: wrap it in slices.Sorted, or say why the order cannot show in a comment %q", orderFree+" ..."))
			}
		}
		if e, ok := n.(ast.Expr); ok && !under(p.Dir, "pkg/dice") && isFloat(info, e) && !floatLines[line] {
			floatLines[line] = true
			out = append(out, t.at(e.Pos(), "floating point in rules or events: use whole numbers, fractions as pairs"))
		}
		return true
	})
	return out
}

// commentLines are the lines that have a comment beginning so, with a reason.
func (t *Tree) commentLines(f *File, prefix string) map[int]bool {
	lines := map[int]bool{}
	for _, group := range f.AST.Comments {
		for _, c := range group.List {
			if reason, ok := strings.CutPrefix(c.Text, prefix); ok && strings.TrimSpace(reason) != "" {
				lines[t.Fset.Position(c.Pos()).Line] = true
			}
		}
	}
	return lines
}

func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	if param, ok := t.(*types.TypeParam); ok {
		t = coreOf(param)
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// coreOf is the type behind a type parameter such as M in [M ~map[K]V].
func coreOf(param *types.TypeParam) types.Type {
	constraint, ok := param.Constraint().Underlying().(*types.Interface)
	if !ok || constraint.NumEmbeddeds() != 1 {
		return param
	}
	embedded := constraint.EmbeddedType(0)
	if union, ok := embedded.(*types.Union); ok && union.Len() == 1 {
		return union.Term(0).Type()
	}
	return embedded
}

// isFloat is whether an expression is a floating-point type or variable value.
// Constants are let pass: alone they are exact, and with a variable the
// variable is found.
func isFloat(info *types.Info, e ast.Expr) bool {
	t := info.TypeOf(e)
	if t == nil || info.Types[e].Value != nil {
		return false
	}
	if name, ok := e.(*ast.Ident); ok {
		if _, constant := info.ObjectOf(name).(*types.Const); constant {
			return false
		}
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

// sorts is whether a call puts the iteration it is given in order.
func sorts(call *ast.CallExpr) bool {
	return calls(call, "slices", "Sorted", "SortedFunc", "SortedStableFunc")
}

// iterates is whether a call walks over a map in the map's own order.
func iterates(call *ast.CallExpr) bool {
	return calls(call, "maps", "Keys", "Values", "All")
}

func calls(call *ast.CallExpr, pkg string, names ...string) bool {
	fun := call.Fun
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == pkg && slices.Contains(names, sel.Sel.Name) && token.IsExported(sel.Sel.Name)
}
