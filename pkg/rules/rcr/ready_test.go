package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func readying(what string, more ...any) func(*eventv1.TakeAction) {
	return withParameters(append([]any{"action", what, "trigger", "b comes out"}, more...)...)
}

// rcr.base.fifth-edition-fallback: movement may be readied; it is not the
// mover's turn, so that leaving a reach provokes only as
// rcr.opportunity.enter-and-leave has it.
func TestReadyMovement(t *testing.T) {
	f := field(t, 5, 0)
	f.Must(act("a", "ready", "", "", readying("move")))
	f.wantCount("a", body.CAction, 0)
	f.End("a", 20)
	f.WantActive("b")
	f.Must(act("a", "use-ready", "", "", along(-30, 0)))
	f.wantAsked() // it started in reach
	if f.Creature("a").Position.X != -30 || (rules.BegunOf(f.Creature("a"), body.BegunReadied) != nil) {
		t.Fatalf("at %v", f.Creature("a").Position)
	}
	f.wantCount("a", body.CReaction, 0)
	wantRefused(t, f.Try(act("a", "use-ready", "", "", along(-35, 0))), cite.BaseFifthEditionFallback)

	t.Run("no farther than the speed", func(t *testing.T) {
		f := field(t, 50, 0)
		f.Must(act("a", "ready", "", "", readying("move")))
		f.End("a", 20)
		wantRefused(t, f.Try(act("a", "use-ready", "", "", along(-35, 0))), cite.BaseMovementCostAdditive)
	})
	t.Run("rcr.opportunity.enter-and-leave: past an enemy", func(t *testing.T) {
		f := field(t, 20, 5)
		f.Must(act("a", "ready", "", "", readying("move")))
		f.End("a", 20)
		f.Must(act("a", "use-ready", "", "", along(30, 0)))
		f.wantAsked("b")
	})
	t.Run("what is left of the own turn stays as it was", func(t *testing.T) {
		f := field(t, 50, 0)
		f.Must(act("a", "move", "", "", along(-10, 0)))
		f.Must(act("a", "ready", "", "", readying("move")))
		f.Must(act("a", "use-ready", "", "", along(-40, 0))) // the trigger comes in the same turn
		f.wantCount("a", body.CMovement, 20)
		f.wantCount("a", body.CMoved, 10)
	})
}

// rcr.base.fifth-edition-fallback: a readied spell is cast at once, held by
// concentration and released as a reaction.
func TestReadySpell(t *testing.T) {
	ready := func(t *testing.T, spell string, more ...any) *table {
		f := casters(t)
		f.Must(act("a", "ready", spell, "", readying("cast", more...)))
		return f
	}
	t.Run("the slot is spent at once, the targets are chosen later", func(t *testing.T) {
		f := ready(t, "ball", "slot", 3)
		if slotsLeft(f, "3") != 1 || body.Concentration(f.Creature("a")) != "ball" {
			t.Fatalf("%d slots, concentration on %q", slotsLeft(f, "3"), body.Concentration(f.Creature("a")))
		}
		f.End("a", 20)
		f.Must(act("a", "use-ready", "", "b"), 1, 1, 1, 1, 1, 1, 1, 1, 20)
		if f.Creature("b").GetHp() != 36 || body.Concentration(f.Creature("a")) != "" || slotsLeft(f, "3") != 1 {
			t.Fatalf("%d hit points, concentration on %q", f.Creature("b").GetHp(), body.Concentration(f.Creature("a")))
		}
		f.wantCount("a", body.CReaction, 0)
	})
	t.Run("a spell of concentration goes on", func(t *testing.T) {
		f := ready(t, "hold")
		f.End("a", 20)
		f.Must(act("a", "use-ready", "hold", "b"), 2)
		if !body.Has(f.Creature("b"), body.CondParalyzed) || body.Concentration(f.Creature("a")) != "hold" {
			t.Fatal("it does not hold")
		}
	})
	t.Run("concentration lost, the spell is lost", func(t *testing.T) {
		f := ready(t, "ball")
		f.End("a", 20)
		f.Must(act("a", "end-concentration", "", ""))
		wantRefused(t, f.Try(act("a", "use-ready", "", "b")), cite.BaseFifthEditionFallback)
		if slotsLeft(f, "3") != 1 {
			t.Fatal("the slot came back")
		}
	})
	t.Run("it holds no other spell beside it", func(t *testing.T) {
		f := casters(t)
		f.Must(act("a", "cast", "bless", "a"))
		f.Count("a", body.CAction, 1)
		f.Put("a", &eventv1.Vitals{Marks: map[string]string{magic.MCast: ""}})
		f.Must(act("a", "ready", "bolt", "", readying("cast")))
		if body.Concentration(f.Creature("a")) != "bolt" {
			t.Fatalf("concentration on %q", body.Concentration(f.Creature("a")))
		}
	})
	t.Run("not released until the next turn, it is gone", func(t *testing.T) {
		f := ready(t, "ball")
		f.End("a", 20)
		f.End("b", 1)
		f.End("z", 1)
		f.WantActive("a")
		if (rules.BegunOf(f.Creature("a"), body.BegunReadied) != nil) || body.Concentration(f.Creature("a")) != "" {
			t.Fatal("still held")
		}
	})
	t.Run("rcr.opportunity.cast-spell: provokes when it is cast, not when released", func(t *testing.T) {
		f := newTable(t)
		f.place(fighter("a", "party", caster), 0, 0)
		f.place(fighter("b", "monsters"), 5, 0)
		f.start(nil, 20, 5)
		f.Must(act("a", "ready", "ball", "", readying("cast")))
		f.wantAsked("b")
		f.Answer(body.DecOpportunity, "no")
		f.End("a", 20)
		f.Must(act("a", "use-ready", "", "b"), 1, 1, 1, 1, 1, 1, 1, 1, 20)
		f.wantAsked()
	})
	t.Run("a bonus action spell cannot be readied", func(t *testing.T) {
		if err := casters(t).Try(act("a", "ready", "healing word", "", readying("cast"))); err == nil {
			t.Fatal("readied")
		}
	})
}

