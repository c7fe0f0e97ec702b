package rules_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Of several rows about a name the one that says the most of it counts, wherever it stands:
// the longer one, and of two as long the one about its value.
func TestTheRowThatSaysTheMost(t *testing.T) {
	for _, rows := range []string{
		"counter,sp.,a.,\ncounter,sp.fire.,b.,\ncounter,sp.fire.big,c,\nmark,light,lamp,\nmark,light=dim,dusk=yes,\n",
		"mark,light=dim,dusk=yes,\nmark,light,lamp,\ncounter,sp.fire.big,c,\ncounter,sp.fire.,b.,\ncounter,sp.,a.,\n",
	} {
		all, err := rules.ReadRenames([]byte(renamesHead+rows), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ place, name, value, want string }{
			{rules.PlaceCounter, "sp.ice", "", "a.ice"}, {rules.PlaceCounter, "sp.fire.small", "", "b.small"}, {rules.PlaceCounter, "sp.fire.big", "", "c"},
			{rules.PlaceCounter, "sp.fire.bigger", "", "b.bigger"}, {rules.PlaceCounter, "sp.", "", "a."}, {rules.PlaceCounter, "s", "", ""},
			{rules.PlaceMark, "light", "dim", "dusk"}, {rules.PlaceMark, "light", "bright", "lamp"}, {rules.PlaceMark, "lights", "dim", ""}, {rules.PlaceCounter, "light", "", ""},
		} {
			if _, got := all.Find(c.place, c.name, c.value); got != c.want {
				t.Errorf("%s %s=%s is %q now, want %q", c.place, c.name, c.value, got, c.want)
			}
		}
	}
}

// A state of this version of the tables and after is as it is; one of no number, and of the last
// before, is of before.
func TestWhichStatesAreOfBefore(t *testing.T) {
	for version, renamed := range map[string]bool{"": true, "1": true, "2": true, "3": false, "4": false, "0": true, "-1": true, "x": true} {
		s := &eventv1.State{SystemVersion: version, Creatures: map[string]*eventv1.Creature{"a": {Id: "a", Counters: map[string]int64{"was": 1}}}}
		rules.Upgrade(moved{table: "counter,was,is,\n"}, s)
		if _, now := s.Creatures["a"].Counters["is"]; now != renamed {
			t.Errorf("version %q: renamed %v", version, now)
		}
	}
}

