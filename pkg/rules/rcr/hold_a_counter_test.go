package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// counterMage knows counterspell and has slots of the levels 3, 4 and 5; by an Intelligence
// of 16 its difficulty is 14.
func counterMage(id, side string, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	return fighter(id, side, append([]func(*eventv1.Sheet){ability("intelligence", 16), rcrSheet(func(s *eventv1.RcrSheet) {
		s.SpellSlots, s.SpellDc = []int32{0, 0, 1, 1, 1}, 14
		s.Spells = []*eventv1.RcrSpell{{Name: "counterspell", Level: 3, CastingTime: "reaction", RangeFeet: 60, Somatic: true},
			{Name: "bolt", Level: 3, CastingTime: "action", RangeFeet: 120, Targets: 1, Verbal: true, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "fire"}}, Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 30}}}
	})}, change...)...)
}

// rcr.base.counterspell: a counterspell can be countered, also by a friend of the caster; the
// slot and the reaction of each are spent, and who has used its reaction on one has none for
// another.
func TestCountersAreCountered(t *testing.T) {
	// a casts; b and c are its enemies, d its friend, and e, whom it casts at, knows nothing.
	build := func(t *testing.T) *table {
		f := newTable(t)
		f.place(counterMage("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Spells = s.Spells[1:] })), 0, 0)
		f.place(counterMage("b", "monsters"), 20, 0)
		f.place(counterMage("c", "monsters"), 20, 20)
		f.place(counterMage("d", "party"), 0, 20)
		f.place(fighter("e", "monsters"), 40, 0)
		f.start(nil, 20, 10, 9, 8, 7)
		f.falls(3) // no check succeeds
		return f
	}
	spent := func(f *table, ids string, slots ...string) {
		f.T.Helper()
		for i, id := range []string{"b", "c", "d"} {
			reacts := int64(1)
			if slices.Contains([]byte(ids), id[0]) {
				reacts = 0
			}
			f.wantCount(id, body.CReaction, reacts)
			for _, n := range []string{"3", "4", "5"} {
				want := int64(1)
				if n == slots[i] {
					want = 0
				}
				f.wantCount(id, body.CSlot+n, want)
			}
		}
	}
	hurt := func(f *table, want bool) {
		f.T.Helper()
		if got := f.Creature("e").GetHp() < 40; got != want {
			f.T.Errorf("the bolt strikes: %v", got)
		}
	}
	t.Run("enemies alone are asked, all at once", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "cast", "bolt", "e"))
		f.wantAsked("b", "c")
	})
	t.Run("the friend counters the counter", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "cast", "bolt", "e"))
		f.Answer(movement.DecCounterspell+"/c", "no")
		f.Answer(movement.DecCounterspell+"/b", movement.CounterLowest)
		f.Answer(movement.DecCounterspell+"/d", movement.CounterLowest)
		if len(f.Decisions) > 0 { // c may meet that one in turn
			f.Answer(movement.DecCounterspell+"/c", "no")
		}
		hurt(f, true)
		spent(f, "bd", "3", "", "3")
	})
	t.Run("who has met the friend's has no reaction left for the bolt", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "cast", "bolt", "e"))
		f.Answer(movement.DecCounterspell+"/c", movement.CounterLowest) // after b
		f.Answer(movement.DecCounterspell+"/b", movement.CounterLowest)
		f.Answer(movement.DecCounterspell+"/d", "slot/5")
		f.Answer(movement.DecCounterspell+"/c", movement.CounterLowest) // 3 against 5: the check fails
		hurt(f, true)
		spent(f, "bcd", "3", "3", "5")
	})
	t.Run("the second counters what the first did not", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "cast", "bolt", "e", withParameters("slot", 5)))
		f.Answer(movement.DecCounterspell+"/c", movement.CounterCertain)
		f.Answer(movement.DecCounterspell+"/b", movement.CounterLowest)
		f.Answer(movement.DecCounterspell+"/d", "no")
		for len(f.Decisions) > 0 {
			f.Choose("no")
		}
		hurt(f, false)
		spent(f, "bc", "3", "5", "")
	})
	t.Run("what the first counters costs the second nothing", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "cast", "bolt", "e"))
		f.Answer(movement.DecCounterspell+"/c", movement.CounterLowest)
		f.Answer(movement.DecCounterspell+"/b", movement.CounterLowest)
		f.Answer(movement.DecCounterspell+"/d", "no")
		hurt(f, false)
		spent(f, "b", "3", "", "")
	})
}

// rcr.base.counterspell: the question offers the lowest slot, each above it, and the lowest that
// needs no check where there is one.
func TestAnswersToACasting(t *testing.T) {
	for name, c := range map[string]struct {
		cast  int
		slots []int32
		want  []string
	}{
		"all are enough":          {3, []int32{0, 0, 1, 1, 1}, []string{"no", movement.CounterLowest, movement.CounterCertain, "slot/4", "slot/5"}},
		"the last just is":        {5, []int32{0, 0, 1, 1, 1}, []string{"no", movement.CounterLowest, movement.CounterCertain, "slot/4", "slot/5"}},
		"none is":                 {5, []int32{0, 0, 1, 1}, []string{"no", movement.CounterLowest, "slot/4"}},
		"one, too low":            {4, []int32{9, 9, 1}, []string{"no", movement.CounterLowest}},
		"one, of the spell's own": {3, []int32{9, 9, 1}, []string{"no", movement.CounterLowest, movement.CounterCertain}},
	} {
		t.Run(name, func(t *testing.T) {
			f := duelOfMages(t, 30, func(_, b *eventv1.RcrSheet) { b.SpellSlots = c.slots })
			f.falls(3)
			f.Must(act("a", "cast", "bolt", "c", withParameters("slot", c.cast)))
			f.wantAsked("b")
			var got []string
			for _, o := range f.Decisions[0].Options {
				got = append(got, o.Id)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("offered %v, want %v", got, c.want)
			}
		})
	}
}

