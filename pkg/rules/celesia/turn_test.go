package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestInitiative(t *testing.T) {
	t.Run(cite.InitiativeCheck, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", ability("dexterity", 16), section(func(c *eventv1.CelesiaSheet) { c.InitiativeBonus = 4 })))
		f.start(nil, 12)
		if got := f.Roll("initiative/a").Total; got != 19 {
			t.Errorf("initiative %d, want 19", got)
		}
	})
	t.Run("celesia.initiative.check sickened", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", ability("dexterity", 14)))
		f.Afflict("a", body.CondSickened)
		f.start(nil, 15, 6)
		if got := f.Roll("initiative/a").Total; got != 8 {
			t.Errorf("initiative %d, want 8", got)
		}
	})
	t.Run(cite.InitiativeOrderDescending, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "party"), fighter("d", "foes", ability("dexterity", 6)))
		f.start(nil, 19, 7, 12, 2)
		if got := answers.Order(f.State); !slices.Equal(got, []string{"a", "c", "b", "d"}) {
			t.Errorf("order %v", got)
		}
	})
	t.Run(cite.InitiativePersistentOrder, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "party")).start(nil, 19, 7, 12)
		for round := 0; round < 3; round++ {
			for _, id := range []string{"a", "c", "b"} {
				f.WantActive(id)
				f.End(id)
			}
		}
		if f.State.Round != 4 || !slices.Equal(answers.Order(f.State), []string{"a", "c", "b"}) {
			t.Errorf("round %d order %v", f.State.Round, answers.Order(f.State))
		}
	})
	t.Run(cite.InitiativeTieModifier, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", ability("dexterity", 24)), fighter("b", "foes", ability("dexterity", 12)))
		f.start(nil, 12, 18)
		f.WantActive("a")
	})
	t.Run(cite.InitiativeTieRolloff, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", ability("dexterity", 14)), fighter("b", "foes", ability("dexterity", 8)), fighter("c", "party", ability("dexterity", 14)))
		f.start(nil, 12, 15, 12, 8, 8, 3, 17)
		if got := answers.Order(f.State); !slices.Equal(got, []string{"c", "a", "b"}) {
			t.Errorf("order %v", got)
		}
		if answers.PlaceOf(f.Creature("a"), 1).Total != 14 || answers.PlaceOf(f.Creature("c"), 1).Total != 14 {
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
		{cite.InitiativeNatural20, 20, false, 4, 3},
		{"celesia.initiative.natural-20 hasted", 20, true, 4, 4},
		{cite.InitiativeNatural1, 1, false, 2, 3},
		{"celesia.initiative.natural-1 hasted", 1, true, 3, 4},
		{cite.TurnHaste, 10, true, 4, 4},
		{cite.TurnThreeActs, 10, false, 3, 3},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"))
			if tc.hasted {
				f.Afflict("a", body.CondHasted)
			}
			f.start(nil, tc.face)
			if tc.face == 20 && tc.hasted {
				f.Answer(body.DecExtra, body.FirstTurn) // the haste of that turn is not added
			}
			if f.acts("a") != tc.first {
				t.Errorf("first turn %d acts, want %d", f.acts("a"), tc.first)
			}
			f.End("a")
			if f.acts("a") != tc.second {
				t.Errorf("second turn %d acts, want %d", f.acts("a"), tc.second)
			}
		})
	}
	t.Run("celesia.initiative.natural-20 not kept", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"))
		f.Afflict("a", body.CondShaken)
		f.start(nil, 20, 7)
		if f.acts("a") != 3 {
			t.Errorf("%d acts", f.acts("a"))
		}
	})
	t.Run(cite.TurnExtraActsNoStack, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"))
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondHasted}, {Name: "effect.surge", Values: map[string]int32{"acts": 2}}}})
		f.start(nil, 10)
		f.Answer(body.DecExtra, "effect.surge")
		if f.acts("a") != 5 {
			t.Errorf("%d acts, want 5, not 6", f.acts("a"))
		}
		f.End("a")
		f.Answer(body.DecExtra, body.CondHasted)
		if f.acts("a") != 4 {
			t.Errorf("%d acts, want the 4 of haste, which was picked", f.acts("a"))
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveConditions: []string{body.CondHasted}}}})
		if f.acts("a") != 3 {
			t.Errorf("%d acts, want 3: the effect picked is over, the other was not picked", f.acts("a"))
		}
	})
	t.Run(cite.InjuryDisabledOneLessAct, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"))
		f.Hurt("a", -3)
		f.start(nil, 10)
		if f.acts("a") != 2 {
			t.Errorf("%d acts, want 2", f.acts("a"))
		}
	})
	t.Run(cite.TurnActionClasses, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.Must(act("a", "total-defense", "", ""))
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.TurnThreeActs)
		f.Must(act("a", "drop-item", "sword", "")) // celesia.turn.free-actions: 0 acts left
	})
	t.Run(cite.ActionStandardConsecutive, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Must(act("a", "total-defense", "", ""))
		wantRefused(t, f.Try(act("a", "total-defense", "", "")), cite.ActionStandardConsecutive)
	})
	t.Run(cite.ActionFullFrame, func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Afflict("b", body.CondHelpless)
		f.Must(act("a", "step", "", ""))
		wantRefused(t, f.Try(act("a", "coup-de-grace", "sword", "b")), cite.ActionFullFrame)
	})
}

