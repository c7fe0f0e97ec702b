package wield_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/rules/rcr/wield"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// owner has a Strength and a Dexterity, and a proficiency bonus of 3.
func owner(strength, dexterity int32, training ...*eventv1.RcrTraining) *eventv1.Sheet {
	return &eventv1.Sheet{Abilities: map[string]int32{"strength": strength, "dexterity": dexterity},
		Section: &eventv1.Sheet_Rcr{Rcr: &eventv1.RcrSheet{ProficiencyBonus: 3, Training: training}}}
}

func dice(of string) []*eventv1.RcrDamage { return []*eventv1.RcrDamage{{Dice: of, Type: "slashing"}} }

// rcr.base.fifth-edition-fallback: the modifier is half of what a score is above or below 10,
// rounded down; Strength goes with what reaches, Dexterity with what does not, the better of the
// two with finesse; a score that is not given counts for nothing.
func TestModifiers(t *testing.T) {
	for score, want := range map[int32]int32{1: -5, 2: -4, 3: -4, 7: -2, 8: -1, 9: -1, 10: 0, 11: 0, 12: 1, 13: 1, 20: 5, 30: 10} {
		if got := wield.Modifier(owner(score, 10), &eventv1.RcrAttack{ReachFeet: 5}); got != want {
			t.Errorf("of %d: %d, want %d", score, got, want)
		}
	}
	for name, c := range map[string]struct {
		sheet *eventv1.Sheet
		a     *eventv1.RcrAttack
		want  int32
	}{
		"a blade":                  {owner(16, 12), &eventv1.RcrAttack{ReachFeet: 5}, 3},
		"a thrown one":             {owner(16, 12), &eventv1.RcrAttack{ReachFeet: 5, RangeFeet: 20}, 3},
		"a bow":                    {owner(16, 12), &eventv1.RcrAttack{RangeFeet: 80}, 1},
		"a rapier of the strong":   {owner(16, 12), &eventv1.RcrAttack{ReachFeet: 5, Properties: []string{"finesse"}}, 3},
		"a rapier of the nimble":   {owner(12, 16), &eventv1.RcrAttack{ReachFeet: 5, Properties: []string{"finesse"}}, 3},
		"a dart of the strong":     {owner(16, 12), &eventv1.RcrAttack{RangeFeet: 20, Properties: []string{"finesse"}}, 3},
		"a blade, nothing is said": {&eventv1.Sheet{}, &eventv1.RcrAttack{ReachFeet: 5}, 0},
	} {
		if got := wield.Modifier(c.sheet, c.a); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// rcr.base.fifth-edition-fallback, rcr.base.improvised-weapon: a weapon of the book gets the
// modifier and the proficiency bonus unless the sheet gives bonus or damage itself; who has no
// training with it, and whoever uses what is no weapon, has no proficiency bonus.
func TestWeaponsFitTheirWielders(t *testing.T) {
	untrained := func(name string) *eventv1.RcrTraining { return &eventv1.RcrTraining{Name: name, Rank: "untrained"} }
	for name, c := range map[string]struct {
		sheet       *eventv1.Sheet
		said, thing *eventv1.RcrAttack
		bonus       int32
		damage, two string
	}{
		"by the abilities":             {owner(16, 10), &eventv1.RcrAttack{}, &eventv1.RcrAttack{Name: "Axe"}, 6, "1d8+3", "1d10+3"},
		"of the weak":                  {owner(7, 10), &eventv1.RcrAttack{}, &eventv1.RcrAttack{Name: "Axe"}, 1, "1d8-2", "1d10-2"},
		"of one who is neither":        {owner(10, 10), &eventv1.RcrAttack{}, &eventv1.RcrAttack{Name: "Axe"}, 3, "1d8", "1d10"},
		"a fine one":                   {owner(16, 10), &eventv1.RcrAttack{}, &eventv1.RcrAttack{Name: "Axe", Bonus: 1}, 7, "1d8+3", "1d10+3"},
		"the bonus is said":            {owner(16, 10), &eventv1.RcrAttack{Bonus: 9}, &eventv1.RcrAttack{Name: "Axe", Bonus: 9}, 9, "1d8+3", "1d10+3"},
		"the damage is said":           {owner(16, 10), &eventv1.RcrAttack{Damage: dice("1d8")}, &eventv1.RcrAttack{Name: "Axe"}, 6, "1d8", "1d10+3"},
		"that of two hands is said":    {owner(16, 10), &eventv1.RcrAttack{TwoHandedDamage: dice("1d10")}, &eventv1.RcrAttack{Name: "Axe"}, 6, "1d8+3", "1d10"},
		"a spell stays as it is":       {owner(16, 10), &eventv1.RcrAttack{}, &eventv1.RcrAttack{Name: "Axe", Spell: true}, 0, "1d8", "1d10"},
		"untrained by name":            {owner(16, 10, untrained("axe")), &eventv1.RcrAttack{}, &eventv1.RcrAttack{Name: "Axe"}, 3, "1d8+3", "1d10+3"},
		"untrained by what it is":      {owner(16, 10, untrained("war axe")), &eventv1.RcrAttack{}, &eventv1.RcrAttack{Name: "Chopper", Use: "war-axe"}, 3, "1d8+3", "1d10+3"},
		"untrained with another":       {owner(16, 10, untrained("bow")), &eventv1.RcrAttack{}, &eventv1.RcrAttack{Name: "Axe", Use: "war-axe"}, 6, "1d8+3", "1d10+3"},
		"trained":                      {owner(16, 10, &eventv1.RcrTraining{Name: "axe", Rank: "trained"}), &eventv1.RcrAttack{}, &eventv1.RcrAttack{Name: "Axe"}, 6, "1d8+3", "1d10+3"},
		"what is at hand is no weapon": {owner(16, 10), &eventv1.RcrAttack{}, &eventv1.RcrAttack{Name: "Chair", Properties: []string{"improvised"}}, 3, "1d8+3", "1d10+3"},
	} {
		t.Run(name, func(t *testing.T) {
			a := c.thing
			a.ReachFeet, a.Damage, a.TwoHandedDamage = 5, dice("1d8"), dice("1d10")
			wield.Fit(c.sheet, c.said, a)
			if a.Bonus != c.bonus || a.Damage[0].Dice != c.damage || a.TwoHandedDamage[0].Dice != c.two {
				t.Errorf("%+d for %s or %s, want %+d for %s or %s", a.Bonus, a.Damage[0].Dice, a.TwoHandedDamage[0].Dice, c.bonus, c.damage, c.two)
			}
		})
	}
	armor := &eventv1.RcrItem{Name: "ring"}
	wield.Fit(owner(16, 10), armor, armor)
	if !proto.Equal(armor, &eventv1.RcrItem{Name: "ring"}) {
		t.Errorf("what is no weapon changes: %v", armor)
	}
}

// rcr.base.fifth-edition-fallback: the first part of a damage takes what is added, together with
// what it has itself; what comes to nothing is not written.
func TestPlus(t *testing.T) {
	for _, c := range []struct {
		dice string
		n    int32
		want string
	}{{"1d8", 3, "1d8+3"}, {"1d8", 0, "1d8"}, {"1d8", -1, "1d8-1"}, {"1d8+2", 3, "1d8+5"}, {"1d8-1", 3, "1d8+2"}, {"1d8+2", -2, "1d8"}, {"1d8+1", -3, "1d8-2"}, {"2d6+1d4", 2, "2d6+1d4+2"}} {
		parts := []*eventv1.RcrDamage{{Dice: c.dice, Type: "fire"}, {Dice: "1d4", Type: "cold"}}
		got := wield.Plus(parts, c.n)
		if got[0].Dice != c.want || got[0].Type != "fire" || got[1].Dice != "1d4" || parts[0].Dice != c.dice {
			t.Errorf("%s and %d: %v of %v, want %s", c.dice, c.n, got, parts, c.want)
		}
	}
	if got := wield.Plus(nil, 3); len(got) != 0 {
		t.Errorf("no damage and 3: %v", got)
	}
}

// rcr.base.fifth-edition-fallback: in the dice of a spell +MOD is the modifier of its caster's
// ability, by the attack bonus, else by the difficulty, without the proficiency bonus. A cantrip
// that attacks or is saved against has one die more from the levels 5, 11 and 17 on.
func TestSpellsFitTheirCasters(t *testing.T) {
	attack, save, neither := &eventv1.RcrSpell{Attack: "ranged"}, &eventv1.RcrSpell{Save: &eventv1.RcrSave{Ability: "wisdom"}}, &eventv1.RcrSpell{}
	for name, c := range map[string]struct {
		sheet *eventv1.RcrSheet
		said  *eventv1.RcrSpell
		thing *eventv1.RcrSpell
		heals string // "" of "1d8+MOD"
		dice  []string
		want  []string
	}{
		"by the attack bonus":           {sheet: &eventv1.RcrSheet{SpellAttackBonus: 7, SpellDc: 11}, thing: neither, heals: "1d8+4", dice: []string{"1d6+MOD", "2d4"}, want: []string{"1d6+4", "2d4"}},
		"by the difficulty":             {sheet: &eventv1.RcrSheet{SpellDc: 13}, thing: neither, heals: "1d8+2", dice: []string{"1d6+MOD"}, want: []string{"1d6+2"}},
		"of the dull":                   {sheet: &eventv1.RcrSheet{SpellDc: 10}, thing: neither, heals: "1d8-1", dice: []string{"1d6+MOD"}, want: []string{"1d6-1"}},
		"of one who is neither":         {sheet: &eventv1.RcrSheet{SpellDc: 11}, thing: neither, heals: "1d8", dice: []string{"1d6+MOD"}, want: []string{"1d6"}},
		"who says nothing":              {sheet: &eventv1.RcrSheet{}, thing: neither, heals: "1d8", dice: []string{"1d6+MOD"}, want: []string{"1d6"}},
		"the healing is said":           {sheet: &eventv1.RcrSheet{SpellDc: 13}, said: &eventv1.RcrSpell{Healing: "1d8+MOD"}, thing: neither, heals: "1d8+MOD", dice: []string{"1d6+MOD"}, want: []string{"1d6+2"}},
		"the damage is said":            {sheet: &eventv1.RcrSheet{SpellDc: 13}, said: &eventv1.RcrSpell{Damage: dice("1d6+MOD")}, thing: neither, heals: "1d8+2", dice: []string{"1d6+MOD"}, want: []string{"1d6+MOD"}},
		"a cantrip of level 4":          {sheet: &eventv1.RcrSheet{Level: 4}, thing: attack, heals: "1d8", dice: []string{"1d10"}, want: []string{"1d10"}},
		"a cantrip of level 5":          {sheet: &eventv1.RcrSheet{Level: 5}, thing: attack, heals: "1d8", dice: []string{"1d10"}, want: []string{"2d10"}},
		"a cantrip of level 10":         {sheet: &eventv1.RcrSheet{Level: 10}, thing: save, heals: "1d8", dice: []string{"1d10"}, want: []string{"2d10"}},
		"a cantrip of level 11":         {sheet: &eventv1.RcrSheet{Level: 11}, thing: save, heals: "1d8", dice: []string{"1d10"}, want: []string{"3d10"}},
		"a cantrip of level 16":         {sheet: &eventv1.RcrSheet{Level: 16}, thing: attack, heals: "1d8", dice: []string{"1d10"}, want: []string{"3d10"}},
		"a cantrip of level 17":         {sheet: &eventv1.RcrSheet{Level: 17}, thing: attack, heals: "1d8", dice: []string{"1d10"}, want: []string{"4d10"}},
		"a cantrip that aims at nobody": {sheet: &eventv1.RcrSheet{Level: 17}, thing: neither, heals: "1d8", dice: []string{"1d10"}, want: []string{"1d10"}},
		"a cantrip of two dice":         {sheet: &eventv1.RcrSheet{Level: 17}, thing: attack, heals: "1d8", dice: []string{"2d10"}, want: []string{"2d10"}},
		"a spell of a slot":             {sheet: &eventv1.RcrSheet{Level: 17}, thing: &eventv1.RcrSpell{Attack: "ranged", Level: 1}, heals: "1d8", dice: []string{"1d10"}, want: []string{"1d10"}},
	} {
		t.Run(name, func(t *testing.T) {
			sheet, said := proto.CloneOf(c.sheet), c.said
			sheet.ProficiencyBonus = 3
			if said == nil {
				said = &eventv1.RcrSpell{}
			}
			sp := proto.CloneOf(c.thing)
			sp.Healing = "1d8+MOD"
			for _, d := range c.dice {
				sp.Damage = append(sp.Damage, &eventv1.RcrDamage{Dice: d, Type: "fire"})
			}
			wield.Fit(&eventv1.Sheet{Section: &eventv1.Sheet_Rcr{Rcr: sheet}}, said, sp)
			var got []string
			for _, d := range sp.Damage {
				got = append(got, d.Dice)
			}
			if !slices.Equal(got, c.want) || sp.Healing != c.heals {
				t.Errorf("%v and %s, want %v and %s", got, sp.Healing, c.want, c.heals)
			}
		})
	}
}
