package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Cases with their own numbers that no other test holds.
func TestCasesWithTheirNumbers(t *testing.T) {
	t.Run(cite.DiceAdvCharging, func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {40, 0}}, fighter("a", "party", attacks(6)), fighter("ogre", "foes", defends(17)))
		f.Must(act("a", "charge", "sword", "ogre"))
		if f.acts("a") != 1 {
			t.Fatalf("%d acts left, want 1", f.acts("a"))
		}
		f.Must(act("a", "attack", "sword", "ogre"), 5, 12, 1)
		if got := f.Roll("to-hit").Total; got != 18 || f.Attack().Outcome != "hit" {
			t.Errorf("total %d, %s", got, f.Attack().Outcome)
		}
	})
	t.Run(cite.SpellDegreesSave, func(t *testing.T) {
		ball := &eventv1.CelesiaSpell{Name: "s", Casting: "standard", DicePerLevel: "1d6", CasterLevel: 7, Save: "reflex", SaveDc: 17, SaveEffect: "half", RangeFeet: 400, Targets: 2}
		reflex := section(func(c *eventv1.CelesiaSheet) { c.Reflex = 8 })
		f := duel(t, fighter("a", "party", spell(ball)), fighter("b", "foes", unarmed(), reflex))
		f.Must(act("a", "cast", "s", "b"), 20, 4, 2, 6, 1, 5, 3) // 28, 11 over: level 6, 21 for half
		f.WantHP("b", 40-10)
		// 9 under and 9 over: level 7 for both, the second saves.
		g := crowd(t, [][2]int32{{0, 0}, {100, 0}, {100, 5}}, fighter("a", "party", spell(ball)), fighter("b", "foes"), fighter("c", "foes", reflex))
		g.Must(act("a", "cast", "s", "b,c"), 8, 18, 1, 2, 3, 4, 5, 6, 6)
		g.WantHP("b", 40-27)
		g.WantHP("c", 40-13)
	})
	t.Run(cite.MountControlFrightened, func(t *testing.T) {
		f := cavalry(t, fighter("a", "party", skilled("ride", 6)), horse(untrainedHorse), fighter("b", "foes"))
		f.Must(act("a", "control-mount", "", ""), 13)
		if got := f.Roll("ride").Total; got != 19 {
			t.Errorf("total %d, want 19 against 20", got)
		}
		wantRefused(t, f.Try(act("a", "control-mount", "", "")), cite.MountControlCheck)
	})
	t.Run("celesia.turn.delay-reenter not in the middle of a turn", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "party")).start(nil, 20, 15, 10)
		f.Must(act("a", "delay", "", ""))
		f.Must(act("b", "step", "", ""))
		f.Must(act("b", "step", "", ""))
		if len(f.Decisions) != 0 || f.Try(act("a", "step", "", "")) == nil {
			t.Error("came back in the middle of a turn")
		}
		f.End("b")
		f.Answer(body.DecReenter, "yes")
		f.WantActive("a")
	})
	t.Run(cite.InitiativeInaction, func(t *testing.T) {
		cure := spell(&eventv1.CelesiaSpell{Name: "cure", Casting: "standard", Healing: "1d8+3", RangeFeet: 30})
		f := newTable(t).add(fighter("a", "party", cure), fighter("b", "party"), fighter("c", "foes", unarmed())).start(nil, 20, 15, 9)
		f.Afflict("b", body.CondUnconscious)
		f.End("a")
		f.WantActive("c") // its place is passed over
		f.End("c")
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "b", RemoveConditions: []string{body.CondUnconscious}}}})
		f.End("a")
		f.WantActive("b")
		if answers.PlaceOf(f.Creature("b"), f.State.Round).Total != 15 {
			t.Error("its place was not kept")
		}
		f.End("b")
		f.WantActive("c")
	})
}

// celesia.turn.extra-acts-no-stack and what comes near it.
func TestExtraActs(t *testing.T) {
	surging := func(t *testing.T, face int) *table {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondHasted}, {Name: "effect.surge", Values: map[string]int32{"acts": 2}}}})
		f.start(nil, face, 2)
		return f
	}
	t.Run("three effects are all offered", func(t *testing.T) {
		f := surging(t, 20)
		var ids []string
		for _, o := range f.Decisions[0].Options {
			ids = append(ids, o.Id)
		}
		if !slices.Equal(ids, []string{body.MostActs, "effect.surge", body.CondHasted, body.FirstTurn}) || f.Decisions[0].Creature != "a" {
			t.Errorf("offered %v", ids)
		}
		f.Answer(body.DecExtra, body.MostActs)
		if f.acts("a") != 5 {
			t.Errorf("%d acts, want 5", f.acts("a"))
		}
	})
	t.Run("a standing order", func(t *testing.T) {
		f := surging(t, 10)
		f.Answer(body.DecExtra, body.CondHasted)
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: body.DecExtra, Order: body.MostActs}}})
		f.End("a")
		f.End("b")
		if f.acts("a") != 5 {
			t.Errorf("%d acts, want 5 without a question", f.acts("a"))
		}
	})
	t.Run("a choice holds through a delay", func(t *testing.T) {
		f := surging(t, 10)
		f.Answer(body.DecExtra, body.CondHasted)
		f.Must(act("a", "delay", "", ""))
		f.End("b")
		f.Answer(body.DecReenter, "yes")
		if f.acts("a") != 4 {
			t.Errorf("%d acts, want the 4 picked", f.acts("a"))
		}
	})
	t.Run("not asked in the surprise round", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondHasted}, {Name: "effect.surge", Values: map[string]int32{"acts": 2}}}})
		f.start([]string{"b"}, 10, 2)
		if f.acts("a") != 2 { // celesia.surprise.acts
			t.Errorf("%d acts, want 2", f.acts("a"))
		}
		f.End("a")
		f.Answer(body.DecExtra, body.MostActs)
	})
	t.Run("haste twice is one effect", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"))
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondHasted}, {Name: body.CondHasted}}})
		f.start(nil, 10)
		if f.acts("a") != 4 {
			t.Errorf("%d acts, want 4", f.acts("a"))
		}
	})
	t.Run("natural 1 takes its act from what was picked", func(t *testing.T) {
		f := surging(t, 1)
		f.End("b")
		f.Answer(body.DecExtra, "effect.surge")
		if f.acts("a") != 4 { // celesia.initiative.natural-1
			t.Errorf("%d acts, want 3 + 2 - 1", f.acts("a"))
		}
	})
}

// celesia.action.ready: what has happened in between decides whether it is offered.
func TestReadiedMovementHindered(t *testing.T) {
	for _, tc := range []struct{ action, condition string }{{"step", body.CondProne}, {"move", body.CondProne}, {"step", body.CondPinned}, {"charge", body.CondGrappled}} {
		t.Run(tc.action+" "+tc.condition, func(t *testing.T) {
			f := crowd(t, [][2]int32{{0, 0}, {30, 0}}, fighter("a", "party"), fighter("b", "foes"))
			item := ""
			if tc.action == "charge" {
				item = "sword"
			}
			f.Must(ready(tc.action, item, "", "any"))
			f.Afflict("a", tc.condition)
			f.Must(act("b", "move", "", "", way(5, 0)))
			if len(f.Decisions) != 0 {
				t.Errorf("asked %v", f.Decisions)
			}
		})
	}
}
