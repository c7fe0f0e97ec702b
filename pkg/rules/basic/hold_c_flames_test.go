package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// on puts creatures on the field, those with a place on the map.
func (f *table) on(places map[string]at, sheets ...*eventv1.Sheet) *table {
	f.T.Helper()
	for _, s := range sheets {
		if p, placed := places[s.Id]; placed {
			f.AddAt(p.x, p.y, s)
		} else {
			f.Add(s)
		}
	}
	return f
}

// asked are the options of the one open decision.
func (f *table) asked() (out []string) {
	f.T.Helper()
	if len(f.Decisions) != 1 {
		f.T.Fatalf("asked %v", f.Decisions)
	}
	for _, o := range f.Decisions[0].Options {
		out = append(out, o.Id)
	}
	return out
}

// basic.item.oil-splash: of those whose distance nobody can measure, from where the flask
// breaks, the game master says who is splashed.
func TestWhoIsSplashedWithoutAMap(t *testing.T) {
	for name, c := range map[string]struct {
		places map[string]at
		asked  []string
	}{
		"the target stands nowhere": {map[string]at{"a": {0, 0}, "c": {0, 5}}, []string{"a", "c", "none"}},
		"another stands nowhere":    {map[string]at{"a": {0, 0}, "b": {0, 30}}, []string{"c", "none"}},
		"nobody stands anywhere":    {nil, []string{"a", "c", "none"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).on(c.places, make1("a", "A", throws(body.Oil)), make1("b", "B", hp(30)), make1("c", "B", resists(15))).start(nil)
			f.declare([]int{6, 1, 1}, "a=ranged-attack", "b=move", "c=move")
			f.Must(act("a", "throw", "flask", "b", lit(strike.LitWick)), 12, 5)
			if got := f.asked(); !slices.Equal(got, c.asked) || !f.Decisions[0].GmOnly {
				t.Fatalf("asked %v, want %v", got, c.asked)
			}
			if len(c.asked) == 2 {
				f.Answer(body.DecSplash, "c", 14, 4)
			} else {
				f.Answer(body.DecSplash, "c")
				f.Answer(body.DecSplash, body.NoStray, 14, 4)
			}
			f.wantHP(map[string]int32{"a": 10, "b": 21, "c": 6})
		})
	}
}

// basic.item.oil-miss-splash, basic.item.oil-direct, basic.item.holy-water-direct: what a
// flask does not do to its target is nothing that waits for the end of the number either.
func TestAFlaskThatDoesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		contents string
		lit      string
		faces    []int
		harms    int
	}{
		"oil that misses":           {body.Oil, strike.LitWick, []int{2, 5}, 0},
		"oil that nothing lights":   {body.Oil, strike.LitNot, []int{12}, 0},
		"oil that a flame lights":   {body.Oil, strike.LitFlame, []int{12, 5}, 1},
		"oil with a wick":           {body.Oil, strike.LitWick, []int{12, 5, 4}, 1},
		"holy water on the living":  {body.HolyWater, "", []int{12}, 0},
		"holy water that misses it": {body.HolyWater, "", []int{2, 5}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).on(map[string]at{"a": {0, 0}, "b": {0, 40}, "c": {0, 90}}, make1("a", "A", throws(c.contents)), make1("b", "B"), make1("c", "B")).start(nil)
			f.declare([]int{3, 1, 3}, "a=ranged-attack", "b=move", "c=move")
			cmd := act("a", "throw", "flask", "b")
			if c.lit != "" {
				cmd = act("a", "throw", "flask", "b", lit(c.lit))
			}
			f.Must(cmd, c.faces...)
			if got := f.pending(body.TaskHarm); got != c.harms {
				t.Errorf("%d harms wait, want %d", got, c.harms)
			}
		})
	}
}

