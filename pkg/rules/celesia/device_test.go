package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestMagicItems(t *testing.T) {
	item := func(kind, place string, sp *eventv1.CelesiaSpell) func(*eventv1.Sheet) {
		return section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = c.Weapons[1:2]
			c.Things = []*eventv1.CelesiaThing{{Name: "x", Kind: kind, Place: place, Spell: sp}}
		})
	}
	ray := func(uses int32) *eventv1.CelesiaSpell {
		return &eventv1.CelesiaSpell{Name: "ray", Casting: "standard", Attack: "ranged-touch", Dice: "1d6", RangeFeet: 30, Level: 1, Uses: uses}
	}
	two := func(s *eventv1.Sheet) { // two reactions
		s.Abilities["dexterity"] = 12
		s.GetCelesia().Features = []string{body.FeatCombatReflexes}
	}
	for _, tc := range []struct {
		rule, kind, place string
		left              int64 // reactions of the foe afterwards
	}{
		{cite.ItemCommandWord, body.ThingCommand, body.PlaceWorn, 2},
		{cite.ItemSpellTrigger, body.ThingTrigger, "main", 2},
		{cite.ItemSpellCompletion, body.ThingCompletion, "main", 1},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", item(tc.kind, tc.place, ray(2)), attacks(5)), fighter("b", "foes", two))
			cmd := act("a", "use-item", "x", "b")
			if tc.left == 2 {
				f.Must(cmd, 9, 3)
			} else { // one provocation, at the casting alone
				f.Must(cmd)
				f.Answer(body.DecReaction, "attack:sword", 2, 9, 3)
			}
			f.WantHP("b", 37)
			if got := f.Creature("b").Counters[body.CReactions]; got != tc.left || f.acts("a") != 1 {
				t.Errorf("%d reactions left, %d acts", got, f.acts("a"))
			}
		})
	}
	t.Run("celesia.item.spell-completion no attack action", func(t *testing.T) {
		f := duel(t, fighter("a", "party", item(body.ThingCompletion, "main", ray(1))), fighter("b", "foes", unarmed()))
		wantField(t, f.Try(act("a", "use-item", "x", "b", withParameters("options", "deadly-aim"))), "take.parameters.options", "no parameter")
		f.Must(act("a", "use-item", "x", "b"), 2)
		if body.Where(f.Creature("a"), "x") != body.PlaceGone {
			t.Error("the scroll is not used up")
		}
		f.End("a")
		f.End("b")
		wantRefused(t, f.Try(act("a", "use-item", "x", "b")), cite.ItemSpellCompletion)
	})
	t.Run("celesia.item.spell-completion read in two parts", func(t *testing.T) {
		f := duel(t, fighter("a", "party", item(body.ThingCompletion, "main", ray(1))), fighter("b", "foes", unarmed()))
		f.Must(act("a", "use-item", "x", "b", withParameters("commit", 1)))
		f.WantHP("b", 40)
		f.Must(act("a", "finish-action", "", ""), 9, 3)
		f.WantHP("b", 37)
	})
	t.Run("celesia.item.spell-completion read defensively", func(t *testing.T) {
		f := duel(t, fighter("a", "party", item(body.ThingCompletion, "main", ray(1))), fighter("b", "foes"))
		f.Must(act("a", "use-item", "x", "b", withParameters("defensively", true)), 17, 9, 3)
		f.WantHP("b", 37)
	})
	t.Run("celesia.item.spell-trigger must be in hand", func(t *testing.T) {
		f := duel(t, fighter("a", "party", item(body.ThingTrigger, "carried", ray(1))), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "use-item", "x", "b")), cite.ItemSpellTrigger)
		f.Must(act("a", "draw", "x", ""))
		f.Must(act("a", "use-item", "x", "b"), 2)
	})
}

