package repocheck

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// fromSource are the standard packages whose declarations matter to the
// checks: those that hand maps on. All others are taken as empty, which keeps
// the check fast; what comes from them has an unknown type and is let pass.
var fromSource = []string{"maps", "slices", "iter", "cmp"}

// typeChecker finds the types in first-party packages without building
// anything: it reads sources only, and forgives whatever it does not know.
type typeChecker struct {
	tree *Tree
	done map[string]*types.Package
}

func newTypes(t *Tree) *typeChecker {
	return &typeChecker{tree: t, done: map[string]*types.Package{}}
}

// check finds the types in the bodies of a package, tests left out.
func (c *typeChecker) check(p *Package) *types.Info {
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{},
		Uses:  map[*ast.Ident]types.Object{},
	}
	c.run(modulePrefix+p.Dir, c.files(p), info)
	return info
}

func (c *typeChecker) files(p *Package) []*ast.File {
	files := c.tree.generated(p, parser.SkipObjectResolution)
	for _, f := range p.Files {
		if !f.Test {
			files = append(files, f.AST)
		}
	}
	return files
}

func (c *typeChecker) run(importPath string, files []*ast.File, info *types.Info) *types.Package {
	config := types.Config{
		Importer:         c,
		Error:            func(error) {}, // unknown packages make errors; the rest is still good
		IgnoreFuncBodies: info == nil,
		FakeImportC:      true,
	}
	pkg, _ := config.Check(importPath, c.tree.Fset, files, info)
	return pkg
}

// Import gives the declarations of a package, or an empty package.
func (c *typeChecker) Import(importPath string) (*types.Package, error) {
	if importPath == "unsafe" {
		return types.Unsafe, nil
	}
	if pkg, ok := c.done[importPath]; ok {
		return pkg, nil
	}
	var files []*ast.File
	if dir, ok := strings.CutPrefix(importPath, modulePrefix); ok {
		if p := c.tree.pkg(dir); p != nil {
			files = c.files(p)
		}
	} else if slices.Contains(fromSource, importPath) {
		files = standard(c.tree.Fset, importPath)
	}
	empty := types.NewPackage(importPath, path.Base(importPath))
	empty.MarkComplete()
	c.done[importPath] = empty // also what a cycle of imports, a mistake, would meet
	if len(files) > 0 {
		c.done[importPath] = c.run(importPath, files, nil)
	}
	return c.done[importPath], nil
}

// generated parses the generated files of a package.
func (t *Tree) generated(p *Package, mode parser.Mode) []*ast.File {
	var files []*ast.File
	for _, name := range p.GeneratedNames {
		raw, err := fs.ReadFile(t.fsys, name)
		if err != nil {
			continue
		}
		if f, err := parser.ParseFile(t.Fset, name, raw, mode); err == nil {
			files = append(files, f)
		}
	}
	return files
}

// standard parses a package of the standard library.
func standard(fset *token.FileSet, importPath string) []*ast.File {
	dir := filepath.Join(build.Default.GOROOT, "src", importPath)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		if f, err := parser.ParseFile(fset, filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution); err == nil {
			files = append(files, f)
		}
	}
	return files
}
