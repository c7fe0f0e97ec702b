package basic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CheckSheet says what is wrong with the section of a sheet and with what the
// system needs of the core.
func (System) CheckSheet(sheet *eventv1.Sheet) []fault.Violation {
	return System{}.CheckSheetBy(nil, sheet)
}

// CheckSheetBy is CheckSheet where content has conditions and feats of its own; without
// any a sheet may name feats that nothing asks for.
func (System) CheckSheetBy(content *effects.Book, sheet *eventv1.Sheet) []fault.Violation {
	k := &body.Checker{Conditions: append(slices.Clone(body.Conditions), content.IDs(effects.Conditions)...)}
	s := sheet.GetBasic()
	if s == nil {
		k.Wrong("basic", "the section of this system is missing")
		return k.Out
	}
	k.OneOf("size", sheet.Size, body.Sizes)
	k.Within("abilities[constitution]", sheet.Abilities["constitution"], 1, 30)
	k.Within("speeds[walk]", sheet.Speeds["walk"], 0, 1000)
	k.Within("basic.armor_class", s.ArmorClass, 1, 60)
	k.Within("basic.touch_armor_class", s.TouchArmorClass, 0, 60)
	k.Within("basic.attack_bonus", s.AttackBonus, -20, 60)
	k.Within("basic.strength_modifier", s.StrengthModifier, -10, 20)
	k.Within("basic.dexterity_modifier", s.DexterityModifier, -10, 20)
	k.Within("basic.sneak_attack_bonus", s.SneakAttackBonus, 0, 20)
	k.OneOf("basic.armor_material", s.ArmorMaterial, body.Materials)
	feats := content.IDs(effects.Feats)
	for i, tag := range s.Tags {
		k.OneOf("basic.tags["+body.Itoa(i)+"]", tag, append(slices.Clone(body.Tags), feats...))
	}
	if content != nil {
		house.CheckFeats(content, sheet, k.Wrong)
	}
	for _, name := range rules.SortedKeys(sheet.Abilities) {
		k.OneOf("abilities["+name+"]", name, body.AbilityNames)
	}
	for _, name := range rules.SortedKeys(sheet.Speeds) {
		k.OneOf("speeds["+name+"]", name, body.Speeds)
	}
	for _, name := range rules.SortedKeys(s.Saves) {
		k.OneOf("basic.saves["+name+"]", name, body.Categories)
		k.Within("basic.saves["+name+"]", s.Saves[name], 1, 40)
	}
	for _, name := range rules.SortedKeys(s.Ammunition) {
		k.Within("basic.ammunition["+name+"]", s.Ammunition[name], 0, 10_000)
	}
	if len(s.Weapons) > body.MaxEntries || len(s.Spells) > body.MaxEntries || len(s.Routine) > body.MaxEntries || len(s.Items) > body.MaxEntries {
		k.Wrong("basic", "more than %d weapons, spells, things or attacks of a routine", body.MaxEntries)
		return k.Out
	}
	k.Weapons(s)
	k.Items(s)
	k.Spells(s)
	return k.Out
}
