package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func spell(sp *eventv1.CelesiaSpell) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.Spells = []*eventv1.CelesiaSpell{sp} })
}

func TestSpells(t *testing.T) {
	t.Run(cite.SpellDegreesAttack, func(t *testing.T) {
		grasp := &eventv1.CelesiaSpell{Name: "s", Casting: "standard", Attack: "melee-touch", DicePerLevel: "1d6", CasterLevel: 2}
		f := duel(t, fighter("a", "party", spell(grasp)), fighter("b", "foes", unarmed(), section(func(c *eventv1.CelesiaSheet) { c.TouchDefense = 11 })))
		f.Must(act("a", "cast", "s", "b"), 17, 4, 1, 6) // 22 against 11: caster level 3
		f.WantHP("b", 40-11)
	})
	t.Run(cite.SpellDegreesSave, func(t *testing.T) {
		ball := &eventv1.CelesiaSpell{Name: "s", Casting: "standard", DicePerLevel: "1d6", CasterLevel: 7, Save: "reflex", SaveDc: 17, SaveEffect: "half", RangeFeet: 400}
		f := duel(t, fighter("a", "party", spell(ball)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "cast", "s", "b"), 4, 1, 1, 1, 1, 1, 1, 1, 1) // 13 under: 8d6
		f.WantHP("b", 32)
		f = duel(t, fighter("a", "party", spell(ball)), fighter("b", "foes", unarmed(), section(func(c *eventv1.CelesiaSheet) { c.Reflex = 8 })))
		f.Must(act("a", "cast", "s", "b"), 20, 2, 2, 2, 2, 2, 1) // 28, 11 over: half of 6d6
		f.WantHP("b", 35)
	})
	t.Run(cite.SpellDegreesCombined, func(t *testing.T) {
		ray := &eventv1.CelesiaSpell{Name: "s", Casting: "standard", Attack: "ranged-touch", DicePerLevel: "1d6", CasterLevel: 6, Save: "fortitude", SaveDc: 15, SaveEffect: "half", RangeFeet: 30}
		f := duel(t, fighter("a", "party", spell(ray)), fighter("b", "foes", unarmed()))
		f.Must(act("a", "cast", "s", "b"), 15, 4, 1, 1, 1, 1, 1, 1, 1, 1) // attack 20 against 10, save 4 against 15: level 8
		f.WantHP("b", 32)
	})
	t.Run(cite.SpellStandard, func(t *testing.T) {
		f := duel(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Attack: "ranged-touch", Dice: "1d6", RangeFeet: 30})), fighter("b", "foes"))
		f.Must(act("a", "cast", "s", "b"))
		f.Answer(body.DecReaction, "no", 2) // one provocation, none for the ranged roll
		if f.acts("a") != 1 {
			t.Errorf("%d acts left", f.acts("a"))
		}
		wantRefused(t, f.Try(act("a", "cast", "s", "b")), cite.ActionStandardConsecutive)
	})
	t.Run(cite.ItemDrinkApply, func(t *testing.T) {
		potion := section(func(c *eventv1.CelesiaSheet) {
			c.Potions = []*eventv1.CelesiaPotion{{Name: "p", Healing: "1d8+1", Count: 1}}
		})
		f := duel(t, fighter("a", "party", potion), fighter("b", "foes", unarmed()))
		f.Hurt("a", 5)
		f.Must(act("a", "drink", "p", ""), 5)
		f.WantHP("a", 11)
		f.End("a")
		f.End("b")
		wantRefused(t, f.Try(act("a", "drink", "p", "")), cite.ItemDrinkApply)
	})
	t.Run(cite.ActionAdministerToUnconscious, func(t *testing.T) {
		potion := section(func(c *eventv1.CelesiaSheet) {
			c.Potions = []*eventv1.CelesiaPotion{{Name: "p", Healing: "1d8+1", Count: 1}}
		})
		f := duel(t, fighter("a", "party", potion), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "administer", "p", "b")), cite.ActionAdministerToUnconscious)
		f.Hurt("b", -14)
		f.Must(act("a", "administer", "p", "b"), 5)
		f.WantHP("b", -8)
		f.WantLife("b", eventv1.LifeStatus_LIFE_STATUS_DISABLED)
		if body.Has(f.Creature("b"), body.CondUnconscious) {
			t.Error("still unconscious")
		}
	})
}

