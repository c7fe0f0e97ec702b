package rules_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Numbers that come with vitals are taken to their bounds and refused one beyond, each by
// its field.
func TestVitalsToTheirBounds(t *testing.T) {
	const most = 1_000_000
	long := strings.Repeat("n", rules.MaxIDLength)
	for name, c := range map[string]struct {
		v     *eventv1.Vitals
		field string
	}{
		"the greatest maximum":   {&eventv1.Vitals{HpMax: proto.Int32(most)}, ""},
		"a greater maximum":      {&eventv1.Vitals{HpMax: proto.Int32(most + 1)}, "vitals.hp_max"},
		"a maximum of nothing":   {&eventv1.Vitals{HpMax: proto.Int32(0)}, ""},
		"as low as can be":       {&eventv1.Vitals{Hp: proto.Int32(-most)}, ""},
		"lower":                  {&eventv1.Vitals{Hp: proto.Int32(-most - 1)}, "vitals.hp"},
		"as many as the maximum": {&eventv1.Vitals{Hp: proto.Int32(10)}, ""},
		"more than the maximum":  {&eventv1.Vitals{Hp: proto.Int32(11)}, "vitals.hp"},
		"no temporary ones":      {&eventv1.Vitals{HpTemp: proto.Int32(0)}, ""},
		"fewer":                  {&eventv1.Vitals{HpTemp: proto.Int32(-1)}, "vitals.hp_temp"},
		"most temporary ones":    {&eventv1.Vitals{HpTemp: proto.Int32(most)}, ""},
		"more":                   {&eventv1.Vitals{HpTemp: proto.Int32(most + 1)}, "vitals.hp_temp"},
		"the greatest counter":   {&eventv1.Vitals{Counters: map[string]int64{"n": most}}, ""},
		"a greater counter":      {&eventv1.Vitals{Counters: map[string]int64{"n": most + 1}}, "vitals.counters[n]"},
		"the lowest counter":     {&eventv1.Vitals{Counters: map[string]int64{"n": -most}}, ""},
		"a lower counter":        {&eventv1.Vitals{Counters: map[string]int64{"n": -most - 1}}, "vitals.counters[n]"},
		"the longest name":       {&eventv1.Vitals{Counters: map[string]int64{long: 1}}, ""},
		"a longer name":          {&eventv1.Vitals{Counters: map[string]int64{long + "n": 1}}, "vitals.counters[" + long + "n]"},
		"an order of its own":    {&eventv1.Vitals{Orders: []*eventv1.StandingOrder{{Creature: "a", Decision: "parry", Order: "no", When: "round > 1"}}}, ""},
	} {
		_, err := runs(t, rules.Request{}, &table{}, func(r *rules.Resolution) error {
			r.SetHitPoints("a", 10, 10, 0)
			return r.ApplyVitals("a", c.v)
		})
		if got := wrong(err); got != c.field {
			t.Errorf("%s: %v, want %q", name, err, c.field)
		}
	}
}

// The values of a thing are taken to their bounds and refused one beyond, and so is what is
// said of a thing that a creature does not have, unless its record has it.
func TestValuesOfThingsToTheirBounds(t *testing.T) {
	const most = 1_000_000
	long := strings.Repeat("n", rules.MaxIDLength)
	for key, c := range map[string]struct {
		value int32
		good  bool
	}{"a": {most, true}, "b": {most + 1, false}, "c": {-most, true}, "d": {-most - 1, false}, long: {1, true}, long + "n": {1, false}} {
		_, err := runs(t, rules.Request{}, &table{}, func(r *rules.Resolution) error {
			r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: "a", Item: "axe", Place: "main"})
			return r.ApplyVitals("a", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"axe": {Values: map[string]int32{key: c.value}}}})
		})
		want := ""
		if !c.good {
			want = "vitals.items[axe].values[" + key + "]"
		}
		if got := wrong(err); got != want {
			t.Errorf("%s: %d: %v, want %q", key, c.value, err, want)
		}
	}
}

