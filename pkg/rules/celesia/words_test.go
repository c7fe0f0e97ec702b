package celesia

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	content "github.com/skaldrpg/skald/pkg/content/celesia"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// source is the package's own code: string constants by name and the words that
// it reads from commands, those of parameters apart from those of facts.
type source struct {
	constants  map[string]string
	parameters map[string]bool
	facts      map[string]bool
	unresolved []string
}

func text(t *testing.T, in fs.FS, name string) []byte {
	t.Helper()
	data, err := fs.ReadFile(in, name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readSource reads the package, all but what is said between fights, which
// TestWordsOfDeeds holds.
func readSource(t *testing.T) *source {
	t.Helper()
	flat := rulestest.Flat(t, os.DirFS("."))
	entries, err := fs.ReadDir(flat, ".")
	if err != nil {
		t.Fatal(err)
	}
	src := &source{constants: map[string]string{}, parameters: map[string]bool{}, facts: map[string]bool{}}
	var files []*ast.File
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "tend.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text(t, flat, name), 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	for _, file := range files {
		ast.Inspect(file, src.constant)
	}
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && !slices.Contains(generic, f.Name.Name) {
				ast.Inspect(f, src.reads)
			}
		}
	}
	return src
}

// generic are the functions that read a word whose name they are given.
var generic = []string{"oneOf", "stateFalse", "innerOf", "doReady", "refuseJoin"}

func (s *source) constant(n ast.Node) bool {
	spec, ok := n.(*ast.ValueSpec)
	if !ok {
		return true
	}
	for i, name := range spec.Names {
		if i < len(spec.Values) {
			if v, ok := s.text(spec.Values[i]); ok {
				s.constants[name.Name] = v
			}
		}
	}
	return true
}

// text is the value of a literal or of a constant.
func (s *source) text(e ast.Expr) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		v, err := strconv.Unquote(x.Value)
		return v, err == nil && x.Kind == token.STRING
	case *ast.Ident:
		v, ok := s.constants[x.Name]
		return v, ok
	}
	return "", false
}

func (s *source) reads(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.CallExpr:
		switch f := x.Fun.(type) {
		case *ast.SelectorExpr:
			if pkg, ok := f.X.(*ast.Ident); ok && pkg.Name == "spoken" && len(x.Args) == 2 {
				s.read(x.Args[0], x.Args[1])
			}
		case *ast.Ident:
			switch f.Name {
			case "oneOf":
				s.read(ast.NewIdent("Parameters"), x.Args[1])
			case "stateFalse":
				s.read(ast.NewIdent("Facts"), x.Args[1])
			}
		}
	case *ast.IndexExpr:
		if of := mentions(x.X); slices.Contains(of, "Fields") || slices.Contains(of, "GetFields") {
			s.read(x.X, x.Index)
		}
	}
	return true
}

func (s *source) read(from, key ast.Expr) {
	word, ok := s.text(key)
	if !ok {
		s.unresolved = append(s.unresolved, strings.Join(mentions(key), "."))
		return
	}
	for _, name := range mentions(from) {
		if strings.Contains(strings.ToLower(name), "facts") {
			s.facts[word] = true
			return
		}
	}
	s.parameters[word] = true
}

// mentions lists the names in an expression.
func mentions(e ast.Expr) []string {
	var out []string
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			out = append(out, id.Name)
		}
		return true
	})
	return out
}

