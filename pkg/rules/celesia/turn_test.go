package celesia

import (
	"slices"
	"testing"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestInitiative(t *testing.T) {
	t.Run("celesia.initiative.check", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", ability("dexterity", 16), section(func(c *eventv1.CelesiaSheet) { c.InitiativeBonus = 4 })))
		f.start(nil, 12)
		if got := f.roll("initiative/a").Total; got != 19 {
			t.Errorf("initiative %d, want 19", got)
		}
	})
	t.Run("celesia.initiative.check sickened", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", ability("dexterity", 14)))
		f.afflict("a", condSickened)
		f.start(nil, 15, 6)
		if got := f.roll("initiative/a").Total; got != 8 {
			t.Errorf("initiative %d, want 8", got)
		}
	})
	t.Run("celesia.initiative.order-descending", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "party"), fighter("d", "foes", ability("dexterity", 6)))
		f.start(nil, 19, 7, 12, 2)
		if got := order(f.state); !slices.Equal(got, []string{"a", "c", "b", "d"}) {
			t.Errorf("order %v", got)
		}
	})
	t.Run("celesia.initiative.persistent-order", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "party")).start(nil, 19, 7, 12)
		for round := 0; round < 3; round++ {
			for _, id := range []string{"a", "c", "b"} {
				f.wantActive(id)
				f.end(id)
			}
		}
		if f.state.Round != 4 || !slices.Equal(order(f.state), []string{"a", "c", "b"}) {
			t.Errorf("round %d order %v", f.state.Round, order(f.state))
		}
	})
	t.Run("celesia.initiative.tie-modifier", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", ability("dexterity", 24)), fighter("b", "foes", ability("dexterity", 12)))
		f.start(nil, 12, 18)
		f.wantActive("a")
	})
	t.Run("celesia.initiative.tie-rolloff", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", ability("dexterity", 14)), fighter("b", "foes", ability("dexterity", 8)), fighter("c", "party", ability("dexterity", 14)))
		f.start(nil, 12, 15, 12, 8, 8, 3, 17)
		if got := order(f.state); !slices.Equal(got, []string{"c", "a", "b"}) {
			t.Errorf("order %v", got)
		}
		if placeOf(f.creature("a"), 1).Total != 14 || placeOf(f.creature("c"), 1).Total != 14 {
			t.Error("the roll-off changed a result")
		}
	})
}

func TestActs(t *testing.T) {
	for _, tc := range []struct {
		rule          string
		face          int
		hasted        bool
		first, second int64
	}{
		{"celesia.initiative.natural-20", 20, false, 4, 3},
		{"celesia.initiative.natural-20 hasted", 20, true, 4, 4},
		{"celesia.initiative.natural-1", 1, false, 2, 3},
		{"celesia.initiative.natural-1 hasted", 1, true, 3, 4},
		{"celesia.turn.haste", 10, true, 4, 4},
		{"celesia.turn.three-acts", 10, false, 3, 3},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"))
			if tc.hasted {
				f.afflict("a", condHasted)
			}
			f.start(nil, tc.face)
			if f.acts("a") != tc.first {
				t.Errorf("first turn %d acts, want %d", f.acts("a"), tc.first)
			}
			f.end("a")
			if f.acts("a") != tc.second {
				t.Errorf("second turn %d acts, want %d", f.acts("a"), tc.second)
			}
		})
	}
	t.Run("celesia.initiative.natural-20 not kept", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"))
		f.afflict("a", condShaken)
		f.start(nil, 20, 7)
		if f.acts("a") != 3 {
			t.Errorf("%d acts", f.acts("a"))
		}
	})
	t.Run("celesia.turn.extra-acts-no-stack", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"))
		f.put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: condHasted}, {Name: "surge", Values: map[string]int32{"acts": 2}}}})
		f.start(nil, 10)
		if f.acts("a") != 5 {
			t.Errorf("%d acts, want 5", f.acts("a"))
		}
	})
	t.Run("celesia.injury.disabled-one-less-act", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"))
		f.hurt("a", -3)
		f.start(nil, 10)
		if f.acts("a") != 2 {
			t.Errorf("%d acts, want 2", f.acts("a"))
		}
	})
	t.Run("celesia.turn.action-classes", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.must(act("a", "attack", "sword", "b"), 2)
		f.must(act("a", "total-defense", "", ""))
		wantRefused(t, f.try(act("a", "attack", "sword", "b")), "celesia.turn.three-acts")
		f.must(act("a", "drop-item", "sword", "")) // celesia.turn.free-actions: 0 acts left
	})
	t.Run("celesia.action.standard-consecutive", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.must(act("a", "total-defense", "", ""))
		wantRefused(t, f.try(act("a", "total-defense", "", "")), "celesia.action.standard-consecutive")
	})
	t.Run("celesia.action.full-frame", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.afflict("b", condHelpless)
		f.must(act("a", "step", "", ""))
		wantRefused(t, f.try(act("a", "coup-de-grace", "sword", "b")), "celesia.action.full-frame")
	})
}

