package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// toldActs are the numbers of acts that a creature was told to have since the last answer,
// with their rules.
func (f *table) toldActs(id string) (acts []int64, behind [][]string) {
	for _, e := range f.Events {
		if n := e.GetCounter(); n.GetSubject() == id && n.GetCounter() == body.CActs {
			acts, behind = append(acts, n.GetValue()), append(behind, e.Rules)
		}
	}
	return acts, behind
}

// wantActs holds that a creature was told of so many acts once, by these rules.
func (f *table) wantActs(id string, n int64, rules ...string) {
	f.T.Helper()
	acts, behind := f.toldActs(id)
	if len(acts) == 0 || acts[len(acts)-1] != n || f.acts(id) != n {
		f.T.Fatalf("%s was told of %v acts and has %d, want %d", id, acts, f.acts(id), n)
	}
	if got := behind[len(behind)-1]; !slices.Equal(got, rules) {
		f.T.Errorf("%d acts of %s are told by %v, want %v", n, id, got, rules)
	}
}

// The acts of a turn are told by the rule that set their number.
//
// celesia.turn.three-acts, celesia.turn.haste, celesia.turn.extra-acts-no-stack,
// celesia.injury.disabled-one-less-act, celesia.condition.staggered-by-nonlethal
func TestActsAtTheStartAreToldByTheirRule(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(f *table)
		acts int64
		rule string
	}{
		"nothing":  {func(*table) {}, 3, cite.TurnThreeActs},
		"hasted":   {laid("a", body.CondHasted), 4, cite.TurnHaste},
		"disabled": {func(f *table) { f.Hurt("a", 0) }, 2, cite.InjuryDisabledOneLessAct},
		"disabled and hasted": {func(f *table) {
			f.Afflict("a", body.CondHasted)
			f.Hurt("a", -1)
		}, 3, cite.InjuryDisabledOneLessAct},
		"staggered": {laid("a", body.CondStaggered), 1, cite.ConditionStaggeredByNonlethal},
		"staggered and hasted": {func(f *table) {
			f.Afflict("a", body.CondHasted, body.CondStaggered)
		}, 1, cite.ConditionStaggeredByNonlethal},
		"slowed by the table": {func(f *table) {
			f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.slow", Values: map[string]int32{"acts": -2}, Rule: "house.slow"}}})
		}, 1, "house.slow"},
		"slowed beyond all acts": {func(f *table) {
			f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.slow", Values: map[string]int32{"acts": -2}},
				{Name: "effect.mire", Values: map[string]int32{"acts": -2}}}})
		}, 0, cite.TurnExtraActsNoStack},
		"a gift of the table": {func(f *table) {
			f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.zeal", Values: map[string]int32{"acts": 2}, Rule: "house.zeal"}}})
		}, 5, "house.zeal"},
	} {
		t.Run(name, func(t *testing.T) {
			f := duel(t, fighter("a", "party"), fighter("b", "foes"))
			f.End("a")
			c.do(f)
			f.End("b")
			f.WantActive("a")
			if c.acts == 0 {
				if acts, _ := f.toldActs("a"); len(acts) != 0 || f.acts("a") != 0 {
					t.Errorf("told of %v acts", acts)
				}
				return
			}
			f.wantActs("a", c.acts, c.rule)
		})
	}
}

