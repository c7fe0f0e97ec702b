package ward

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// stayed is a patient as its record has it, in the fight e1.
func stayed() *eventv1.Creature {
	return &eventv1.Creature{Id: "p", Name: "P", Controllers: []string{"ann"}, Patient: "p", Hp: proto.Int32(3), HpMax: proto.Int32(5), HpTemp: proto.Int32(0),
		Life: eventv1.LifeStatus_LIFE_STATUS_ALIVE, Counters: map[string]int64{"kit": 2}, Marks: map[string]string{markEncounter: "e1", "mood": "grim"},
		Items: map[string]*eventv1.ItemState{"axe": {Place: "gone"}}, StandingOrders: map[string]string{"brace": "yes"},
		Orders: []*eventv1.StandingOrder{{Creature: "p", Decision: "brace", When: "round > 1", Order: "no"}, {Creature: "p", Decision: "parry", When: "round > 2", Order: "yes"}},
		Sheet:  &eventv1.Sheet{Id: "p", Patient: "p", HitPoints: 5}}
}

// tells are the events of a leaving, one line each, and the patient after them.
func tells(t *testing.T, packs []string, change func(*eventv1.Creature, *leaving)) ([]string, *eventv1.Creature) {
	t.Helper()
	state := event.NewState()
	state.Creatures["p"], state.Packs = stayed(), packs
	l := &leaving{id: "p", creature: stayed()}
	for _, o := range l.creature.Orders {
		o.Creature = "c-p" // as the fight names it
	}
	change(l.creature, l)
	out, err := rules.Run(context.Background(), plain{}, rules.Request{State: state}, &table{}, l.leave)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range out.Events {
		switch w := e.GetWhat().(type) {
		case *eventv1.Event_PacksPinned:
			lines = append(lines, fmt.Sprint("packs ", w.PacksPinned.Packs))
		case *eventv1.Event_Controllers:
			lines = append(lines, fmt.Sprint("controllers ", w.Controllers.Controllers))
		case *eventv1.Event_SheetSet:
			lines = append(lines, fmt.Sprint("sheet of ", w.SheetSet.Sheet.Id, " ", w.SheetSet.Sheet.HitPoints))
		case *eventv1.Event_StandingOrder:
			lines = append(lines, fmt.Sprint("stands ", w.StandingOrder.Decision, " ", w.StandingOrder.Order))
		case *eventv1.Event_Order:
			o := w.Order.Order
			lines = append(lines, fmt.Sprintf("order %s %s %s: %q", o.Creature, o.Decision, o.When, o.Order))
		case *eventv1.Event_Item:
			lines = append(lines, fmt.Sprint("item ", w.Item.Item, " ", w.Item.Place))
		case *eventv1.Event_Mark:
			if w.Mark.Mark != markEncounter {
				lines = append(lines, fmt.Sprint("mark ", w.Mark.Mark, " ", w.Mark.Value))
			}
		case *eventv1.Event_HitPoints:
			lines = append(lines, fmt.Sprint("hp ", w.HitPoints.Hp))
		case *eventv1.Event_Counter:
			lines = append(lines, fmt.Sprint("counter ", w.Counter.Counter, " ", w.Counter.Value))
		}
	}
	return lines, out.State.Creatures["p"]
}