// A new sheet that gives more hit points gives them at once, but to the dead, and one that
// gives fewer takes of the maximum alone; what lowered the maximum before goes on doing so.
// Where the sheet before said nothing of hit points, nothing changes.
func TestWhatANewSheetGives(t *testing.T) {
	for name, c := range map[string]struct {
		before, after, hp, most int32
		dead                    bool
		wantHP, wantMost        int32
	}{
		"more":                   {10, 14, 5, 10, false, 9, 14},
		"one more":               {10, 11, 5, 10, false, 6, 11},
		"from one":               {1, 3, 1, 1, false, 3, 3},
		"to one":                 {10, 1, 5, 10, false, 1, 1},
		"fewer":                  {10, 8, 5, 10, false, 5, 8},
		"fewer than there are":   {10, 8, 10, 10, false, 8, 8},
		"the same":               {10, 10, 5, 7, false, 5, 7},
		"a lowered maximum":      {10, 14, 5, 7, false, 9, 11},
		"one lowered to nothing": {10, 4, 2, 5, false, 1, 1},
		"to the dead":            {10, 14, 0, 10, true, 0, 14},
		"nothing before":         {0, 14, 5, 10, false, 5, 10},
	} {
		s := fightState(t)
		a := s.Creatures["a"]
		a.Sheet.HitPoints, a.Hp, a.HpMax = c.before, proto.Int32(c.hp), proto.Int32(c.most)
		if c.dead {
			a.Life = eventv1.LifeStatus_LIFE_STATUS_DEAD
		}
		sheet := proto.CloneOf(a.Sheet)
		sheet.HitPoints = c.after
		out, err := try(s, gm, editOf(&eventv1.EditCreature{Creature: "a", Sheet: sheet}))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if now := out.State.Creatures["a"]; now.GetHp() != c.wantHP || now.GetHpMax() != c.wantMost {
			t.Errorf("%s: %d of %d, want %d of %d", name, now.GetHp(), now.GetHpMax(), c.wantHP, c.wantMost)
		}
	}
}