// celesia.surprise.acts, celesia.initiative.natural-1, celesia.initiative.natural-20: two
// acts in the surprise round whatever the die was, which counts in the first regular turn.
func TestActsOfTheFirstTurns(t *testing.T) {
	for face, first := range map[int]struct {
		acts int64
		rule string
	}{1: {2, cite.InitiativeNatural1}, 20: {4, cite.InitiativeNatural20}, 10: {3, cite.TurnThreeActs}} {
		f := newTable(t).add(fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.InitiativeBonus = 30 })), fighter("b", "foes"))
		f.start([]string{"b"}, face, 5)
		f.wantActs("a", 2, cite.SurpriseActs)
		f.End("a") // b takes no part: round 1
		f.WantActive("a")
		f.wantActs("a", first.acts, first.rule)
		f.End("a")
		f.End("b")
		f.wantActs("a", 3, cite.TurnThreeActs)
	}
	t.Run("hasted in the surprise round", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
		f.Afflict("a", body.CondHasted)
		f.start([]string{"b"}, 15, 5)
		f.wantActs("a", 2, cite.SurpriseActs)
		f.End("a")
		f.wantActs("a", 4, cite.TurnHaste)
	})
	t.Run("disabled in the surprise round", func(t *testing.T) { // 3 - 1 = 2, which the limit leaves
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
		f.Hurt("a", 0)
		f.start([]string{"b"}, 15, 5)
		f.wantActs("a", 2, cite.SurpriseActs)
	})
	t.Run("staggered in the surprise round", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
		f.Count("a", body.CNonlethal, 20)
		f.start([]string{"b"}, 15, 5)
		f.wantActs("a", 1, cite.ConditionStaggeredByNonlethal)
	})
}

// celesia.turn.delay, celesia.turn.delay-reenter, celesia.initiative.natural-20,
// celesia.initiative.natural-1, celesia.turn.haste: the delayed turn is the first turn still.
func TestDelayingKeepsTheActsOfTheTurn(t *testing.T) {
	for face, c := range map[int]struct {
		acts int64
		rule string
	}{20: {4, cite.InitiativeNatural20}, 1: {2, cite.InitiativeNatural1}} {
		f := newTable(t).add(fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.InitiativeBonus = 30 })), fighter("b", "foes"))
		f.start(nil, face, 5)
		f.Must(act("a", "delay", "", ""))
		f.WantActive("b")
		if body.Has(f.Creature("a"), body.CondFlatFooted) { // the turn came up
			t.Error("still flat-footed")
		}
		if f.acts("a") != 0 || f.Creature("a").Counters[body.CReactions] != 0 {
			t.Errorf("%d acts and %d reactions while delaying", f.acts("a"), f.Creature("a").Counters[body.CReactions])
		}
		f.End("b")
		f.Answer(body.DecReenter, "yes")
		f.wantActs("a", c.acts, c.rule)
		f.End("a") // b is before a from now on
		f.WantActive("b")
		f.End("b")
		f.wantActs("a", 3, cite.TurnThreeActs)
	}
	t.Run("a first turn that was lost", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.InitiativeBonus = 30 })), fighter("b", "foes"))
		f.start(nil, 20, 5)
		f.Must(act("a", "delay", "", ""))
		f.End("b")
		f.Answer(body.DecReenter, "no") // until its place comes round again
		f.WantActive("a")
		f.wantActs("a", 3, cite.TurnThreeActs)
		if got := answers.Order(f.State); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("order %v", got)
		}
	})
	t.Run("what was picked before is kept", func(t *testing.T) { // celesia.turn.extra-acts-no-stack
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CReactions: 1}, Conditions: []*eventv1.Condition{{Name: body.CondHasted}, {Name: "effect.zeal", Values: map[string]int32{"acts": 2}}}})
		f.End("a")
		f.End("b")
		f.Answer(body.DecExtra, body.CondHasted)
		f.wantActs("a", 4, cite.TurnHaste)
		f.Must(act("a", "delay", "", ""))
		f.End("b")
		f.Answer(body.DecReenter, "yes")
		f.wantActs("a", 4, cite.TurnHaste)
	})
}

