package original

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	classes = []string{"", "fighter", "ranger", "barbarian", "dwarf", "hobbit", "paladin", "pirate", "thief", "cleric", "magic-user", "elf"}
	kinds   = []string{"", "melee", "bow", "great-bow", "crossbow", "thrown", "javelin", "sling", "firearm", "polearm", "spear", "long-spear",
		"pike", "lance", "dagger", "whip", "hand", "natural"}
	// races are those that rules ask for; a creature may be of any other.
	races = []string{"elf", "hobbit"}
	// abilities are the scores of a character; STR, DEX and PSY count in a fight.
	abilities = []string{"strength", "intelligence", "psyche", "wisdom", "dexterity", "constitution", "charisma"}
	// speeds are the ways to move; in a fight the one on foot counts.
	speeds = []string{"walk", "fly", "swim", "climb", "burrow"}
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
		wrong("class", "must be empty or one of "+strings.Join(classes[1:], ", ")+rules.DidYouMean(s.Class, classes[1:]))
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
	if near := rules.DidYouMean(s.Race, races); near != "" && !slices.Contains(races, s.Race) {
		wrong("race", "is none that the rules know"+near)
	}
	list = append(list, checkBody(sheet)...)
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
	if s.SpecialEffect != "" && !knownCondition(s.SpecialEffect) {
		wrong("special_effect", "must be one of "+strings.Join(conditions(), ", ")+" with a name after it"+rules.DidYouMean(s.SpecialEffect, conditions()))
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

// checkBody says what is wrong with what every system's sheet has: size,
// speeds and abilities that the rules do not know would be passed over.
func checkBody(sheet *eventv1.Sheet) []fault.Violation {
	var list []fault.Violation
	known := func(field, word string, words []string) {
		if !slices.Contains(words, word) {
			list = append(list, fault.Violation{Field: "sheet." + field, Description: "must be one of " + strings.Join(words, ", ") + rules.DidYouMean(word, words)})
		}
	}
	if sheet.Size != "" {
		known("size", sheet.Size, rules.SortedKeys(book.surround))
	}
	for _, name := range rules.SortedKeys(sheet.Abilities) {
		known("abilities["+name+"]", name, abilities)
	}
	for _, name := range rules.SortedKeys(sheet.Speeds) {
		known("speeds["+name+"]", name, speeds)
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
		wrong("kind", "must be one of "+strings.Join(kinds[1:], ", ")+rules.DidYouMean(w.Kind, kinds[1:]))
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