// That a creature is dying is told to all even where its being safe is to be a secret, and what
// is so already is told to nobody.
func TestLifeThatIsSoAlready(t *testing.T) {
	const stable, dying = eventv1.LifeStatus_LIFE_STATUS_STABLE, eventv1.LifeStatus_LIFE_STATUS_DYING
	for name, c := range map[string]struct {
		is   eventv1.LifeStatus
		v    *eventv1.Vitals
		want string
	}{
		"dying, said in secret":    {0, &eventv1.Vitals{Life: dying, LifeSecret: true}, "KIND_EVERYONE:DYING"},
		"stable in secret":         {0, &eventv1.Vitals{Life: stable, LifeSecret: true}, "KIND_EVERYONE:DYING KIND_GM:STABLE"},
		"of one who is dying":      {dying, &eventv1.Vitals{Life: stable, LifeSecret: true}, "KIND_GM:STABLE"},
		"stable, for all to see":   {dying, &eventv1.Vitals{Life: stable}, "KIND_EVERYONE:STABLE"},
		"dying, and it is dying":   {dying, &eventv1.Vitals{Life: dying}, ""},
		"stable, and it is stable": {stable, &eventv1.Vitals{Life: stable, LifeSecret: true}, ""},
		"nothing said of it":       {dying, &eventv1.Vitals{LifeSecret: true}, ""},
	} {
		out, err := runs(t, rules.Request{}, &table{}, func(r *rules.Resolution) error {
			r.SetHitPoints("a", 0, 10, 0)
			if c.is != 0 {
				r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: "a", Status: c.is})
			}
			r.Note(event.GM(), "a", "now")
			return r.ApplyVitals("a", c.v)
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		now := false
		for _, e := range out.Events {
			if now = now || e.GetNote() != nil; now && e.GetLife() != nil {
				got = append(got, e.Audience.GetKind().String()+":"+strings.TrimPrefix(e.GetLife().Status.String(), "LIFE_STATUS_"))
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

// What an action lists may be as many as the limit says: one more is refused by that limit
// (above), and these are not.
func TestAsManyAsAnActionMayList(t *testing.T) {
	state := fightState(t)
	take := &eventv1.TakeAction{Creature: "a", Action: "attack", Targets: slices.Repeat([]string{"b"}, rules.MaxCreatures),
		Path:          slices.Repeat([]*eventv1.Position{{}}, rules.MaxPath),
		Circumstances: slices.Repeat([]*eventv1.Circumstance{{Direction: "advantage"}}, rules.MaxCircumstances)}
	_, err := rules.Run(context.Background(), toy{}, rules.Request{State: state, Action: 9}, &table{}, rules.Resolve(toy{}, &eventv1.Command{What: &eventv1.Command_Take{Take: take}}))
	if err != nil {
		t.Error(err)
	}
	if _, err := try(state, gm, &eventv1.Command{What: &eventv1.Command_Together{Together: &eventv1.TakeTogether{
		Actions: slices.Repeat([]*eventv1.TakeAction{{Creature: "a", Action: "attack", Targets: []string{"b"}}}, rules.MaxCreatures)}}}); limited(err) == "LIMIT_EXCEEDED" {
		t.Error(err)
	}
}

// An order of a creature's own is kept while there is room for one more; in place of one, and to
// take one back, there is always room.
func TestOrdersToTheirLimit(t *testing.T) {
	s := fightState(t)
	when := func(i int) string { return fmt.Sprintf("round > %d", i) }
	for i := range limits.StandingOrders - 1 {
		event.Fold(s, event.New(event.GM(), &eventv1.OrderGiven{Order: &eventv1.StandingOrder{Creature: "b", Decision: "parry", Order: "no", When: when(i)}}))
	}
	give := func(order, when string) string {
		out, err := try(s, gm, orderOf(&eventv1.SetStandingOrder{Creature: "b", Decision: "parry", Order: order, When: when}))
		if err == nil {
			s = out.State
		}
		return limited(err)
	}
	for _, c := range []struct {
		order, when, want string
		kept              int
	}{
		{"yes", when(1000), "", limits.StandingOrders},
		{"yes", when(1001), "LIMIT_EXCEEDED", limits.StandingOrders},
		{"yes", when(3), "", limits.StandingOrders},
		{"", when(1001), "NO_SUCH_ORDER", limits.StandingOrders},
		{"", when(4), "", limits.StandingOrders - 1},
		{"yes", when(1001), "", limits.StandingOrders},
	} {
		if got := give(c.order, c.when); got != c.want || len(s.Creatures["b"].Orders) != c.kept {
			t.Errorf("%q %s: %q, %d kept; want %q, %d", c.order, c.when, got, len(s.Creatures["b"].Orders), c.want, c.kept)
		}
	}
}

// The orders that a decision takes are asking, the default and its own, none of them twice.
func TestEachOrderIsListedOnce(t *testing.T) {
	for _, own := range [][]string{{"yes", "no"}, {"ask", "yes", "no"}, {"yes", "default", "no"}, {"default", "yes", "ask", "no"}} {
		if got := (rules.StandingOrder{Decision: "parry", Orders: own}).All(); !slices.Equal(got, []string{"ask", "default", "yes", "no"}) {
			t.Errorf("%v: %v", own, got)
		}
	}
}

// An order is judged by what its giver knows: of wounds that nobody is told of it knows
// nothing, and of those that all see it knows.
func TestAnOrderKnowsTheWoundsItsGiverSees(t *testing.T) {
	for _, c := range []struct {
		kind string
		by   *eventv1.Principal
		want bool
	}{{"scar", ann, true}, {"curse", ann, false}, {"curse", gm, true}, {"scar", nil, true}, {"curse", nil, true}} {
		s := fightState(t)
		event.Fold(s, event.New(event.GM(), &eventv1.InjuryAdded{Creature: "a", Injury: &eventv1.Injury{Id: "w", Kind: c.kind}}))
		event.Fold(s, event.New(event.GM(), &eventv1.OrderGiven{Order: &eventv1.StandingOrder{Creature: "a", Decision: "parry", Order: "yes", When: `self.hurt("` + c.kind + `")`, By: c.by}}))
		out, err := rules.Run(context.Background(), secretive{}, rules.Request{State: s, Action: 7}, &table{}, func(r *rules.Resolution) error {
			r.Ask("parry", rules.YesNo("parry", "a", "hit", "Parry?", "no", ""))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(out.Open) == 0; got != c.want {
			t.Errorf("%s, by %v: answered %v, want %v", c.kind, c.by, got, c.want)
		}
	}
}

// secretive is the toy in which the game master alone knows of curses.
type secretive struct{ toy }

func (secretive) Audience(s *eventv1.State, k rules.FactKind, name, creature string) *eventv1.Audience {
	if k == rules.FactInjury && name == "curse" {
		return event.GM()
	}
	return toy{}.Audience(s, k, name, creature)
}

// The parts of a number of a sheet stand for it while they come to it; else, and where there
// are none, it stands alone.
func TestPartsOfANumber(t *testing.T) {
	part := func(n int32) *eventv1.SheetPart { return &eventv1.SheetPart{Value: n, Source: "part"} }
	for name, c := range map[string]struct {
		parts []*eventv1.SheetPart
		value int32
		want  int
	}{
		"two that come to it": {[]*eventv1.SheetPart{part(2), part(3)}, 5, 2},
		"two that do not":     {[]*eventv1.SheetPart{part(2), part(4)}, 5, 1},
		"none of nothing":     {nil, 0, 1},
		"one of nothing":      {[]*eventv1.SheetPart{part(0)}, 0, 1},
		"two that cancel":     {[]*eventv1.SheetPart{part(2), part(-2)}, 0, 2},
	} {
		s := &eventv1.Sheet{MadeOf: []*eventv1.SheetNumber{{Number: "other", Parts: []*eventv1.SheetPart{part(c.value)}}, {Number: "armour", Parts: c.parts}}}
		got := rules.SheetParts(s, "armour", c.value, "armour class", "toy.armour")
		sum := int32(0)
		for _, m := range got {
			sum += m.Value
		}
		if len(got) != c.want || sum != c.value {
			t.Errorf("%s: %v", name, got)
		}
		if name == "none of nothing" && got[0].Source != "armour class" {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Faces are as many as the dice take: too few, too many and such as no die has are told apart.
func TestWhichFacesFit(t *testing.T) {
	for _, c := range []struct {
		expr  string
		faces []int32
		want  string
	}{
		{"2d6", []int32{3, 4}, ""}, {"2d6", []int32{3}, "1 given"}, {"2d6", []int32{3, 4, 5}, "takes 2 faces here, 3 given"}, {"2d6", []int32{3, 7}, "no faces of"},
		{"2d6", []int32{7}, "1 given"}, {"2d6", []int32{7, 1, 1}, "no faces of"}, {"2x6", nil, ""},
	} {
		err := rules.FacesFit(c.expr, c.faces)
		if c.expr == "2x6" {
			if err == nil {
				t.Error("what is no dice takes faces")
			}
			continue
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v, want %q", c.expr, c.faces, err, c.want)
		}
	}
}

// Of several creatures whose turn it is, the one that the caller knows ends its own; where the
// caller knows of more, the word must say whose.
func TestWhoseTurnEndsWhereOneIsNotKnown(t *testing.T) {
	end := &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{}}}
	for name, c := range map[string]struct {
		active []string
		staged bool // b stands in the wings
		by     *eventv1.Principal
		want   string
	}{
		"one":                           {[]string{"a"}, false, ann, ""},
		"two":                           {[]string{"a", "b"}, false, ann, "end_turn.creature"},
		"two, of whom one is not known": {[]string{"a", "b"}, true, ann, ""},
		"two, the game master":          {[]string{"a", "b"}, true, gm, "end_turn.creature"},
		"nobody":                        {nil, false, gm, "end_turn.creature"},
	} {
		s := fightState(t)
		s.Active = c.active
		s.Creatures["b"].Staged = c.staged
		if _, err := try(s, c.by, end); wrong(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// One of several who act together cannot when what went before has ended the fight or taken
// it away: where dice were rolled or questions asked before that, it is passed over and the
// rest stands; where nothing was, all is refused.
func TestWhatNobodyTakesBack(t *testing.T) {
	for name, c := range map[string]struct {
		before func(r *rules.Resolution)
		stands bool
	}{
		"nothing": {func(*rules.Resolution) {}, false},
		"a note":  {func(r *rules.Resolution) { r.Note(event.Everyone(), "a", "hum") }, false},
		"a roll":  {func(r *rules.Resolution) { r.Roll(roll("x", "1d20")) }, true},
		"a question": {func(r *rules.Resolution) {
			r.Ask("parry", rules.YesNo("parry", "b", "hit", "Parry?", "no", ""))
		}, true},
	} {
		for how, gone := range map[string]func(r *rules.Resolution){
			"felled": func(r *rules.Resolution) { r.SetHitPoints("b", 0, 20, 0) },
			"ended":  func(r *rules.Resolution) { r.Emit(event.Everyone(), &eventv1.EncounterEnded{}) },
		} {
			sys := scripted{do: func(r *rules.Resolution, take *eventv1.TakeAction) error {
				if take.Action == "second" {
					if b := r.Creature("b"); b.GetHp() <= 0 {
						return fault.Refuse("FALLEN", "toy.fall", "b has fallen")
					}
					r.Set("b", "struck", 1, "second")
					return nil
				}
				c.before(r)
				gone(r)
				return nil
			}}
			s := fightState(t)
			s.Creatures["b"].StandingOrders = map[string]string{"parry": "no"}
			out, err := rules.Run(context.Background(), sys, rules.Request{State: s, Action: 5, Caller: gm}, &table{tape: true, faces: []int32{11, 12}},
				rules.Resolve(sys, &eventv1.Command{What: &eventv1.Command_Together{Together: &eventv1.TakeTogether{Actions: []*eventv1.TakeAction{
					{Creature: "a", Action: "first", Targets: []string{"b"}}, {Creature: "b", Action: "second", Targets: []string{"a"}}}}}}))
			if (err == nil) != c.stands {
				t.Errorf("%s, then %s: %v", name, how, err)
			}
			if err == nil && out.State.Creatures["b"].Counters["struck"] != 0 {
				t.Errorf("%s, then %s: the second acts all the same", name, how)
			}
		}
	}
}

// scripted is the toy whose actions do what a test says.
type scripted struct {
	toy
	do func(r *rules.Resolution, take *eventv1.TakeAction) error
}

func (x scripted) Act(r *rules.Resolution, take *eventv1.TakeAction) error { return x.do(r, take) }
