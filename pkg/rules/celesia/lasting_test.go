package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestLastingSpells(t *testing.T) {
	three := func(t *testing.T, sp *eventv1.CelesiaSpell) *table {
		return crowd(t, [][2]int32{{0, 0}, {20, 0}, {30, 0}}, fighter("a", "party", spell(sp)), fighter("b", "foes"), fighter("c", "foes"))
	}
	held := func(change func(*eventv1.CelesiaSpell)) *eventv1.CelesiaSpell {
		sp := &eventv1.CelesiaSpell{Name: "s", Casting: "standard", Condition: "entangled", RangeFeet: 60}
		change(sp)
		return sp
	}
	t.Run(cite.SpellConcentrate, func(t *testing.T) {
		f := three(t, held(func(sp *eventv1.CelesiaSpell) { sp.Concentration = true }))
		f.Must(act("a", "cast", "s", "b"))
		f.End("a") // the turn of the casting counts
		f.End("b")
		f.End("c")
		f.Must(act("a", "concentrate", "s", ""))
		f.Must(act("a", "move", "", "", way(0, 30)))
		f.End("a")
		if f.acts("b") != 3 || !body.Has(f.Creature("b"), "entangled") {
			t.Fatal("3 acts, and the spell goes on")
		}
		f.End("b")
		f.End("c")
		f.End("a") // without concentrating
		if body.Has(f.Creature("b"), "entangled") || len(f.State.Tasks) != 0 {
			t.Error("the spell is not over")
		}
		f.End("b")
		f.End("c")
		wantRefused(t, f.Try(act("a", "concentrate", "s", "")), cite.SpellConcentrate)
	})
	t.Run(cite.SpellCeaseConcentrating, func(t *testing.T) {
		f := three(t, held(func(sp *eventv1.CelesiaSpell) { sp.Concentration = true }))
		wantRefused(t, f.Try(act("a", "cease-concentrating", "s", "")), cite.SpellCeaseConcentrating)
		f.Must(act("a", "cast", "s", "b"))
		f.Must(act("a", "cease-concentrating", "s", ""))
		if f.acts("a") != 1 || body.Has(f.Creature("b"), "entangled") {
			t.Error("free, and over")
		}
	})
	t.Run(cite.SpellDismiss, func(t *testing.T) {
		f := three(t, held(func(sp *eventv1.CelesiaSpell) { sp.Dismissible = true }))
		f.Must(act("a", "cast", "s", "b"))
		f.Must(act("a", "dismiss", "s", ""))
		if body.Has(f.Creature("b"), "entangled") || f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
		f = three(t, held(func(sp *eventv1.CelesiaSpell) { sp.Turns = 3 }))
		f.Must(act("a", "cast", "s", "b"))
		wantRefused(t, f.Try(act("a", "dismiss", "s", "")), cite.SpellDismiss)
	})
	t.Run(cite.SpellRedirect, func(t *testing.T) {
		f := three(t, held(func(sp *eventv1.CelesiaSpell) { sp.Redirectable = true }))
		f.Must(act("a", "cast", "s", "b"))
		f.Must(act("a", "redirect", "s", "c"))
		if body.Has(f.Creature("b"), "entangled") || !body.Has(f.Creature("c"), "entangled") || f.acts("a") != 0 {
			t.Error("the target is c from now on")
		}
		if all := magic.Active(f.State, "a", "s"); len(all) != 1 || all[0].Targets[0] != "c" {
			t.Errorf("active: %v", all)
		}
		f = three(t, held(func(sp *eventv1.CelesiaSpell) { sp.Dismissible = true }))
		f.Must(act("a", "cast", "s", "b"))
		wantRefused(t, f.Try(act("a", "redirect", "s", "c")), cite.SpellRedirect)
	})
	t.Run("celesia.spell.concentrate the caster leaves, dies, or the fight ends", func(t *testing.T) {
		for what, end := range map[string]func(*table){
			"leaves": func(f *table) {
				f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "a"}}})
			},
			"dies": func(f *table) { f.Hurt("a", -60); f.End("b") },
			"the end": func(f *table) {
				f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
			},
		} {
			f := three(t, held(func(sp *eventv1.CelesiaSpell) { sp.Concentration = true }))
			f.Must(act("a", "cast", "s", "b"))
			end(f)
			if body.Has(f.Creature("b"), "entangled") || len(f.State.Tasks) != 0 {
				t.Errorf("%s: %v, tasks %v", what, f.Creature("b").Conditions, f.State.Tasks)
			}
		}
	})
	t.Run("a spell of so many turns ends by itself", func(t *testing.T) {
		f := three(t, held(func(sp *eventv1.CelesiaSpell) { sp.Turns = 2 }))
		f.Must(act("a", "cast", "s", "b"))
		for turn, want := range []bool{true, true, false} {
			if body.Has(f.Creature("b"), "entangled") != want {
				t.Fatalf("turn %d: %v, want %v", turn, !want, want)
			}
			for _, id := range []string{"a", "b", "c"} {
				f.End(id)
			}
		}
	})
}

