package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The defense value comes apart: what a touch meets, the armour, the Dexterity bonus,
// and what takes that away. The attack and its damage cite their rules.
//
// celesia.damage.degrees-weapon, celesia.condition.flat-footed
func TestPartsOfDefense(t *testing.T) {
	quick := section(func(c *eventv1.CelesiaSheet) { c.DefenseDexterity = 2 })
	listed := func(s *eventv1.Sheet) {
		s.MadeOf = []*eventv1.SheetNumber{{Number: rules.NumberArmor, Parts: []*eventv1.SheetPart{{Source: "base", Value: 10}, {Source: "hide", Value: 5}}}}
	}
	for _, c := range []struct {
		name   string
		change []func(*eventv1.Sheet)
		flat   bool
		want   string
	}{
		{"armour", nil, false, "10 without armour, 5 armour"},
		{"armour and Dexterity", []func(*eventv1.Sheet){quick}, false, "8 without armour, 5 armour, 2 Dexterity"},
		{"flat-footed", []func(*eventv1.Sheet){quick}, true, "8 without armour, 5 armour, 2 Dexterity, -2 flat-footed"},
		{"no armour", []func(*eventv1.Sheet){defends(10)}, false, "10 defense on the sheet"},
		{"listed", []func(*eventv1.Sheet){listed}, false, "10 base, 5 hide"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t, fighter("a", "party"), fighter("b", "foes", c.change...))
			if c.flat {
				f.Afflict("b", body.CondFlatFooted)
			}
			f.Must(act("a", "attack", "sword", "b"), 14, 4)
			if got := rulestest.Parts(f.Roll("to-hit").Target.Modifiers); got != c.want {
				t.Errorf("it must reach %s, want %s", got, c.want)
			}
			if got := rulestest.Told(f.Attack()); got != "distance 5 feet measured" {
				t.Errorf("it went by %q", got)
			}
			for _, e := range f.Events {
				if e.GetAttack() != nil && (len(e.Rules) == 0 || e.Rules[0] != cite.AttackMeleeBonus) || e.GetDamage() != nil && len(e.Rules) == 0 {
					t.Errorf("under %v: %v", e.Rules, e)
				}
			}
			if left := rulestest.Unexplained(f.Log, 0); len(left) > 0 {
				t.Errorf("nothing explains %v", left)
			}
		})
	}
}

// Shots cite the rule of shots.
//
// celesia.attack.ranged-bonus
func TestShotCitesItsRule(t *testing.T) {
	bow := &eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d6", Hands: 2, RangeFeet: 60}
	f := duel(t, fighter("a", "party", weapon(bow)), fighter("b", "foes", section(func(c *eventv1.CelesiaSheet) { c.Weapons = nil })))
	f.Must(act("a", "attack", "w", "b", withFacts("distance", 30)), 3)
	for _, e := range f.Events {
		if e.GetAttack() != nil && e.Rules[0] != cite.AttackRangedBonus {
			t.Errorf("under %v", e.Rules)
		}
	}
	if got := rulestest.Told(f.Attack()); got != "distance 30 feet stated" {
		t.Errorf("it went by %q", got)
	}
}
