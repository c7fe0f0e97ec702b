package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Casting from the saddle: what the mount may do after a spell for which no check
// was made, and with one.
func TestCastsThatBindTheMount(t *testing.T) {
	caster := func() *eventv1.Sheet {
		return fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "swift", Dice: "1d6", RangeFeet: 500, Level: 3, Uses: 9}),
			section(func(c *eventv1.CelesiaSheet) { c.Concentration = 6 }))
	}
	foe := func() *eventv1.Sheet { return fighter("b", "foes", unarmed()) }
	t.Run("celesia.mount.cast-before-or-after wholly before the movement", func(t *testing.T) {
		f := cavalry(t, caster(), horse(), foe())
		f.Must(act("a", "cast", "s", "b"), 4)
		wantRefused(t, f.Try(act("a", "ride", "", "", gait("double", 55, 0)...)), cite.MountCastBeforeOrAfter)
		f.Must(act("a", "ride", "", "", path([2]int32{50, 0})))
		wantRefused(t, f.Try(act("a", "ride", "", "", path([2]int32{55, 0}))), cite.MountCastBeforeOrAfter)
		f.End("a")
		f.End("b")
		f.Must(act("a", "ride", "", "", gait("double", 150, 0)...)) // a new turn
	})
	t.Run("celesia.mount.cast-before-or-after then charging", func(t *testing.T) {
		f := cavalry(t, caster(), horse(), foe())
		f.at("b", 100, 0)
		f.Must(act("a", "cast", "s", "b"), 4)
		wantRefused(t, f.Try(act("a", "ride-charge", "sword", "b")), cite.MountCastBeforeOrAfter)
		f.at("b", 40, 0)
		f.Must(act("a", "ride-charge", "sword", "b"))
	})
	for face, kept := range map[int]bool{7: true, 6: false} {
		t.Run("celesia.mount.cast-while-moving as said", func(t *testing.T) {
			f := cavalry(t, caster(), horse(), foe())
			faces := []int{face}
			if kept {
				faces = append(faces, 4)
			}
			f.Must(act("a", "cast", "s", "b", withParameters("moving", true)), faces...)
			if got := f.Creature("b").GetHp() == 36; got != kept || f.Roll("concentration").Target.Value != 13 {
				t.Errorf("cast %v, want %v against DC 13", got, kept)
			}
			f.Must(act("a", "ride", "", "", gait("double", 100, 0)...)) // as far as it likes
		})
	}
	t.Run("celesia.mount.cast-while-moving with a second Move to come", func(t *testing.T) {
		f := cavalry(t, caster(), horse(), foe())
		f.Must(act("a", "ride", "", "", path([2]int32{50, 0}))) // all of one Move; the horse has acts left
		f.Must(act("a", "cast", "s", "b"))
		f.Answer(saddle.DecRideOn, "yes", 7, 4) // 13 against 13
		f.Must(act("a", "ride", "", "", path([2]int32{75, 0})))
		f.WantHP("b", 36)
	})
	t.Run("celesia.mount.cast-while-running a scroll and a magus as well", func(t *testing.T) {
		scroll := section(func(c *eventv1.CelesiaSheet) {
			c.Features, c.Concentration = []string{body.FeatSpellCombat}, 7
			c.Spells = []*eventv1.CelesiaSpell{{Name: "shock", Casting: "standard", Dice: "1d6", RangeFeet: 500, Level: 2, Magus: true}}
			c.Things = []*eventv1.CelesiaThing{{Name: "scroll", Kind: body.ThingCompletion, Place: "off", Spell: &eventv1.CelesiaSpell{Name: "blast", Casting: "standard", Dice: "1d6", RangeFeet: 500, Level: 2, Uses: 1}}}
		})
		f := cavalry(t, fighter("a", "party", scroll), horse(), foe())
		f.Must(act("a", "ride", "", "", gait("run", 100, 0)...))
		f.Must(act("a", "use-item", "scroll", "b"), 10, 4) // 17 against 17
		f.WantHP("b", 36)
		g := cavalry(t, fighter("a", "party", scroll), horse(), foe())
		g.Must(act("a", "drop-item", "scroll", ""))
		g.at("b", 210, 0)
		g.Must(act("a", "ride", "", "", gait("run", 150, 0)...))
		g.at("b", 160, 0)
		wantRefused(t, g.Try(act("a", "spell-combat", "sword", "b", withParameters("spell", "shock"))), cite.MountCastWhileRunning)
		h := cavalry(t, fighter("a", "party", scroll), horse(), foe())
		h.Must(act("a", "drop-item", "scroll", ""))
		h.Must(act("a", "ride", "", "", gait("run", 100, 0)...))
		h.at("b", 110, 0)
		h.Must(act("a", "spell-combat", "sword", "b", withParameters("spell", "shock")), 2, 9) // a miss; 16 against 17: lost
		h.WantHP("b", 40)
	})
}

