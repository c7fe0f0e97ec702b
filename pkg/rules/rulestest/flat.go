package rulestest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"
)

// Flat is the source of a system's package and of its chapters as if it were one
// package: names that chapters export for each other are written as those of the
// package alone are. Tests that hold tables to the source read it.
func Flat(t testing.TB, source fs.FS) fs.FS {
	t.Helper()
	texts, shared, chapters := map[string]string{}, map[string]bool{}, []string{}
	err := fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		texts[name] = string(data)
		if chapter := path.Dir(name); chapter != "." {
			chapters = append(chapters, chapter)
			return exported(name, data, shared)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	flat := fstest.MapFS{}
	// order-free: a map is written into a map
	for name, text := range texts {
		flat[strings.ReplaceAll(name, "/", "_")] = &fstest.MapFile{Data: []byte(flattened(text, chapters, shared))}
	}
	return flat
}

// exported collects the names of a file that its package exports.
func exported(name string, text []byte, into map[string]bool) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	add := func(id *ast.Ident) {
		if id.IsExported() {
			into[id.Name] = true
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					add(s.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						add(id)
					}
				}
			}
		}
	}
	return nil
}

var word = regexp.MustCompile(`(\w+\.)?[A-Za-z_]\w*`)

// flattened writes the shared names of a text as those of one package.
func flattened(text string, chapters []string, shared map[string]bool) string {
	of := map[string]bool{}
	for _, c := range chapters {
		of[path.Base(c)+"."], of["the"+path.Base(c)+"."] = true, true
	}
	var lines []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "//") || strings.Contains(line, `/rules/`) {
			lines = append(lines, line)
			continue
		}
		lines = append(lines, word.ReplaceAllStringFunc(line, func(w string) string {
			at := strings.IndexByte(w, '.') + 1
			switch {
			case at == 0 && shared[w]:
				return lowered(w)
			case at > 0 && of[w[:at]] && shared[w[at:]]:
				return lowered(w[at:])
			}
			return w
		}))
	}
	return strings.Join(lines, "")
}

func lowered(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[n:]
}