func TestMagus(t *testing.T) {
	shock := &eventv1.CelesiaSpell{Name: "shock", Casting: "standard", Attack: "melee-touch", DicePerLevel: "1d6", CasterLevel: 3, Magus: true, Level: 1}
	magus := func(bab int32, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return fighter("a", "party", append([]func(*eventv1.Sheet){attacks(bab), spell(shock), features(body.FeatSpellCombat, body.FeatSpellstrike)}, change...)...)
	}
	with := withParameters("spell", "shock")
	t.Run(cite.SpellSpellCombat, func(t *testing.T) {
		f := duel(t, magus(9), fighter("b", "foes", unarmed(), defends(18)))
		f.Must(act("a", "spell-combat", "sword", "b", with), 10, 5, 1, 2, 3) // 17 misses, the spell is cast all the same: 14 against touch 10
		if f.Rolls("attack/1/to-hit")[0].Total != 17 || f.acts("a") != 2 {
			t.Errorf("total %d, %d acts left", f.Rolls("attack/1/to-hit")[0].Total, f.acts("a"))
		}
		f.WantHP("b", 34)
	})
	t.Run("celesia.spell.spell-combat refused", func(t *testing.T) {
		great := weapon(&eventv1.CelesiaWeapon{Name: "sword", Kind: "melee", Dice: "2d6", Hands: 2})
		full := section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Hand: "off"})
		})
		for _, change := range []func(*eventv1.Sheet){great, full, features()} {
			wantRefused(t, duel(t, magus(9, change), fighter("b", "foes")).Try(act("a", "spell-combat", "sword", "b", with)), cite.SpellSpellCombat)
		}
	})
	t.Run("celesia.spell.spell-combat lists the spells that are left", func(t *testing.T) {
		more := section(func(c *eventv1.CelesiaSheet) {
			c.Spells = append(c.Spells[:0:0], &eventv1.CelesiaSpell{Name: "shock", Casting: "standard", RangeFeet: 30, Magus: true, Level: 1, CasterLevel: 3, Uses: 1},
				&eventv1.CelesiaSpell{Name: "mist", Casting: "standard", RangeFeet: 30, Magus: true, Level: 1, CasterLevel: 3, Uses: 1})
		})
		f := duel(t, magus(9, more), fighter("b", "foes", unarmed()))
		for _, spent := range []string{"shock", "mist"} {
			o := optionsOf(f, "a", "spell-combat")[0]
			if left, _ := wordsOf(o, "spell"); !o.Legal || left[0] != spent {
				t.Fatalf("listed: %v", o)
			}
			f.Count("a", body.CLeft+spent, 0)
			wantRefused(t, f.Try(act("a", "spell-combat", "sword", "b", withParameters("spell", spent))), cite.SpellStandard)
		}
		if o := optionsOf(f, "a", "spell-combat")[0]; o.Legal || o.Rule != cite.SpellStandard {
			t.Errorf("with every spell spent: %v", o)
		}
	})
	t.Run(cite.SpellSpellCombatDefensive, func(t *testing.T) {
		bright := func(s *eventv1.Sheet) { s.Abilities["intelligence"] = 18; s.GetCelesia().Concentration = 6 }
		f := duel(t, magus(9, bright), fighter("b", "foes", defends(18)))
		f.Must(act("a", "spell-combat", "sword", "b", withParameters("spell", "shock", "shift", true)), 14, 7, 2, 1, 1, 1)
		if f.Rolls("attack/1/to-hit")[0].Total != 17 || f.Roll("concentration").Total != 17 || len(f.Decisions) > 0 {
			t.Error("17 misses; 17 against 17 holds, and nothing is provoked")
		}
		g := duel(t, magus(9, bright), fighter("b", "foes", defends(18)))
		g.Must(act("a", "spell-combat", "sword", "b", withParameters("spell", "shock", "shift", true)), 14, 6)
		g.Answer(body.DecReaction, "no") // 16 fails: it provokes and is lost
		g.WantHP("b", 40)
	})
	t.Run(cite.SpellSpellCombatLimits, func(t *testing.T) {
		swift := section(func(c *eventv1.CelesiaSheet) {
			c.Spells = append(c.Spells, &eventv1.CelesiaSpell{Name: "quick", Casting: "swift", Dice: "1d4", RangeFeet: 30})
		})
		f := duel(t, magus(9, swift), fighter("b", "foes", unarmed(), defends(40)))
		f.Must(act("a", "spell-combat", "sword", "b", with), 2, 1, 1, 1, 1)
		wantRefused(t, f.Try(act("a", "cast", "shock", "b")), cite.SpellSpellCombatLimits)
		wantRefused(t, f.Try(act("a", "spell-combat", "sword", "b", with)), cite.SpellSpellCombatLimits)
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.Must(act("a", "cast", "quick", "b"), 1)
		f.End("a")
		f.End("b")
		f.Must(act("a", "cast", "shock", "b"), 1, 1, 1, 1) // and the other way round
		wantRefused(t, f.Try(act("a", "spell-combat", "sword", "b", with)), cite.SpellSpellCombatLimits)
	})
	t.Run(cite.SpellSpellstrike, func(t *testing.T) {
		long := weapon(&eventv1.CelesiaWeapon{Name: "sword", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: 4})
		f := duel(t, magus(8, long), fighter("b", "foes", unarmed(), defends(17)))
		f.Must(act("a", "spellstrike", "sword", "b", with), 9, 6, 2, 5, 3)
		f.WantHP("b", 20)
		if f.acts("a") != 1 {
			t.Errorf("%d acts left", f.acts("a"))
		}
		f = duel(t, magus(8, long), fighter("b", "foes", unarmed(), defends(17)))
		f.Must(act("a", "spellstrike", "sword", "b", with), 8) // 16 beats the touch DV, but that is not asked
		f.WantHP("b", 40)
	})
	t.Run("celesia.spell.spellstrike provokes", func(t *testing.T) {
		f := duel(t, magus(8), fighter("b", "foes"))
		f.Must(act("a", "spellstrike", "sword", "b", with))
		f.Answer(body.DecReaction, "no", 2)
	})
	t.Run(cite.SpellResistanceToggle, func(t *testing.T) {
		f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.SpellResistance = 14 })), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "raise-spell-resistance", "", "")), cite.SpellResistanceToggle)
		f.Must(act("a", "lower-spell-resistance", "", ""))
		if f.Creature("a").Marks[magic.MResistance] != rules.Yes {
			t.Error("not lowered")
		}
		f.Must(act("a", "raise-spell-resistance", "", ""))
		if f.Creature("a").Marks[magic.MResistance] != "" || f.acts("a") != 1 {
			t.Errorf("%d acts left, want 1", f.acts("a"))
		}
		wantRefused(t, duel(t, fighter("a", "party"), fighter("b", "foes")).Try(act("a", "lower-spell-resistance", "", "")), cite.SpellResistanceToggle)
	})
}
