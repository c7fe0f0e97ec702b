package rules_test

import (
	"maps"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func thing(place string, values map[string]int32) *eventv1.ItemState {
	return &eventv1.ItemState{Place: place, Values: values}
}

// What is gone stays gone after a fight, what lies on the ground is picked up, and what
// counts for one fight alone is as it was.
func TestThingsOutlastAFight(t *testing.T) {
	fleeting := rules.OfTheFight{Values: []string{"loaded"}}
	fresh := thing("main", map[string]int32{"loaded": 1, "hp": 10})
	for name, tt := range map[string]struct{ was, is, want *eventv1.ItemState }{
		"dropped":               {fresh, thing("dropped", map[string]int32{"loaded": 0, "hp": 4}), thing("main", map[string]int32{"loaded": 1, "hp": 4})},
		"put away":              {fresh, thing("stowed", map[string]int32{"hp": 10}), thing("main", map[string]int32{"loaded": 1, "hp": 10})},
		"gone":                  {fresh, thing("gone", nil), thing("gone", map[string]int32{"loaded": 1})},
		"taken":                 {fresh, thing("taken", map[string]int32{"hp": 10}), thing("taken", map[string]int32{"loaded": 1, "hp": 10})},
		"gone and come by":      {thing("gone", nil), thing("main", nil), thing("main", nil)},
		"gone, held, dropped":   {thing("gone", nil), thing("dropped", nil), thing("gone", nil)},
		"come by":               {nil, thing("stowed", map[string]int32{"loaded": 1}), thing("stowed", nil)},
		"come by and left":      {nil, thing("dropped", nil), nil},
		"no word of it":         {fresh, nil, fresh},
		"no word, and gone":     {thing("gone", nil), nil, thing("gone", nil)},
		"gone, and the same":    {thing("gone", nil), thing("gone", nil), thing("gone", nil)},
		"a value of the record": {thing("main", nil), thing("main", map[string]int32{"loaded": 1}), thing("main", nil)},
	} {
		got := fleeting.Thing(tt.was, tt.is)
		if (got == nil) != (tt.want == nil) || got.GetPlace() != tt.want.GetPlace() || !maps.Equal(got.GetValues(), tt.want.GetValues()) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	got := fleeting.Brought(map[string]*eventv1.ItemState{"bow": fresh, "axe": thing("gone", nil), "oil": thing("taken", nil), "club": thing("dropped", nil)})
	if len(got) != 3 || got["axe"].Place != "gone" || got["oil"].Place != "taken" || got["bow"].Place != "" || !maps.Equal(got["bow"].Values, map[string]int32{"hp": 10}) {
		t.Errorf("brings %v", got)
	}
}

// Vitals put things somewhere and give them numbers.
func TestVitalsOfThings(t *testing.T) {
	for name, tt := range map[string]struct {
		items   map[string]*eventv1.ItemState
		field   string
		patient bool
		want    *eventv1.ItemState
		gm      bool // only its controllers see it
	}{
		"gone":           {map[string]*eventv1.ItemState{"axe": thing("gone", nil)}, "", false, thing("gone", map[string]int32{"hp": 5}), false},
		"put away":       {map[string]*eventv1.ItemState{"axe": thing("stowed", nil)}, "", false, thing("stowed", map[string]int32{"hp": 5}), true},
		"a number":       {map[string]*eventv1.ItemState{"axe": thing("", map[string]int32{"broken": 1})}, "", false, thing("main", map[string]int32{"hp": 5, "broken": 1}), false},
		"not there":      {map[string]*eventv1.ItemState{"pipe": thing("main", nil)}, "vitals.items[pipe]", false, nil, false},
		"of a record":    {map[string]*eventv1.ItemState{"pipe": thing("main", nil)}, "", true, thing("main", map[string]int32{"hp": 5}), false},
		"nowhere":        {map[string]*eventv1.ItemState{"axe": thing("moon", nil)}, "vitals.items[axe].place", false, nil, false},
		"out of numbers": {map[string]*eventv1.ItemState{"axe": thing("", map[string]int32{"hp": 1_000_001})}, "vitals.items[axe].values[hp]", false, nil, false},
	} {
		out, err := runs(t, rules.Request{}, &table{}, func(r *rules.Resolution) error {
			if tt.patient {
				r.Emit(event.Everyone(), &eventv1.CreatureAdded{Creature: "p", Name: "P", Patient: "p"})
			}
			id := map[bool]string{true: "p", false: "a"}[tt.patient]
			r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: "axe", Place: "main", Values: map[string]int32{"hp": 5}})
			return r.ApplyVitals(id, &eventv1.Vitals{Items: tt.items})
		})
		if tt.field != "" {
			if f, ok := fault.As(err); !ok || len(f.Violations) == 0 || f.Violations[0].Field != tt.field {
				t.Errorf("%s: %v, want a fault about %s", name, err, tt.field)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		id := map[bool]string{true: "p", false: "a"}[tt.patient]
		if got := out.State.Creatures[id].Items["axe"]; got.Place != tt.want.Place || !maps.Equal(got.Values, tt.want.Values) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
		if last := out.Events[len(out.Events)-1]; (last.Audience.GetKind() == eventv1.Audience_KIND_CREATURES) != tt.gm {
			t.Errorf("%s: told to %v", name, last.Audience)
		}
	}
}

// counting is the toy with sheets that count out: a use for each foot of walking speed.
type counting struct{ toy }

func (counting) Stores(s *eventv1.Sheet) map[string]int64 {
	out := map[string]int64{}
	for name, n := range s.GetSpeeds() { // order-free: a map is made of a map
		out[name] = int64(n)
	}
	return out
}

// A new sheet adds what it counts out beyond the old one, and the dead gain no hit
// points by it.
func TestANewSheetRestocks(t *testing.T) {
	for name, tt := range map[string]struct {
		before, after map[string]int32
		spent, want   int64
	}{
		"one more":         {map[string]int32{"slot": 3}, map[string]int32{"slot": 4}, 2, 2},
		"the same":         {map[string]int32{"slot": 3}, map[string]int32{"slot": 3}, 2, 1},
		"for the first":    {nil, map[string]int32{"slot": 2}, 0, 2},
		"fewer, some left": {map[string]int32{"slot": 4}, map[string]int32{"slot": 2}, 3, 1},
		"fewer, all left":  {map[string]int32{"slot": 4}, map[string]int32{"slot": 2}, 0, 2},
		"none any more":    {map[string]int32{"slot": 4}, nil, 1, 0},
	} {
		sheet := func(speeds map[string]int32) *eventv1.Sheet {
			return &eventv1.Sheet{Id: "a", Name: "A", Side: "party", HitPoints: 10, Speeds: speeds}
		}
		out, err := rules.Run(t.Context(), counting{}, rules.Request{State: fightState(t), Action: 7}, &table{}, func(r *rules.Resolution) error {
			r.Emit(event.Everyone(), &eventv1.SheetSet{Creature: "a", Sheet: sheet(tt.before)})
			r.Set("a", "slot", int64(tt.before["slot"])-tt.spent, "spent")
			return rules.Resolve(counting{}, &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Sheet: sheet(tt.after)}}})(r)
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := out.State.Creatures["a"].Counters["slot"]; got != tt.want {
			t.Errorf("%s: %d left, want %d", name, got, tt.want)
		}
	}
	for _, life := range []eventv1.LifeStatus{eventv1.LifeStatus_LIFE_STATUS_ALIVE, eventv1.LifeStatus_LIFE_STATUS_DEAD} {
		out, err := rules.Run(t.Context(), counting{}, rules.Request{State: fightState(t), Action: 7}, &table{}, func(r *rules.Resolution) error {
			r.Emit(event.Everyone(), &eventv1.SheetSet{Creature: "a", Sheet: &eventv1.Sheet{Id: "a", Name: "A", Side: "party", HitPoints: 10}})
			r.SetHitPoints("a", 0, 10, 0)
			r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: "a", Status: life})
			return rules.Resolve(counting{}, &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a",
				Sheet: &eventv1.Sheet{Id: "a", Name: "A", Side: "party", HitPoints: 14}}}})(r)
		})
		want := map[eventv1.LifeStatus]int32{eventv1.LifeStatus_LIFE_STATUS_ALIVE: 4}[life]
		if err != nil || !proto.Equal(&eventv1.HitPoints{Hp: out.State.Creatures["a"].GetHp(), Max: out.State.Creatures["a"].GetHpMax()}, &eventv1.HitPoints{Hp: want, Max: 14}) {
			t.Errorf("%v: %v, %v", life, out, err)
		}
	}
}