func TestSpellsOfSeveralTargets(t *testing.T) {
	ball := &eventv1.CelesiaSpell{Name: "s", Casting: "standard", DicePerLevel: "1d6", CasterLevel: 7, Save: "reflex", SaveDc: 17, SaveEffect: "half",
		RangeFeet: 400, RangePerLevel: 40, Targets: 3}
	reflex := func(n int32) func(*eventv1.Sheet) {
		return section(func(c *eventv1.CelesiaSheet) { c.Reflex = n })
	}
	build := func(t *testing.T) *table {
		return crowd(t, [][2]int32{{0, 0}, {100, 0}, {100, 5}}, fighter("a", "party", spell(ball)), fighter("b", "foes"), fighter("c", "foes", reflex(8)))
	}
	t.Run("celesia.spell.degrees-save dice are rolled once", func(t *testing.T) {
		f := build(t)
		// b fails by 13: level 8; c makes it by 11: level 6, and half.
		f.Must(act("a", "cast", "s", "b,c"), 4, 20, 3, 3, 5, 1, 6, 2, 4, 4)
		f.WantHP("b", 40-28)
		f.WantHP("c", 40-10) // 3+3+5+1+6+2 = 20, half
	})
	for _, tc := range []struct {
		rule string
		face int
		dice int
	}{
		{"celesia.spell.degrees-save exactly 10 under", 7, 8},
		{"celesia.spell.degrees-save 9 under", 8, 7},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := build(t)
			faces := []int{tc.face}
			for range tc.dice {
				faces = append(faces, 1)
			}
			f.Must(act("a", "cast", "s", "b"), faces...)
			f.WantHP("b", 40-int32(tc.dice))
		})
	}
	t.Run("celesia.spell.degrees-save 9 over", func(t *testing.T) {
		f := build(t)
		f.Must(act("a", "cast", "s", "c"), 18, 2, 2, 2, 2, 2, 2, 2)
		f.WantHP("c", 40-7)
	})
	t.Run(cite.SpellDegreesRangeArea, func(t *testing.T) {
		f := build(t)
		wantRefused(t, f.Try(act("a", "cast", "s", "b", withFacts("distance", 681))), cite.SpellStandard)
		f.Must(act("a", "cast", "s", "b", withFacts("distance", 680)), 3, 1, 1, 1, 1, 1, 1, 1, 1) // 14 under: level 8 against it, the range as it was
		f.WantHP("b", 32)
	})
	t.Run("too many targets, and one twice", func(t *testing.T) {
		f := build(t)
		if err := f.Try(act("a", "cast", "s", "b,b")); err == nil {
			t.Error("one target twice")
		}
		if err := f.Try(act("a", "cast", "s", "a,b,c,a")); err == nil {
			t.Error("four targets of three")
		}
	})
	t.Run("celesia.spell.degrees-save never below level 1, and not for what is supernatural", func(t *testing.T) {
		small := &eventv1.CelesiaSpell{Name: "s", Casting: "standard", DicePerLevel: "1d6", CasterLevel: 1, Save: "reflex", SaveDc: 10, SaveEffect: "half", RangeFeet: 60}
		f := duel(t, fighter("a", "party", spell(small)), fighter("b", "foes", unarmed(), reflex(0)))
		f.Must(act("a", "cast", "s", "b"), 20, 6)
		f.WantHP("b", 37)
		breath := &eventv1.CelesiaSpell{Name: "s", Casting: "standard", DicePerLevel: "1d6", CasterLevel: 2, Save: "reflex", SaveDc: 20, SaveEffect: "half", RangeFeet: 60, Supernatural: true}
		f = duel(t, fighter("a", "party", spell(breath)), fighter("b", "foes", unarmed(), reflex(0)))
		f.Must(act("a", "cast", "s", "b"), 2, 3, 3) // 18 under: still two dice
		f.WantHP("b", 34)
	})
	t.Run("celesia.spell.degrees-attack levels and their limit", func(t *testing.T) {
		for _, tc := range []struct {
			face, limit int32
			dice        int
		}{{20, 0, 7}, {9, 0, 5}, {20, 5, 5}} { // touch DV 10: totals 30 and 19, caster level 5
			grasp := &eventv1.CelesiaSpell{Name: "s", Casting: "standard", Attack: "melee-touch", DicePerLevel: "1d4", CasterLevel: 5, MaximumLevels: tc.limit}
			f := duel(t, fighter("a", "party", spell(grasp), attacks(10)), fighter("b", "foes", unarmed()))
			faces := []int{int(tc.face)}
			for range tc.dice {
				faces = append(faces, 1)
			}
			f.Must(act("a", "cast", "s", "b"), faces...)
			f.WantHP("b", 40-int32(tc.dice))
		}
	})
}

