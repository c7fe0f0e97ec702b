package rules_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func revealOf(id string, to ...string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Reveal{Reveal: &eventv1.RevealCreature{Creature: id, To: to}}}
}

// Who may be staged, who may know of it, and who is revealed to whom.
func TestStagingAndRevealing(t *testing.T) {
	s := then(t, fightState(t), addOf(&eventv1.AddCreature{Sheet: sheetOf("lurk"), Staged: true, KnownTo: []string{"a"}}))
	over := then(t, s, &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	staged := func(known ...string) *eventv1.Command {
		return addOf(&eventv1.AddCreature{Sheet: sheetOf("c"), Staged: true, KnownTo: known})
	}
	for name, c := range map[string]struct {
		s    *eventv1.State
		cmd  *eventv1.Command
		want string
	}{
		"staged, known to nobody":   {s, staged(), ""},
		"staged, known to two":      {s, staged("a", "b"), ""},
		"known, and not staged":     {s, addOf(&eventv1.AddCreature{Sheet: sheetOf("c"), KnownTo: []string{"a"}}), "add.known_to"},
		"known to one unknown":      {s, staged("a", "zed"), "add.known_to[1]"},
		"known to one twice":        {s, staged("a", "b", "a"), "add.known_to[2]"},
		"known to too many":         {s, staged(slices.Repeat([]string{"a"}, rules.MaxCreatures+1)...), "LIMIT_EXCEEDED"},
		"revealed to all":           {s, revealOf("lurk"), ""},
		"revealed to one":           {s, revealOf("lurk", "b"), ""},
		"revealed to itself":        {s, revealOf("lurk", "lurk"), "reveal.to[0]"},
		"revealed to one unknown":   {s, revealOf("lurk", "zed"), "reveal.to[0]"},
		"nobody revealed":           {s, revealOf("zed"), "reveal.creature"},
		"one who is not staged":     {s, revealOf("a"), "NOT_STAGED"},
		"revealed when all is over": {over, revealOf("lurk"), "ENCOUNTER_ENDED"},
	} {
		if _, err := try(c.s, gm, c.cmd); limited(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if c := s.Creatures["lurk"]; !c.Staged || !slices.Equal(c.KnownTo, []string{"a"}) {
		t.Errorf("%v", c)
	}
	to := then(t, s, revealOf("lurk", "b", "a")).Creatures["lurk"]
	if !to.Staged || !slices.Equal(to.KnownTo, []string{"a", "b"}) {
		t.Errorf("known to %v", to.KnownTo)
	}
	if all := then(t, s, revealOf("lurk")).Creatures["lurk"]; all.Staged {
		t.Errorf("%v", all)
	}
}

// Whoever comes to know of one who was staged is told all that is to be seen of it.
func TestWhatIsToldOfOneRevealed(t *testing.T) {
	s := then(t, fightState(t), addOf(&eventv1.AddCreature{Sheet: sheetOf("lurk"), Staged: true, Position: &eventv1.Position{X: 15}}))
	for _, what := range []proto.Message{
		&eventv1.LifeChanged{Creature: "lurk", Status: eventv1.LifeStatus_LIFE_STATUS_DYING}, &eventv1.ItemChanged{Creature: "lurk", Item: "knife", Place: "hand"},
		&eventv1.InitiativeSet{Creature: "lurk", Round: 1, Total: 12, Tiebreak: 3}, &eventv1.StandingOrderSet{Creature: "lurk", Decision: "parry", Order: "no"},
		&eventv1.OrderGiven{Order: &eventv1.StandingOrder{Creature: "lurk", Decision: "parry", Order: "yes", When: "round > 2"}}, &eventv1.MarkSet{Subject: "lurk", Mark: "m", Value: "x"},
	} {
		event.Fold(s, event.New(event.GM(), what))
	}
	s.Active = []string{"a", "lurk"}
	out, err := try(s, gm, revealOf("lurk"))
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, e := range out.Events {
		if e.Audience.GetKind() == eventv1.Audience_KIND_GM {
			continue
		}
		told["coming"] = told["coming"] || e.GetCreatureAdded().GetCreature() == "lurk"
		told["staged no more"] = told["staged no more"] || e.GetStaged() != nil && !e.GetStaged().Staged
		told["life"] = told["life"] || e.GetLife().GetStatus() == eventv1.LifeStatus_LIFE_STATUS_DYING
		told["place"] = told["place"] || e.GetMoved().GetTo().GetX() == 15
		told["item"] = told["item"] || e.GetItem().GetItem() == "knife" && e.GetItem().GetPlace() == "hand"
		told["initiative"] = told["initiative"] || e.GetInitiativeSet().GetTotal() == 12 && e.GetInitiativeSet().GetTiebreak() == 3
		told["order"] = told["order"] || e.GetStandingOrder().GetOrder() == "no"
		told["order with a condition"] = told["order with a condition"] || e.GetOrder().GetOrder().GetWhen() == "round > 2"
		told["turn"] = told["turn"] || slices.Equal(e.GetTurnStarted().GetCreatures(), []string{"a", "lurk"})
		told["mark"] = told["mark"] || e.GetMark().GetMark() == "m"
	}
	for _, what := range rules.SortedKeys(told) {
		if !told[what] {
			t.Errorf("%s: not told", what)
		}
	}
	quiet := then(t, fightState(t), addOf(&eventv1.AddCreature{Sheet: sheetOf("lurk"), Staged: true}))
	if out, err = try(quiet, gm, revealOf("lurk")); err != nil {
		t.Fatal(err)
	}
	for _, e := range out.Events {
		if e.GetLife() != nil || e.GetMoved() != nil || e.GetTurnStarted() != nil {
			t.Errorf("of one who is well, nowhere and has no turn: %v", e)
		}
	}
}

// mortal is the toy in which one blow fells, and nobody strikes at the fallen.
type mortal struct{ toy }

func (mortal) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	t := r.Creature(take.Targets[0])
	if t.GetHp() <= 0 {
		return fault.Refuse("FALLEN", "toy.fall", "%s has fallen", t.Name)
	}
	r.Roll(rules.RollSpec{Label: "blow/" + take.Creature, Creature: take.Creature, Expression: "1d6"})
	r.SetHitPoints(t.Id, 0, t.GetHpMax(), 0)
	return nil
}

// Actions of one command are all refused for what is wrong with one of them as things
// stand; one that the others made impossible is passed over, and that is said.
func TestActionsTogether(t *testing.T) {
	strike := func(who, whom string) *eventv1.TakeAction {
		return &eventv1.TakeAction{Creature: who, Action: "attack", Targets: []string{whom}}
	}
	run := func(list ...*eventv1.TakeAction) (*rules.Outcome, error) {
		s := then(t, fightState(t), addOf(&eventv1.AddCreature{Sheet: sheetOf("c", func(s *eventv1.Sheet) { s.Controllers = []string{"cid"} })}))
		return rules.Run(context.Background(), mortal{}, rules.Request{State: s, Action: 5}, &table{tape: true, faces: []int32{3, 4, 5}},
			rules.Resolve(mortal{}, &eventv1.Command{What: &eventv1.Command_Together{Together: &eventv1.TakeTogether{Actions: list}}}))
	}
	for name, c := range map[string]struct {
		list []*eventv1.TakeAction
		want string
	}{
		"none":               {nil, "together.actions"},
		"a hole":             {[]*eventv1.TakeAction{strike("a", "b"), nil}, "together.actions[1]"},
		"one at nobody":      {[]*eventv1.TakeAction{strike("a", "b"), strike("c", "zed")}, "together.actions[1]"},
		"one of nobody":      {[]*eventv1.TakeAction{strike("zed", "b")}, "together.actions[0]"},
		"a path off the map": {[]*eventv1.TakeAction{strike("a", "b"), {Creature: "c", Action: "attack", Targets: []string{"b"}, Path: []*eventv1.Position{nil}}}, "together.actions[1].path[0]"},
		"as many as may be":  {slices.Repeat([]*eventv1.TakeAction{strike("a", "b")}, rules.MaxCreatures+1), "LIMIT_EXCEEDED"},
		"two at two":         {[]*eventv1.TakeAction{strike("a", "b"), strike("c", "a")}, ""},
	} {
		if _, err := run(c.list...); limited(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	out, err := run(strike("a", "b"), strike("c", "b"))
	if err != nil {
		t.Fatal(err)
	}
	var notes []string
	for _, e := range out.Events {
		if n := e.GetNote(); n != nil && slices.Equal(e.Audience.Creatures, []string{"c"}) {
			notes = append(notes, n.Text)
		}
	}
	if len(notes) != 1 || notes[0] != "attack is passed over: B has fallen" || out.State.Creatures["b"].GetHp() != 0 {
		t.Errorf("%v", notes)
	}
	_, err = run(strike("a", "b"), strike("c", "zed"))
	if f, ok := fault.As(err); !ok || !strings.HasPrefix(f.Message, "c: ") {
		t.Errorf("%v", err)
	}
}

// What creatures are to each other, and what they have begun, ends by the game master's
// word alone where it is there.
func TestTiesEndByTheGameMastersWord(t *testing.T) {
	s := then(t, fightState(t), editOf(&eventv1.EditCreature{Creature: "a", Vitals: &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: "holds", To: "b"}, {Kind: "owes", To: "b"}}}}))
	event.Fold(s, event.New(event.Everyone(), &eventv1.BegunSet{Creature: "a", Begun: &eventv1.Begun{Id: "w1", Kind: "work"}}))
	event.Fold(s, event.New(event.Everyone(), &eventv1.BegunSet{Creature: "a", Begun: &eventv1.Begun{Id: "w2", Kind: "work"}}))
	event.Fold(s, event.New(event.Everyone(), &eventv1.InjuryAdded{Creature: "a", Injury: &eventv1.Injury{Id: "i1", Kind: "scar"}}))
	event.Fold(s, event.New(event.Everyone(), &eventv1.InjuryAdded{Creature: "a", Injury: &eventv1.Injury{Id: "i2", Kind: "scar"}}))
	event.Fold(s, event.New(event.Everyone(), &eventv1.ConditionAdded{Creature: "a", Condition: &eventv1.Condition{Id: "p1", Name: "prone"}}))
	event.Fold(s, event.New(event.Everyone(), &eventv1.ConditionAdded{Creature: "a", Condition: &eventv1.Condition{Id: "p2", Name: "prone"}}))
	for name, c := range map[string]struct {
		edit *eventv1.EditCreature
		want string // the field, or what is left
	}{
		"a relation":            {&eventv1.EditCreature{RemoveRelations: []string{"holds"}}, "owes:b w1 w2 i1 i2 p1 p2"},
		"a relation to one":     {&eventv1.EditCreature{RemoveRelations: []string{"owes/b"}}, "holds:b w1 w2 i1 i2 p1 p2"},
		"to another":            {&eventv1.EditCreature{RemoveRelations: []string{"holds/a"}}, "edit.remove_relations[0]"},
		"of another kind":       {&eventv1.EditCreature{RemoveRelations: []string{"holds", "loves"}}, "edit.remove_relations[1]"},
		"what it has begun":     {&eventv1.EditCreature{RemoveBegun: []string{"w2"}}, "holds:b owes:b w1 i1 i2 p1 p2"},
		"what it has not":       {&eventv1.EditCreature{RemoveBegun: []string{"work"}}, "edit.remove_begun[0]"},
		"an injury":             {&eventv1.EditCreature{RemoveInjuries: []string{"i1"}}, "holds:b owes:b w1 w2 i2 p1 p2"},
		"a condition by its id": {&eventv1.EditCreature{RemoveConditions: []string{"p2"}}, "holds:b owes:b w1 w2 i1 i2 p1"},
		"conditions by name":    {&eventv1.EditCreature{RemoveConditions: []string{"prone"}}, "holds:b owes:b w1 w2 i1 i2"},
	} {
		c.edit.Creature = "a"
		out, err := try(s, gm, editOf(c.edit))
		got := wrong(err)
		if err == nil {
			a := out.State.Creatures["a"]
			var left []string
			for _, x := range a.Relations {
				left = append(left, x.Kind+":"+x.To)
			}
			for _, x := range a.Begun {
				left = append(left, x.Id)
			}
			for _, x := range a.Injuries {
				left = append(left, x.Id)
			}
			for _, x := range a.Conditions {
				left = append(left, x.Id)
			}
			got = strings.Join(left, " ")
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s (%v)", name, got, c.want, err)
		}
	}
	if got := rules.RelatedFrom(s, "holds", "b"); !slices.Equal(got, []string{"a"}) || rules.RelatedFrom(s, "holds", "a") != nil {
		t.Error(got)
	}
	if got := rules.RelatedTo(s.Creatures["a"], "owes"); !slices.Equal(got, []string{"b"}) || rules.RelationTo(s.Creatures["a"], "owes", "a") != nil {
		t.Error(got)
	}
	if b := rules.BegunOf(s.Creatures["a"], "work"); b.GetId() != "w1" || rules.BegunOf(s.Creatures["a"], "play") != nil {
		t.Error(b)
	}
}

// A roll comes out as a ruling says: with a total, or as near to what was rolled as the
// outcome allows; what no total makes is refused.
func TestRollsByTheGameMastersWord(t *testing.T) {
	s := &session{base: fightState(t), t: &table{tape: true, faces: []int32{15}}}
	must(t, s.run(t, nil))
	drawn := s.inputs[0]
	total := func(n int32) func(*eventv1.Draw) { return func(d *eventv1.Draw) { d.RuledTotal = &n } }
	outcome := func(word string) func(*eventv1.Draw) { return func(d *eventv1.Draw) { d.RuledOutcome = word } }
	for name, c := range map[string]struct {
		rule    func(*eventv1.Draw)
		total   int32
		outcome string
		by      int32
		want    string
	}{
		"no ruling":              {func(*eventv1.Draw) {}, 15, "success", 0, ""},
		"a total":                {total(4), 4, "failure", -11, ""},
		"the same total":         {total(15), 15, "success", 0, ""},
		"an outcome":             {outcome("failure"), 9, "failure", -6, ""},
		"the outcome that it is": {outcome("success"), 15, "success", 0, ""},
		"an outcome of none":     {outcome("splendid"), 0, "", 0, "command.amend.rolls"},
	} {
		in := proto.CloneOf(drawn)
		c.rule(in.GetDraw())
		out, err := rules.Run(context.Background(), toy{}, rules.Request{State: fightState(t), Action: 7, Recorded: []*eventv1.Input{in}}, &table{}, rules.Resolve(toy{}, attack))
		if wrong(err) != c.want {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err != nil {
			continue
		}
		for _, e := range out.Events {
			r := e.GetRoll()
			if r == nil || r.Label != "to-hit" {
				continue
			}
			by := int32(0)
			for _, m := range r.Modifiers {
				if m.Source == rules.ByWord {
					by += m.Value
				}
			}
			if r.Total != c.total || r.Outcome != c.outcome || by != c.by || r.Ruled != (name != "no ruling") {
				t.Errorf("%s: %v", name, r)
			}
		}
	}
}
