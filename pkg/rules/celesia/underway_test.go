package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var firstAct = withParameters("commit", 1)

// celesia.turn.action-classes, celesia.action.standard-consecutive: the acts of
// an action follow each other; free actions may come between them.
func TestActsFollowEachOther(t *testing.T) {
	begun := func(t *testing.T) *table {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Must(act("a", "total-defense", "", "", firstAct))
		if f.acts("a") != 2 || body.Has(f.Creature("a"), body.CondTotal) {
			t.Fatalf("%d acts left, conditions %v", f.acts("a"), f.Creature("a").Conditions)
		}
		return f
	}
	t.Run("a Step between the two acts is refused", func(t *testing.T) {
		f := begun(t)
		wantRefused(t, f.Try(act("a", "step", "", "")), answers.RuleClasses)
		wantRefused(t, f.Try(act("a", "attack", "sword", "b")), answers.RuleClasses)
		wantRefused(t, f.Try(act("a", "ready", "", "", withParameters("action", "draw", "trigger", "any"))), answers.RuleClasses)
		f.Must(act("a", "finish-action", "", ""))
		if f.acts("a") != 1 || !body.Has(f.Creature("a"), body.CondTotal) {
			t.Errorf("%d acts left, conditions %v", f.acts("a"), f.Creature("a").Conditions)
		}
		f.Must(act("a", "step", "", ""))
	})
	t.Run("free actions come between", func(t *testing.T) {
		f := begun(t)
		f.Must(act("a", "drop-item", "sword", ""))
		f.Must(act("a", "speak", "", ""))
		f.Must(act("a", "drop-prone", "", ""))
		f.Must(act("a", "finish-action", "", ""))
		if !body.Has(f.Creature("a"), body.CondTotal) {
			t.Error("a free action broke the acts")
		}
	})
	t.Run("given up, the act is spent and the others are free", func(t *testing.T) {
		f := begun(t)
		f.Must(act("a", "give-up-action", "", ""))
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "step", "", ""))
		wantRefused(t, f.Try(act("a", "finish-action", "", "")), answers.RuleClasses)
		if body.Has(f.Creature("a"), body.CondTotal) {
			t.Error("the action was done")
		}
	})
	t.Run("it does not go on in the next turn", func(t *testing.T) {
		f := begun(t)
		f.End("a")
		f.End("b")
		wantRefused(t, f.Try(act("a", "finish-action", "", "")), answers.RuleClasses)
		if f.acts("a") != 3 {
			t.Errorf("%d acts", f.acts("a"))
		}
	})
	t.Run("only what can be finished in the turn is begun", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Must(act("a", "step", "", ""))
		f.Must(act("a", "step", "", ""))
		wantRefused(t, f.Try(act("a", "total-defense", "", "", firstAct)), cite.ActionStandardConsecutive)
	})
	t.Run("no more than a part", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		for _, n := range []int{-1, 0, 2, 3} {
			if f.Try(act("a", "total-defense", "", "", withParameters("commit", n))) == nil {
				t.Errorf("begun with %d of 2 acts", n)
			}
		}
		if f.Try(act("a", "step", "", "", firstAct)) == nil {
			t.Error("an action of one act was begun with a part")
		}
	})
	t.Run("a full action is begun with two acts", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "run", "", "", withParameters("commit", 2), func(take *eventv1.TakeAction) {
			take.Path = []*eventv1.Position{{X: -60}}
		}))
		if f.Creature("a").Position.X != 0 {
			t.Error("moved before the last act")
		}
		f.Must(act("a", "finish-action", "", ""))
		if f.acts("a") != 0 || f.Creature("a").Position.X != -60 {
			t.Errorf("%d acts, at %v", f.acts("a"), f.Creature("a").Position)
		}
	})
	t.Run("it is listed", func(t *testing.T) {
		f := begun(t)
		for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a"}) {
			legal := o.Action == "finish-action" || o.Action == "give-up-action" || o.Action == "end-turn" || o.Costs[body.CActs] == 0
			if o.Legal && !legal {
				t.Errorf("%s is listed", o.Action)
			}
			if o.Action == "finish-action" && (!o.Legal || o.Costs[body.CActs] != 1) {
				t.Errorf("finish-action: %v", o)
			}
		}
	})
}