// A word that others begin with is found for them all but for itself alone, the longest of
// several first, and one that ends otherwise begins none.
func TestWordsThatOthersBeginWith(t *testing.T) {
	word := func(name string) string { return "counter,," + name + ",number,,,,,actor,,T\n" }
	v, err := rules.ReadVocabulary("place,actions,name,type,values,sides,least,most,matter,rule,text\n"+word("slots.")+word("slots.pact.")+word("path/")+word("hit")+"deed,heal,depth,number,,,-5,0,actor,,T\ndeed,heal,height,number,,,0,5,actor,,T\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		word string
		n    float64
		good bool
	}{{"depth", -5, true}, {"depth", 0, true}, {"depth", 1, false}, {"depth", -6, false}, {"height", 5, true}, {"height", 6, false}, {"height", -1, false}, {"height", 0.5, false}} {
		said := &structpb.Struct{Fields: map[string]*structpb.Value{c.word: structpb.NewNumberValue(c.n)}}
		if err := v.CheckDeed("heal", said); (err == nil) != c.good {
			t.Errorf("%s of %v: %v", c.word, c.n, err)
		}
	}
	for name, want := range map[string]string{"slots.1": "slots.", "slots.pact.1": "slots.pact.", "slots.pact.": "slots.pact.", "slots.": "slots.", "slots.pact": "slots.",
		"path/a": "path/", "path": "", "hit": "hit", "hits": "", "hit.1": ""} {
		got := ""
		if w := v.Find(rules.PlaceCounter, "", name); w != nil {
			got = w.Name
		}
		if got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// An action that emits as many events as one may is carried out, and one more is refused: a rule
// that loops ends.
func TestAsManyEventsAsAnActionMayEmit(t *testing.T) {
	for n, good := range map[int]bool{limits.ActionEvents: true, limits.ActionEvents + 1: false} {
		out, err := runs(t, rules.Request{}, &table{}, func(r *rules.Resolution) error {
			for range n {
				r.Emit(event.GM(), &eventv1.Note{Text: "n"})
			}
			return nil
		})
		f, _ := fault.As(err)
		if good != (err == nil) || good && len(out.Events) != n || !good && f.Meta["limit"] != "events of one action" {
			t.Errorf("%d events: %v", n, err)
		}
	}
}

// A step is told where it changes a number, or would change another one: twice nothing is told,
// once is not.
func TestWhichStepsAreTold(t *testing.T) {
	for name, c := range map[string]struct {
		before, times, over, plus, after int32
		told                             bool
	}{
		"as it is":         {7, 0, 0, 0, 7, false},
		"once":             {7, 1, 1, 0, 7, false},
		"twice":            {7, 2, 1, 0, 14, true},
		"twice nothing":    {0, 2, 1, 0, 0, true},
		"half":             {7, 1, 2, 0, 3, true},
		"half of nothing":  {0, 1, 2, 0, 0, true},
		"one more":         {7, 0, 0, 1, 8, true},
		"turned round":     {7, -1, 0, 0, -7, true},
		"nothing, round":   {0, -1, 0, 0, 0, false},
		"twice, less half": {7, 2, 2, 0, 7, true},
	} {
		after, step := rules.Factored(c.before, c.times, c.over, c.plus, "x", "toy.x")
		if after != c.after || (step != nil) != c.told {
			t.Errorf("%s: %d, %v", name, after, step)
		}
	}
}

// A registry takes no system without a name, and none twice.
func TestSystemsHaveNames(t *testing.T) {
	if _, err := rules.NewRegistry(toy{}, toy{}); err == nil {
		t.Error("one system twice")
	}
	if _, err := rules.NewRegistry(nameless{}); err == nil {
		t.Error("a system without a name")
	}
}

type nameless struct{ toy }

func (nameless) Info() rules.Info { return rules.Info{} }

// What answers questions at once is not asked for dice, and one that says nothing leaves the
// question open.
func TestWhoAnswersIsNotAskedForDice(t *testing.T) {
	a := &silent{table: &table{}} // no tape: the dice are asked of people
	out, err := rules.Run(t.Context(), toy{}, rules.Request{State: fightState(t), Action: 7}, a, rules.Resolve(toy{}, attack))
	must(t, err)
	if len(out.Open) != 1 || out.Open[0].Kind != eventv1.DecisionKind_DECISION_KIND_DICE || len(a.asked) > 0 {
		t.Errorf("open %v; asked %v", out.Open, a.asked)
	}
	a = &silent{table: &table{tape: true, faces: []int32{15, 3, 3}}}
	out, err = rules.Run(t.Context(), toy{}, rules.Request{State: fightState(t), Action: 7}, a, rules.Resolve(toy{}, attack))
	must(t, err)
	if len(out.Open) != 1 || out.Open[0].Name != "parry" || !slices.Equal(a.asked, []string{"parry"}) {
		t.Errorf("open %v; asked %v", out.Open, a.asked)
	}
}

// silent answers nothing, and notes what it was asked.
type silent struct {
	*table
	asked []string
}

func (s *silent) Answer(_ context.Context, open []*eventv1.Decision) (*eventv1.Answer, string) {
	for _, d := range open {
		s.asked = append(s.asked, d.Name)
	}
	return nil, ""
}

// A turn that a system cannot end for the rules' sake goes on; a system that breaks in ending it is an
// error of the command.
func TestATurnThatCannotEndByItself(t *testing.T) {
	list := func(q rules.Query) []*eventv1.Option {
		return []*eventv1.Option{{Action: rules.EndTurnAction, Legal: true}}
	}
	for name, c := range map[string]struct {
		end        error
		fail, told bool
	}{"the rules forbid it": {fault.Refuse("NOT_YET", "toy.x", "not yet"), false, false}, "a field is wrong": {fault.Field("x", "wrong"), false, true}, "broken": {errors.New("broken"), true, false}} {
		s := fightState(t)
		s.Active = []string{"a"}
		event.Fold(s, event.New(event.Everyone(), &eventv1.SettingChanged{Setting: rules.SettingTurnEnds, Value: rules.TurnEndsByItself}))
		sys := turns{list: list, end: c.end}
		out, err := rules.Run(t.Context(), sys, rules.Request{State: s, Action: 7, Caller: gm}, &table{tape: true, faces: []int32{1}}, rules.Resolve(sys, attack))
		if (err != nil) != c.fail {
			t.Errorf("%s: %v", name, err)
			continue
		}
		told := err == nil && slices.ContainsFunc(out.Events, func(e *eventv1.Event) bool { return strings.Contains(e.GetNote().GetText(), "wrong") })
		if told != c.told {
			t.Errorf("%s: told %v", name, told)
		}
	}
}