// Every word that the code reads is in the table, and every word of the table is
// read.
func TestWordsAreThoseOfTheCode(t *testing.T) {
	src, v := readSource(t), System{}.Vocabulary()
	if len(src.unresolved) > 0 {
		// Generic helpers of their own keys: setters of a struct that nobody said.
		for _, name := range src.unresolved {
			if name != "pairs.i" && name != "key" {
				t.Errorf("the name of a word is not a constant: %s", name)
			}
		}
	}
	for _, name := range answers.ReadyWords {
		src.parameters[name] = true
	}
	src.parameters["path"] = true // said in take.path
	said := map[string]map[string]bool{rules.PlaceParameter: {}, rules.PlaceFact: {}}
	for _, w := range v.Words {
		switch w.Place {
		case rules.PlaceParameter:
			said[rules.PlaceParameter][w.Name] = true
		case rules.PlaceFact, rules.PlaceJoin, rules.PlaceStart:
			said[rules.PlaceFact][w.Name] = true
		}
	}
	for place, read := range map[string]map[string]bool{rules.PlaceParameter: src.parameters, rules.PlaceFact: src.facts} {
		if len(read) < 15 {
			t.Fatalf("only %d words of place %s found in the code", len(read), place)
		}
		for _, name := range rules.SortedKeys(read) {
			if !said[place][name] {
				t.Errorf("the code reads the %s %q, which is not in the table", place, name)
			}
		}
		for _, name := range rules.SortedKeys(said[place]) {
			if !read[name] {
				t.Errorf("nothing reads the %s %q of the table", place, name)
			}
		}
	}
}

// The names of counters, marks, conditions and injuries are those that the code
// has.
func TestNamesAreThoseOfTheCode(t *testing.T) {
	src, v := readSource(t), System{}.Vocabulary()
	ofThe := map[string]map[string]bool{rules.PlaceCounter: {}, rules.PlaceMark: {}, rules.PlaceCondition: {"effect.": true}, rules.PlaceInjury: {}}
	for name, value := range src.constants {
		for prefix, place := range map[string]string{"c": rules.PlaceCounter, "m": rules.PlaceMark, "cond": rules.PlaceCondition} {
			rest, ok := strings.CutPrefix(name, prefix)
			if ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' && name != "cSeconds" { // the encounter's
				ofThe[place][value] = true
			}
		}
	}
	for _, o := range manners.TradeOffs {
		if o.Lasts || o.Id == mending.OptionRecklessAim || o.Id == mending.OptionReckless {
			ofThe[rules.PlaceCondition][o.Id] = true
		}
	}
	table, err := content.Book().Table("situations")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(table) {
		if name := strings.Split(line, ",")[2]; name != "condition" && name != "*" && !strings.HasPrefix(name, "injury:") {
			ofThe[rules.PlaceCondition][name] = true
		}
	}
	ofThe[rules.PlaceCounter][house.CounterSpeed] = true
	for _, name := range []string{"broken-tool"} { // asked for by a limit
		ofThe[rules.PlaceCondition][name] = true
	}
	for _, c := range strike.Cripples {
		ofThe[rules.PlaceInjury][c.Row] = true
	}
	for place, names := range ofThe {
		if got, want := v.Names(place, ""), rules.SortedKeys(names); !slices.Equal(got, want) {
			t.Errorf("%ss\n%v\nwant\n%v", place, got, want)
		}
	}
}