func TestSurprise(t *testing.T) {
	t.Run(cite.SurpriseRoundOccurs, func(t *testing.T) {
		for _, tc := range []struct {
			unaware []string
			round   int32
		}{{[]string{"b"}, 0}, {nil, 1}, {[]string{"a", "b", "c"}, 1}} {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes")).start(tc.unaware, 10, 11, 9)
			if f.State.Round != tc.round {
				t.Errorf("unaware %v: round %d, want %d", tc.unaware, f.State.Round, tc.round)
			}
		}
	})
	t.Run(cite.SurpriseActs, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes")).start([]string{"b"}, 20, 11)
		if f.acts("a") != 2 {
			t.Errorf("%d acts, want 2: a natural 20 does not raise the limit", f.acts("a"))
		}
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.Must(act("a", "attack", "sword", "b"), 2)
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.TurnThreeActs)
		f.End("a")
		if f.State.Round != 1 || f.acts("a") != 4 {
			t.Errorf("round %d, %d acts: the extra act comes on the first regular turn", f.State.Round, f.acts("a"))
		}
	})
	t.Run(cite.SurpriseUnaware, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", ability("dexterity", 14), section(func(c *eventv1.CelesiaSheet) { c.DefenseDexterity = 2 })))
		f.start([]string{"b"}, 15, 5)
		f.Must(act("a", "attack", "sword", "b"), 8, 4) // 8 + 5 = 13 against DV 13
		if f.Attack().Outcome != "hit" {
			t.Error("flat-footed: the Dexterity bonus still counts")
		}
	})
	t.Run(cite.SurpriseReaction, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 50, 0)
		f.start([]string{"c"}, 20, 10, 5)
		f.End("a")
		f.Must(act("b", "sheathe", "sword", "")) // provokes, but a has no reaction yet
		if len(f.Decisions) != 0 {
			t.Error("a reaction in the surprise round")
		}
		f.End("b")
		if f.Creature("b").Counters[body.CReactions] != 1 {
			t.Error("no reaction once the surprise round is over")
		}
	})
}

func TestFlatFooted(t *testing.T) {
	dexterous := section(func(c *eventv1.CelesiaSheet) { c.Defense, c.DefenseDexterity = 17, 3 })
	t.Run(cite.ConditionFlatFooted, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", dexterous)).start(nil, 15, 5)
		f.Must(act("a", "attack", "sword", "b"), 9, 3) // 14 against DV 14
		if f.Attack().Outcome != "hit" {
			t.Error("want a hit")
		}
		f.End("a")
		f.End("b")
		f.Must(act("a", "attack", "sword", "b"), 9)
		if f.Attack().Outcome != "miss" {
			t.Error("want a miss against DV 17 once b had its turn")
		}
	})
	t.Run(cite.FeatUncannyDodge, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", dexterous, features(body.FeatUncannyDodge)))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.start(nil, 15, 5)
		f.Must(act("a", "attack", "sword", "b"), 9)
		if f.Attack().Outcome != "miss" {
			t.Error("want a miss")
		}
		f.Must(act("a", "sheathe", "sword", ""))
		if len(f.Decisions) != 1 {
			t.Error("uncanny dodge: an attack of opportunity before acting is allowed")
		}
	})
	t.Run(cite.ConditionFlatFootedNoAoo, func(t *testing.T) {
		for _, tc := range []struct {
			feats []string
			open  int
		}{{nil, 0}, {[]string{body.FeatCombatReflexes}, 1}} {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", features(tc.feats...)))
			f.at("a", 0, 0)
			f.at("b", 5, 0)
			f.start(nil, 15, 5)
			f.Must(act("a", "sheathe", "sword", ""))
			if len(f.Decisions) != tc.open {
				t.Errorf("feats %v: %d questions, want %d", tc.feats, len(f.Decisions), tc.open)
			}
		}
	})
}

