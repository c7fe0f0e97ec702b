package rules_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fightState has two creatures, a and b, of 20 hit points in a running fight.
func fightState(t *testing.T) *eventv1.State {
	t.Helper()
	s := event.NewState()
	for _, cmd := range []*eventv1.Command{
		{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: "e", Table: "main", System: "toy"}}},
		{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: "a", Name: "A", Side: "x", HitPoints: 20, Controllers: []string{"ann"}}}}},
		{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: "b", Name: "B", Side: "y", HitPoints: 20}}}},
		{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}},
	} {
		out, err := rules.Run(context.Background(), toy{}, rules.Request{State: s, Action: 1}, &table{}, rules.Resolve(toy{}, cmd))
		must(t, err)
		s = out.State
	}
	return s
}

var attack = &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: "a", Action: "attack", Targets: []string{"b"}}}}

// session runs the attack as a service would: it stores events and inputs and
// runs again with each answer.
type session struct {
	base   *eventv1.State
	t      *table
	inputs []*eventv1.Input
	events []*eventv1.Event
	open   []*eventv1.Decision
	state  *eventv1.State
}

func (s *session) run(tb testing.TB, early []*eventv1.EarlyAnswer, faces ...int32) error {
	tb.Helper()
	out, err := rules.Run(context.Background(), toy{}, rules.Request{State: s.base, Action: 7, Recorded: s.inputs, Published: s.events, Early: early, Faces: faces}, s.t, rules.Resolve(toy{}, attack))
	if err != nil {
		return err
	}
	s.events = append(s.events, out.Fresh...)
	s.inputs = append(s.inputs, out.Inputs...)
	s.open, s.state = out.Open, out.State
	return nil
}

func (s *session) answer(tb testing.TB, option string) {
	tb.Helper()
	s.inputs = append(s.inputs, rules.Answered(s.open[0], &eventv1.Answer{Option: option}, "answer"))
	if err := s.run(tb, nil); err != nil {
		tb.Fatal(err)
	}
}

func TestSuspensionGoesOnWhereItStopped(t *testing.T) {
	s := &session{base: fightState(t), t: &table{tape: true, faces: []int32{15, 2, 6, 5}}}
	must(t, s.run(t, nil))
	if len(s.open) != 1 || s.open[0].Name != "parry" {
		t.Fatalf("open: %v", s.open)
	}
	s.answer(t, "yes") // parry rolls 2: fails; damage 6+5; then the deed asks
	if len(s.open) != 1 || s.open[0].Name != "endure" {
		t.Fatalf("open: %v", s.open)
	}
	s.answer(t, "yes")
	if len(s.open) != 0 || s.state.Creatures["b"].GetHp() != 15 || s.state.Creatures["a"].Counters["score"] != 5 {
		t.Fatalf("open %v, hp %d, score %d", s.open, s.state.Creatures["b"].GetHp(), s.state.Creatures["a"].Counters["score"])
	}
	if want := []string{"to-hit#0", "parry#0", "harm/damage#0"}; !slices.Equal(s.t.drawn, want) {
		t.Errorf("drawn %v, want each once: %v", s.t.drawn, want)
	}
	// The stored events alone give the same state.
	folded := event.Clone(s.base)
	event.FoldAll(folded, s.events)
	if !proto.Equal(folded, s.state) {
		t.Error("fold of the stored events differs from the working state")
	}
	if len(s.state.Decisions) != 0 {
		t.Errorf("decisions left open: %v", s.state.Decisions)
	}
}

func TestStandingOrdersAndEarlyAnswersAskNobody(t *testing.T) {
	base := fightState(t)
	event.Fold(base, event.New(event.Everyone(), &eventv1.StandingOrderSet{Creature: "b", Decision: "parry", Order: "no"}))
	s := &session{base: base, t: &table{tape: true, faces: []int32{15, 1, 2}}}
	must(t, s.run(t, []*eventv1.EarlyAnswer{{Decision: "endure", Creature: "b", Answer: &eventv1.Answer{Option: "no"}}}))
	if len(s.open) != 0 || s.state.Creatures["b"].GetHp() != 17 {
		t.Fatalf("open %v, hp %d", s.open, s.state.Creatures["b"].GetHp())
	}
	var by []string
	for _, e := range s.events {
		if a := e.GetDecisionAnswered(); a != nil {
			by = append(by, a.By)
		}
	}
	if !slices.Equal(by, []string{"standing-order", "early"}) {
		t.Errorf("answered by %v", by)
	}
}