// A word's values are the lists that the code itself goes by.
func TestValuesAreThoseOfTheCode(t *testing.T) {
	var trades []string
	for _, o := range manners.TradeOffs {
		trades = append(trades, o.Id)
	}
	for _, tt := range []struct {
		place, action, name string
		want                []string
	}{
		{rules.PlaceParameter, "attack", "options", trades},
		{rules.PlaceParameter, "ready", "options", trades},
		{rules.PlaceParameter, "use-ability", "options", []string{mending.OptionMartial}},
		{rules.PlaceParameter, "ready", "action", answers.Readiable},
		{rules.PlaceParameter, "ready", "trigger", answers.Triggers},
		{rules.PlaceParameter, "saving-throw", "save", body.Saves},
		{rules.PlaceParameter, "ride", "gait", []string{items.GaitSingle, items.GaitDouble, items.GaitRun}},
		{rules.PlaceParameter, "demoralize", "condition", []string{body.CondShaken, body.CondFrightened, body.CondPanicked}},
		{rules.PlaceParameter, "attack", "damage", []string{"lethal", body.NatureNonlethal}},
		{rules.PlaceFact, "coup-unseen", "concealment", []string{"none", "partial", strike.ConcealedTotally}},
	} {
		w := System{}.Vocabulary().Find(tt.place, tt.action, tt.name)
		if w == nil || !slices.Equal(slices.Sorted(slices.Values(w.Values)), slices.Sorted(slices.Values(tt.want))) {
			t.Errorf("%s of %s: %v, want %v", tt.name, tt.action, w, tt.want)
		}
	}
	for _, id := range answers.Readiable {
		if strike.ActionOf(id) == nil {
			t.Errorf("there is no action %s to ready", id)
		}
	}
	for _, c := range strike.Cripples {
		w := System{}.Vocabulary().Find(rules.PlaceInjury, "", c.Row)
		if !slices.Equal(w.Values, []string{c.Row}) || slices.Contains(sideless, c.Row) != (len(w.Sides) == 0) {
			t.Errorf("%s: %v", c.Row, w)
		}
		for n := range int32(21) {
			for _, side := range body.Sides(n) {
				if len(w.Sides) > 0 && !slices.Contains(w.Sides, side) {
					t.Errorf("%s: no side %s", c.Row, side)
				}
			}
		}
	}
	for _, gait := range (System{}).Vocabulary().Find(rules.PlaceParameter, "ride", "gait").Values {
		if saddle.GaitActs(gait) < 1 || saddle.GaitTimes(gait) < 1 {
			t.Errorf("the gait %s leads nowhere", gait)
		}
	}
}

// Readying takes the words of whatever can be readied beside its own.
//
// celesia.action.ready
func TestReadyTakesTheWordsOfWhatIsReadied(t *testing.T) {
	v := System{}.Vocabulary()
	want := map[string]map[string]bool{rules.PlaceParameter: {}, rules.PlaceFact: {}}
	for _, name := range answers.ReadyWords {
		want[rules.PlaceParameter][name] = true
	}
	for place, words := range want {
		for _, id := range answers.Readiable {
			for _, name := range v.Names(place, id) {
				// The act of readying is no free one, and is not begun in part.
				if name == "strenuous" || name == checks.ParamCommit {
					continue
				}
				words[name] = true
				if inner, outer := v.Find(place, id, name), v.Find(place, "ready", name); outer != nil && (inner.Type != outer.Type || inner.Matter != outer.Matter) {
					t.Errorf("%s of %s is %s of the %s, readied %s of the %s", name, id, inner.Type, inner.Matter, outer.Type, outer.Matter)
				}
			}
		}
		if got := v.Names(place, "ready"); !slices.Equal(got, rules.SortedKeys(words)) {
			t.Errorf("%ss %v\nwant %v", place, got, rules.SortedKeys(words))
		}
	}
}

// What follows from the table of actions: who threatens counts for what provokes,
// strain for what may be free, and parts for what takes several acts.
//
// celesia.action.provoke, celesia.injury.disabled-strain, celesia.turn.action-classes
func TestWordsFollowTheActions(t *testing.T) {
	v := System{}.Vocabulary()
	// What is free for some, and calls of the game master, which are no deeds.
	mayBeFree := []string{"draw", "load", "cast", "use-ability", "skill-check"}
	called := []string{"set-off", "reactive-check", "saving-throw", "ability-check"}
	varied := []string{"feint", "grapple", "grapple-continued", "load", "cast", "use-ability", "load-firearm"}
	for _, listed := range checks.Frame().Actions() {
		a := strike.ActionOf(listed.ID)
		if got := v.Find(rules.PlaceFact, a.ID, "threatened_by") != nil; a.Provoke != nil && !got {
			t.Errorf("%s provokes, and nobody threatens", a.ID)
		}
		free := a.CostOf == nil && len(a.Costs) == 0 && !slices.Contains(called, a.ID) || slices.Contains(mayBeFree, a.ID)
		if got := v.Find(rules.PlaceFact, a.ID, "strenuous") != nil; got != free {
			t.Errorf("%s may be strenuous: %v, want %v", a.ID, got, free)
		}
		parts := !a.Is(checks.Whole) && !a.Is(checks.Task) && (a.CostOf == nil && a.Cost(&play.At{Action: &a.Action}, body.CActs) > 1 || slices.Contains(varied, a.ID))
		if got := v.Find(rules.PlaceParameter, a.ID, checks.ParamCommit) != nil; got != parts {
			t.Errorf("%s in parts: %v, want %v", a.ID, got, parts)
		}
		if !slices.Contains(v.Actions, a.ID) {
			t.Errorf("%s is no action of the vocabulary", a.ID)
		}
	}
}

