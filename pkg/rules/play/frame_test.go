package play_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func do(*rules.Resolution, *play.At) error { return nil }

// action is one that may be done, with what a test changes of it.
func action(change func(a *play.Action)) *play.Action {
	a := &play.Action{ID: "poke", Title: "Poke", Rule: "toy.poke", Group: play.GroupAttack, Most: 1, Do: do}
	if change != nil {
		change(a)
	}
	return a
}

func frame(t *testing.T, f play.Frame, list ...*play.Action) *play.Frame {
	t.Helper()
	made, err := play.New(f, list)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// people are a and b of one side, and c of another.
func people() *eventv1.State {
	return &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": {Id: "a", Name: "A", Side: "x"}, "b": {Id: "b", Name: "B", Side: "x"}, "c": {Id: "c", Name: "C", Side: "y"}}}
}

func said(t *testing.T, pairs ...any) *structpb.Struct {
	t.Helper()
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	s, err := structpb.NewStruct(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// wrong is the field of a refusal, or its reason; empty for none.
func wrong(err error) string {
	f, ok := fault.As(err)
	switch {
	case !ok && err != nil:
		return err.Error()
	case !ok:
		return ""
	case len(f.Violations) > 0:
		return f.Violations[0].Field
	}
	return f.Reason
}

// An action that says too little, or twice the same, makes no frame.
func TestActionsThatMakeNoFrame(t *testing.T) {
	for name, c := range map[string]struct {
		change func(a *play.Action)
		why    string
	}{
		"sound":              {nil, ""},
		"no id":              {func(a *play.Action) { a.ID = "" }, "without id or title"},
		"no title":           {func(a *play.Action) { a.Title = "" }, "without id or title"},
		"nothing to do":      {func(a *play.Action) { a.Do = nil }, "does nothing"},
		"no group":           {func(a *play.Action) { a.Group = "fun" }, "is not one of"},
		"more than most":     {func(a *play.Action) { a.Least = 2 }, "2 to 1 targets"},
		"as many as most":    {func(a *play.Action) { a.Least = 1 }, ""},
		"a range of its own": {func(a *play.Action) { a.Least, a.Range = 2, func(*play.At) (int32, int32) { return 0, 1 } }, ""},
	} {
		_, err := play.New(play.Frame{System: "toy"}, []*play.Action{action(c.change)})
		if c.why == "" && err != nil || c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := play.New(play.Frame{System: "toy"}, []*play.Action{action(nil)}, []*play.Action{action(nil)}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("twice: %v", err)
	}
}

// A command is refused by what comes first: whether it may be done at all, the item,
// the way, the targets, the words, all of it together.
func TestInWhatOrderACommandIsRefused(t *testing.T) {
	no := func(reason string) error { return fault.Refuse(reason, "toy.rule", "no") }
	all := map[string]bool{}
	a := action(func(a *play.Action) {
		a.Least = 1
		a.Items = func(*play.At) []string { return []string{"stick"} }
		a.Refuse = func(*play.At) error {
			if all["way"] {
				return no("WAY")
			}
			return nil
		}
		a.RefuseTarget = func(*play.At, *eventv1.Creature) error {
			if all["target"] {
				return no("TARGET")
			}
			return nil
		}
		a.Fields = func(*play.At) []play.Field { return []play.Field{{Name: "how", Required: all["words"]}} }
		a.Check = func(*play.At) error {
			if all["whole"] {
				return no("WHOLE")
			}
			return nil
		}
	})
	f := frame(t, play.Frame{System: "toy", May: func(*play.At) error {
		if all["may"] {
			return no("MAY")
		}
		return nil
	}}, a)
	take := &eventv1.TakeAction{Creature: "a", Action: "poke", Item: "stick", Targets: []string{"c"}}
	for _, c := range [][2]string{{"", ""}, {"whole", "WHOLE"}, {"words", "take.parameters.how"}, {"target", "TARGET"}, {"way", "WAY"}, {"item", "take.item"}, {"may", "MAY"}} {
		all[c[0]] = true
		if c[0] == "item" {
			take.Item = "stone"
		}
		if got := wrong(f.Refused(f.At(people(), take))); got != c[1] {
			t.Errorf("%v: %q, want %q", all, got, c[1])
		}
	}
	if at := f.At(people(), &eventv1.TakeAction{Creature: "a", Action: "poko"}); at != nil {
		t.Error("there is no such action")
	}
}

// How many targets an action takes, whether one may be named twice, and whether oneself.
func TestTargetsOfACommand(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(a *play.Action)
		targets []string
		want    string
	}{
		"none":                  {func(a *play.Action) { a.Most = 2 }, nil, ""},
		"as many":               {func(a *play.Action) { a.Most = 2 }, []string{"b", "c"}, ""},
		"one more":              {func(a *play.Action) { a.Most = 1 }, []string{"b", "c"}, "take.targets"},
		"as few":                {func(a *play.Action) { a.Least, a.Most = 1, 2 }, []string{"b"}, ""},
		"one fewer":             {func(a *play.Action) { a.Least, a.Most = 1, 2 }, nil, "take.targets"},
		"exactly one, not two":  {func(a *play.Action) { a.Least = 1 }, []string{"b", "c"}, "take.targets"},
		"exactly one, not none": {func(a *play.Action) { a.Least = 1 }, nil, "take.targets"},
		"by its range":          {func(a *play.Action) { a.Range = func(*play.At) (int32, int32) { return 2, 2 } }, []string{"b"}, "take.targets"},
		"one twice":             {func(a *play.Action) { a.Most = 2 }, []string{"b", "b"}, "take.targets[1]"},
		"one twice, allowed":    {func(a *play.Action) { a.Most, a.Repeat = 2, play.Always }, []string{"b", "b"}, ""},
		"oneself":               {nil, []string{"a"}, "NO_TARGET"},
		"oneself, allowed":      {func(a *play.Action) { a.Self = true }, []string{"a"}, ""},
		"the second is refused": {func(a *play.Action) {
			a.Most, a.RefuseTarget = 2, func(_ *play.At, t *eventv1.Creature) error {
				if t.Side == "y" {
					return fault.Refuse("FOE", "", "no foe")
				}
				return nil
			}
		}, []string{"b", "c"}, "FOE"},
	} {
		f := frame(t, play.Frame{System: "toy"}, action(c.change))
		if got := wrong(f.Refused(f.At(people(), &eventv1.TakeAction{Creature: "a", Action: "poke", Targets: c.targets}))); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The words of a command are those that the way takes, with the values that are left.
func TestWordsOfACommand(t *testing.T) {
	one := func(f play.Field) func(a *play.Action) {
		return func(a *play.Action) { a.Fields = func(*play.At) []play.Field { return []play.Field{f} } }
	}
	for name, c := range map[string]struct {
		change func(a *play.Action)
		words  []any
		path   bool
		want   string
	}{
		"no fields at all":       {nil, []any{"x", 1}, false, ""},
		"one not asked for":      {one(play.Field{Name: "how"}), []any{"what", "x"}, false, "take.parameters.what"},
		"one asked for":          {one(play.Field{Name: "how"}), []any{"how", "x"}, false, ""},
		"one left out":           {one(play.Field{Name: "how"}), nil, false, ""},
		"one that is required":   {one(play.Field{Name: "how", Required: true}), nil, false, "take.parameters.how"},
		"required, and optional": {func(a *play.Action) { one(play.Field{Name: "how", Required: true})(a); a.Optional = true }, nil, false, ""},
		"optional, but wrong":    {func(a *play.Action) { one(play.Field{Name: "how", Required: true})(a); a.Optional = true }, []any{"what", 1}, false, "take.parameters.how"},
		"for listings alone":     {func(a *play.Action) { one(play.Field{Name: "how", Required: true})(a); a.Loose = true }, []any{"what", 1}, false, ""},
		"a path by its own word": {one(play.Field{Name: "path", Required: true}), nil, true, ""},
		"no path":                {one(play.Field{Name: "path", Required: true}), nil, false, "take.parameters.path"},
		"a value that is left":   {one(play.Field{Name: "how", Values: []string{"hard", "soft"}}), []any{"how", "soft"}, false, ""},
		"one that is not":        {one(play.Field{Name: "how", Values: []string{"hard", "soft"}}), []any{"how", "sift"}, false, "take.parameters.how"},
		"a list of them":         {one(play.Field{Name: "how", Values: []string{"hard", "soft"}}), []any{"how", []any{"hard", "soft"}}, false, ""},
		"a list with another":    {one(play.Field{Name: "how", Values: []string{"hard", "soft"}}), []any{"how", []any{"hard", "sift"}}, false, "take.parameters.how"},
		"no values are left":     {one(play.Field{Name: "how", Values: []string{}}), []any{"how", "hard"}, false, "take.parameters.how"},
		"a value listed":         {one(play.Field{Name: "how", Listed: []*structpb.Value{structpb.NewStringValue("hard")}}), []any{"how", "hard"}, false, ""},
		"one that is not listed": {one(play.Field{Name: "how", Listed: []*structpb.Value{structpb.NewStringValue("hard")}}), []any{"how", "soft"}, false, "take.parameters.how"},
		"a number of some":       {one(play.Field{Name: "how", Numbers: []int32{2, 4}}), []any{"how", 4}, false, ""},
		"another number":         {one(play.Field{Name: "how", Numbers: []int32{2, 4}}), []any{"how", 3}, false, "take.parameters.how"},
		"the least":              {one(play.Field{Name: "how", Least: 2, Most: 4}), []any{"how", 2}, false, ""},
		"less":                   {one(play.Field{Name: "how", Least: 2, Most: 4}), []any{"how", 1}, false, "take.parameters.how"},
		"the most":               {one(play.Field{Name: "how", Least: 2, Most: 4}), []any{"how", 4}, false, ""},
		"more":                   {one(play.Field{Name: "how", Least: 2, Most: 4}), []any{"how", 5}, false, "take.parameters.how"},
		"up to nothing":          {one(play.Field{Name: "how", Least: -4}), []any{"how", -4}, false, ""},
		"below that":             {one(play.Field{Name: "how", Least: -4}), []any{"how", -5}, false, "take.parameters.how"},
		"above nothing":          {one(play.Field{Name: "how", Least: -4}), []any{"how", 1}, false, "take.parameters.how"},
		"from nothing on":        {one(play.Field{Name: "how", Most: 4}), []any{"how", -1}, false, "take.parameters.how"},
		"true, and no less":      {one(play.Field{Name: "how", True: true}), []any{"how", true}, false, ""},
		"false":                  {one(play.Field{Name: "how", True: true}), []any{"how", false}, false, "take.parameters.how"},
	} {
		f := frame(t, play.Frame{System: "toy"}, action(c.change))
		take := &eventv1.TakeAction{Creature: "a", Action: "poke"}
		if c.words != nil {
			take.Parameters = said(t, c.words...)
		}
		if c.path {
			take.Path = []*eventv1.Position{{X: 5}}
		}
		if got := wrong(f.Refused(f.At(people(), take))); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A listing shows who is left as a target, and where there are too few of them why, in
// the words of a foe before those of a friend.
func TestTargetsOfAListing(t *testing.T) {
	refuse := func(refused string) func(*play.At, *eventv1.Creature) error {
		return func(_ *play.At, t *eventv1.Creature) error {
			if strings.Contains(refused, t.Id) {
				return fault.Refuse("NO_"+strings.ToUpper(t.Id), "toy.rule", "not %s", t.Id)
			}
			return nil
		}
	}
	for name, c := range map[string]struct {
		change      func(a *play.Action)
		legal       bool
		targets     string
		least, most int32
		reason      string
	}{
		"all others":         {func(a *play.Action) { a.Least, a.Most = 1, 5 }, true, "b c", 1, 2, ""},
		"oneself too":        {func(a *play.Action) { a.Least, a.Most, a.Self = 1, 5, true }, true, "a b c", 1, 3, ""},
		"again and again":    {func(a *play.Action) { a.Least, a.Most, a.Repeat = 1, 5, play.Always }, true, "b c", 1, 5, ""},
		"fewer than all":     {func(a *play.Action) { a.Least, a.Most = 1, 1 }, true, "b c", 1, 1, ""},
		"nobody":             {func(a *play.Action) { a.Most = 0 }, true, "", 0, 0, ""},
		"the candidates":     {func(a *play.Action) { a.Least, a.Candidates = 1, func(*play.At) []string { return []string{"c"} } }, true, "c", 1, 1, ""},
		"no candidate":       {func(a *play.Action) { a.Least, a.Candidates = 1, func(*play.At) []string { return nil } }, false, "", 1, 0, "there is nobody to aim at"},
		"the foe refuses":    {func(a *play.Action) { a.Least, a.RefuseTarget = 1, refuse("c") }, true, "b", 1, 1, ""},
		"all refuse":         {func(a *play.Action) { a.Least, a.RefuseTarget = 1, refuse("b c") }, false, "", 1, 0, "not c"},
		"too few are left":   {func(a *play.Action) { a.Least, a.Most, a.RefuseTarget = 2, 2, refuse("b") }, false, "", 2, 1, "not b"},
		"none is needed":     {func(a *play.Action) { a.RefuseTarget = refuse("b c") }, true, "", 0, 0, ""},
		"refused by the way": {func(a *play.Action) { a.Refuse = func(*play.At) error { return fault.Refuse("WAY", "", "not so") } }, false, "", 0, 0, "not so"},
		"nothing to choose":  {func(a *play.Action) { a.Choices = func(*play.At) []*eventv1.Option { return nil } }, false, "", 0, 1, play.NothingToChoose},
		"a way in which nothing is chosen": {func(a *play.Action) {
			a.Choices, a.Chooses = func(*play.At) []*eventv1.Option { return nil }, func(*play.At) bool { return false }
		}, true, "b c", 0, 1, ""},
		"a way in which something is": {func(a *play.Action) {
			a.Choices, a.Chooses = func(*play.At) []*eventv1.Option { return nil }, func(*play.At) bool { return true }
		}, false, "", 0, 1, play.NothingToChoose},
		"something to choose": {func(a *play.Action) {
			a.Choices = func(*play.At) []*eventv1.Option { return []*eventv1.Option{{Action: "x"}} }
		}, true, "b c", 0, 1, ""},
	} {
		f := frame(t, play.Frame{System: "toy"}, action(c.change))
		list := f.Options(rules.Query{State: people(), Creature: "a", Actions: []string{"poke"}})
		if len(list) != 1 {
			t.Fatalf("%s: %v", name, list)
		}
		o := list[0]
		if o.Legal != c.legal || strings.Join(o.Targets, " ") != c.targets || o.MinimumTargets != c.least || o.MaximumTargets != c.most || o.Reason != c.reason {
			t.Errorf("%s: %v", name, o)
		}
		legal := f.Options(rules.Query{State: people(), Creature: "a", Actions: []string{"poke"}, LegalOnly: true})
		if (len(legal) == 1) != c.legal {
			t.Errorf("%s, legal ones alone: %v", name, legal)
		}
	}
}

// A listing has every way of every action that is wanted, and the end of the turn; of
// one who is not there, or of whom nothing can be said, nothing.
func TestWhatAListingHas(t *testing.T) {
	sticks := action(func(a *play.Action) {
		a.Items = func(*play.At) []string { return []string{"stick", "stone"} }
		a.Names = func(at *play.At) string { return "Poke with " + at.Item() }
		a.RuleOf = func(at *play.At) string { return "toy." + at.Item() }
		a.Costs = []play.Cost{{Counter: "action", Amount: 1}, {Counter: "mana", Amount: 2}, {Counter: "mana", Amount: 1}}
	})
	wave := action(func(a *play.Action) {
		a.ID, a.Title, a.Group, a.Most = "wave", "Wave", play.GroupOther, 0
		a.Further = func(at *play.At) []*eventv1.Option {
			return []*eventv1.Option{{Action: "wave", Title: "Wave twice", Legal: true}}
		}
	})
	f := frame(t, play.Frame{System: "toy", EndTurnTitle: "End", EndTurnRule: "toy.end", EndTurn: func(at *play.At) error {
		if at.Actor.Id == "b" {
			return fault.Refuse("NOT_YOURS", "toy.turn", "not yours")
		}
		return nil
	}, Hidden: func(at *play.At) bool { return at.Actor.Id == "c" }}, sticks, wave)
	titles := func(q rules.Query) string {
		q.State = people()
		var list []string
		for _, o := range f.Options(q) {
			list = append(list, o.Title+"/"+o.Item)
		}
		return strings.Join(list, " ")
	}
	for name, c := range map[string]struct {
		q    rules.Query
		want string
	}{
		"all":              {rules.Query{Creature: "a"}, "Poke with stick/stick Poke with stone/stone Wave/ Wave twice/ End/"},
		"one action":       {rules.Query{Creature: "a", Actions: []string{"wave"}}, "Wave/ Wave twice/"},
		"the end":          {rules.Query{Creature: "a", Actions: []string{rules.EndTurnAction}}, "End/"},
		"the first":        {rules.Query{Creature: "a", First: true}, "Poke with stick/stick Poke with stone/stone"},
		"the first of two": {rules.Query{Creature: "a", First: true, Actions: []string{"none", "wave", "poke"}}, "Wave/ Wave twice/"},
		"the first: end":   {rules.Query{Creature: "a", First: true, Actions: []string{rules.EndTurnAction}}, "End/"},
		"not its turn":     {rules.Query{Creature: "b", LegalOnly: true, Actions: []string{rules.EndTurnAction}}, ""},
		"of nobody":        {rules.Query{Creature: "z"}, ""},
		"of one hidden":    {rules.Query{Creature: "c"}, ""},
	} {
		if got := titles(c.q); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	o := f.Options(rules.Query{State: people(), Creature: "a", Actions: []string{"poke"}})[1]
	if o.Rule != "toy.stone" || o.Costs["action"] != 1 || o.Costs["mana"] != 3 || o.Group != "attack" || o.Creature != "a" {
		t.Errorf("%v", o)
	}
	end := f.Options(rules.Query{State: people(), Creature: "b", Actions: []string{rules.EndTurnAction}})[0]
	if end.Legal || end.Reason != "not yours" || end.Rule != "toy.turn" || end.Group != "turn" {
		t.Errorf("%v", end)
	}
	if got := f.IDs(); !slices.Equal(got, []string{"poke", "wave"}) || f.Action("wave") != wave || f.Action("none") != nil {
		t.Error(got)
	}
}

// What a turn goes on for: what costs something that counts, a deed that is free, and a
// move as long as there are feet.
func TestWhatHoldsATurn(t *testing.T) {
	f := frame(t, play.Frame{System: "toy", Lasts: play.Lasts{Minor: []string{"free"}, Movement: "feet"}}, action(nil))
	cost := func(pairs ...any) map[string]int32 {
		m := map[string]int32{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = int32(pairs[i+1].(int))
		}
		return m
	}
	for name, c := range map[string]struct {
		o     *eventv1.Option
		feet  int64
		holds bool
	}{
		"an action":                  {&eventv1.Option{Group: "other", Costs: cost("action", 1)}, 0, true},
		"a free action":              {&eventv1.Option{Group: "other", Costs: cost("free", 1)}, 0, false},
		"both":                       {&eventv1.Option{Group: "other", Costs: cost("free", 1, "action", 1)}, 0, true},
		"an attack by a free action": {&eventv1.Option{Group: "attack", Costs: cost("free", 1)}, 0, false},
		"a cost of nothing":          {&eventv1.Option{Group: "other", Costs: cost("action", 0)}, 0, false},
		"an attack for nothing":      {&eventv1.Option{Group: "attack"}, 0, true},
		"a spell for nothing":        {&eventv1.Option{Group: "magic"}, 0, true},
		"a word":                     {&eventv1.Option{Group: "other"}, 0, false},
		"a move, with feet":          {&eventv1.Option{Group: "move"}, 5, true},
		"a move, without":            {&eventv1.Option{Group: "move"}, 0, false},
		"a move, nobody counts":      {&eventv1.Option{Group: "move"}, -1, true},
	} {
		who := &eventv1.Creature{Id: "a", Counters: map[string]int64{"feet": c.feet}}
		if c.feet < 0 {
			who.Counters = nil
		}
		if got := f.HoldsTurn(who, c.o); got != c.holds {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Whose an action is, when it may be taken, and what a system says of it itself.
func TestFactsOfActions(t *testing.T) {
	a := action(func(a *play.Action) { a.Early, a.Referee = true, true })
	f := frame(t, play.Frame{System: "toy"}, a, action(func(a *play.Action) { a.ID = "wave" }))
	if !f.GMOnly("poke") || f.GMOnly("wave") || f.GMOnly("none") || !f.BeforeStart("poke") || f.BeforeStart("wave") || f.BeforeStart("none") {
		t.Error("who may, and when")
	}
	if !a.Is(0) || a.Is(1) {
		t.Error("traits")
	}
	a.Traits = 3
	if !a.Is(1) || !a.Is(3) || a.Is(5) {
		t.Error("traits")
	}
}
