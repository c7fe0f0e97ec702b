package spark

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CheckSheet says what is wrong with the spark section of a sheet.
func (System) CheckSheet(sheet *eventv1.Sheet) []fault.Violation {
	return System{}.CheckSheetBy(nil, sheet)
}

// CheckSheetBy is CheckSheet where content has feats and materials of its own.
func (System) CheckSheetBy(content *effects.Book, sheet *eventv1.Sheet) []fault.Violation {
	k := &body.SheetChecker{Content: content}
	s := sheet.GetSpark()
	if s == nil {
		k.Wrong("spark", "the section of this system is missing")
		return k.Out
	}
	k.OneOf("size", sheet.Size, body.Sizes)
	for _, name := range rules.SortedKeys(sheet.Abilities) {
		k.OneOf("abilities["+name+"]", name, body.Abilities)
	}
	for _, m := range rules.SortedKeys(sheet.Speeds) {
		k.OneOf("speeds["+m+"]", m, body.Speeds)
		k.Within("speeds["+m+"]", sheet.Speeds[m], 0, 10_000)
	}
	k.Within("spark.level", s.Level, 1, 40)
	k.Within("spark.hit_die", s.HitDie, 2, 100)
	k.Within("spark.armor_class", s.ArmorClass, 1, 100)
	k.Within("spark.attacks_per_round", s.AttacksPerRound, 0, 20)
	k.Within("spark.mana", s.Mana, 0, 100_000)
	k.Within("spark.spare_strings", s.SpareStrings, 0, 10_000)
	for _, b := range []struct {
		field string
		n     int32
	}{{"strength_modifier", s.StrengthModifier}, {"constitution_modifier", s.ConstitutionModifier}, {"fortitude", s.Fortitude},
		{"reflex", s.Reflex}, {"will", s.Will}, {"initiative", s.Initiative}, {"heal_skill", s.HealSkill},
		{"dexterity_modifier", s.DexterityModifier}, {"strength_save", s.StrengthSave}, {"sleight_of_hand", s.SleightOfHand}} {
		k.Within("spark."+b.field, b.n, -100, 100)
	}
	k.Within("spark.legs", s.Legs, 0, 1000)
	k.Dice("spark.sneak_attack", s.SneakAttack)
	k.Feats(sheet)
	k.Weapons(s)
	k.Spells(s)
	k.Rest(s)
	return k.Out
}
