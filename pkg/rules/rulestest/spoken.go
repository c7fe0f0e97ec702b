package rulestest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
)

// Words holds the vocabulary of a system against the source of its package:
// every key that the code looks up in what a command says is a word of the
// table, and every parameter and fact of the table stands in the code. Readers
// are functions of the package that look a key up, by name, with the place of
// the key among their arguments. The words of deeds Deeds holds.
func Words(t testing.TB, sys rules.System, source fs.FS, readers map[string]int) {
	t.Helper()
	v := rules.VocabularyOf(sys)
	if v == nil {
		t.Fatal("the system has no vocabulary")
	}
	known, keys := map[string]bool{}, keysOf(t, source, readers)
	for _, w := range v.Words {
		switch w.Place {
		case rules.PlaceParameter, rules.PlaceFact, rules.PlaceJoin, rules.PlaceStart:
			known[w.Name] = true
			if w.Type != rules.TypePath && !keys[w.Name] {
				t.Errorf("%s %q is in the table and read nowhere", w.Place, w.Name)
			}
		case rules.PlaceDeed:
			known[w.Name] = true
		}
	}
	for _, key := range rules.SortedKeys(keys) {
		if !known[key] {
			t.Errorf("%q is read and no word of the table", key)
		}
	}
	if len(keys) == 0 {
		t.Error("nothing is read: the scan is blind")
	}
}

// Deeds holds the words of deeds between fights against the deeds of a system's
// medicine and the functions of its package that take a command on patients:
// the deeds of the table are deeds, what these functions look up is a word of a
// deed, and every word of a deed is looked up there. Computed are the words
// that are looked up by a name that the code computes or hands on.
func Deeds(t testing.TB, sys rules.System, source fs.FS, computed ...string) {
	t.Helper()
	deeds, known := sys.Medicine().Deeds(), map[string]bool{}
	keys := map[string]bool{}
	files, texts := parsed(t, source)
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch f := n.(type) {
			case *ast.FuncDecl:
				if onPatients(f.Type) {
					lookedUp(f, nil, texts, keys)
				}
			case *ast.FuncLit:
				if onPatients(f.Type) {
					lookedUp(f, nil, texts, keys)
				}
			}
			return true
		})
	}
	if len(keys) == 0 {
		t.Error("nothing is read: the scan is blind")
	}
	for _, w := range rules.VocabularyOf(sys).Words {
		if w.Place != rules.PlaceDeed {
			continue
		}
		known[w.Name] = true
		for _, deed := range w.Actions {
			if !slices.Contains(deeds, deed) {
				t.Errorf("%q of %s: there is no such deed", w.Name, deed)
			}
		}
		if !keys[w.Name] && !slices.Contains(computed, w.Name) {
			t.Errorf("%q of %v is in the table and read nowhere", w.Name, w.Actions)
		}
	}
	for _, key := range append(rules.SortedKeys(keys), computed...) {
		if !known[key] {
			t.Errorf("%q is read and no word of a deed", key)
		}
	}
}

// onPatients tells whether a function takes a command on patients.
func onPatients(f *ast.FuncType) bool {
	return slices.ContainsFunc(f.Params.List, func(p *ast.Field) bool {
		star, is := p.Type.(*ast.StarExpr)
		if !is {
			return false
		}
		of, is := star.X.(*ast.SelectorExpr)
		return is && of.Sel.Name == "PatientCommand"
	})
}

// Offered holds that every parameter of every option that the creatures of a
// fight have now is a word of its action, of that type.
func Offered(t testing.TB, f *Table) {
	t.Helper()
	v := rules.VocabularyOf(f.System)
	for _, id := range rules.SortedKeys(f.State.Creatures) {
		for _, o := range f.System.Options(rules.Query{State: f.State, Creature: id, Content: f.Content}) {
			for _, p := range o.Parameters {
				w := v.Find(rules.PlaceParameter, o.Action, p.Name)
				if w == nil {
					t.Fatalf("%s offers %s, which is no word of it", o.Action, p.Name)
				}
				if w.Type != p.Type && (w.Type != rules.TypeStrings || p.Type != rules.TypeString) {
					t.Fatalf("%s offers %s as %s, the table has %s", o.Action, p.Name, p.Type, w.Type)
				}
			}
		}
	}
}

// keysOf lists the keys that the source of a package looks up in what is said:
// by the functions of package spoken and its own readers, and in fields. A key
// that is neither a text nor a constant is left out.
func keysOf(t testing.TB, source fs.FS, readers map[string]int) map[string]bool {
	t.Helper()
	files, texts := parsed(t, source)
	keys := map[string]bool{}
	for _, file := range files {
		lookedUp(file, readers, texts, keys)
	}
	return keys
}

// parsed are the files of a package without its tests, and the texts of its
// constants by name.
func parsed(t testing.TB, source fs.FS) ([]*ast.File, map[string]string) {
	t.Helper()
	names, err := fs.Glob(source, "*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	texts := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(path.Base(name), "_test.go") {
			continue
		}
		data, err := fs.ReadFile(source, name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
		constants(file, texts)
	}
	return files, texts
}

// lookedUp adds the keys that are looked up in a piece of code.
func lookedUp(in ast.Node, readers map[string]int, texts map[string]string, keys map[string]bool) {
	add := func(e ast.Expr) {
		if text, ok := textOf(e, texts); ok {
			keys[text] = true
		}
	}
	ast.Inspect(in, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.CallExpr:
			if at, is := reads(x, readers); is && at < len(x.Args) {
				add(x.Args[at])
			}
		case *ast.IndexExpr:
			if fields(x.X) {
				add(x.Index)
			}
		}
		return true
	})
}

// reads tells whether a call looks a key up, and which argument the key is.
func reads(call *ast.CallExpr, readers map[string]int) (int, bool) {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		pkg, is := f.X.(*ast.Ident)
		switch {
		case is && pkg.Name == "spoken" && slices.Contains([]string{"Word", "Truth", "Number", "Words"}, f.Sel.Name):
			return 1, true
		case is && pkg.Name == "at" && slices.Contains([]string{"Word", "Truth", "Number"}, f.Sel.Name): // of a play.At
			return 0, true
		}
	case *ast.Ident:
		at, is := readers[f.Name]
		return at, is
	}
	return 0, false
}

// fields tells whether an expression is the fields of an object.
func fields(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.CallExpr:
		f, is := x.Fun.(*ast.SelectorExpr)
		return is && f.Sel.Name == "GetFields"
	case *ast.SelectorExpr:
		return x.Sel.Name == "Fields"
	}
	return false
}

// constants adds the texts of a file's constants by name.
func constants(file *ast.File, texts map[string]string) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, is := n.(*ast.ValueSpec)
		if !is {
			return true
		}
		for i, name := range spec.Names {
			if i < len(spec.Values) {
				if text, ok := textOf(spec.Values[i], nil); ok {
					texts[name.Name] = text
				}
			}
		}
		return true
	})
}

func textOf(e ast.Expr, texts map[string]string) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, err == nil && x.Kind == token.STRING
	case *ast.Ident:
		text, ok := texts[x.Name]
		return text, ok
	}
	return "", false
}