func TestCasesOfSaddles(t *testing.T) {
	t.Run("celesia.mount.guide-with-knees not with a weapon in each hand", func(t *testing.T) {
		two := section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "off"})
		})
		f := cavalry(t, fighter("a", "party", two, skilled("ride", 10)), horse(), fighter("b", "foes", unarmed(), defends(60)))
		f.at("b", 10, 0)
		wantRefused(t, f.Try(act("a", "multiweapon", "sword", "b")), cite.MountGuideWithKnees)
		f.Must(act("a", "multiweapon", "sword", "b", withParameters("off", "fist")), 2, 2) // one hand and a foot
		f.Must(act("a", "attack", "dagger", "b"), 2)
		f.End("a")
		f.End("b")
		f.Must(act("a", "guide-with-knees", "", ""), 10)
		f.Must(act("a", "multiweapon", "sword", "b"), 2, 2)
	})
	t.Run("celesia.mount.rider-dropped twice in a round", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party", hitPoints(10), unarmed()), horse(), fighter("b", "foes", unarmed()))
		f.at("b", 10, 0)
		f.End("a")
		f.Count("a", body.CNonlethal, 9)
		f.Must(act("b", "attack", "fist", "a"), 14, 2, 50) // 11 of 10: unconscious; stays
		if !body.Has(f.Creature("h"), manners.CondLeaderless) {
			t.Fatal("the horse is guided")
		}
		if body.Has(f.Creature("a"), body.CondProne) {
			t.Error("prone in the saddle")
		}
		f.Count("a", body.CNonlethal, 9) // somebody wakes the rider
		if body.Has(f.Creature("h"), manners.CondLeaderless) {
			t.Error("the horse is not guided again")
		}
		f.Must(act("b", "attack", "fist", "a"), 14, 2, 51, 3) // and again: falls this time
		f.WantHP("a", 10-1-1-3)                               // of each blow one point goes beyond the maximum on the tally; then the fall
		if !body.Has(f.Creature("a"), body.CondProne) {
			t.Error("fell, and does not lie")
		}
	})
	t.Run("celesia.maneuver.chokehold-maintain-end the pin is given up", func(t *testing.T) {
		f := held9(t, captive())
		f.Must(act("a", "grapple-continued", "", ""), 8)
		f.Answer(body.DecHold, "choke:air", 11)
		f.round()
		f.Must(act("a", "release-pin", "", ""))
		if b := f.Creature("b"); body.Has(b, body.CondChoked) || body.Has(b, body.CondPinned) || answers.Holds(f.Creature("a")) != "b" {
			t.Errorf("conditions %v", b.Conditions)
		}
	})
}