func TestOneRoundActions(t *testing.T) {
	storm := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "1-round", Dice: "1d6", RangeFeet: 100})
	t.Run(cite.ActionOneRoundFrame, func(t *testing.T) {
		f := duel(t, fighter("a", "party", storm), fighter("b", "foes", unarmed()))
		f.Must(act("a", "cast", "s", "b"))
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
		f.End("a")
		f.WantHP("b", 40)
		f.End("b", 4) // the effect comes at the start of the next turn
		f.WantHP("b", 36)
		if f.acts("a") != 3 {
			t.Errorf("%d acts, want 3", f.acts("a"))
		}
	})
	t.Run(cite.ReactionNoneDuringOneRound, func(t *testing.T) {
		f := duel(t, fighter("a", "party", storm), fighter("b", "foes"))
		f.Must(act("a", "cast", "s", "b"))
		f.Answer(body.DecReaction, "no")
		f.End("a")
		f.Must(act("b", "sheathe", "sword", ""))
		if len(f.Decisions) != 0 {
			t.Error("asked during a 1-round action")
		}
	})
	t.Run(cite.ActionOneRoundSplit, func(t *testing.T) {
		f := duel(t, fighter("a", "party", storm), fighter("b", "foes", unarmed()))
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "cast", "s", "b"))
		f.End("a")
		f.End("b")
		f.WantHP("b", 40)
		f.Must(act("a", "continue-casting", "", ""), 4)
		f.WantHP("b", 36)
		if f.acts("a") != 2 {
			t.Errorf("%d acts left, want 2", f.acts("a"))
		}
	})
	t.Run("celesia.action.one-round-split broken", func(t *testing.T) {
		f := duel(t, fighter("a", "party", storm), fighter("b", "foes", unarmed()))
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "cast", "s", "b"))
		f.End("a")
		f.End("b")
		f.Must(act("a", "step", "", ""))
		wantRefused(t, f.Try(act("a", "continue-casting", "", "")), cite.ActionOneRoundSplit)
	})
	t.Run("celesia.action.one-round-split two acts", func(t *testing.T) {
		f := duel(t, fighter("a", "party", storm), fighter("b", "foes", unarmed()))
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "cast", "s", "b"))
		f.End("a")
		f.End("b")
		f.Must(act("a", "continue-casting", "", ""), 4)
		if f.acts("a") != 1 {
			t.Errorf("%d acts left, want 1", f.acts("a"))
		}
	})
}

// celesia.action.complex-frame
func TestComplexActions(t *testing.T) {
	begin := func(acts, needed int, scattered bool) func(*eventv1.TakeAction) {
		return withParameters("task", "vault", "acts", float64(acts), "needed", float64(needed), "scattered", scattered)
	}
	done := func(f *table) int32 { return f.State.Tasks["task-a-vault"].GetValues()["done"] }
	t.Run("not consecutive", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "begin-task", "", "", begin(2, 10, true)))
		f.End("a")
		f.End("b")
		f.End("a")
		f.End("b")
		f.Must(act("a", "continue-task", "vault", "", withParameters("acts", 3.0)))
		if done(f) != 5 {
			t.Errorf("%d of 10 done, want 5", done(f))
		}
	})
	t.Run("consecutive", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "begin-task", "", "", begin(3, 6, false)))
		f.End("a")
		f.End("b")
		f.Must(act("a", "move", "", ""))
		if done(f) != 0 {
			t.Errorf("%d done, want 0: the chain is broken", done(f))
		}
	})
	t.Run("celesia.turn.action-classes over three turns", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "begin-task", "", "", begin(2, 6, false)))
		f.End("a")
		f.End("b")
		f.Must(act("a", "continue-task", "vault", "", withParameters("acts", 3.0)))
		f.End("a")
		f.End("b")
		f.Must(act("a", "continue-task", "vault", ""))
		if len(f.State.Tasks) != 0 || f.acts("a") != 2 {
			t.Errorf("tasks %v, %d acts left", f.State.Tasks, f.acts("a"))
		}
	})
}
