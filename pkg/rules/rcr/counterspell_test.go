package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// duelOfMages is a fight of a, who casts a bolt of 5d6, against b, who knows counterspell;
// each has a slot of the levels 3, 4 and 5. b is so many feet away.
func duelOfMages(t *testing.T, feet int32, change func(a, b *eventv1.RcrSheet)) *table {
	t.Helper()
	bolt := &eventv1.RcrSpell{Name: "bolt", Level: 3, CastingTime: "action", RangeFeet: 120, Targets: 1, Verbal: true, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "fire"}}, Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 30}}
	counter := &eventv1.RcrSpell{Name: "Counterspell", Level: 3, CastingTime: "reaction", RangeFeet: 60, Somatic: true}
	mage := func(id, side string, sp *eventv1.RcrSpell) *eventv1.Sheet {
		return fighter(id, side, ability("intelligence", 16), rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellSlots, s.SpellDc, s.Spells = []int32{0, 0, 1, 1, 1}, 14, []*eventv1.RcrSpell{sp}
		}))
	}
	a, b := mage("a", "party", bolt), mage("b", "monsters", counter)
	if change != nil {
		change(a.GetRcr(), b.GetRcr())
	}
	f := newTable(t)
	f.place(a, 0, 0)
	f.place(b, feet, 0)
	f.place(fighter("c", "monsters"), 90, 90)
	return f.start(nil, 20, 10, 5)
}

// rcr.base.counterspell: who is asked.
func TestWhoCounters(t *testing.T) {
	for name, c := range map[string]struct {
		feet   int32
		change func(a, b *eventv1.RcrSheet)
		do     func(f *table)
		asked  bool
	}{
		"within 60 feet": {feet: 60, asked: true}, "beyond them": {feet: 65},
		"what nobody sees":        {feet: 30, change: func(a, _ *eventv1.RcrSheet) { a.Spells[0].Verbal = false }},
		"a gesture":               {feet: 30, change: func(a, _ *eventv1.RcrSheet) { a.Spells[0].Verbal, a.Spells[0].Somatic = false, true }, asked: true},
		"a component":             {feet: 30, change: func(a, _ *eventv1.RcrSheet) { a.Spells[0].Verbal, a.Spells[0].Material = false, true }, asked: true},
		"another spell":           {feet: 30, change: func(_, b *eventv1.RcrSheet) { b.Spells[0].Name = "shield" }},
		"one that is no reaction": {feet: 30, change: func(_, b *eventv1.RcrSheet) { b.Spells[0].CastingTime = "action" }},
		"without a slot":          {feet: 30, change: func(_, b *eventv1.RcrSheet) { b.SpellSlots = []int32{2, 2} }},
		"without a reaction":      {feet: 30, do: func(f *table) { f.Count("b", body.CReaction, 0) }},
		"who does not see it":     {feet: 30, do: func(f *table) { f.Afflict("b", body.CondBlinded) }},
		"an unseen caster":        {feet: 30, do: func(f *table) { f.Afflict("a", body.CondInvisible) }},
		"who cannot react":        {feet: 30, do: func(f *table) { f.Afflict("b", body.CondIncapacitated) }},
	} {
		t.Run(name, func(t *testing.T) {
			f := duelOfMages(t, c.feet, c.change)
			f.Roller = func(sides int) int { return min(sides, 3) }
			if c.do != nil {
				c.do(f)
			}
			f.Must(act("a", "cast", "bolt", "c"))
			asked := len(f.Decisions) == 1 && f.Decisions[0].Name == movement.DecCounterspell && f.Decisions[0].Creature == "b"
			if asked != c.asked || len(f.Decisions) > 0 && !asked {
				t.Errorf("asked %v", f.Decisions)
			}
		})
	}
}

// rcr.base.counterspell: with a slot of the spell's level or above it fails; below that a
// check against 10 and its level decides. The slot is spent in either case.
func TestCountering(t *testing.T) {
	for name, c := range map[string]struct {
		cast    int32 // the slot of the bolt
		answer  string
		face    int
		checked bool
		failed  bool // the bolt
		spent   string
	}{
		"let be":                        {3, "no", 0, false, false, ""},
		"the same level":                {3, movement.CounterLowest, 0, false, true, "3"},
		"a higher slot":                 {3, "slot/5", 0, false, true, "5"},
		"the lowest below, it succeeds": {4, movement.CounterLowest, 11, true, true, "3"}, // 11 + 3 meets 14
		"the lowest below, it fails":    {4, movement.CounterLowest, 10, true, false, "3"},
		"two below, it succeeds":        {5, movement.CounterLowest, 12, true, true, "3"},
		"two below, it fails":           {5, movement.CounterLowest, 11, true, false, "3"},
		"the certain one":               {4, movement.CounterCertain, 0, false, true, "4"},
		"the certain one at the top":    {5, movement.CounterCertain, 0, false, true, "5"},
	} {
		t.Run(name, func(t *testing.T) {
			f := duelOfMages(t, 30, nil)
			f.Roller = func(sides int) int {
				if sides == 20 && c.face > 0 {
					return c.face
				}
				return min(sides, 3)
			}
			f.Must(act("a", "cast", "bolt", "c", withParameters("slot", c.cast)))
			f.Answer(movement.DecCounterspell, c.answer)
			if got := len(f.Rolls("counterspell/b")) > 0; got != c.checked {
				t.Errorf("checked %v", got)
			}
			if failed := f.Creature("c").GetHp() == 40; failed != c.failed {
				t.Errorf("the bolt fails %v", failed)
			}
			for _, n := range []string{"3", "4", "5"} {
				want := int64(1)
				if n == c.spent {
					want = 0
				}
				if got := f.Creature("b").Counters[body.CSlot+n]; got != want {
					t.Errorf("%d slots of level %s, want %d", got, n, want)
				}
			}
			reacts := int64(0)
			if c.spent == "" {
				reacts = 1
			}
			f.wantCount("b", body.CReaction, reacts)
			if c.spent != "" && len(f.byNote(cite.BaseCounterspell)) != 1 {
				t.Errorf("told %v", f.byNote(cite.BaseCounterspell))
			}
		})
	}
}

// byNote are the notes by a rule of the last action.
func (f *table) byNote(rule string) (out []string) {
	for _, e := range f.Published {
		if n := e.GetNote(); n != nil && len(e.Rules) > 0 && e.Rules[0] == rule {
			out = append(out, n.Text)
		}
	}
	return out
}