func TestDelay(t *testing.T) {
	three := func(t *testing.T) *table {
		return newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "party")).start(nil, 20, 15, 10)
	}
	t.Run(cite.TurnDelay, func(t *testing.T) {
		f := three(t)
		f.Must(act("a", "delay", "", ""))
		f.WantActive("b")
		if f.Creature("a").Counters[body.CReactions] != 0 {
			t.Error("a reaction while delaying")
		}
		f = three(t)
		f.Must(act("a", "drop-item", "sword", ""))
		wantRefused(t, f.Try(act("a", "delay", "", "")), cite.TurnDelay)
	})
	t.Run(cite.TurnDelayReenter, func(t *testing.T) {
		f := three(t)
		f.Must(act("a", "delay", "", ""))
		f.End("b")
		f.Answer(body.DecReenter, "yes")
		f.WantActive("a")
		f.End("a")
		f.WantActive("c")
		f.End("c")
		if got := answers.Order(f.State); !slices.Equal(got, []string{"b", "a", "c"}) {
			t.Errorf("order %v", got)
		}
	})
	t.Run("celesia.turn.delay-reenter two", func(t *testing.T) {
		f := three(t)
		f.Must(act("a", "delay", "", ""))
		f.Must(act("b", "delay", "", ""))
		f.End("c")
		f.Answer(body.DecReenter+"/a", "yes")
		f.WantActive("a")
		f.End("a")
		f.Answer(body.DecReenter+"/b", "yes")
		f.WantActive("b")
		f.End("b")
		if got := answers.Order(f.State); !slices.Equal(got, []string{"c", "a", "b"}) {
			t.Errorf("order %v", got)
		}
	})
	t.Run("celesia.turn.delay lost", func(t *testing.T) {
		f := three(t)
		f.Must(act("a", "delay", "", ""))
		f.End("b")
		f.Answer(body.DecReenter, "no")
		f.End("c")
		f.Answer(body.DecReenter, "no")
		f.WantActive("a")
		if f.State.Round != 2 || f.acts("a") != 3 {
			t.Errorf("round %d, %d acts", f.State.Round, f.acts("a"))
		}
	})
	t.Run(cite.InitiativeInaction, func(t *testing.T) {
		f := three(t)
		f.Hurt("b", -15)
		f.End("a", 1) // b's stabilising save: 1 + 0 - 7 fails
		f.WantActive("c")
		f.WantHP("b", -16)
		f.End("c")
		f.Hurt("b", 10)
		f.End("a")
		f.WantActive("b")
	})
}

func TestReactionsCount(t *testing.T) {
	for _, tc := range []struct {
		rule string
		dex  int
		want int64
	}{{cite.FeatCombatReflexes, 16, 4}, {"celesia.feat.combat-reflexes penalty", 8, 1}} {
		t.Run(tc.rule, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", ability("dexterity", tc.dex), features(body.FeatCombatReflexes)), fighter("b", "foes")).start(nil, 18, 2)
			f.End("a")
			if got := f.Creature("a").Counters[body.CReactions]; got != tc.want {
				t.Errorf("%d reactions, want %d", got, tc.want)
			}
		})
	}
	t.Run(cite.TurnOneReaction, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes")).start(nil, 18, 2)
		if f.Creature("a").Counters[body.CReactions] != 0 {
			t.Error("a reaction before the first turn is completed")
		}
		f.End("a")
		if f.Creature("a").Counters[body.CReactions] != 1 {
			t.Error("no reaction after the turn")
		}
		f.End("b")
		if f.Creature("a").Counters[body.CReactions] != 0 {
			t.Error("a reaction in one's own turn")
		}
	})
}