func TestSurprise(t *testing.T) {
	t.Run("celesia.surprise.round-occurs", func(t *testing.T) {
		for _, tc := range []struct {
			unaware []string
			round   int32
		}{{[]string{"b"}, 0}, {nil, 1}, {[]string{"a", "b", "c"}, 1}} {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes")).start(tc.unaware, 10, 11, 9)
			if f.state.Round != tc.round {
				t.Errorf("unaware %v: round %d, want %d", tc.unaware, f.state.Round, tc.round)
			}
		}
	})
	t.Run("celesia.surprise.acts", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes")).start([]string{"b"}, 20, 11)
		if f.acts("a") != 2 {
			t.Errorf("%d acts, want 2: a natural 20 does not raise the limit", f.acts("a"))
		}
		f.must(act("a", "attack", "sword", "b"), 2)
		f.must(act("a", "attack", "sword", "b"), 2)
		wantRefused(t, f.try(act("a", "attack", "sword", "b")), "celesia.turn.three-acts")
		f.end("a")
		if f.state.Round != 1 || f.acts("a") != 4 {
			t.Errorf("round %d, %d acts: the extra act comes on the first regular turn", f.state.Round, f.acts("a"))
		}
	})
	t.Run("celesia.surprise.unaware", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", ability("dexterity", 14), section(func(c *eventv1.CelesiaSheet) { c.DefenseDexterity = 2 })))
		f.start([]string{"b"}, 15, 5)
		f.must(act("a", "attack", "sword", "b"), 8, 4) // 8 + 5 = 13 against DV 13
		if f.attack().Outcome != "hit" {
			t.Error("flat-footed: the Dexterity bonus still counts")
		}
	})
	t.Run("celesia.surprise.reaction", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 50, 0)
		f.start([]string{"c"}, 20, 10, 5)
		f.end("a")
		f.must(act("b", "sheathe", "sword", "")) // provokes, but a has no reaction yet
		if len(f.open) != 0 {
			t.Error("a reaction in the surprise round")
		}
		f.end("b")
		if f.creature("b").Counters[cReactions] != 1 {
			t.Error("no reaction once the surprise round is over")
		}
	})
}

func TestFlatFooted(t *testing.T) {
	dexterous := section(func(c *eventv1.CelesiaSheet) { c.Defense, c.DefenseDexterity = 17, 3 })
	t.Run("celesia.condition.flat-footed", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", dexterous)).start(nil, 15, 5)
		f.must(act("a", "attack", "sword", "b"), 9, 3) // 14 against DV 14
		if f.attack().Outcome != "hit" {
			t.Error("want a hit")
		}
		f.end("a")
		f.end("b")
		f.must(act("a", "attack", "sword", "b"), 9)
		if f.attack().Outcome != "miss" {
			t.Error("want a miss against DV 17 once b had its turn")
		}
	})
	t.Run("celesia.feat.uncanny-dodge", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", dexterous, features(featUncannyDodge)))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.start(nil, 15, 5)
		f.must(act("a", "attack", "sword", "b"), 9)
		if f.attack().Outcome != "miss" {
			t.Error("want a miss")
		}
		f.must(act("a", "sheathe", "sword", ""))
		if len(f.open) != 1 {
			t.Error("uncanny dodge: an attack of opportunity before acting is allowed")
		}
	})
	t.Run("celesia.condition.flat-footed-no-aoo", func(t *testing.T) {
		for _, tc := range []struct {
			feats []string
			open  int
		}{{nil, 0}, {[]string{featCombatReflexes}, 1}} {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", features(tc.feats...)))
			f.at("a", 0, 0)
			f.at("b", 5, 0)
			f.start(nil, 15, 5)
			f.must(act("a", "sheathe", "sword", ""))
			if len(f.open) != tc.open {
				t.Errorf("feats %v: %d questions, want %d", tc.feats, len(f.open), tc.open)
			}
		}
	})
}