// celesia.mount.own-acts, celesia.injury.disabled-one-less-act, celesia.condition.staggered-by-nonlethal:
// what befalls a mount in its rider's turn counts at once, and what befalls it before it
// starts keeps it from a pace that it no longer has the acts for.
func TestMountHurtInItsRidersTurn(t *testing.T) {
	build := func(t *testing.T) *table {
		return cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
	}
	t.Run("disabled after one act", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "ride", "", "", path([2]int32{50, 0})))
		f.Hurt("h", 0)
		f.wantActs("h", 1, cite.MountOwnActs, cite.InjuryDisabledOneLessAct)
		wantReason(t, f.Try(act("a", "ride", "", "", gait("double", 100, 0)...)), "NO_ACTS", cite.MountOwnActs)
	})
	t.Run("staggered after two", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "ride", "", "", gait("double", 100, 0)...))
		f.Count("h", body.CNonlethal, 20)
		f.wantActs("h", 0, cite.MountOwnActs, cite.ConditionStaggeredByNonlethal)
	})
	t.Run("disabled at the start of the turn", func(t *testing.T) {
		f := build(t)
		f.End("a")
		f.Hurt("h", -2)
		f.End("b")
		if acts, behind := f.toldActs("h"); !slices.Equal(acts, []int64{2}) || !slices.Equal(behind[0], []string{cite.MountOwnActs, cite.InjuryDisabledOneLessAct}) {
			t.Errorf("told of %v by %v", acts, behind)
		}
	})
	t.Run("mounted after its turn it stays without acts", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), horse(func(s *eventv1.Sheet) { s.Controllers = []string{"a-player"} }), fighter("b", "foes"))
		f.at("a", 0, 10)
		f.at("h", 0, 0)
		f.at("b", 200, 0)
		f.start(nil, 10, 5, 19) // h, a, b
		f.WantActive("h")
		f.End("h")
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("a", "guide-with-knees", "", ""), 15)
		if f.acts("h") != 0 {
			t.Errorf("%d acts", f.acts("h"))
		}
	})
	for gaitName, goes := range map[string]bool{"run": false, "double": true} {
		t.Run("disabled by who threatened the start: "+gaitName, func(t *testing.T) {
			f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes"))
			f.at("b", 10, 0)
			f.Hurt("h", 5)
			f.Must(act("a", "ride", "", "", gait(gaitName, -100, 0)...))
			f.Answer(body.DecReaction+"/b", "attack:sword", 15, 8)
			f.Answer(body.DecCrippling, "none") // 5 - 8 = -3
			if got := f.Creature("h").Position.X == -100; got != goes {
				t.Errorf("the horse is at %v", f.Creature("h").Position)
			}
		})
	}
}

// celesia.action.aid-another: the friends offered are those in melee with every opponent
// that can be named: the dead and those out of reach are none.
func TestFriendsOfferedToAid(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(f *table)
		want []string
	}{
		"both within reach":    {func(*table) {}, nil},
		"the one is dead":      {func(f *table) { f.Hurt("e", -30) }, []string{"b"}},
		"the one is too far":   {func(f *table) { f.at("e", 0, 30); f.at("c", 0, 35) }, []string{"b"}},
		"the other is too far": {func(f *table) { f.at("d", 30, 0); f.at("b", 35, 0) }, []string{"c"}},
		"one friend with both": {func(f *table) { f.at("b", 5, 5) }, []string{"b"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := crowd(t, [][2]int32{{0, 0}, {10, 0}, {0, 10}, {5, 0}, {0, 5}}, fighter("a", "party"), fighter("b", "party"), fighter("c", "party"),
				fighter("d", "foes"), fighter("e", "foes"))
			c.do(f)
			o := optionsOf(f, "a", "aid-another")
			if len(o) == 0 || !o[0].Legal {
				t.Fatalf("offered %v", o)
			}
			got, _ := wordsOf(o[0], "friend")
			if !slices.Equal(got, c.want) {
				t.Errorf("friends %v, want %v", got, c.want)
			}
			for _, id := range c.want {
				if err := f.Peek(act("a", "aid-another", o[0].Item, o[0].Targets[0], withParameters("friend", id)), 20); err != nil {
					t.Errorf("aiding %s: %v", id, err)
				}
			}
		})
	}
}
