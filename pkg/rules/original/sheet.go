package original

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// sheetOf is a creature's section; an empty one when the viewer has none.
func sheetOf(c *eventv1.Creature) *eventv1.OriginalSheet {
	if s := c.GetSheet().GetOriginal(); s != nil {
		return s
	}
	return &eventv1.OriginalSheet{}
}

// fighterTypes add STR in melee and strike first and last.
//
// original.attack.melee-fighter-str
var fighterTypes = []string{"fighter", "ranger", "barbarian", "dwarf", "hobbit", "paladin", "pirate"}

func fighterType(c *eventv1.Creature) bool {
	if s := sheetOf(c); s.FighterType != nil {
		return *s.FighterType
	}
	return slices.Contains(fighterTypes, sheetOf(c).Class)
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
	case fighterType(c):
		return find(book.hit["fighter"], levelOf(c)).value
	case s.Class == "cleric" || thief(c):
		return find(book.hit["priest"], levelOf(c)).value
	case s.Class != "":
		return find(book.hit["other"], levelOf(c)).value
	}
	steps := 2 * max(1, s.HitDice)
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
		return levelOf(c)
	case sh.Class == "" && sh.HitDice > 1:
		return max(sh.HitDice, sh.Attacks)
	}
	return max(1, sh.Attacks)
}

