package body

import (
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SheetOf is a creature's section; an empty one when the viewer has none.
func SheetOf(c *eventv1.Creature) *eventv1.OriginalSheet {
	if s := c.GetSheet().GetOriginal(); s != nil {
		return s
	}
	return noSheet
}

var noSheet = &eventv1.OriginalSheet{}

// fighterTypes add STR in melee and strike first and last.
//
// original.attack.melee-fighter-str
var fighterTypes = []string{"fighter", "ranger", "barbarian", "dwarf", "hobbit", "paladin", "pirate"}

// FighterClass tells whether a creature's class is a fighter type, whatever the sheet
// says besides.
func FighterClass(c *eventv1.Creature) bool { return slices.Contains(fighterTypes, SheetOf(c).Class) }

// fighterType tells whether a creature strikes first and last, and has several
// attacks as an important NPC: by its class unless the sheet says otherwise.
//
// original.initiative.fighters-first-and-last
func fighterType(c *eventv1.Creature) bool {
	if s := SheetOf(c); s.FighterType != nil {
		return *s.FighterType
	}
	return FighterClass(c)
}

// Thief tells whether a creature's class is thief.
func Thief(c *eventv1.Creature) bool { return SheetOf(c).Class == "thief" }

// LevelOf is the XP level, or the whole hit dice of a creature without one; at
// least 1.
func LevelOf(c *eventv1.Creature) int32 {
	if l := SheetOf(c).Level; l > 0 {
		return l
	}
	return max(1, SheetOf(c).HitDice)
}

// Score is an ability score; 10 when the sheet has none.
func Score(c *eventv1.Creature, ability string) int32 {
	if n, ok := c.GetSheet().GetAbilities()[ability]; ok {
		return n
	}
	return 10
}

// NormalManAC0 is what a Normal Man needs against armour class 0.
const NormalManAC0 = 19

// NormalType tells whether a sheet is that of a Normal Man or the like.
//
// original.attack.normal-men-definition
func NormalType(sheet *eventv1.Sheet) bool {
	s := SheetOf(Bearer(sheet))
	if s.NormalType != nil {
		return *s.NormalType
	}
	return s.Level == 0 && s.HitDice <= 1 && s.HitDicePlus <= 0
}

// IsUnit tells whether a creature is a unit that fights as one man.
// The number of men is plain to all.
//
// original.mass.grouping
func IsUnit(c *eventv1.Creature) bool { return SheetOf(c).UnitSize > 1 || c.GetCounters()[CMen] > 1 }

// AttacksAgainstNormal is the number of melee attacks of a round against
// Normal Men, with those that content gives.
//
// original.attack.multi-vs-normal-men, original.attack.monster-multi-vs-normal-men
func AttacksAgainstNormal(s *eventv1.State, c *eventv1.Creature) int32 {
	return againstNormal(s, c) + int32(c.GetCounters()[CMore])
}

func againstNormal(s *eventv1.State, c *eventv1.Creature) int32 {
	sh := SheetOf(c)
	switch {
	case IsUnit(c):
		return againstStrong(s, c)
	case sh.IsPc || sh.Important && fighterType(c):
		return max(LevelOf(c), sh.Attacks)
	case sh.Class == "" && sh.HitDice > 1:
		return max(sh.HitDice, sh.Attacks)
	}
	return max(1, sh.Attacks)
}

// AttacksAgainstStrong is the number of attacks against anything stronger.
func AttacksAgainstStrong(s *eventv1.State, c *eventv1.Creature) int32 {
	return againstStrong(s, c) + int32(c.GetCounters()[CMore])
}

func againstStrong(s *eventv1.State, c *eventv1.Creature) int32 {
	if IsUnit(c) && !Defaults.On(s, setMassThrow) {
		return SheetOf(c).UnitSize
	}
	if IsUnit(c) {
		return 1 // original.mass.single-hit-throw
	}
	return max(1, SheetOf(c).Attacks)
}

// Weapons are what a creature fights with; its hands when the sheet has none.
func Weapons(c *eventv1.Creature) []*eventv1.OriginalWeapon {
	list := SheetOf(c).Weapons
	if slices.ContainsFunc(list, Natural) {
		return list
	}
	return append(slices.Clip(list), EmptyHand)
}

// AddWeapons adds those of [Weapons] to a list.
func AddWeapons(list []*eventv1.OriginalWeapon, c *eventv1.Creature) []*eventv1.OriginalWeapon {
	own := SheetOf(c).Weapons
	list = append(list, own...)
	if slices.ContainsFunc(own, Natural) {
		return list
	}
	return append(list, EmptyHand)
}

// original.damage.empty-hand-die
var EmptyHand = &eventv1.OriginalWeapon{Name: "empty hand", Kind: "hand", Damage: "1d4"}

// FirstWeapon is the first weapon of a creature that fits, its hands among them; nil
// when none does.
func FirstWeapon(c *eventv1.Creature, fits func(w *eventv1.OriginalWeapon) bool) *eventv1.OriginalWeapon {
	hands := true
	for _, w := range SheetOf(c).Weapons {
		if fits(w) {
			return w
		}
		hands = hands && !Natural(w)
	}
	if hands && fits(EmptyHand) {
		return EmptyHand
	}
	return nil
}

// WeaponOf is a weapon by name; the first when none is named.
func WeaponOf(c *eventv1.Creature, name string) *eventv1.OriginalWeapon {
	return FirstWeapon(c, func(w *eventv1.OriginalWeapon) bool { return name == "" || w.Name == name })
}

// WeaponNames lists the names of Weapons; the empty hand is one where none is natural.
func WeaponNames(c *eventv1.Creature) []string {
	var names []string
	for _, w := range Weapons(c) {
		names = append(names, w.Name)
	}
	return names
}

// Dropped tells whether a weapon is out of hand.
func Dropped(c *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	return c.GetItems()[w.Name].GetPlace() == PlaceDropped
}

// Natural tells whether a weapon is part of the body: of kind natural or hand.
func Natural(w *eventv1.OriginalWeapon) bool { return w.Kind == "natural" || w.Kind == "hand" }

// Missile tells whether a weapon can only be shot.
func Missile(w *eventv1.OriginalWeapon) bool {
	switch w.Kind {
	case "bow", "great-bow", "crossbow", "sling", "firearm":
		return true
	}
	return false
}

// Ranged tells whether a weapon can be shot or thrown.
func Ranged(w *eventv1.OriginalWeapon) bool { return w.LongFeet > 0 }

// CanSet tells whether a weapon can be set against a charge.
//
// original.charge.set-spear
func CanSet(w *eventv1.OriginalWeapon) bool {
	return w.Kind == "spear" || w.Kind == "long-spear" || w.Kind == "pike"
}

// InHand is the weapon that a creature fights with in melee unless it says
// otherwise: the first that can be used and is not only shot.
func InHand(c *eventv1.Creature) *eventv1.OriginalWeapon {
	if w := FirstWeapon(c, func(w *eventv1.OriginalWeapon) bool { return !Missile(w) && Usable(c, w) }); w != nil {
		return w
	}
	return EmptyHand
}

// WeaponSize is small, medium or large.
func WeaponSize(w *eventv1.OriginalWeapon) string {
	switch {
	case w.Size != "":
		return w.Size
	case w.Kind == "dagger":
		return "small"
	}
	return "medium"
}

// DamageDice are the dice of a weapon in these hands.
//
// original.damage.normal-weapon, original.damage.untrained, original.damage.improvised-weapon
func DamageDice(w *eventv1.OriginalWeapon) string {
	switch {
	case w.Untrained && WeaponSize(w) == "small":
		return "1d3"
	case w.Untrained && WeaponSize(w) == "large":
		return "1d6"
	case w.Untrained:
		return "1d4"
	case w.Damage != "":
		return w.Damage
	case w.Kind == "hand", w.Improvised:
		return "1d4"
	}
	return "1d6+1"
}
