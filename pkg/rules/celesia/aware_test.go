package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.surprise.awareness: awareness is settled for each by itself, by checks
// before the fight.
func TestAwarenessChecks(t *testing.T) {
	before := func(t *testing.T) *table {
		f := newTable(t).add(fighter("scout", "party", skill("perception", 6)), fighter("b", "party"), fighter("c", "party"),
			fighter("d", "foes"), fighter("guard", "foes", skill("perception", 5)))
		f.Afflict("guard", "deafened")
		return f
	}
	notice := func(f *table, id string, dc int, purpose string, faces ...int) int32 {
		f.T.Helper()
		f.Must(act(id, "reactive-check", "", "", checking("perception", purpose, "dc", dc, "awareness", true)), faces...)
		return f.Roll("check/perception").Total
	}
	t.Run("checks before the fight make the surprise round", func(t *testing.T) {
		f := before(t)
		notice(f, "scout", 15, "", 9)
		notice(f, "b", 15, "", 14)
		notice(f, "c", 15, "", 3)
		if got := notice(f, "guard", 9, "opposed", 16, 4); got != 9 {
			t.Errorf("the deafened guard has %d, want 9", got)
		}
		f.start(nil, 10, 11, 12, 13, 13, 14) // in order of ids: b, c, d, guard with two dice, scout
		for id, unaware := range map[string]bool{"scout": false, "b": true, "c": true, "d": false, "guard": false} {
			if body.Has(f.Creature(id), body.CondSurprised) != unaware {
				t.Errorf("%s: %v", id, f.Creature(id).Conditions)
			}
		}
		if f.State.Round != 0 {
			t.Errorf("round %d, want the surprise round", f.State.Round)
		}
		var acted []string
		for f.State.Round == 0 {
			acted = append(acted, f.State.Active[0])
			f.End(f.State.Active[0])
		}
		if !slices.Equal(acted, []string{"scout", "guard", "d"}) {
			t.Errorf("in the surprise round %v acted", acted)
		}
	})
	t.Run("a later success makes aware again", func(t *testing.T) {
		f := before(t)
		notice(f, "b", 15, "", 14)
		notice(f, "b", 15, "", 15)
		f.start(nil, 10, 11, 12, 13, 13, 14)
		if f.State.Round != 1 {
			t.Errorf("round %d: everybody is aware", f.State.Round)
		}
	})
	t.Run("a check that settles nothing", func(t *testing.T) {
		f := before(t)
		f.Must(act("b", "reactive-check", "", "", withParameters("skill", "stealth", "dc", 15)), 2)
		f.Must(act("b", "saving-throw", "", "", withParameters("save", "will", "dc", 15)), 2)
		if body.Has(f.Creature("b"), body.CondSurprised) {
			t.Error("unaware after a check of another sort")
		}
	})
	t.Run("not once the fight has begun, and nothing else before", func(t *testing.T) {
		f := before(t)
		if f.Try(act("b", "move", "", "")) == nil || f.Try(act("b", "skill-check", "", "", withParameters("skill", "perception"))) == nil {
			t.Error("an action before the fight")
		}
		f.start(nil, 10, 11, 12, 13, 13, 14)
		wantRefused(t, f.Try(act("b", "reactive-check", "", "", withParameters("skill", "perception", "awareness", true))), cite.SurpriseAwareness)
		f.Must(act("b", "reactive-check", "", "", withParameters("skill", "perception", "awareness", false)), 7)
	})
	t.Run("listed before the fight", func(t *testing.T) {
		f := before(t)
		for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "b"}) {
			if o.Legal != (o.Action == "reactive-check" || o.Action == "saving-throw" || o.Action == "ability-check") {
				t.Errorf("%s: legal %v", o.Action, o.Legal)
			}
			if o.Action == "reactive-check" && !slices.ContainsFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Name == "awareness" }) {
				t.Error("awareness is not listed")
			}
		}
	})
}

// celesia.surprise.awareness: who comes in unaware is surprised, as long as the fight
// has not gone beyond its surprise round.
func TestUnawareAtEntry(t *testing.T) {
	join := func(f *table, id string, faces []int, pairs ...any) {
		f.T.Helper()
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter(id, "foes"), Facts: object(pairs...)}}}, faces...)
	}
	order := func(f *table, rounds int32) (acted []string) {
		for f.State.Round < rounds {
			acted = append(acted, f.State.Active[0])
			f.End(f.State.Active[0])
		}
		return acted
	}
	for _, tc := range []struct {
		name  string
		facts []any
		first []string
		round int32
	}{
		{"unaware", []any{"unaware", true}, []string{"a"}, 0},
		{"aware", []any{"unaware", false}, nil, 1},
		{"nothing said", nil, nil, 1},
	} {
		t.Run(cite.SurpriseAwareness+" before the fight, "+tc.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"))
			join(f, "b", nil, tc.facts...)
			f.start(nil, 5, 15)
			if f.State.Round != tc.round {
				t.Fatalf("round %d, want %d", f.State.Round, tc.round)
			}
			if got := order(f, 1); !slices.Equal(got, tc.first) {
				t.Errorf("in the surprise round %v acted, want %v", got, tc.first)
			}
			if body.Has(f.Creature("b"), body.CondSurprised) {
				t.Error("surprised beyond it")
			}
		})
	}
	for name, tc := range map[string]struct {
		facts []any
		first []string
	}{"unaware": {[]any{"unaware", true}, []string{"a"}}, "aware": {nil, []string{"a", "c"}}} {
		t.Run(cite.SurpriseRoundOccurs+" in the surprise round, "+name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
			f.start([]string{"b"}, 15, 5)
			join(f, "c", []int{10}, tc.facts...)
			if got := order(f, 1); !slices.Equal(got, tc.first) {
				t.Errorf("in the surprise round %v acted, want %v", got, tc.first)
			}
		})
	}
	t.Run(cite.SurpriseUnaware+" after it", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
		f.start(nil, 15, 5)
		join(f, "c", []int{10}, "unaware", true)
		if c := f.Creature("c"); body.Has(c, body.CondSurprised) || !body.Has(c, body.CondFlatFooted) {
			t.Errorf("%v", c.Conditions)
		}
		if got := order(f, 2); !slices.Equal(got, []string{"a", "c", "b"}) {
			t.Errorf("%v", got)
		}
	})
}
