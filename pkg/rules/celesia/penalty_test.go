package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// enfeeblement is the ray of the examples: 1d6 and a point for each two levels.
func enfeeblement(turns int32) *eventv1.CelesiaSpell {
	return &eventv1.CelesiaSpell{Name: "ray", Casting: "standard", Attack: "ranged-touch", Save: "fortitude", SaveDc: 15, SaveEffect: "half", CasterLevel: 6,
		RangeFeet: 30, PenaltyAbility: "strength", PenaltyDice: "1d6", PenaltyLevels: 2, PenaltyMost: 5, Turns: turns, Dismissible: turns > 0}
}

// celesia.spell.degrees-combined: a penalty to Strength by degrees of the attack
// roll and of the saving throw.
func TestStrengthPenalty(t *testing.T) {
	for _, tc := range []struct {
		name         string
		attack, save int // totals
		level        int32
		strength     int32 // from 18
	}{
		{"11 under and exactly 10 over the touch DV", 20, 4, 8, 18 - (5 + 4)},
		{"exactly 10 over the DC, saved for half", 11, 25, 5, 18 - 3},
		{"neither moves the level, saved for half", 11, 16, 6, 18 - 4},
		{"both move it and cancel, the save still halves", 20, 25, 6, 18 - 4},
		{"9 under and 9 over move nothing", 19, 6, 6, 18 - (5 + 3)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bonus := 10
			f := duel(t, fighter("a", "party", spell(enfeeblement(0))), fighter("b", "foes", unarmed(), fortitude(int32(bonus)), ability("strength", 18)))
			save := tc.save - bonus
			if save < 1 { // a low total needs a low bonus
				bonus = 0
				f = duel(t, fighter("a", "party", spell(enfeeblement(0))), fighter("b", "foes", unarmed(), ability("strength", 18)))
				save = tc.save
			}
			f.Must(act("a", "cast", "ray", "b"), tc.attack-5, save, 5)
			if got, _ := body.Score(f.Creature("b"), "strength"); got != tc.strength {
				t.Errorf("Strength %d, want %d", got, tc.strength)
			}
		})
	}
	t.Run("attacks, damage and maneuvers have the lower modifier", func(t *testing.T) {
		f := duel(t, fighter("a", "party", spell(enfeeblement(0))), fighter("b", "foes", unarmed(), ability("strength", 18)))
		f.Must(act("a", "cast", "ray", "b"), 6, 5, 5) // 11 hits, 5 is exactly 10 under: level 7, 5 + 3 = 8 off
		if m := body.Modifier(f.Creature("b"), "strength"); m != 0 {
			t.Errorf("modifier %d, want that of 10", m)
		}
		if got := body.ManeuverBonus(f.Creature("b")); got != 5 {
			t.Errorf("CMB %d, want 5", got)
		}
	})
	t.Run("the same spell again: the larger penalty counts", func(t *testing.T) {
		f := duel(t, fighter("a", "party", spell(enfeeblement(0))), fighter("b", "foes", unarmed(), ability("strength", 18)))
		for _, tc := range []struct {
			die  int
			want int32
		}{{4, 18 - 7}, {2, 18 - 7}, {6, 18 - 9}} {
			f.Must(act("a", "cast", "ray", "b"), 6, 10, tc.die) // level 6
			if got, _ := body.Score(f.Creature("b"), "strength"); got != tc.want {
				t.Errorf("die %d: Strength %d, want %d", tc.die, got, tc.want)
			}
			f.End("a")
			f.End("b")
		}
	})
	t.Run("no lower than 1", func(t *testing.T) {
		f := duel(t, fighter("a", "party", spell(enfeeblement(0))), fighter("b", "foes", unarmed(), ability("strength", 6)))
		f.Must(act("a", "cast", "ray", "b"), 6, 10, 6)
		if got, _ := body.Score(f.Creature("b"), "strength"); got != 1 {
			t.Errorf("Strength %d, want 1", got)
		}
	})
	t.Run("it ends with the spell", func(t *testing.T) {
		f := duel(t, fighter("a", "party", spell(enfeeblement(2))), fighter("b", "foes", unarmed(), ability("strength", 18)))
		f.Must(act("a", "cast", "ray", "b"), 6, 10, 5)
		f.Must(act("a", "dismiss", "ray", ""))
		if got, _ := body.Score(f.Creature("b"), "strength"); got != 18 {
			t.Errorf("Strength %d, want 18", got)
		}
	})
	t.Run("nothing on one without the score", func(t *testing.T) {
		f := duel(t, fighter("a", "party", spell(enfeeblement(0))), fighter("b", "foes", unarmed(), func(s *eventv1.Sheet) { delete(s.Abilities, "strength") }))
		f.Must(act("a", "cast", "ray", "b"), 6, 10, 5)
		if body.Has(f.Creature("b"), body.CondPenalty) {
			t.Error("a penalty to a score that is not there")
		}
	})
	t.Run("the points for levels have a limit", func(t *testing.T) {
		strong := enfeeblement(0)
		strong.CasterLevel = 14
		f := duel(t, fighter("a", "party", spell(strong)), fighter("b", "foes", unarmed(), ability("strength", 18)))
		f.Must(act("a", "cast", "ray", "b"), 6, 10, 1)
		if got, _ := body.Score(f.Creature("b"), "strength"); got != 18-6 {
			t.Errorf("Strength %d, want 12", got)
		}
	})
	t.Run("a sheet without dice is refused", func(t *testing.T) {
		bad := enfeeblement(0)
		bad.PenaltyDice = ""
		if len((System{}).CheckSheet(fighter("a", "party", spell(bad)))) == 0 {
			t.Error("a penalty without dice")
		}
		bad.PenaltyDice, bad.PenaltyAbility = "1d6", "constitution"
		if len((System{}).CheckSheet(fighter("a", "party", spell(bad)))) == 0 {
			t.Error("a penalty to Constitution")
		}
	})
}
