package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// basic.movement.engaged, basic.attack.parting-shot: of a foe whose place is not known nobody on the map walks away, wherever that begins
func TestWalkingFromAFoeWithoutAPlace(t *testing.T) {
	f := newTable(t).add([]int32{0, 5}, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil).declare([]int{6, 1, 1}, "a=move", "b=move", "c=move")
	f.Must(act("a", "move", "", "", to(-20)))
	if len(f.Decisions) != 1 || f.Decisions[0].Creature != "b" {
		t.Fatalf("%v", f.Decisions)
	}
	f.Answer(body.DecParting, body.DecideNo)
	if x := f.Creature("a").Position.X; x != -20 {
		t.Errorf("it stands at %d", x)
	}
}

// basic.movement.hold-move-opponent: one held who has no place on the map gets none by being dragged; one who has comes along
func TestDraggingOneWithoutAPlace(t *testing.T) {
	for _, placed := range []bool{true, false} {
		f := newTable(t)
		f.AddAt(5, 0, make1("a", "A", walks(60)))
		if placed {
			f.AddAt(5, 0, make1("b", "B"))
		} else {
			f.Add(make1("b", "B"))
		}
		f.start(nil)
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondHeld, Source: "a"}}})
		f.declare([]int{6, 1, 15, 5}, "a=grapple", "b=move")
		f.Must(act("a", "hold-drag", "", "b", to(-20)))
		if at := f.Creature("b").Position; (at != nil) != placed || placed && at.X != -20 {
			t.Errorf("on the map %v: it is at %v", placed, at)
		}
		if body.HeldBy(f.Creature("b"), "a") == nil {
			t.Error("it is let go")
		}
	}
}

// basic.rest.fatigue, basic.movement.run-limit: a round of running ends a rest that was begun
func TestRunningEndsARest(t *testing.T) {
	f := lone(t, nil, body.KindRun, make1("a", "A"), make1("b", "B"))
	f.Count("a", body.CRested, 2)
	f.Must(act("a", "run", "", "", parameters("feet", 60)))
	if c := f.Creature("a").Counters; c[body.CRested] != 0 || c[body.CRunning] != 1 {
		t.Errorf("rested %d, running %d", c[body.CRested], c[body.CRunning])
	}
}

// basic.action.charge: the dead are not charged, nor is oneself
func TestWhoIsNotCharged(t *testing.T) {
	none := int32(0)
	f := newTable(t).add([]int32{0, 40, 40}, make1("a", "A", wields(spear())), make1("b", "B"), make1("c", "B")).start(nil)
	f.declare([]int{6, 1, 1}, "a=charge", "b=move", "c=move")
	f.Put("b", &eventv1.Vitals{Hp: &none})
	for _, id := range []string{"a", "b"} {
		wantRefused(t, f.Try(act("a", "charge", "spear", id)), cite.ActionCharge)
	}
	f.Must(act("a", "charge", "spear", "c"), 2)
}

// basic.turn.round-ends: whoever leaves the field takes along nothing of what lasts for rounds
func TestWhatEndsWithLeaving(t *testing.T) {
	for _, begun := range []bool{true, false} {
		f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"), make1("c", "A"))
		if begun {
			f.start(nil)
		}
		f.Afflict("a", body.CondShaken, body.CondFatigued)
		f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "a", Reason: "flees"}}})
		var gone []string
		for _, e := range f.Events {
			if x := e.GetConditionRemoved(); x != nil {
				gone = append(gone, x.Name)
			}
		}
		if want := map[bool][]string{true: {body.CondShaken}}[begun]; !slices.Equal(gone, want) {
			t.Errorf("begun %v: %v ends, want %v", begun, gone, want)
		}
	}
}

// basic.initiative.ties-simultaneous: when the number is over nobody acts at the same time any more
func TestTogetherOnOneNumberOnly(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{3, 3}, "a=move", "b=move")
	if f.State.Counters[body.CTogether] != 1 {
		t.Fatal("they act one after the other")
	}
	f.end("a", "b")
	if f.State.Counters[body.CTogether] != 0 || f.State.Phase != body.PhaseDeclare {
		t.Errorf("%s: %v", f.State.Phase, f.State.Counters)
	}
}

// basic.initiative.ties-simultaneous: where one stood before it moved counts on the number on which it moved, and when others act on it too
func TestStoodBeforeTheNumber(t *testing.T) {
	for _, c := range []struct {
		name             string
		round            int32
		number, together int64
		known            bool
	}{{"on the number", 2, 6, 1, true}, {"on an earlier one", 2, 5, 1, false}, {"in an earlier round", 3, 6, 1, false}, {"alone", 2, 6, 0, false}} {
		s := &eventv1.State{Round: c.round, Counters: map[string]int64{body.CCount: c.number, body.CTogether: c.together}}
		x := &eventv1.Creature{Id: "a", Begun: []*eventv1.Begun{{Kind: body.BMoving, Round: 2, Values: map[string]int32{"number": 6, "x": 10, "y": 20, "z": 5}}}}
		at := body.StoodAt(s, x)
		if (at != nil) != c.known {
			t.Errorf("%s: %v", c.name, at)
		}
		if at != nil && (at.X != 10 || at.Y != 20 || at.Z != 5) {
			t.Errorf("%s: %v", c.name, at)
		}
	}
}

// What a sheet puts in a creature's stores is what one who comes in has left.
func TestStoresOfASheet(t *testing.T) {
	potion := &eventv1.BasicItem{Name: "potion", Effect: &eventv1.BasicSpell{Uses: 3, Healing: "1d6"}}
	s := make1("a", "A", carrying(potion, &eventv1.BasicItem{Name: "key"}), section(func(b *eventv1.BasicSheet) {
		b.Ammunition, b.Spells = map[string]int32{"arrows": 12}, []*eventv1.BasicSpell{{Name: "bolt", Uses: 2, Damage: "1d6"}}
	}))
	f := newTable(t).add(nil, s)
	want := map[string]int64{body.CAmmunition + "arrows": 12, body.CLeft + "potion": 3, body.CLeft + "bolt": 2}
	stores := (System{}).Stores(s)
	for name, n := range want {
		if got := f.Creature("a").Counters[name]; got != n || stores[name] != n {
			t.Errorf("%s: %d, and %d of the sheet; want %d", name, got, stores[name], n)
		}
	}
	if _, counted := stores[body.CLeft+"key"]; counted || len(stores) != len(want) {
		t.Errorf("%v", stores)
	}
}

// Before a fight and after it nothing is to be done, and that is said.
func TestOptionsOutsideAFight(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B"))
	want := func(reason string) {
		t.Helper()
		list := (System{}).Options(rules.Query{State: f.State, Creature: "a"})
		for _, o := range list {
			if o.Legal || o.Action != "end-turn" && o.Reason != reason {
				t.Errorf("%s: legal %v, %s", o.Action, o.Legal, o.Reason)
			}
		}
		if len(list) == 0 {
			t.Error("nothing is listed")
		}
	}
	want("the encounter has not begun")
	f.start(nil)
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	want("the encounter is over")
}