func TestSuppliedFaces(t *testing.T) {
	early := []*eventv1.EarlyAnswer{{Decision: "parry", Answer: &eventv1.Answer{Option: "no"}}, {Decision: "endure", Answer: &eventv1.Answer{Option: "no"}}}
	t.Run("exact", func(t *testing.T) {
		s := &session{base: fightState(t), t: &table{}}
		must(t, s.run(t, early, 15, 6, 6))
		if s.state.Creatures["b"].GetHp() != 8 {
			t.Errorf("hp %d", s.state.Creatures["b"].GetHp())
		}
	})
	t.Run("left over", func(t *testing.T) {
		s := &session{base: fightState(t), t: &table{}}
		must(t, s.run(t, early, 15, 6, 6, 1))
		last := s.events[len(s.events)-1].GetNote()
		if !slices.Equal(last.GetFacesSetAside(), []int32{1}) || s.state.Creatures["b"].GetHp() != 8 {
			t.Errorf("ended with %v", s.events[len(s.events)-1])
		}
	})
	t.Run("missing in the deed: asked for", func(t *testing.T) {
		s := &session{base: fightState(t), t: &table{}}
		must(t, s.run(t, early, 15))
		if len(s.open) != 1 || s.open[0].Kind != eventv1.DecisionKind_DECISION_KIND_DICE || s.open[0].Expression != "2d6" {
			t.Fatalf("open: %v", s.open)
		}
		s.inputs = append(s.inputs, rules.Answered(s.open[0], &eventv1.Answer{Faces: []int32{3, 4}}, "answer"))
		must(t, s.run(t, early))
		if len(s.open) != 0 || s.state.Creatures["b"].GetHp() != 13 {
			t.Fatalf("open %v, hp %d", s.open, s.state.Creatures["b"].GetHp())
		}
	})
}

func TestDivergenceIsLoud(t *testing.T) {
	s := &session{base: fightState(t), t: &table{tape: true, faces: []int32{15}}}
	must(t, s.run(t, nil))
	for name, change := range map[string]func([]*eventv1.Event) []*eventv1.Event{
		"different": func(es []*eventv1.Event) []*eventv1.Event {
			es[0] = proto.Clone(es[0]).(*eventv1.Event)
			es[0].GetRoll().Total++
			return es
		},
		"missing": func(es []*eventv1.Event) []*eventv1.Event {
			return append(es, event.New(event.Everyone(), &eventv1.Note{Text: "never said"}))
		},
	} {
		_, err := rules.Run(context.Background(), toy{}, rules.Request{State: s.base, Action: 7, Recorded: s.inputs,
			Published: change(slices.Clone(s.events))}, s.t, rules.Resolve(toy{}, attack))
		var d *rules.DivergenceError
		if !errors.As(err, &d) || d.Kind != name {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A recorded face belongs to its roll: when a command is decided again with other
// rolls, a roll takes the face of its own label, branch, expression and place, and
// what has none is drawn.
func TestRecordedFacesBelongToTheirRolls(t *testing.T) {
	base := fightState(t)
	rolls := func(specs ...rules.RollSpec) func(*rules.Resolution) error {
		return func(r *rules.Resolution) error {
			for _, s := range specs {
				r.Roll(s)
			}
			return nil
		}
	}
	save := rules.RollSpec{Label: "save", Creature: "a", Expression: "1d20"}
	check := rules.RollSpec{Label: "check", Creature: "a", Expression: "1d20"}
	small := rules.RollSpec{Label: "check", Creature: "a", Expression: "1d8"}
	secret := rules.RollSpec{Label: "check", Creature: "a", Expression: "1d20", Audience: event.GM()}
	first, err := rules.Run(t.Context(), toy{}, rules.Request{State: base, Action: 7}, &table{tape: true, faces: []int32{11, 12, 13}}, rolls(save, check, check))
	must(t, err)
	for name, tt := range map[string]struct {
		again []rules.RollSpec
		want  []int32
	}{
		"as before":          {[]rules.RollSpec{save, check, check}, []int32{11, 12, 13}},
		"another order":      {[]rules.RollSpec{check, save, check}, []int32{12, 11, 13}},
		"without the first":  {[]rules.RollSpec{check}, []int32{12}},
		"one more":           {[]rules.RollSpec{check, check, check, save}, []int32{12, 13, 5, 11}},
		"another expression": {[]rules.RollSpec{small, save}, []int32{5, 11}},
		"another audience":   {[]rules.RollSpec{secret, save}, []int32{5, 11}},
	} {
		out, err := rules.Run(t.Context(), toy{}, rules.Request{State: base, Action: 7, Recorded: first.Inputs}, &table{tape: true, faces: []int32{5, 6}}, rolls(tt.again...))
		must(t, err)
		var got []int32
		for _, e := range out.Events {
			if r := e.GetRoll(); r != nil {
				got = append(got, r.Total)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// The second roll of a label keeps its face when the first is another roll now: a
// face is not handed on to the one before it.
func TestTheSecondFaceStaysTheSecond(t *testing.T) {
	base := fightState(t)
	rolls := func(first string) func(*rules.Resolution) error {
		return func(r *rules.Resolution) error {
			for _, x := range []string{first, "1d20"} {
				r.Roll(rules.RollSpec{Label: "check", Creature: "a", Expression: x})
			}
			return nil
		}
	}
	first, err := rules.Run(t.Context(), toy{}, rules.Request{State: base, Action: 7}, &table{tape: true, faces: []int32{3, 12}}, rolls("1d8"))
	must(t, err)
	out, err := rules.Run(t.Context(), toy{}, rules.Request{State: base, Action: 7, Recorded: first.Inputs}, &table{tape: true, faces: []int32{5}}, rolls("1d20"))
	must(t, err)
	var got []int32
	for _, e := range out.Events {
		if r := e.GetRoll(); r != nil {
			got = append(got, r.Total)
		}
	}
	if !slices.Equal(got, []int32{5, 12}) {
		t.Errorf("%v", got)
	}
}

func TestRefusalChangesNothing(t *testing.T) {
	base := fightState(t)
	before := proto.Clone(base)
	for name, cmd := range map[string]*eventv1.Command{
		"unknown creature": {What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: "z"}}},
		"unknown target":   {What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: "a", Targets: []string{"z"}}}},
		"bad setting":      {What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: "toy.loud", Value: "very"}}},
		"bad number":       {What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: "toy.size", Value: "1.5"}}},
		"bad order":        {What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "parry", Order: "maybe"}}},
		"empty sheet":      {What: &eventv1.Command_Add{Add: &eventv1.AddCreature{}}},
		"twice":            {What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: "a", Name: "A", Side: "x", HitPoints: 1}}}},
		"bad id":           {What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: "a.b", Name: "A", Side: "x", HitPoints: 1}}}},
		"nothing":          {},
		"start again":      {What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}},
		"not its turn":     {What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "a"}}},
		"no such injury":   {What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveInjuries: []string{"scar"}}}},
		"hp too high":      {What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Vitals: &eventv1.Vitals{Hp: proto.Int32(21)}}}},
		"circumstance":     {What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: "a", Targets: []string{"b"}, Circumstances: []*eventv1.Circumstance{{Direction: "luck"}}}}},
	} {
		_, err := rules.Run(context.Background(), toy{}, rules.Request{State: base, Action: 9}, &table{}, rules.Resolve(toy{}, cmd))
		if _, ok := fault.As(err); !ok {
			t.Errorf("%s: want a fault, got %v", name, err)
		}
	}
	if !proto.Equal(before, base) {
		t.Error("a refused command changed the state it was tried on")
	}
}