// Trade-offs in force take off every attack roll of their sort.
func TestTradeOffsOnOtherRolls(t *testing.T) {
	shock := &eventv1.CelesiaSpell{Name: "touch", Casting: "swift", Attack: "melee-touch", Dice: "1d6"}
	ray := &eventv1.CelesiaSpell{Name: "ray", Casting: "swift", Attack: "ranged-touch", Dice: "1d6", RangeFeet: 30}
	sheet := fighter("a", "party", attacks(4), ability("strength", 13, "constitution", 13), section(func(c *eventv1.CelesiaSheet) {
		c.Spells, c.Stances = []*eventv1.CelesiaSpell{shock, ray}, []string{"steel"}
	}))
	for _, tc := range []struct {
		rule, option, item string
		want               int32
	}{
		{"celesia.attack.power-attack on a touch", mending.OptionPower, "touch", 10 + 4 + 1 - 2},
		{"celesia.attack.power-attack not on a ray", mending.OptionPower, "ray", 10 + 4},
		{"celesia.attack.martial-power on a touch", mending.OptionMartial, "touch", 10 + 4 + 1 - 2},
		{"celesia.attack.martial-power on a ray", mending.OptionMartial, "ray", 10 + 4 - 2},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, sheet, fighter("b", "foes", unarmed(), defends(60)))
			f.Must(act("a", "attack", "sword", "b", with(tc.option)), 2)
			f.Must(act("a", "cast", tc.item, "b"), 10, 3)
			if got := f.Roll("cast/to-hit").Total; got != tc.want {
				t.Errorf("total %d, want %d", got, tc.want)
			}
			f.WantHP("b", 37) // no bonus damage on a touch attack
		})
	}
	t.Run("celesia.attack.power-attack on aid", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {0, 5}, {5, 0}}, sheet, fighter("b", "party"), fighter("c", "foes", unarmed(), defends(60)))
		f.Must(act("a", "attack", "sword", "c", with(mending.OptionPower)), 2)
		f.Must(act("a", "aid-another", "sword", "c", withParameters("friend", "b")), 6) // 6 + 4 + 1 - 2 = 9
		if body.Has(f.Creature("b"), checks.CondAided) {
			t.Error("9 aids nobody")
		}
	})
}

// celesia.injury.head: a caster with a head injury keeps its spells less surely.
func TestConcentrationOfTheInjured(t *testing.T) {
	caster := fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "swift", Dice: "1d6", RangeFeet: 500, Level: 3}),
		section(func(c *eventv1.CelesiaSheet) { c.Concentration = 9 }))
	for n, faces := range map[int][]int{0: {12, 4}, 1: {20, 12, 4}, 2: {20, 19, 11}} {
		f := duel(t, caster, fighter("b", "foes", unarmed()))
		f.Put("a", &eventv1.Vitals{Injuries: several(n, "head", "", 0)})
		f.Must(act("a", "cast", "s", "b", withParameters("defensively", true)), faces...) // 21 is needed
		if got := f.Creature("b").GetHp() == 36; got != (n < 2) {
			t.Errorf("%d head injuries: cast %v", n, got)
		}
	}
	f := cavalry(t, caster, horse(), fighter("b", "foes", unarmed()))
	f.Put("a", &eventv1.Vitals{Injuries: several(1, "head", "", 0)})
	f.Must(act("a", "cast", "s", "b", withParameters("moving", true)), 20, 3) // 12 against 13
	f.WantHP("b", 40)
}

// celesia.death.coup-save: a blow without force is a coup de grace all the same.
func TestCoupWithoutDamage(t *testing.T) {
	weak := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d2", Hands: 1, DamageBonus: -9})
	for face, want := range map[int]eventv1.LifeStatus{10: alive, 9: gone} {
		f := doomed(t, fighter("a", "party", weak), fighter("b", "foes", unarmed()), body.CondHelpless)
		f.Must(act("a", "coup-de-grace", "w", "b"), face)
		f.WantHP("b", 40)
		f.WantLife("b", want)
	}
	numb := doomed(t, fighter("a", "party", weak), fighter("b", "foes", unarmed(), immuneTo(body.ImmuneNonlethal)), body.CondHelpless)
	numb.Must(act("a", "coup-de-grace", "w", "b", withParameters("damage", "nonlethal"))) // no save: nothing came of it
	numb.WantLife("b", alive)
}