// basic.attack.grenade-scatter: the diagram lies along the throw, from the thrower or from
// the front that is stated with both its numbers; where one of the two stands nowhere it is
// said in squares alone.
func TestWhichWayAFlaskScatters(t *testing.T) {
	both := map[string]at{"a": {0, 0}, "b": {0, 40}}
	for name, c := range map[string]struct {
		places map[string]at
		facts  []any
		note   string
	}{
		"from the thrower":                 {both, nil, "it lands at 0, 30"},
		"from a front that is stated":      {both, []any{"front_x", 0, "front_y", 80}, "it lands at 0, 50"},
		"half of a front: x":               {both, []any{"front_x", 40}, "it lands at 0, 30"},
		"half of a front: y":               {both, []any{"front_y", 80}, "it lands at 0, 30"},
		"the thrower stands nowhere":       {map[string]at{"b": {0, 40}}, nil, "it lands 0 feet to the right and -10 feet beyond"},
		"the thrower nowhere, but a front": {map[string]at{"b": {0, 40}}, []any{"front_x", 0, "front_y", 80}, "it lands at 0, 50"},
		"the target stands nowhere":        {map[string]at{"a": {0, 0}}, nil, "it lands 0 feet to the right and -10 feet beyond"},
		"the target nowhere, and a front":  {map[string]at{"a": {0, 0}}, []any{"front_x", 0, "front_y", 80}, "it lands 0 feet to the right and -10 feet beyond"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).on(c.places, make1("a", "A", throws(body.HolyWater)), make1("b", "B")).start(nil)
			f.declare([]int{6, 1}, "a=ranged-attack", "b=move")
			f.Must(act("a", "throw", "flask", "b", facts(c.facts...)), 2, 3)
			if !f.noted(c.note) {
				t.Errorf("it does not say %q: %v", c.note, f.Events)
			}
		})
	}
}

// basic.item.oil-two-rounds: who dies of one flask is not burned by the other.
func TestTheDeadBurnNoMore(t *testing.T) {
	f := newTable(t).on(map[string]at{"a": {0, 0}, "b": {0, 30}, "c": {5, 0}}, make1("a", "A", throws(body.Oil)), make1("b", "B", hp(9)), make1("c", "A", throws(body.Oil))).start(nil)
	f.declare([]int{6, 1, 4}, "a=ranged-attack", "b=move", "c=ranged-attack")
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitFlame)), 12, 2)
	f.end("a")
	f.Must(act("c", "throw", "flask", "b", lit(strike.LitFlame)), 12, 3)
	f.end("c", "b")
	f.WantHP("b", 4)
	f.declare([]int{6, 5, 4}, "a=move", "b=move", "c=move")
	f.Must(endTurn("a"), 8) // the first flask kills; nothing is rolled for the second
	f.WantLife("b", isDead)
}

// basic.item.oil-second-round, basic.item.oil-ground-fire: the dead do not burn where they
// lie either.
func TestTheDeadAreNotScorched(t *testing.T) {
	f := newTable(t).on(map[string]at{"a": {0, 0}, "b": {0, 5}}, make1("a", "A", throws(body.Oil)), make1("b", "B", hp(9))).start(nil)
	f.declare([]int{6, 1}, "a=other", "b=move")
	f.Must(act("a", "spill-oil", "flask", "", func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{Y: 5}} }))
	f.end("a", "b")
	f.declare([]int{6, 1}, "a=ranged-attack", "b=move")
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitFlame)), 18, 5)
	f.end("a", "b")
	f.declare([]int{6, 1}, "a=other", "b=move")
	f.Must(act("a", "light-oil", "pool-1", ""))
	f.Must(endTurn("a"), 6) // the flask's second round; b is dead, and nothing is rolled for the pool
	f.WantLife("b", isDead)
}

// basic.item.oil-second-round, basic.initiative.ties-simultaneous: of two on a number one
// falls to its flames before it begins: the other has the number alone.
func TestTheNumberOfOneWhoBurns(t *testing.T) {
	f := newTable(t).on(map[string]at{"a": {0, 0}, "b": {0, 30}, "c": {5, 30}}, make1("a", "A", throws(body.Oil)), make1("b", "B", hp(6)), make1("c", "B")).start(nil)
	f.declare([]int{6, 1, 1}, "a=ranged-attack", "b=move", "c=move")
	f.Must(act("a", "throw", "flask", "b", lit(strike.LitFlame)), 12, 2)
	f.end("a", "b", "c")
	f.declare([]int{1, 4, 4, 8}, "a=move", "b=move", "c=move")
	f.WantLife("b", isDead)
	f.WantActive("c")
	if f.State.Counters[body.CTogether] != 0 {
		t.Error("c has the number with nobody")
	}
}