// rcr.base.counterspell: it is known by what it is, whatever the sheet calls it; where nobody has
// a place it is within range.
func TestCounterspellByAnotherName(t *testing.T) {
	for name, asked := range map[string]bool{"COUNTERSPELL": true, "unweaving": false} {
		f := duelOfMages(t, 30, func(_, b *eventv1.RcrSheet) { b.Spells[0].Name = name })
		f.falls(3)
		f.Must(act("a", "cast", "bolt", "c"))
		if got := len(f.Decisions) > 0; got != asked {
			t.Errorf("%s: asked %v", name, got)
		}
	}
	f := newTable(t).add(counterMage("a", "party"), counterMage("b", "monsters"), fighter("c", "monsters")).start(nil, 20, 10, 5)
	f.falls(3)
	f.Must(act("a", "cast", "bolt", "c"))
	f.wantAsked("b")
}

// rcr.base.counterspell: the check is one of the ability that the difficulty of the spells tells,
// or else their attack bonus, or else Intelligence; what no ability of the three explains is
// added to Intelligence.
func TestAbilityOfACounter(t *testing.T) {
	for name, c := range map[string]struct {
		dc, bonus int32
		want      string
		total     int32 // of a face of 8
	}{
		"Intelligence by the difficulty": {14, 0, "intelligence", 11},
		"Wisdom by the difficulty":       {12, 0, "wisdom", 9},
		"Charisma by the difficulty":     {16, 0, "charisma", 13},
		"Wisdom by the bonus":            {0, 4, "wisdom", 9},
		"Charisma by the bonus":          {0, 8, "charisma", 13},
		"the difficulty goes before":     {14, 8, "intelligence", 11},
		"neither":                        {0, 0, "intelligence", 11},
		"an item on top":                 {15, 0, "intelligence", 12},
		"less than any":                  {11, 0, "intelligence", 8},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.place(counterMage("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Spells = s.Spells[1:] })), 0, 0)
			f.place(counterMage("b", "monsters", ability("wisdom", 12), ability("charisma", 20), rcrSheet(func(s *eventv1.RcrSheet) {
				s.SpellDc, s.SpellAttackBonus = c.dc, c.bonus
				s.Spells = s.Spells[:1]
			})), 30, 0)
			f.place(fighter("c", "monsters"), 90, 90)
			f.start(nil, 20, 10, 5)
			f.falls(8)
			f.Must(act("a", "cast", "bolt", "c", withParameters("slot", 4)))
			f.Answer(movement.DecCounterspell, movement.CounterLowest)
			r := f.Roll("counterspell/b")
			if r.Total != c.total {
				t.Errorf("%v comes to %d, want %d", r.Modifiers, r.Total, c.total)
			}
			if failed := f.Creature("c").GetHp() == 40; failed != (c.total >= 14) {
				t.Errorf("the bolt fails %v", failed)
			}
		})
	}
}

// rcr.base.counterspell, rcr.feat.mage-slayer-interrupt: who strikes at a mage that counters may
// break the counterspell off: its slot is kept, and the spell takes effect.
func TestCounterBrokenOff(t *testing.T) {
	for name, broken := range map[string]bool{"it holds on": false, "it is broken off": true} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.place(counterMage("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Spells = s.Spells[1:] })), 0, 0)
			f.place(counterMage("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.Spells = s.Spells[:1] })), 30, 0)
			f.place(fighter("d", "party", feat(body.FeatMageSlayer)), 35, 0)
			f.place(fighter("e", "monsters"), 90, 90)
			f.start(nil, 20, 10, 9, 5)
			f.falls(16)
			f.Must(act("a", "cast", "bolt", "e"))
			f.Answer(movement.DecCounterspell, movement.CounterLowest)
			if broken {
				rolls := 0
				f.Roller = func(sides int) int {
					if sides != 20 {
						return 1
					}
					if rolls++; rolls == 1 {
						return 16 // d hits
					}
					return 2 // b does not hold on
				}
			}
			f.Answer(movement.DecSlay, "sword")
			if struck := f.Creature("e").GetHp() < 40; struck != broken {
				t.Errorf("the bolt strikes: %v", struck)
			}
			left := int64(0)
			if broken {
				left = 1
			}
			f.wantCount("b", body.CSlot+"3", left)
			f.wantCount("b", body.CReaction, 0)
			if !broken && len(f.byNote(cite.BaseCounterspell)) != 1 {
				t.Errorf("told %v", f.byNote(cite.BaseCounterspell))
			}
		})
	}
}