// celesia.spell.degrees-combined: caster level 6, DC 15, touch DV 10, by what the
// saving throw and the attack come to.
func TestCombinedDegrees(t *testing.T) {
	for _, tc := range []struct {
		rule         string
		attack, save int
		level        int32
		half         bool
	}{
		{"celesia.spell.degrees-combined source 1", 20, 4, 8, false},
		{"celesia.spell.degrees-combined source 2", 11, 25, 5, true},
		{"celesia.spell.degrees-combined source 3", 11, 16, 6, true},
		{"celesia.spell.degrees-combined both", 20, 25, 6, true},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			ray := &eventv1.CelesiaSpell{Name: "s", Casting: "standard", Attack: "ranged-touch", DicePerLevel: "1d6", CasterLevel: 6, Save: "fortitude", SaveDc: 15, SaveEffect: "half", RangeFeet: 60}
			fort := section(func(c *eventv1.CelesiaSheet) { c.Fortitude = 10 })
			f := duel(t, fighter("a", "party", spell(ray), attacks(5)), fighter("b", "foes", unarmed(), fort))
			faces := []int{tc.attack - 5, max(1, tc.save-10)}
			if tc.save < 11 { // a bonus of 10 is too good for a low total
				f = duel(t, fighter("a", "party", spell(ray), attacks(5)), fighter("b", "foes", unarmed()))
				faces[1] = tc.save
			}
			for range tc.level {
				faces = append(faces, 2)
			}
			f.Must(act("a", "cast", "s", "b"), faces...)
			want := 2 * tc.level
			if tc.half {
				want /= 2
			}
			f.WantHP("b", 40-want)
		})
	}
}

func TestCastingDefensively(t *testing.T) {
	bolt := func(level int32) func(*eventv1.Sheet) {
		return section(func(c *eventv1.CelesiaSheet) {
			c.Spells = []*eventv1.CelesiaSpell{{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 60, Level: level, Uses: 3}}
			c.Concentration = map[int32]int32{3: 9, 0: 4}[level]
		})
	}
	calm := withParameters("defensively", true)
	for _, tc := range []struct {
		rule  string
		level int32
		face  int
		ok    bool
	}{
		{cite.SpellCastDefensively, 3, 12, true},
		{"celesia.spell.cast-defensively fails", 3, 11, false},
		{"celesia.spell.cast-defensively level 0", 0, 11, true},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", bolt(tc.level)), fighter("b", "foes"))
			if tc.ok {
				f.Must(act("a", "cast", "s", "b", calm), tc.face, 4)
				f.WantHP("b", 36)
			} else {
				f.Must(act("a", "cast", "s", "b", calm), tc.face)
				f.Answer(body.DecReaction, "no") // it still provokes, and the spell is lost
				f.WantHP("b", 40)
			}
			if f.acts("a") != 1 || f.Creature("a").Counters[body.CLeft+"s"] != 2 || f.Creature("a").Marks[body.MLost] != "" {
				t.Errorf("%d acts, %d left, mark %q", f.acts("a"), f.Creature("a").Counters[body.CLeft+"s"], f.Creature("a").Marks[body.MLost])
			}
		})
	}
}
