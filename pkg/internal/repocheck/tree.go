package repocheck

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// modulePrefix is the part that all first-party import paths share; what
// follows is the folder.
const modulePrefix = "github.com/skaldrpg/skald/"

// Finding is one place that breaks a rule of the repository.
type Finding struct {
	// Path of the file or folder, from the top of the repository.
	Path string
	// Line in the file; 0 when the finding is about the whole.
	Line int
	// Message says what is wrong and what to do.
	Message string
}

// String is the finding as path:line: message.
func (f Finding) String() string {
	if f.Line == 0 {
		return f.Path + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.Message)
}

// Tree is the repository, read once for all checks.
type Tree struct {
	// Fset has the positions of all parsed files.
	Fset *token.FileSet
	// Packages are the folders with Go files, by folder, in order.
	Packages []*Package
	// Texts are all text files that people write, Go files among them: no
	// generated code, no checksums.
	Texts []Text

	fsys fs.FS
}

// Package is the Go files of one folder.
type Package struct {
	// Dir is the folder from the top of the repository.
	Dir string
	// Files are its Go files by name, generated ones left out.
	Files []*File
	// GeneratedNames are the paths of its generated Go files.
	GeneratedNames []string
}

// File is one parsed Go file.
type File struct {
	// Path from the top of the repository.
	Path string
	// Test is whether it is a test file.
	Test bool
	// AST is the file, comments included.
	AST *ast.File
	// Lines is the number of lines.
	Lines int
}

// Text is one text file.
type Text struct {
	// Path from the top of the repository.
	Path string
	// Content is all of it.
	Content string
}

// textEndings are the files whose words are checked.
var textEndings = []string{".go", ".proto", ".yaml", ".yml", ".md", ".mod", ".work", ".sh", ".html", ".js", ".css", ".csv", ".txt", ".toml"}

// Load reads the repository below the root of fsys.
func Load(fsys fs.FS) (*Tree, error) {
	t := &Tree{Fset: token.NewFileSet(), fsys: fsys}
	packages := map[string]*Package{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skipDir(name) {
				return fs.SkipDir
			}
			return nil
		}
		return t.add(packages, name)
	})
	if err != nil {
		return nil, fmt.Errorf("repocheck: %w", err)
	}
	for _, p := range packages {
		t.Packages = append(t.Packages, p)
	}
	slices.SortFunc(t.Packages, func(a, b *Package) int { return strings.Compare(a.Dir, b.Dir) })
	return t, nil
}

// skipDir leaves out what is not ours to judge: version control, what a server
// wrote, the inputs of fuzzers, and built pages, whose sources are elsewhere.
func skipDir(name string) bool {
	base := path.Base(name)
	hidden := strings.HasPrefix(base, ".") && base != "." && base != ".ci"
	return hidden || name == "data" || name == "bin" || base == "node_modules" || base == "dist" || strings.HasSuffix(name, "testdata/fuzz")
}

func (t *Tree) add(packages map[string]*Package, name string) error {
	isGo := strings.HasSuffix(name, ".go")
	script := path.Ext(name) == "" && (strings.HasPrefix(name, ".ci/") || strings.HasPrefix(name, "tools/"))
	if !script && !slices.Contains(textEndings, path.Ext(name)) {
		return nil
	}
	inTestdata := strings.Contains(name, "testdata/")
	pkg := packages[path.Dir(name)]
	if isGo && !inTestdata && pkg == nil {
		pkg = &Package{Dir: path.Dir(name)}
		packages[pkg.Dir] = pkg
	}
	if strings.HasSuffix(name, ".pb.go") {
		pkg.GeneratedNames = append(pkg.GeneratedNames, name)
		return nil
	}
	raw, err := fs.ReadFile(t.fsys, name)
	if err != nil {
		return err
	}
	t.Texts = append(t.Texts, Text{Path: name, Content: string(raw)})
	if !isGo || inTestdata {
		return nil
	}
	file, err := parser.ParseFile(t.Fset, name, raw, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	pkg.Files = append(pkg.Files, &File{
		Path: name, Test: strings.HasSuffix(name, "_test.go"), AST: file,
		Lines: strings.Count(string(raw), "\n"),
	})
	return nil
}

// at makes a finding for a position.
func (t *Tree) at(pos token.Pos, format string, args ...any) Finding {
	p := t.Fset.Position(pos)
	return Finding{Path: p.Filename, Line: p.Line, Message: fmt.Sprintf(format, args...)}
}

// pkg finds the package of a folder; nil if there is none.
func (t *Tree) pkg(dir string) *Package {
	i, ok := slices.BinarySearchFunc(t.Packages, dir, func(p *Package, d string) int { return strings.Compare(p.Dir, d) })
	if !ok {
		return nil
	}
	return t.Packages[i]
}

// under is whether a path is a folder or lies below it.
func under(name, dir string) bool {
	return name == dir || strings.HasPrefix(name, dir+"/")
}

// underAny is under for any of several folders.
func underAny(name string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return under(name, dir) })
}
