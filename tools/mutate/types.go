package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// numbers tells of which type a number in the code is, as the code would write it.
type numbers struct {
	root   string
	export map[string]string // compiled packages
	files  map[string][]string
	known  map[string]map[int]string // by file, then by offset
}

// readNumbers asks the go command for what the packages of folders import.
func readNumbers(ctx context.Context, root string, dirs []string) (*numbers, error) {
	n := &numbers{root: root, export: map[string]string{}, files: map[string][]string{}, known: map[string]map[int]string{}}
	if len(dirs) == 0 {
		return n, nil
	}
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export"}
	for _, d := range dirs {
		args = append(args, "./"+d)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath, Dir, Export string
			GoFiles                 []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return n, nil
		} else if err != nil {
			return nil, err
		}
		n.export[p.ImportPath] = p.Export
		if dir, err := filepath.Rel(root, p.Dir); err == nil {
			n.files[filepath.ToSlash(dir)] = p.GoFiles
		}
	}
}

// of is the type of a number, empty when it has to stay a constant or its type
// has no name in the file.
func (n *numbers) of(m Mutant) string {
	if n.known[m.File] == nil {
		n.check(path.Dir(m.File))
	}
	return n.known[m.File][m.Start]
}

func (n *numbers) check(dir string) {
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range n.files[dir] {
		f, err := parser.ParseFile(set, filepath.Join(n.root, dir, name), nil, 0)
		if err != nil {
			return
		}
		files = append(files, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Error: func(error) {}, Importer: importer.ForCompiler(set, "gc", func(p string) (io.ReadCloser, error) {
		if n.export[p] == "" {
			return nil, fmt.Errorf("%s is not compiled", p)
		}
		return os.Open(n.export[p])
	})}
	pkg, _ := conf.Check(dir, set, files, info)
	for i, f := range files {
		at := map[int]string{}
		n.known[path.Join(dir, n.files[dir][i])] = at
		named := map[string]string{}
		for _, im := range f.Imports {
			p := strings.Trim(im.Path.Value, `"`)
			named[p] = ""
			if im.Name != nil {
				named[p] = im.Name.Name
			}
		}
		free(f, func(lit *ast.BasicLit) {
			t := info.Types[lit].Type
			if b, ok := t.(*types.Basic); t == nil || ok && b.Info()&types.IsUntyped != 0 {
				return
			}
			good := true
			text := types.TypeString(t, func(p *types.Package) string {
				name, ok := named[p.Path()]
				switch {
				case p == pkg:
					return ""
				case !ok:
					good = false
				case name == "":
					name = p.Name()
				}
				return name
			})
			if good && text != "any" && !strings.Contains(text, "interface") {
				at[set.Position(lit.Pos()).Offset] = text
			}
		})
	}
}

// free visits the numbers of a file that need not be constants.
func free(f *ast.File, visit func(*ast.BasicLit)) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok != token.CONST
		case *ast.ArrayType:
			return false
		case *ast.BasicLit:
			if n.Kind == token.INT {
				visit(n)
			}
		}
		return true
	})
}
