package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback, rcr.initiative.duration-by-block: what lasts by rounds
// ends with the round, what lasts by a block with that block, whatever turns are said
// beside; what lasts by turns of somebody ends with the last of so many of them.
func TestWhenWhatLastsEnds(t *testing.T) {
	type until = eventv1.Until
	// a acts at 20 in the first block, b at 5 in the fourth; each rolls the same again.
	steps := []string{"a in 1", "b in 1", "a in 2", "b in 2", "a in 3", "b in 3"}
	for name, c := range map[string]struct {
		until *until
		last  int // step in which it is there for the last time; it begins in the first
	}{
		"the round that runs":               {&until{When: "round", Round: 1}, 1},
		"the next round":                    {&until{When: "round", Round: 2}, 3},
		"a round, turns are said beside":    {&until{When: "round", Round: 1, Turns: 3}, 1},
		"the block that runs":               {&until{When: "block", Round: 1, Count: 0}, 0},
		"a block, turns are said beside":    {&until{When: "block", Round: 1, Count: 0, Turns: 3}, 0},
		"the block of b":                    {&until{When: "block", Round: 1, Count: 3}, 1},
		"the block of b in the next round":  {&until{When: "block", Round: 2, Count: 3}, 3},
		"the first in the next round":       {&until{When: "block", Round: 2, Count: 0}, 2},
		"a block of a round that is past":   {&until{When: "block", Round: 0, Count: 4}, 0},
		"the end of a turn of a":            {&until{When: body.UntilTurnEnd, Creature: "a", Turns: 1}, 0},
		"the end of two turns of a":         {&until{When: body.UntilTurnEnd, Creature: "a", Turns: 2}, 2},
		"the end of three turns of a":       {&until{When: body.UntilTurnEnd, Creature: "a", Turns: 3}, 4},
		"the end of two turns of b":         {&until{When: body.UntilTurnEnd, Creature: "b", Turns: 2}, 3},
		"the start of a turn of a":          {&until{When: body.UntilTurnStart, Creature: "a", Turns: 1}, 1},
		"the start of two turns of a":       {&until{When: body.UntilTurnStart, Creature: "a", Turns: 2}, 3},
		"the start of a turn of b":          {&until{When: body.UntilTurnStart, Creature: "b", Turns: 1}, 0},
		"an end of which nothing says when": {&until{}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
			f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.mark", Until: c.until}}})
			for i, at := range steps {
				if got := body.Has(f.Creature("b"), "effect.mark"); got != (i <= c.last) {
					t.Fatalf("%s: %v", at, got)
				}
				if id, face := at[:1], map[string]int{"a": 20, "b": 5}[at[:1]]; i+1 < len(steps) {
					f.End(id, face)
				}
			}
		})
	}
}

// rcr.base.fifth-edition-fallback: poison in the body of one that is petrified neither
// weighs nor runs out; all else that lasts for a time does, the petrification too.
func TestWhatAStatueKeeps(t *testing.T) {
	for name, c := range map[string]struct {
		condition string
		stone     bool
		kept      bool
	}{
		"poison in stone":   {body.CondPoisoned, true, true},
		"poison in flesh":   {body.CondPoisoned, false, false},
		"deafness in stone": {body.CondDeafened, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
			f.falls(10) // of equals a goes first
			f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: c.condition, Until: &eventv1.Until{When: "round", Round: 1}}}})
			if c.stone {
				f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondPetrified, Until: &eventv1.Until{When: "round", Round: 2}}}})
			}
			f.End("a")
			f.End("b")
			f.wantHas("b", c.condition, c.kept)
			f.wantHas("b", body.CondPetrified, c.stone)
			f.End("a")
			f.End("b")
			f.wantHas("b", body.CondPetrified, false)
			f.wantHas("b", c.condition, c.kept)
			f.End("a") // what the stone put off runs again
			f.End("b")
			f.wantHas("b", c.condition, false)
		})
	}
}