// docs/PATIENTS.md, "What goes along": whoever leaves a fight takes along what became of
// it there, and what it keeps unchanged is not told again, unless others control it from
// now on: they are told all of it.
func TestWhatLeavingTells(t *testing.T) {
	all := []string{"controllers [bob]", "sheet of p 5", "stands brace yes", `order p brace round > 1: "no"`, `order p parry round > 2: "yes"`,
		"hp 3", "counter kit 2", "mark mood grim", "item axe gone"}
	for _, c := range []struct {
		name   string
		pinned []string // the record is kept with
		change func(*eventv1.Creature, *leaving)
		want   []string
	}{
		{"as it came", nil, func(*eventv1.Creature, *leaving) {}, nil},
		{"the fight had no packs", []string{"a"}, func(*eventv1.Creature, *leaving) {}, nil},
		{"the fight had the same packs", []string{"a"}, func(_ *eventv1.Creature, l *leaving) { l.packs = []string{"a"} }, nil},
		{"the fight had other packs", []string{"a"}, func(_ *eventv1.Creature, l *leaving) { l.packs = []string{"b", "a"} }, []string{"packs [b a]"}},
		{"without a sheet", nil, func(c *eventv1.Creature, _ *leaving) { c.Sheet = nil }, nil},
		{"another sheet", nil, func(c *eventv1.Creature, _ *leaving) { c.Sheet.HitPoints = 6 }, []string{"sheet of p 6"}},
		{"another standing order", nil, func(c *eventv1.Creature, _ *leaving) { c.StandingOrders["brace"] = "ask" }, []string{"stands brace ask"}},
		{"another order with that condition", nil, func(c *eventv1.Creature, _ *leaving) { c.Orders[1].Order = "ask" }, []string{`order p parry round > 2: "ask"`}},
		{"one order more", nil, func(c *eventv1.Creature, _ *leaving) {
			c.Orders = append(c.Orders, &eventv1.StandingOrder{Creature: "c-p", Decision: "brace", When: "round > 3", Order: "yes"})
		}, []string{`order p brace round > 3: "yes"`}},
		{"one order less", nil, func(c *eventv1.Creature, _ *leaving) { c.Orders = c.Orders[:1] }, []string{`order p parry round > 2: ""`}},
		{"no order", nil, func(c *eventv1.Creature, _ *leaving) { c.Orders = nil }, []string{`order p brace round > 1: ""`, `order p parry round > 2: ""`}},
		{"the axe was found", nil, func(c *eventv1.Creature, _ *leaving) { c.Items["axe"].Place = "main" }, []string{"item axe main"}},
		{"nothing is said of the axe", nil, func(c *eventv1.Creature, _ *leaving) { delete(c.Items, "axe") }, nil},
		{"others control it", nil, func(c *eventv1.Creature, _ *leaving) { c.Controllers = []string{"bob"} }, all},
		{"others control it, without a sheet", nil, func(c *eventv1.Creature, _ *leaving) { c.Controllers, c.Sheet = []string{"bob"}, nil },
			slices.DeleteFunc(slices.Clone(all), func(s string) bool { return strings.HasPrefix(s, "sheet") })},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, after := tells(t, c.pinned, c.change)
			if !slices.Equal(got, c.want) {
				t.Errorf("tells\n%q\nwant\n%q", got, c.want)
			}
			if after.Marks[markEncounter] != "" {
				t.Error("it is still in the fight")
			}
		})
	}
}

// A life that the fight told nobody of is plain to see, but for that of the dying who are
// safe: they are dying to all, and stable to the game master alone.
func TestALifeThatNobodyWasToldOf(t *testing.T) {
	const (
		alive  = eventv1.LifeStatus_LIFE_STATUS_ALIVE
		dying  = eventv1.LifeStatus_LIFE_STATUS_DYING
		stable = eventv1.LifeStatus_LIFE_STATUS_STABLE
		dead   = eventv1.LifeStatus_LIFE_STATUS_DEAD
	)
	everyone, gm := eventv1.Audience_KIND_EVERYONE, eventv1.Audience_KIND_GM
	type told struct {
		life eventv1.LifeStatus
		to   eventv1.Audience_Kind
	}
	for _, c := range []struct {
		was, is eventv1.LifeStatus
		want    []told
	}{
		{alive, alive, nil},
		{alive, dying, []told{{dying, everyone}}},
		{alive, dead, []told{{dead, everyone}}},
		{alive, stable, []told{{dying, everyone}, {stable, gm}}},
		{dying, stable, []told{{stable, gm}}},
		{stable, alive, []told{{alive, everyone}}},
	} {
		state := event.NewState()
		state.Creatures["p"] = stayed()
		state.Creatures["p"].Life = c.was
		l := &leaving{id: "p", creature: stayed()}
		l.creature.Life = c.is
		out, err := rules.Run(context.Background(), plain{}, rules.Request{State: state}, &table{}, l.leave)
		if err != nil {
			t.Fatal(err)
		}
		var got []told
		for _, e := range out.Events {
			if life := e.GetLife(); life != nil {
				got = append(got, told{life.Status, e.GetAudience().GetKind()})
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v to %v tells %v, want %v", c.was, c.is, got, c.want)
		}
	}
}

// What ends by turns or rounds ends with the fight, but for what counts minutes as well; a
// thing is told of when it fares otherwise, though it is where it was.
func TestWhatOutlastsTheFight(t *testing.T) {
	state := event.NewState()
	state.Creatures["p"] = stayed()
	l := &leaving{id: "p", creature: stayed()}
	until := func(minutes int32) *eventv1.Condition {
		return &eventv1.Condition{Id: fmt.Sprint("c", minutes), Name: "dazed", Until: &eventv1.Until{When: "end-of-turn"}, Values: map[string]int32{"minutes": minutes}}
	}
	l.creature.Conditions = []*eventv1.Condition{until(0), until(5), {Id: "tired", Name: "tired"}}
	l.creature.Items["axe"].Values = map[string]int32{"broken": 1}
	out, err := rules.Run(context.Background(), plain{}, rules.Request{State: state}, &table{}, l.leave)
	if err != nil {
		t.Fatal(err)
	}
	p := out.State.Creatures["p"]
	var ids []string
	for _, c := range p.Conditions {
		ids = append(ids, c.Id)
	}
	if !slices.Equal(ids, []string{"c5", "tired"}) || p.Items["axe"].Values["broken"] != 1 || p.Items["axe"].Place != "gone" {
		t.Errorf("conditions %v, the axe %v", ids, p.Items["axe"])
	}
}
