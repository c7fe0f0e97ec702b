package original

import (
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// sheetOf is a creature's section; an empty one when the viewer has none.
func sheetOf(c *eventv1.Creature) *eventv1.OriginalSheet {
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

func fighterClass(c *eventv1.Creature) bool { return slices.Contains(fighterTypes, sheetOf(c).Class) }

// fighterType tells whether a creature strikes first and last, and has several
// attacks as an important NPC: by its class unless the sheet says otherwise.
//
// original.initiative.fighters-first-and-last
func fighterType(c *eventv1.Creature) bool {
	if s := sheetOf(c); s.FighterType != nil {
		return *s.FighterType
	}
	return fighterClass(c)
}

func thief(c *eventv1.Creature) bool { return sheetOf(c).Class == "thief" }

// levelOf is the XP level, or the whole hit dice of a creature without one; at
// least 1.
func levelOf(c *eventv1.Creature) int32 {
	if l := sheetOf(c).Level; l > 0 {
		return l
	}
	return max(1, sheetOf(c).HitDice)
}

func score(c *eventv1.Creature, ability string) int32 {
	if n, ok := c.GetSheet().GetAbilities()[ability]; ok {
		return n
	}
	return 10
}

// dexBonus is what DEX is worth.
//
// original.attack.ability-bonus-table
func dexBonus(c *eventv1.Creature) int32 {
	if s := sheetOf(c); s.DexBonus != nil {
		return *s.DexBonus
	}
	return find(book.ability, score(c, "dexterity")).value
}

// strBonus is what STR is worth.
//
// original.attack.ability-bonus-table
func strBonus(c *eventv1.Creature) int32 {
	if s := sheetOf(c); s.StrBonus != nil {
		return *s.StrBonus
	}
	return find(book.ability, score(c, "strength")).value
}

// normalManAC0 is what a Normal Man needs against armour class 0.
const normalManAC0 = 19

// hitAC0 is the number needed against armour class 0; the sheet's own goes
// before the table.
//
// original.attack.hit-matrix-table
func hitAC0(c *eventv1.Creature) int32 {
	s := sheetOf(c)
	switch {
	case s.HitAc0 != nil:
		return *s.HitAc0
	case fighterClass(c):
		return find(book.hit["fighter"], levelOf(c)).value
	case s.Class == "cleric" || thief(c):
		return find(book.hit["priest"], levelOf(c)).value
	case s.Class != "":
		return find(book.hit["other"], levelOf(c)).value
	}
	steps := 2 * max(1, s.HitDice)
	if s.HitDice == 0 {
		steps = 2 * levelOf(c)
	}
	if s.HitDicePlus > 0 {
		steps++
	}
	return find(book.hit["monster"], steps).value
}

// normalType tells whether a sheet is that of a Normal Man or the like.
//
// original.attack.normal-men-definition
func normalType(sheet *eventv1.Sheet) bool {
	s := sheet.GetOriginal()
	if s.GetNormalType() || s != nil && s.NormalType != nil {
		return s.GetNormalType()
	}
	return s.GetLevel() == 0 && s.GetHitDice() <= 1 && s.GetHitDicePlus() == 0
}

// isUnit tells whether a creature is a unit that fights as one man.
// The number of men is plain to all.
//
// original.mass.grouping
func isUnit(c *eventv1.Creature) bool { return sheetOf(c).UnitSize > 1 || c.GetCounters()[cMen] > 1 }

// attacksAgainstNormal is the number of melee attacks of a round against
// Normal Men.
//
// original.attack.multi-vs-normal-men, original.attack.monster-multi-vs-normal-men
func attacksAgainstNormal(s *eventv1.State, c *eventv1.Creature) int32 {
	sh := sheetOf(c)
	switch {
	case isUnit(c):
		return attacksAgainstStrong(s, c)
	case sh.IsPc || sh.Important && fighterType(c):
		return max(levelOf(c), sh.Attacks)
	case sh.Class == "" && sh.HitDice > 1:
		return max(sh.HitDice, sh.Attacks)
	}
	return max(1, sh.Attacks)
}

// attacksAgainstStrong is the number of attacks against anything stronger.
func attacksAgainstStrong(s *eventv1.State, c *eventv1.Creature) int32 {
	if isUnit(c) && !defaults.On(s, setMassThrow) {
		return sheetOf(c).UnitSize
	}
	if isUnit(c) {
		return 1 // original.mass.single-hit-throw
	}
	return max(1, sheetOf(c).Attacks)
}

// weapons are what a creature fights with; its hands when the sheet has none.
func weapons(c *eventv1.Creature) []*eventv1.OriginalWeapon {
	list := sheetOf(c).Weapons
	if slices.ContainsFunc(list, natural) {
		return list
	}
	return append(slices.Clip(list), emptyHand)
}

// original.damage.empty-hand-die
var emptyHand = &eventv1.OriginalWeapon{Name: "empty hand", Kind: "hand", Damage: "1d4"}

// firstWeapon is the first weapon of a creature that fits, its hands among them; nil
// when none does.
func firstWeapon(c *eventv1.Creature, fits func(w *eventv1.OriginalWeapon) bool) *eventv1.OriginalWeapon {
	hands := true
	for _, w := range sheetOf(c).Weapons {
		if fits(w) {
			return w
		}
		hands = hands && !natural(w)
	}
	if hands && fits(emptyHand) {
		return emptyHand
	}
	return nil
}

// weaponOf is a weapon by name; the first when none is named.
func weaponOf(c *eventv1.Creature, name string) *eventv1.OriginalWeapon {
	return firstWeapon(c, func(w *eventv1.OriginalWeapon) bool { return name == "" || w.Name == name })
}

func weaponNames(c *eventv1.Creature) []string {
	var names []string
	for _, w := range weapons(c) {
		names = append(names, w.Name)
	}
	return names
}

// dropped tells whether a weapon is out of hand.
func dropped(c *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	return c.GetItems()[w.Name].GetPlace() == placeDropped
}

func natural(w *eventv1.OriginalWeapon) bool { return w.Kind == "natural" || w.Kind == "hand" }

// missile tells whether a weapon can only be shot.
func missile(w *eventv1.OriginalWeapon) bool {
	switch w.Kind {
	case "bow", "great-bow", "crossbow", "sling", "firearm":
		return true
	}
	return false
}

// ranged tells whether a weapon can be shot or thrown.
func ranged(w *eventv1.OriginalWeapon) bool { return w.LongFeet > 0 }

// canSet tells whether a weapon can be set against a charge.
//
// original.charge.set-spear
func canSet(w *eventv1.OriginalWeapon) bool {
	return w.Kind == "spear" || w.Kind == "long-spear" || w.Kind == "pike"
}

// reachRank is how long a weapon is.
//
// original.equipment.reach-table
func reachRank(w *eventv1.OriginalWeapon) int32 {
	if w.ReachRank > 0 {
		return w.ReachRank
	}
	if rank, ok := book.reach[w.Kind]; ok || w.Kind != "" {
		return rank
	}
	return book.reach["melee"]
}

// inHand is the weapon that a creature fights with in melee unless it says
// otherwise: the first that can be used and is not only shot.
func inHand(c *eventv1.Creature) *eventv1.OriginalWeapon {
	if w := firstWeapon(c, func(w *eventv1.OriginalWeapon) bool { return !missile(w) && usable(c, w) }); w != nil {
		return w
	}
	return emptyHand
}

// weaponSize is small, medium or large.
func weaponSize(w *eventv1.OriginalWeapon) string {
	switch {
	case w.Size != "":
		return w.Size
	case w.Kind == "dagger":
		return "small"
	}
	return "medium"
}

// damageDice are the dice of a weapon in these hands.
//
// original.damage.normal-weapon, original.damage.untrained, original.damage.improvised-weapon
func damageDice(w *eventv1.OriginalWeapon) string {
	switch {
	case w.Untrained && weaponSize(w) == "small":
		return "1d3"
	case w.Untrained && weaponSize(w) == "large":
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