// celesia.action.provoke: an action begun with a part of its acts provokes then,
// and not again; what the answer does is judged before it goes on.
func TestBegunActionProvokesOnce(t *testing.T) {
	mage := fighter("a", "party", hitPoints(9), section(func(c *eventv1.CelesiaSheet) {
		c.Defense = 12
		c.Spells = []*eventv1.CelesiaSpell{{Name: "bolt", Casting: "standard", Dice: "2d6", RangeFeet: 60}}
	}))
	t.Run("answered at its beginning", func(t *testing.T) {
		f := duel(t, mage, fighter("b", "foes"))
		f.Must(act("a", "cast", "bolt", "b", firstAct))
		f.Answer(body.DecReaction, "attack:sword", 11, 4)
		f.WantHP("a", 5)
		f.Count("b", body.CReactions, 1)
		f.Must(act("a", "finish-action", "", ""), 3, 4)
		f.WantHP("b", 33)
	})
	t.Run("knocked out at its beginning", func(t *testing.T) {
		f := duel(t, mage, fighter("b", "foes", section(func(c *eventv1.CelesiaSheet) { c.Weapons[0].DamageBonus = 20 })))
		f.Must(act("a", "cast", "bolt", "b", firstAct))
		f.Answer(body.DecReaction, "attack:sword", 11, 4)
		for len(f.Decisions) > 0 {
			f.Choose("none")
		}
		if answers.BegunWithPart(f.Creature("a")) != nil || len(f.State.Active) == 1 && f.State.Active[0] == "a" {
			t.Error("the spell is still under way")
		}
	})
	t.Run("others may identify it while it is being cast", func(t *testing.T) {
		f := duel(t, mage, fighter("b", "foes", skill("spellcraft", 5)))
		f.Count("b", body.CReactions, 0)
		f.Must(act("a", "cast", "bolt", "b", firstAct))
		f.Must(act("b", "identify-spell", "", "a", withParameters("dc", 15)), 10)
		f.Must(act("a", "finish-action", "", ""), 3, 4)
		f.WantHP("b", 33)
	})
}

// celesia.injury.disabled-strain: each act costs its point when it is committed.
func TestBegunWhileDisabled(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes"))
	f.Hurt("a", -1)
	f.End("a")
	f.End("b")
	f.Must(act("a", "total-defense", "", "", firstAct))
	f.WantHP("a", -2)
	f.Must(act("a", "finish-action", "", ""))
	f.WantHP("a", -3)
}

// celesia.turn.action-classes: what was begun is judged again when it goes on.
func TestBegunActionBecomesImpossible(t *testing.T) {
	t.Run("the foe is gone out of range", func(t *testing.T) {
		mage := section(func(c *eventv1.CelesiaSheet) {
			c.Spells = []*eventv1.CelesiaSpell{{Name: "bolt", Casting: "standard", Dice: "2d6", RangeFeet: 60}}
		})
		f := duel(t, fighter("a", "party", mage), fighter("b", "foes", unarmed()))
		f.Must(act("a", "cast", "bolt", "b", firstAct))
		f.at("b", 100, 0) // out of range meanwhile
		if f.Try(act("a", "finish-action", "", "")) == nil {
			t.Error("the spell reaches a foe out of range")
		}
		f.Must(act("a", "give-up-action", "", ""))
		if f.acts("a") != 2 {
			t.Errorf("%d acts left, want 2", f.acts("a"))
		}
	})
	t.Run("keeping up a hold in two parts", func(t *testing.T) {
		f := holding(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", unarmed()))
		f.Must(act("a", "grapple-continued", "", "", firstAct))
		f.Must(act("a", "finish-action", "", ""), 15)
		f.Answer(body.DecHold, "pin")
		if f.acts("a") != 1 || !body.Has(f.Creature("b"), body.CondPinned) {
			t.Errorf("%d acts left, %v", f.acts("a"), f.Creature("b").Conditions)
		}
	})
	t.Run("a hold that is not finished is lost", func(t *testing.T) {
		f := holding(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", unarmed()))
		f.Must(act("a", "grapple-continued", "", "", firstAct))
		f.End("a")
		if body.Has(f.Creature("b"), body.CondGrappled) { // celesia.maneuver.grapple-maintain
			t.Error("still held")
		}
	})
}
