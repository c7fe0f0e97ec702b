package repocheck

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// PackageComments checks that every package has exactly one package comment,
// so that a reader finds what it is for and what it must never do in one place.
func PackageComments(t *Tree) []Finding {
	var out []Finding
	for _, p := range t.Packages {
		var documented []*File
		code := false
		for _, f := range p.Files {
			if f.Test {
				continue
			}
			code = true
			if f.AST.Doc != nil {
				documented = append(documented, f)
			}
		}
		switch {
		case !code || len(documented) == 1:
		case len(documented) == 0:
			out = append(out, Finding{Path: p.Dir, Message: "no package comment: write doc.go, saying what the package is for and what it must never do"})
		default:
			for _, f := range documented[1:] {
				out = append(out, t.at(f.AST.Doc.Pos(), "a second package comment; the first is in %s", documented[0].Path))
			}
		}
	}
	return out
}

// selfEvident are methods whose meaning the standard library fixes.
var selfEvident = []string{"Error", "Unwrap", "Len", "Less", "Swap"}

// ExportedComments checks that every exported name at the top of a file has a
// comment: for itself, or for the group it stands in.
func ExportedComments(t *Tree) []Finding {
	var out []Finding
	for _, p := range t.Packages {
		for _, f := range p.Files {
			if f.Test || f.AST.Name.Name == "main" {
				continue
			}
			for _, decl := range f.AST.Decls {
				for _, name := range undocumented(decl) {
					out = append(out, t.at(name.Pos(), "exported %s has no comment", name.Name))
				}
			}
		}
	}
	return out
}

func undocumented(decl ast.Decl) []*ast.Ident {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		method := d.Recv != nil
		if method && (!ast.IsExported(receiver(d)) || slices.Contains(selfEvident, d.Name.Name)) {
			return nil
		}
		if d.Name.IsExported() && d.Doc == nil {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		if d.Tok == token.IMPORT || d.Doc != nil {
			return nil
		}
		var names []*ast.Ident
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && s.Doc == nil {
					names = append(names, s.Name)
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() && s.Doc == nil && s.Comment == nil {
						names = append(names, name)
					}
				}
			}
		}
		return names
	}
	return nil
}

// receiver is the name of a method's type.
func receiver(d *ast.FuncDecl) string {
	expr := d.Recv.List[0].Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

// maxLines is how long a Go file may be without an explanation.
const maxLines = 600

// longFile is the comment that explains a longer one.
const longFile = "// long file:"

// FileLengths checks that no Go file is too long to be read at one sitting.
func FileLengths(t *Tree) []Finding {
	var out []Finding
	for _, p := range t.Packages {
		for _, f := range p.Files {
			if f.Lines > maxLines && len(t.commentLines(f, longFile)) == 0 {
				out = append(out, Finding{Path: f.Path, Message: strings.TrimSpace(
					"too long to be read at one sitting: split it, or say why not in a comment " + longFile + " ...")})
			}
		}
	}
	return out
}