// rcr.base.fifth-edition-fallback: any other action may be readied as well.
func TestReadyOtherActions(t *testing.T) {
	t.Run("a grapple, once, whatever attacks an action holds", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = 2 })), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "ready", "", "", readying("grapple")))
		f.End("a", 20)
		f.Must(act("a", "use-ready", "", "b"), 15, 5)
		if !body.Has(f.Creature("b"), body.CondGrappled) {
			t.Fatal("not grappled")
		}
		f.wantCount("a", body.CAttacks, 0)
		f.wantCount("a", body.CAction, 0)
	})
	t.Run("help", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("c", "party"), fighter("b", "monsters")).start(nil, 20, 5, 10)
		f.Must(act("a", "ready", "", "", readying("help")))
		f.End("a", 20)
		f.Must(act("a", "use-ready", "", "c", withParameters("against", "b")))
		f.Must(act("c", "attack", "sword", "b"), 3, 4)
	})
	t.Run("a power, which takes its use when it is used", func(t *testing.T) {
		f := newTable(t).add(healer("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Hurt("a", 30)
		f.Must(act("a", "ready", "touch", "", readying("use-power")))
		f.wantCount("a", body.CLeft+"touch", 5)
		f.End("a", 20)
		f.Must(act("a", "use-ready", "", "a"), 4)
		f.wantCount("a", body.CLeft+"touch", 4)
		if f.Creature("a").GetHp() != 34 {
			t.Fatal(f.Creature("a").GetHp())
		}
	})
	t.Run("dodge, of which the options say that it needs no target", func(t *testing.T) {
		f := duel(t)
		f.Must(act("a", "ready", "", "", readying("dodge")))
		f.End("a", 20)
		f.Must(act("a", "use-ready", "", ""))
		f.Must(act("b", "attack", "sword", "a"), 9, 5)
	})
	t.Run("what one does not have cannot be readied", func(t *testing.T) {
		if err := duel(t).Try(act("a", "ready", "halberd", "", readying("attack"))); err == nil {
			t.Fatal("readied")
		}
		if err := duel(t).Try(act("a", "ready", "", "", readying("end-turn"))); err == nil {
			t.Fatal("readied")
		}
	})
}

// asFaultOf is the reason of a refusal.
func asFaultOf(err error) (reason string, ok bool) {
	f, ok := fault.As(err)
	if !ok {
		return "", false
	}
	return f.Reason, true
}