// offered checks that every parameter listed for a creature is a word of its
// action, of its type, with values that the word has.
func offered(t testing.TB, s *eventv1.State, id string) {
	t.Helper()
	v := System{}.Vocabulary()
	for _, o := range (System{}).Options(rules.Query{State: s, Creature: id}) {
		for _, p := range o.Parameters {
			w := v.Find(rules.PlaceParameter, o.Action, p.Name)
			if w == nil || p.Type != w.Type || p.Matter != w.Matter {
				t.Fatalf("%s offers %v, the word is %v", o.Action, p, w)
			}
			for _, value := range p.Values {
				if len(w.Values) > 0 && !slices.Contains(w.Values, value.GetStringValue()) {
					t.Fatalf("%s offers %v for %s, whose values are %v", o.Action, value, p.Name, w.Values)
				}
			}
		}
	}
}

// The words of deeds between fights are those that the deeds read, and their
// values those of the code.
func TestWordsOfDeeds(t *testing.T) {
	rulestest.Deeds(t, System{}, rulestest.Flat(t, os.DirFS(".")))
	v := System{}.Vocabulary()
	if nature, via := v.Find(rules.PlaceDeed, mending.DeedHarm, "nature"), v.Find(rules.PlaceDeed, body.DeedHeal, "via"); !slices.Equal(nature.Values, []string{body.NatureNonlethal, body.NatureBurn}) || !slices.Equal(via.Values, []string{mending.ViaMagic}) {
		t.Errorf("natures %v, ways of healing %v", nature.Values, via.Values)
	}
}

func TestOfferedParametersAreWords(t *testing.T) {
	f := newTable(t).add(field()...)
	for _, id := range rules.SortedKeys(f.State.Creatures) {
		offered(t, f.State, id)
	}
	f.start(nil, 15, 14, 13, 12)
	for _, id := range rules.SortedKeys(f.State.Creatures) {
		offered(t, f.State, id)
	}
	m := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
	offered(t, m.State, "a")
}

// Whatever carries an action out comes after those who may answer it, and so after
// dice: it refuses nothing any more. What forbids an action its refuse and check
// have said before.
func TestDeedsRefuseNothing(t *testing.T) {
	flat := rulestest.Flat(t, os.DirFS("."))
	entries, err := fs.ReadDir(flat, ".")
	if err != nil {
		t.Fatal(err)
	}
	deeds := 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), text(t, flat, e.Name()), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "do") || f.Type.Results == nil {
				continue
			}
			deeds++
			ast.Inspect(f, func(n ast.Node) bool {
				if back, ok := n.(*ast.ReturnStmt); ok {
					for _, name := range mentions(&ast.CompositeLit{Elts: back.Results}) {
						if name == "refuse" || name == "fault" || name == "err" {
							t.Errorf("%s refuses something", f.Name.Name)
						}
					}
				}
				return true
			})
		}
	}
	if deeds < 60 {
		t.Errorf("only %d deeds found", deeds)
	}
}