func TestEditTellsNewControllers(t *testing.T) {
	base := fightState(t)
	cmd := &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "b", SetControllers: true, Controllers: []string{"bob"}}}}
	out, err := rules.Run(context.Background(), toy{}, rules.Request{State: base, Action: 9}, &table{}, rules.Resolve(toy{}, cmd))
	must(t, err)
	view := event.NewState()
	bob := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "bob"}
	event.Fold(view, event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: "b", Name: "B", Side: "y"}))
	event.FoldAll(view, event.Visible(base, out.Events, bob))
	if view.Creatures["b"].GetHp() != 20 || view.Creatures["b"].Sheet == nil {
		t.Errorf("the new controller does not know its creature: %v", view.Creatures["b"])
	}
}

// The end of a turn without a name is that of the only creature whose turn it is; of none
// or of several the creature must be named.
func TestWhoseTurnEnds(t *testing.T) {
	for name, c := range map[string]struct {
		active []string
		ends   bool
	}{"nobody": {nil, false}, "one": {[]string{"b"}, true}, "two": {[]string{"a", "b"}, false}} {
		s := fightState(t)
		s.Active = c.active
		_, err := rules.Run(context.Background(), toy{}, rules.Request{State: s, Action: 9}, &table{}, rules.Resolve(toy{},
			&eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{}}}))
		if f, ok := fault.As(err); (err == nil) != c.ends || !c.ends && (!ok || len(f.Violations) != 1 || f.Violations[0].Field != "end_turn.creature") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A condition is told by the rules that are given, or else by its own.
func TestRulesOfACondition(t *testing.T) {
	for name, c := range map[string]struct{ given, want []string }{
		"given": {[]string{"toy.fall"}, []string{"toy.fall"}}, "its own": {nil, []string{"toy.prone"}},
	} {
		out, err := runs(t, rules.Request{}, &table{}, func(r *rules.Resolution) error {
			r.AddCondition("a", &eventv1.Condition{Name: "prone", Rule: "toy.prone"}, c.given...)
			return nil
		})
		must(t, err)
		last := out.Events[len(out.Events)-1]
		if last.GetConditionAdded() == nil || !slices.Equal(last.Rules, c.want) {
			t.Errorf("%s: %v, want %v", name, last.Rules, c.want)
		}
	}
}

// The ids of all creatures are those of the moment, in order, and a list that was given
// stays as it is.
func TestCreatureIDs(t *testing.T) {
	_, err := runs(t, rules.Request{}, &table{}, func(r *rules.Resolution) error {
		before := r.CreatureIDs()
		r.Emit(event.Everyone(), &eventv1.CreatureAdded{Creature: "aa", Name: "AA", Side: "x"})
		with := r.CreatureIDs()
		r.Emit(event.Everyone(), &eventv1.CreatureRemoved{Creature: "b"})
		if after := r.CreatureIDs(); !slices.Equal(before, []string{"a", "b"}) || !slices.Equal(with, []string{"a", "aa", "b"}) || !slices.Equal(after, []string{"a", "aa"}) {
			t.Errorf("%v, %v, %v", before, with, after)
		}
		return nil
	})
	must(t, err)
}
