package celesia

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// story is what was told of harm in the action under way or just over, in order:
// "damage b 20", "ask b", "injury b hand", "hp b 5", "roll coup/b", "life b dead".
func story(f *table) (out []string) {
	// A decision is asked again whenever the action is taken up: told once.
	for _, e := range f.Log {
		line := ""
		switch w := e.What.(type) {
		case *eventv1.Event_Damage:
			line = "damage " + w.Damage.Target + " " + body.Itoa(w.Damage.Amount)
		case *eventv1.Event_DecisionRequested:
			if w.DecisionRequested.Decision.Name == body.DecCrippling {
				line = "ask " + w.DecisionRequested.Decision.Creature
			}
		case *eventv1.Event_InjuryAdded:
			line = "injury " + w.InjuryAdded.Creature + " " + w.InjuryAdded.Injury.Kind
		case *eventv1.Event_HitPoints:
			line = "hp " + w.HitPoints.Creature + " " + body.Itoa(w.HitPoints.Hp)
		case *eventv1.Event_Roll:
			if l := w.Roll.Label; strings.Contains(l, "coup/") || strings.Contains(l, "massive") || strings.Contains(l, "injury/") || strings.Contains(l, "to-hit") {
				line = "roll " + l
			}
		case *eventv1.Event_Life:
			line = "life " + w.Life.Creature + " " + strings.ToLower(strings.TrimPrefix(w.Life.Status.String(), "LIFE_STATUS_"))
		case *eventv1.Event_Moved:
			line = "moved " + w.Moved.Creature
		}
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}

// celesia.injury.crippling-choice: damage is known, then the injury is chosen, then
// damage is applied, whatever else goes on.
func TestOrderOfHarm(t *testing.T) {
	heavy := func(plus int32) func(*eventv1.Sheet) { return weapon(blade(plus)) }
	tell := func(t *testing.T, f *table, want ...string) {
		t.Helper()
		if got := story(f); !slices.Equal(got, want) {
			t.Errorf("told:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	begin := func(f *table) *table { f.Log = nil; return f }
	t.Run("one attack", func(t *testing.T) {
		f := begin(duel(t, fighter("a", "party", heavy(15)), fighter("b", "foes", unarmed(), hitPoints(20))))
		f.Must(act("a", "attack", "w", "b"), 12, 5)
		f.Answer(body.DecCrippling, "finger:left")
		tell(t, f, "roll attack/1/to-hit", "damage b 20", "ask b", "injury b finger", "hp b 15")
	})
	t.Run("celesia.injury.crippling-one-per-attack two weapons, each asked for itself", func(t *testing.T) {
		two := section(func(c *eventv1.CelesiaSheet) {
			c.BaseAttack = 9
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "off", DamageBonus: 18})
		})
		f := begin(duel(t, fighter("a", "party", heavy(15), two), fighter("b", "foes", unarmed(), hitPoints(20))))
		f.Must(act("a", "multiweapon", "w", "b", withParameters("degrees", 0)), 15, 5)
		f.Answer(body.DecCrippling, "scar", 18, 2) // 5 left; then 20 more
		f.Answer(body.DecCrippling, "eye:left")
		tell(t, f, "roll multiweapon/1/to-hit", "damage b 20", "ask b", "injury b scar", "hp b 5",
			"roll multiweapon/2/to-hit", "damage b 20", "ask b", "injury b eye")
		f.WantHP("b", 5)
	})
	t.Run("celesia.spell.degrees-save each victim of a blast", func(t *testing.T) {
		ball := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "4d6", RangeFeet: 60, Targets: 3})
		f := begin(crowd(t, [][2]int32{{0, 0}, {20, 0}, {25, 0}, {30, 0}}, fighter("a", "party", ball), fighter("b", "foes", hitPoints(10)), fighter("c", "foes", hitPoints(30)), fighter("d", "foes", hitPoints(10))))
		f.Must(act("a", "cast", "s", "b,c,d"), 5, 5, 5, 5)
		f.Answer(body.DecCrippling+"/b", "none")
		f.Answer(body.DecCrippling+"/d", "hand:left")
		tell(t, f, "damage b 20", "ask b", "hp b -10", "life b disabled", "damage c 20", "hp c 10", "damage d 20", "ask d", "injury d hand")
	})
	t.Run("celesia.injury.massive-threshold at the same time", func(t *testing.T) {
		f := begin(duel(t, fighter("a", "party", heavy(50)), fighter("b", "foes", unarmed(), hitPoints(20), con(40), fortitude(20))))
		f.Must(act("a", "attack", "w", "b"), 12, 3)      // 53: DC 16
		f.Answer(body.DecCrippling, "arm:left", 2, 1, 1) // 13 get through; the save; 1 + 10: an eye
		tell(t, f, "roll attack/1/to-hit", "damage b 53", "ask b", "injury b arm", "hp b 7", "roll attack/1/harm/massive-damage/b",
			"roll attack/1/harm/injury/b", "injury b eye")
	})
	t.Run("celesia.death.coup-save with all of it", func(t *testing.T) {
		f := begin(doomed(t, fighter("a", "party", heavy(40)), fighter("b", "foes", unarmed(), hitPoints(50), con(40), fortitude(70)), body.CondHelpless))
		f.Log = nil
		f.Must(act("a", "coup-de-grace", "w", "b"))  // 8 x 2 + 40 = 56
		f.Answer(body.DecCrippling, "head", 2, 3, 5) // 26 get through; 2 + 70 against 66; 3 + 70 against 18; 5 + 11: a head
		tell(t, f, "damage b 56", "ask b", "injury b head", "hp b 24", "roll coup/harm/coup/b", "roll coup/harm/massive-damage/b",
			"roll coup/harm/injury/b", "injury b head")
		if !body.Has(f.Creature("b"), body.CondSickened) {
			t.Error("two head injuries sicken")
		}
	})
	t.Run("celesia.death.coup-save failed makes massive damage idle", func(t *testing.T) {
		f := doomed(t, fighter("a", "party", heavy(40)), fighter("b", "foes", unarmed(), hitPoints(90), con(40)), body.CondHelpless)
		f.Log = nil
		f.Must(act("a", "coup-de-grace", "w", "b"), 19)
		tell(t, f, "damage b 56", "hp b 34", "roll coup/harm/coup/b", "life b dead")
	})
	t.Run("celesia.attack.coup-nonlethal beyond twice the maximum", func(t *testing.T) {
		sap := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d6", Hands: 1, Nonlethal: true, DamageBonus: 20})
		f := doomed(t, fighter("a", "party", sap), fighter("b", "foes", unarmed(), hitPoints(10)), body.CondHelpless)
		f.Log = nil
		f.Must(act("a", "coup-de-grace", "w", "b")) // 32: 20 on the tally, 12 lethal
		f.Answer(body.DecCrippling, "major-scar")
		tell(t, f, "damage b 32", "ask b", "injury b major-scar", "hp b 8", "life b unconscious")
		if f.Creature("b").Counters[body.CNonlethal] != 20 {
			t.Errorf("tally %d, want 20", f.Creature("b").Counters[body.CNonlethal])
		}
	})
	t.Run("celesia.action.provoke the answer comes before the act, and its injury before both", func(t *testing.T) {
		f := begin(duel(t, fighter("a", "party", hitPoints(10)), fighter("b", "foes", heavy(9))))
		f.Log = nil
		f.Must(act("a", "move", "", "", path([2]int32{-30, 0})))
		f.Answer(body.DecReaction, "attack:w", 12, 3)
		f.Answer(body.DecCrippling, "scar")
		tell(t, f, "roll opportunity/b/to-hit", "damage a 12", "ask a", "injury a scar", "hp a 3", "moved a")
	})
	t.Run("celesia.injury.leg taken in the answer to a Move", func(t *testing.T) {
		f := begin(duel(t, fighter("a", "party", hitPoints(10)), fighter("b", "foes", heavy(9))))
		f.Log = nil
		f.Must(act("a", "move", "", "", path([2]int32{-30, 0})))
		f.Answer(body.DecReaction, "attack:w", 12, 3)
		f.Answer(body.DecCrippling, "leg:left") // half speed: 30 feet are too far now
		tell(t, f, "roll opportunity/b/to-hit", "damage a 12", "ask a", "injury a leg")
		if f.Creature("a").Position.X != 0 || f.acts("a") != 2 {
			t.Errorf("at %v, %d acts left", f.Creature("a").Position, f.acts("a"))
		}
	})
	t.Run("celesia.injury.disabled-strain comes after the answer and the act", func(t *testing.T) {
		f := begin(duel(t, fighter("a", "party"), fighter("b", "foes", heavy(4))))
		f.Hurt("a", -3)
		f.Log = nil
		f.Must(act("a", "sheathe", "sword", ""))
		f.Answer(body.DecReaction, "attack:w", 12, 3)
		f.Answer(body.DecCrippling, "scar") // 2 of 7 get through
		tell(t, f, "roll opportunity/b/to-hit", "damage a 7", "ask a", "injury a scar", "hp a -5", "damage a 1", "hp a -6")
	})
	t.Run("celesia.injury.massive-threshold on one already disabled", func(t *testing.T) {
		f := begin(duel(t, fighter("a", "party", heavy(50)), fighter("b", "foes", unarmed(), hitPoints(100), con(40), fortitude(60))))
		f.Hurt("b", -3)
		f.Log = nil
		f.Must(act("a", "attack", "w", "b"), 12, 3)
		f.Answer(body.DecCrippling, "none", 2, 9, 1) // -56 of -80; 2 + 60 against 16; 9 + 10: an arm, the left one
		tell(t, f, "roll attack/1/to-hit", "damage b 53", "ask b", "hp b -56", "life b dying", "roll attack/1/harm/massive-damage/b",
			"roll attack/1/harm/injury/b", "injury b arm")
	})
}