func TestDelay(t *testing.T) {
	three := func(t *testing.T) *table {
		return newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "party")).start(nil, 20, 15, 10)
	}
	t.Run("celesia.turn.delay", func(t *testing.T) {
		f := three(t)
		f.must(act("a", "delay", "", ""))
		f.wantActive("b")
		if f.creature("a").Counters[cReactions] != 0 {
			t.Error("a reaction while delaying")
		}
		f = three(t)
		f.must(act("a", "drop-item", "sword", ""))
		wantRefused(t, f.try(act("a", "delay", "", "")), "celesia.turn.delay")
	})
	t.Run("celesia.turn.delay-reenter", func(t *testing.T) {
		f := three(t)
		f.must(act("a", "delay", "", ""))
		f.end("b")
		f.answer(decReenter, "yes")
		f.wantActive("a")
		f.end("a")
		f.wantActive("c")
		f.end("c")
		if got := order(f.state); !slices.Equal(got, []string{"b", "a", "c"}) {
			t.Errorf("order %v", got)
		}
	})
	t.Run("celesia.turn.delay-reenter two", func(t *testing.T) {
		f := three(t)
		f.must(act("a", "delay", "", ""))
		f.must(act("b", "delay", "", ""))
		f.end("c")
		f.answer(decReenter+"/a", "yes")
		f.wantActive("a")
		f.end("a")
		f.answer(decReenter+"/b", "yes")
		f.wantActive("b")
		f.end("b")
		if got := order(f.state); !slices.Equal(got, []string{"c", "a", "b"}) {
			t.Errorf("order %v", got)
		}
	})
	t.Run("celesia.turn.delay lost", func(t *testing.T) {
		f := three(t)
		f.must(act("a", "delay", "", ""))
		f.end("b")
		f.answer(decReenter, "no")
		f.end("c")
		f.answer(decReenter, "no")
		f.wantActive("a")
		if f.state.Round != 2 || f.acts("a") != 3 {
			t.Errorf("round %d, %d acts", f.state.Round, f.acts("a"))
		}
	})
	t.Run("celesia.initiative.inaction", func(t *testing.T) {
		f := three(t)
		f.hurt("b", -15)
		f.end("a", 1) // b's stabilising save: 1 + 0 - 7 fails
		f.wantActive("c")
		f.wantHP("b", -16)
		f.end("c")
		f.hurt("b", 10)
		f.end("a")
		f.wantActive("b")
	})
}

func TestReactionsCount(t *testing.T) {
	for _, tc := range []struct {
		rule string
		dex  int
		want int64
	}{{"celesia.feat.combat-reflexes", 16, 4}, {"celesia.feat.combat-reflexes penalty", 8, 1}} {
		t.Run(tc.rule, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", ability("dexterity", tc.dex), features(featCombatReflexes)), fighter("b", "foes")).start(nil, 18, 2)
			f.end("a")
			if got := f.creature("a").Counters[cReactions]; got != tc.want {
				t.Errorf("%d reactions, want %d", got, tc.want)
			}
		})
	}
	t.Run("celesia.turn.one-reaction", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes")).start(nil, 18, 2)
		if f.creature("a").Counters[cReactions] != 0 {
			t.Error("a reaction before the first turn is completed")
		}
		f.end("a")
		if f.creature("a").Counters[cReactions] != 1 {
			t.Error("no reaction after the turn")
		}
		f.end("b")
		if f.creature("a").Counters[cReactions] != 0 {
			t.Error("a reaction in one's own turn")
		}
	})
}
