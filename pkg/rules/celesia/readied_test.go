package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func ready(action, item, targets, trigger string, more ...any) *eventv1.Command {
	return act("a", "ready", item, targets, withParameters(append([]any{"action", action, "trigger", trigger}, more...)...))
}

// celesia.action.ready, celesia.reaction.complete-readied: movement and whatever
// else has a way or a target of its own.
func TestReadiedWays(t *testing.T) {
	t.Run("a Step away before the blow", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Must(ready("step", "", "", "attack"))
		f.WantActive("b")
		f.Must(act("b", "attack", "sword", "a"))
		f.Choose("readied")
		d := f.Decisions[0]
		if d.Name != answers.DecWay || slices.ContainsFunc(d.Options, func(o *eventv1.DecisionOption) bool { return o.Id == "5,0" || o.Id == "10,0" }) || len(d.Options) != 8 {
			t.Fatalf("want the way asked, to 7 free spaces or none: %v", d)
		}
		f.Choose("-5,0")
		if f.Creature("a").Position.X != -5 || len(f.Attacks()) != 0 || f.acts("b") != 2 {
			t.Errorf("at %v, attacks %v, %d acts: the blow is never begun and its act is spent", f.Creature("a").Position, f.Attacks(), f.acts("b"))
		}
		if f.Creature("a").Counters[body.CReactions] != 0 || rules.BegunOf(f.Creature("a"), body.BegunReadied) != nil {
			t.Error("the reaction is not used up")
		}
	})
	t.Run("it may stay after all", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Must(ready("step", "", "", "attack"))
		f.Must(act("b", "attack", "sword", "a"))
		f.Choose("readied")
		f.Choose(answers.WayStay, 2)
		if f.Creature("a").Position.X != 0 || len(f.Attacks()) != 1 {
			t.Errorf("at %v, attacks %v", f.Creature("a").Position, f.Attacks())
		}
	})
	t.Run("a Move along a way named ahead, which provokes", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"), fighter("c", "foes"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 0, 5)
		f.start(nil, 15, 10, 5)
		f.End("a")
		f.End("b")
		f.End("c")
		f.Must(act("a", "ready", "", "", withParameters("action", "move", "trigger", "attack"), func(take *eventv1.TakeAction) {
			take.Path = []*eventv1.Position{{X: -30}}
		}))
		f.WantActive("b")
		f.Must(act("b", "attack", "sword", "a"))
		f.Choose("readied")
		f.Answer(body.DecReaction+"/c", "attack:sword", 2)
		if f.Creature("a").Position.X != -30 {
			t.Errorf("at %v", f.Creature("a").Position)
		}
	})
	t.Run("the way is judged when it is readied", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "ready", "", "", withParameters("action", "move", "trigger", "attack"), func(take *eventv1.TakeAction) {
			take.Path = []*eventv1.Position{{X: -35}}
		})), cite.MovementMove)
	})
	t.Run("a charge", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.at("b", 40, 0)
		f.Must(ready("charge", "sword", "", "stand-up"))
		if f.Creature("a").Counters[body.CSpent] != 3 {
			t.Errorf("%d acts spent, want 1 + 2", f.Creature("a").Counters[body.CSpent])
		}
		f.Must(act("b", "drop-prone", "", ""))
		f.Must(act("b", "stand-up", "", ""))
		f.Choose("readied")
		if f.Creature("a").Position.X != 35 || !body.Has(f.Creature("a"), body.CondCharging) {
			t.Errorf("at %v", f.Creature("a").Position)
		}
		f.End("b")
		if body.Has(f.Creature("a"), body.CondCharging) { // celesia.movement.charge-advantage
			t.Error("the advantage of the charge outlasts the turn it was made in")
		}
	})
	t.Run("a spell for a friend", func(t *testing.T) {
		cure := &eventv1.CelesiaSpell{Name: "cure", Casting: "standard", Healing: "1d8+3"}
		f := duel(t, fighter("a", "party", spell(cure)), fighter("b", "foes", unarmed()))
		f.Hurt("a", 20)
		wantRefused(t, f.Try(ready("cast", "cure", "", "attack")), cite.ActionReady)
		f.Must(ready("cast", "cure", "a", "attack"))
		f.Must(act("b", "attack", "fist", "a"))
		f.Choose("readied", 4, 2)
		f.WantHP("a", 27)
	})
	t.Run("a target of its own choice", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", unarmed()), fighter("c", "foes", unarmed()))
		f.at("a", 0, 0)
		f.at("b", 30, 0)
		f.at("c", 5, 0)
		f.start(nil, 15, 10, 5)
		f.End("a")
		f.End("b")
		f.End("c")
		f.Must(ready("attack", "sword", "c", "move", "foe", "b"))
		f.Must(act("b", "move", "", "", func(take *eventv1.TakeAction) { take.Path = []*eventv1.Position{{X: 25}} }))
		f.Choose("readied", 15, 3)
		f.WantHP("c", 37)
		f.WantHP("b", 40)
	})
	t.Run("nobody else sees it", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Must(ready("step", "", "", "attack"))
		for _, e := range f.SeenBy(player("somebody")) {
			if e.GetBegun() != nil {
				t.Errorf("seen: %v", e)
			}
		}
	})
	t.Run("what takes more than the turn is left, or no act of its own, is not", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		wantRefused(t, f.Try(ready("run", "", "", "attack")), cite.ActionFullFrame)
		for _, id := range []string{"ready", "delay", "begin-task", "finish-action", "fight-defensively", "skill-check"} {
			if f.Try(ready(id, "", "", "attack")) == nil {
				t.Errorf("%s was readied", id)
			}
		}
	})
}

// celesia.action.ready: a trigger that the rules do not know is set off by the
// game master's word.
func TestReadiedByWord(t *testing.T) {
	set := act("a", "set-off", "", "b")
	t.Run("set off", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(set), cite.ActionReady)
		f.Must(ready("attack", "sword", "", answers.TriggerStated, "text", "the door opens"))
		f.WantActive("b")
		f.Must(set)
		f.Choose("readied", 15, 4)
		f.WantHP("b", 36)
		wantRefused(t, f.Try(set), cite.ActionReady)
	})
	t.Run("let pass, it stays readied", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(ready("attack", "sword", "", answers.TriggerStated))
		f.Must(set)
		f.Choose("no")
		f.Must(set)
		f.Choose("readied", 15, 4)
		f.WantHP("b", 36)
	})
	t.Run("not without a reaction, not out of reach, not by other triggers", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(ready("attack", "sword", "", answers.TriggerStated))
		f.Must(act("b", "total-defense", "", ""))
		if len(f.Decisions) != 0 {
			t.Error("set off by an act")
		}
		f.at("b", 50, 0)
		wantRefused(t, f.Try(set), cite.ReactionCompleteReadied)
		f.at("b", 5, 0)
		f.Count("a", body.CReactions, 0)
		wantRefused(t, f.Try(set), cite.TurnReactionTiming)
	})
	t.Run("the game master says so", func(t *testing.T) {
		if !(System{}).GMOnly("set-off") {
			t.Error("a player may set it off")
		}
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(ready("attack", "sword", "", answers.TriggerStated))
		for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a"}) {
			if o.Action == "set-off" && (!o.Legal || !slices.Equal(o.Targets, []string{"b"})) {
				t.Errorf("%v", o)
			}
		}
	})
}