// attacksAgainstStrong is the number of attacks against anything stronger.
func attacksAgainstStrong(s *eventv1.State, c *eventv1.Creature) int32 {
	if isUnit(c) && !on(s, setMassThrow) {
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
	for _, w := range list {
		if w.Kind == "natural" || w.Kind == "hand" {
			return list
		}
	}
	return append(slices.Clone(list), emptyHand)
}

// original.damage.empty-hand-die
var emptyHand = &eventv1.OriginalWeapon{Name: "empty hand", Kind: "hand", Damage: "1d4"}

// weaponOf finds a weapon by name; the first when none is named.
func weaponOf(c *eventv1.Creature, name string) (*eventv1.OriginalWeapon, error) {
	for _, w := range weapons(c) {
		if name == "" || w.Name == name {
			return w, nil
		}
	}
	return nil, fault.Field("take.item", "%s has no weapon %q", c.GetName(), name)
}

// dropped tells whether a weapon is out of hand.
func dropped(c *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	return c.GetItems()[w.Name].GetPlace() == "dropped"
}

func natural(w *eventv1.OriginalWeapon) bool { return w.Kind == "natural" || w.Kind == "hand" }

// missile tells whether a weapon can only be shot.
func missile(w *eventv1.OriginalWeapon) bool {
	return slices.Contains([]string{"bow", "great-bow", "crossbow", "sling", "firearm"}, w.Kind)
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
	for _, w := range weapons(c) {
		if !missile(w) && usable(c, w) {
			return w
		}
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

var (
	classes = []string{"", "fighter", "ranger", "barbarian", "dwarf", "hobbit", "paladin", "pirate", "thief", "cleric", "magic-user", "elf"}
	kinds   = []string{"", "melee", "bow", "great-bow", "crossbow", "thrown", "javelin", "sling", "firearm", "polearm", "spear", "long-spear",
		"pike", "lance", "dagger", "whip", "hand", "natural"}
)

// CheckSheet says what is wrong with a sheet.
func (System) CheckSheet(sheet *eventv1.Sheet) []fault.Violation {
	s := sheet.GetOriginal()
	if s == nil {
		return []fault.Violation{{Field: "sheet.original", Description: "missing"}}
	}
	var list []fault.Violation
	wrong := func(field, text string) {
		list = append(list, fault.Violation{Field: "sheet.original." + field, Description: text})
	}
	between := func(field string, n, from, to int32) {
		if n < from || n > to {
			wrong(field, "must be "+itoa(from)+" to "+itoa(to))
		}
	}
	if !slices.Contains(classes, s.Class) {
		wrong("class", "must be empty or one of "+strings.Join(classes[1:], ", "))
	}
	between("level", s.Level, 0, 99)
	between("hit_dice", s.HitDice, 0, 99)
	between("hit_dice_plus", s.HitDicePlus, 0, 99)
	between("hit_ac0", s.GetHitAc0(), -50, 50)
	between("armor_ac", s.GetArmorAc(), -50, 50)
	between("shield_bonus", s.ShieldBonus, 0, 20)
	between("dex_bonus", s.GetDexBonus(), -20, 20)
	between("str_bonus", s.GetStrBonus(), -20, 20)
	between("other_ac_bonus", s.OtherAcBonus, -50, 50)
	between("attacks", s.Attacks, 0, 20)
	between("special_face", s.SpecialFace, 0, 20)
	between("surprises_on", s.SurprisesOn, 0, 20)
	between("surprised_on", s.SurprisedOn, -1, 20)
	between("unit_size", s.UnitSize, 0, 100)
	between("save_paralysis", s.SaveParalysis, 0, 50)
	between("psy_bonus", s.GetPsyBonus(), -20, 20)
	between("edged_loses", s.EdgedLoses, 0, 50)
	if len(s.Race) > 40 {
		wrong("race", "must be at most 40 bytes")
	}
	if s.UnitSize > 1 && s.IsPc {
		wrong("unit_size", "player characters stay single") // original.mass.grouping
	}
	if s.Morale != 0 {
		between("morale", s.Morale, 2, 12)
	}
	if len(s.Group) > 40 || strings.ContainsAny(s.Group, ":;,") {
		wrong("group", "must be at most 40 bytes without ':', ';' and ','")
	}
	if s.SpecialFace > 0 && s.SpecialEffect == "" {
		wrong("special_effect", "missing beside special_face")
	}
	for i, h := range s.HarmedOnlyBy {
		if h != "magic" && h != "silver" {
			wrong("harmed_only_by["+itoa(i)+"]", "must be magic or silver")
		}
	}
	for i, p := range s.Spells {
		checkSpell(p, s.Spells[:i], func(field, text string) { wrong("spells["+itoa(i)+"]."+field, text) })
	}
	for i, w := range s.Weapons {
		checkWeapon(w, s.Weapons[:i], func(field, text string) { wrong("weapons["+itoa(i)+"]."+field, text) })
	}
	return list
}

func checkSpell(p *eventv1.OriginalSpell, before []*eventv1.OriginalSpell, wrong func(field, text string)) {
	if p.Name == "" || len(p.Name) > 64 {
		wrong("name", "must be 1 to 64 bytes")
	}
	if slices.ContainsFunc(before, func(x *eventv1.OriginalSpell) bool { return x.Name == p.Name }) {
		wrong("name", "is there twice")
	}
	if p.Prepared < 0 || p.Prepared > 99 {
		wrong("prepared", "must be 0 to 99")
	}
	if p.Damage != "" {
		if _, err := dice.Parse(p.Damage); err != nil || len(p.Damage) > 64 {
			wrong("damage", "is no dice expression")
		}
	}
}

func checkWeapon(w *eventv1.OriginalWeapon, before []*eventv1.OriginalWeapon, wrong func(field, text string)) {
	if w.Name == "" || len(w.Name) > 64 {
		wrong("name", "must be 1 to 64 bytes")
	}
	if slices.ContainsFunc(before, func(x *eventv1.OriginalWeapon) bool { return x.Name == w.Name }) {
		wrong("name", "is there twice")
	}
	if w.Damage != "" {
		if _, err := dice.Parse(w.Damage); err != nil || len(w.Damage) > 64 {
			wrong("damage", "is no dice expression")
		}
	}
	if !slices.Contains(kinds, w.Kind) {
		wrong("kind", "must be one of "+strings.Join(kinds[1:], ", "))
	}
	if w.Hands < 0 || w.Hands > 2 {
		wrong("hands", "must be 1 or 2")
	}
	if !slices.Contains([]string{"", "small", "medium", "large"}, w.Size) {
		wrong("size", "must be small, medium or large")
	}
	if w.ReachRank < 0 || w.ReachRank > 20 {
		wrong("reach_rank", "must be 0 to 20")
	}
	if w.ShortFeet < 0 || w.MediumFeet < w.ShortFeet || w.LongFeet < w.MediumFeet || w.LongFeet > 10000 || w.LongFeet > 0 && w.ShortFeet == 0 {
		wrong("long_feet", "short, medium and long must rise, from 1 to 10000, or all be 0")
	}
	if missile(w) && w.LongFeet == 0 {
		wrong("long_feet", "missing on a missile weapon")
	}
	for _, by := range []struct{ field, word string }{{"ranged_ability_to_hit", w.RangedAbilityToHit}, {"ranged_ability_damage", w.RangedAbilityDamage}} {
		if !slices.Contains([]string{"", "dex", "str", "none"}, by.word) {
			wrong(by.field, "must be dex, str or none")
		}
	}
}