// basic.item.oil-ground-fire: whom the map does not show burns by the game master's word
// alone, and as long as a pool burns; who is on the map by where it stands.
func TestInFlamesByWord(t *testing.T) {
	for name, c := range map[string]struct {
		lit    bool
		word   bool
		scorch bool
	}{"a pool that burns": {true, true, true}, "a pool that nobody lit": {false, true, false}, "nobody said so": {true, false, false}} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).on(map[string]at{"a": {5, 0}}, make1("a", "A", throws(body.Oil)), make1("b", "B")).start(nil)
			f.declare([]int{6, 1}, "a=other", "b=move")
			f.Must(act("a", "spill-oil", "flask", "", parameters("lit", c.lit), func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: 0}} }))
			if c.word {
				f.Afflict("b", body.CondInFlames)
			}
			if c.scorch {
				f.Must(endTurn("a"), 4)
				f.WantHP("b", 6)
				return
			}
			f.end("a")
			f.WantHP("b", 10)
		})
	}
	// One who has a place says nothing of flames: the map shows them.
	f := newTable(t).on(map[string]at{"a": {0, 0}, "b": {0, 30}}, make1("a", "A", throws(body.Oil)), make1("b", "B")).start(nil)
	f.declare([]int{6, 1}, "a=other", "b=move")
	f.Must(act("a", "spill-oil", "flask", "", parameters("lit", true), func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{X: 5}} }))
	f.end("a")
	f.Must(act("b", "move", "", "", func(k *eventv1.TakeAction) { k.Path = []*eventv1.Position{{Y: 60}} }, facts("through_flames", true)))
	f.WantHP("b", 10)
}

// basic.item.oil-ground-fire: oil is poured out where one stands, or within 5 feet as said;
// by one who stands nowhere, nowhere in particular.
func TestWhereOilIsPoured(t *testing.T) {
	for name, c := range map[string]struct {
		placed  bool
		to      *at
		at      *at // of the pool; none: nowhere
		refused bool
	}{
		"where it stands":         {true, nil, &at{0, 0}, false},
		"5 feet away":             {true, &at{5, 0}, &at{5, 0}, false},
		"6 feet away":             {true, &at{0, 6}, nil, true},
		"by one nowhere":          {false, nil, nil, false},
		"by one nowhere, at 5, 0": {false, &at{5, 0}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			places := map[string]at{"b": {0, 50}}
			if c.placed {
				places["a"] = at{0, 0}
			}
			f := newTable(t).on(places, make1("a", "A", throws(body.Oil)), make1("b", "B")).start(nil)
			f.declare([]int{6, 1}, "a=other", "b=move")
			cmd := act("a", "spill-oil", "flask", "", func(k *eventv1.TakeAction) {
				if c.to != nil {
					k.Path = []*eventv1.Position{{X: c.to.x, Y: c.to.y}}
				}
			})
			if c.refused {
				wantRefused(t, f.Try(cmd), cite.ItemOilGroundFire)
				return
			}
			f.Must(cmd)
			v := f.State.Tasks["pool-1"].Values
			if c.at == nil && v["placed"] != 0 || c.at != nil && (v["placed"] != 1 || v["x"] != c.at.x || v["y"] != c.at.y) {
				t.Errorf("the pool lies at %v", v)
			}
		})
	}
}

// basic.item.oil-ground-fire: a pool is lit within 5 feet of it, where that can be
// measured; unlit oil burns nobody and does not burn out.
func TestWhoLightsOil(t *testing.T) {
	for name, c := range map[string]struct {
		pourer, lighter *at
		refused         bool
	}{
		"beside it":           {&at{0, 0}, &at{7, 0}, false},
		"too far away":        {&at{0, 0}, &at{8, 0}, true},
		"one nowhere":         {&at{50, 0}, nil, false},
		"a pool nowhere":      {nil, &at{90, 0}, false},
		"neither is anywhere": {nil, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			places := map[string]at{}
			if c.pourer != nil {
				places["a"] = *c.pourer
			}
			if c.lighter != nil {
				places["b"] = *c.lighter
			}
			f := newTable(t).on(places, make1("a", "A", throws(body.Oil)), make1("b", "A")).start(nil)
			f.declare([]int{6, 1}, "a=other", "b=other")
			f.Must(act("a", "spill-oil", "flask", ""))
			f.end("a")
			cmd := act("b", "light-oil", "pool-1", "")
			if c.refused {
				wantRefused(t, f.Try(cmd), cite.ItemOilGroundFire)
				return
			}
			f.Must(cmd)
		})
	}
	f := newTable(t).on(map[string]at{"a": {0, 0}}, make1("a", "A", throws(body.Oil))).start(nil)
	f.declare([]int{6}, "a=other")
	f.Must(act("a", "spill-oil", "flask", ""))
	f.end("a")
	for range 11 {
		f.declare([]int{6}, "a=move")
		f.end("a")
	}
	if got := fire.Pools(f.State); len(got) != 1 || f.Creature("a").GetHp() != 10 {
		t.Errorf("round %d: pools %v", f.State.Round, got)
	}
	// basic.item.oil-ground-fire: with the encounter the pools are over.
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	if got := fire.Pools(f.State); len(got) != 0 {
		t.Errorf("pools %v after the end", got)
	}
}
