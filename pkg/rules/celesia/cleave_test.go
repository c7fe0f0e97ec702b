package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// row is a against b, c and d in a row beside it, all in reach of a long arm.
func row(t *testing.T, change ...func(*eventv1.Sheet)) *table {
	t.Helper()
	long := section(func(c *eventv1.CelesiaSheet) { c.ReachFeet = 15 })
	f := newTable(t).add(fighter("a", "party", append([]func(*eventv1.Sheet){weapon(blade(0)), long, ability("strength", 13)}, change...)...),
		fighter("b", "foes"), fighter("c", "foes"), fighter("d", "foes"))
	f.at("a", 0, 0)
	for i, id := range []string{"b", "c", "d"} {
		f.at(id, int32(-5+5*i), 5)
	}
	f.start(nil, 19, 12, 9, 5)
	return f
}

func TestCleave(t *testing.T) {
	strong := ability("strength", 15)
	offers := func(f *table) (out []string) {
		for _, o := range f.Decisions[0].Options {
			if o.Id != manners.Otherwise {
				out = append(out, o.Id)
			}
		}
		return out
	}
	t.Run(cite.AttackCleave, func(t *testing.T) {
		f := row(t, strong, attacks(3))
		f.Must(act("a", "attack", "w", "b"), 15, 3)
		if got := offers(f); len(got) != 2 || got[1] != "c" { // d is in reach, but not beside b
			t.Fatalf("offered %v", got)
		}
		f.Answer(strike.DecCleave, "c", 15, 4)
		if len(f.Decisions) != 0 {
			t.Errorf("asked again: %v", f.Decisions)
		}
		f.WantHP("c", 34)
		if f.acts("a") != 2 {
			t.Errorf("%d acts left, want 2", f.acts("a"))
		}
		f.Must(act("a", "attack", "w", "b"), 15, 3) // one a round
		if len(f.Decisions) != 0 {
			t.Error("a second cleave in the round")
		}
	})
	t.Run("celesia.attack.cleave missed", func(t *testing.T) {
		f := row(t, strong, attacks(3))
		f.Must(act("a", "attack", "w", "b"), 2)
		if len(f.Decisions) != 0 {
			t.Error("asked after a miss")
		}
	})
	t.Run("celesia.attack.cleave too weak", func(t *testing.T) {
		for _, change := range []func(*eventv1.Sheet){ability("strength", 12), attacks(0)} {
			f := row(t, attacks(10), change)
			f.Must(act("a", "attack", "w", "b", withParameters("degrees", 0)), 15, 3)
			if len(f.Decisions) != 0 {
				t.Error("asked")
			}
		}
	})
	t.Run("celesia.attack.cleave not in a reaction", func(t *testing.T) {
		f := row(t, strong, attacks(3))
		f.End("a")
		f.Must(act("b", "sheathe", "sword", ""))
		f.Answer(body.DecReaction, "attack:w", 15, 3)
		if len(f.Decisions) != 0 {
			t.Error("a free action in another's turn")
		}
	})
	t.Run(cite.AttackCleaveExposes, func(t *testing.T) {
		f := row(t, strong, attacks(3))
		f.Must(act("a", "attack", "w", "b"), 15, 3)
		f.Answer(strike.DecCleave, "c", 2) // a miss exposes all the same
		f.End("a")
		f.Must(act("b", "attack", "sword", "a"), 2, 3)
		f.Afflict("a", body.CondCharged)
		f.Must(act("b", "attack", "sword", "a"), 2, 3, 4)
		if got := situation.Stack(strike.EdgesOf(nil, f.Creature("b"), f.Creature("a"), body.RollKind{Roll: checks.RollAttack, Ranged: true})); got != 2 {
			t.Errorf("an archer has %d advantages, want 2", got)
		}
		f.End("b")
		f.End("c")
		f.End("d")
		if body.Has(f.Creature("a"), strike.CondCleaving) {
			t.Error("still exposed in the next turn")
		}
	})
	t.Run(cite.AttackCleaveChain, func(t *testing.T) {
		f := row(t, attacks(6))
		f.Must(act("a", "attack", "w", "b"), 12, 3)
		f.Answer(strike.DecCleave, "c", 12, 3)
		if got := offers(f); len(got) != 2 || got[1] != "d" { // b may not be attacked again
			t.Fatalf("offered %v", got)
		}
		f.Answer(strike.DecCleave, "d", 12, 3)
		for _, id := range []string{"b", "c", "d"} {
			f.WantHP(id, 40-4)
		}
		if f.acts("a") != 2 {
			t.Errorf("%d acts left, want 2", f.acts("a"))
		}
	})
	t.Run("celesia.attack.cleave-chain ends with a miss", func(t *testing.T) {
		f := row(t, attacks(6))
		f.Must(act("a", "attack", "w", "b"), 12, 3)
		f.Answer(strike.DecCleave, "c", 2)
		if len(f.Decisions) != 0 {
			t.Error("asked after a miss")
		}
	})
	t.Run("celesia.attack.cleave-chain below 6", func(t *testing.T) {
		f := row(t, attacks(5))
		f.Must(act("a", "attack", "w", "b"), 12, 3)
		f.Answer(strike.DecCleave, "c", 12, 3)
		if len(f.Decisions) != 0 {
			t.Error("a second cleave at a base attack bonus of 5")
		}
	})
	t.Run("celesia.attack.cleave without a map", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", strong, weapon(blade(0))), fighter("b", "foes"), fighter("c", "foes")).start(nil, 15, 10, 5)
		f.Must(act("a", "attack", "w", "b"), 12, 3)
		if len(f.Decisions) != 0 {
			t.Error("nobody was said to stand beside b")
		}
		f.Must(act("a", "attack", "w", "b", withFacts("beside", []string{"c"})), 12, 3)
		f.Answer(strike.DecCleave, "no")
	})
}
