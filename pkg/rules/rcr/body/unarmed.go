package body

import (
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Attacks that creatures have without their sheets saying so.
const (
	// UnarmedStrike is the blow of a body without a weapon.
	UnarmedStrike = "unarmed strike"
	// ImprovisedWeapon is whatever is at hand.
	ImprovisedWeapon = "improvised weapon"
)

// Properties of attacks that no sheet gives: of blows without a weapon, and of what
// is used as no weapon of its kind is.
const (
	PropUnarmed    = "unarmed"
	PropImprovised = "improvised"
)

// ImprovisedTypes are the types of damage that an improvised weapon may deal.
var ImprovisedTypes = []string{"bludgeoning", "piercing", "slashing"}

// AttacksOf lists what a creature may attack with: the attacks of its sheet, then
// those that it has without one, where the sheet has none of their name.
//
// rcr.base.unarmed-strike, rcr.base.improvised-weapon
func AttacksOf(c *eventv1.Creature) []*eventv1.RcrAttack {
	own := SheetOf(c).Attacks
	out := slices.Clip(own)
	if !named(own, UnarmedStrike) {
		out = append(out, unarmedStrike(c))
	}
	if !named(own, ImprovisedWeapon) && Handy(c) {
		out = append(out, Improvised(c, nil, true, ""))
	}
	return out
}

// AttackNames are the names of [AttacksOf].
func AttackNames(c *eventv1.Creature) []string {
	own := SheetOf(c).Attacks
	names := make([]string, 0, len(own)+2)
	for _, a := range own {
		names = append(names, a.Name)
	}
	if !named(own, UnarmedStrike) {
		names = append(names, UnarmedStrike)
	}
	if !named(own, ImprovisedWeapon) && Handy(c) {
		names = append(names, ImprovisedWeapon)
	}
	return names
}

// AttackNamed finds an attack of a creature by its name; nil when there is none.
func AttackNamed(c *eventv1.Creature, name string) *eventv1.RcrAttack {
	own := SheetOf(c).Attacks
	for _, a := range own {
		if a.Name == name {
			return a
		}
	}
	switch {
	case name == UnarmedStrike && !named(own, name):
		return unarmedStrike(c)
	case name == ImprovisedWeapon && !named(own, name) && Handy(c):
		return Improvised(c, nil, true, "")
	}
	return nil
}

func named(list []*eventv1.RcrAttack, name string) bool {
	return slices.ContainsFunc(list, func(a *eventv1.RcrAttack) bool { return strings.EqualFold(a.Name, name) })
}

// unarmedStrike is that of a creature: everybody is proficient with it.
//
// rcr.base.unarmed-strike
func unarmedStrike(c *eventv1.Creature) *eventv1.RcrAttack {
	mod, proficiency := AbilityMod(c, "strength"), SheetOf(c).ProficiencyBonus
	if a := usualStrikes[[2]int32{mod, proficiency}]; a != nil {
		return a
	}
	return strikeOf(mod, proficiency)
}

func strikeOf(mod, proficiency int32) *eventv1.RcrAttack {
	return &eventv1.RcrAttack{Name: UnarmedStrike, Bonus: mod + proficiency, ReachFeet: 5, Properties: []string{PropUnarmed},
		Damage: []*eventv1.RcrDamage{{Dice: Itoa(max(0, 1+mod)), Type: "bludgeoning"}}}
}

// usualStrikes are the unarmed strikes of usual creatures by Strength modifier and
// proficiency bonus, and usualHolds what they strike with that is at hand by Strength
// modifier: made once, since every listing asks for them. As those of a sheet they are not
// to be changed.
var usualStrikes, usualHolds = func() (map[[2]int32]*eventv1.RcrAttack, map[int32]*eventv1.RcrAttack) {
	strikes, holds := map[[2]int32]*eventv1.RcrAttack{}, map[int32]*eventv1.RcrAttack{}
	for mod := int32(-5); mod <= 10; mod++ {
		for proficiency := int32(0); proficiency <= 9; proficiency++ {
			strikes[[2]int32{mod, proficiency}] = strikeOf(mod, proficiency)
		}
		holds[mod] = improvised(mod, "bludgeoning")
	}
	return strikes, holds
}()

// Handy tells whether a creature has hands for what is at hand (a reading): one with a
// weapon on its sheet, a humanoid or a giant.
//
// rcr.base.improvised-weapon
func Handy(c *eventv1.Creature) bool {
	kind, _, _ := strings.Cut(strings.ToLower(SheetOf(c).CreatureType), " ")
	return kind == "humanoid" || kind == "giant" ||
		slices.ContainsFunc(SheetOf(c).Attacks, func(a *eventv1.RcrAttack) bool { return !a.Natural && !a.Spell })
}

// Improvised is an attack with what is no weapon, or with a weapon as what it is not
// made for; nil is whatever is at hand. It goes by Strength when it strikes and by
// Dexterity when it is thrown, and nobody is proficient with it. The type of damage
// may be empty.
//
// rcr.base.improvised-weapon
func Improvised(c *eventv1.Creature, weapon *eventv1.RcrAttack, melee bool, kind string) *eventv1.RcrAttack {
	mod := AbilityMod(c, "dexterity")
	if melee {
		mod = AbilityMod(c, "strength")
	}
	if usual := usualHolds[mod]; usual != nil && weapon == nil && kind == "" {
		return usual
	}
	if kind == "" {
		kind = "bludgeoning"
		if !melee && weapon.GetReachFeet() > 0 && len(weapon.GetDamage()) > 0 && weapon.Damage[0].Type != "" {
			kind = weapon.Damage[0].Type
		}
	}
	out := improvised(mod, kind)
	if weapon != nil {
		out.Name, out.Hand = weapon.Name, weapon.Hand
		out.Magical, out.Silvered, out.Adamantine = weapon.Magical, weapon.Silvered, weapon.Adamantine
	}
	return out
}

func improvised(mod int32, kind string) *eventv1.RcrAttack {
	return &eventv1.RcrAttack{Name: ImprovisedWeapon, Bonus: mod, ReachFeet: 5, RangeFeet: 20, LongRangeFeet: 60, Properties: []string{PropImprovised},
		Damage: []*eventv1.RcrDamage{{Dice: "1d4" + signed(mod), Type: kind}}}
}

func signed(n int32) string {
	switch {
	case n > 0:
		return "+" + Itoa(n)
	case n < 0:
		return Itoa(n)
	}
	return ""
}
