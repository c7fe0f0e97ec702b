package original

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CheckSheet says what is wrong with a sheet.
func (System) CheckSheet(sheet *eventv1.Sheet) []fault.Violation {
	return System{}.CheckSheetBy(nil, sheet)
}

// CheckSheetBy is CheckSheet where content has conditions and feats of its own; without
// any a sheet may name feats that nothing asks for.
func (System) CheckSheetBy(content *effects.Book, sheet *eventv1.Sheet) []fault.Violation {
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
			wrong(field, "must be "+body.Itoa(from)+" to "+body.Itoa(to))
		}
	}
	// original.attack.melee-others-str16: every other name is one of all others.
	if near := rules.DidYouMean(s.Class, body.Classes[1:]); near != "" && !slices.Contains(body.Classes, s.Class) {
		wrong("class", "is none that the rules know"+near)
	}
	if len(s.Class) > 40 {
		wrong("class", "must be at most 40 bytes")
	}
	between("level", s.Level, 0, 99)
	between("hit_dice", s.HitDice, 0, 99)
	between("hit_dice_plus", s.HitDicePlus, -20, 99)
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
	if near := rules.DidYouMean(s.Race, body.Races); near != "" && !slices.Contains(body.Races, s.Race) {
		wrong("race", "is none that the rules know"+near)
	}
	list = append(list, thestrike.CheckBody(thestrike.TablesOf(content), sheet)...)
	if content != nil {
		house.CheckFeats(content, sheet, func(field, format string, args ...any) {
			list = append(list, fault.Violation{Field: "sheet." + field, Description: fmt.Sprintf(format, args...)})
		})
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
	if s.SpecialEffect != "" && !knownCondition(s.SpecialEffect) && content.Entry(effects.Conditions, s.SpecialEffect) == nil {
		wrong("special_effect", "must be one of "+strings.Join(conditions(), ", ")+" with a name after it"+rules.DidYouMean(s.SpecialEffect, conditions()))
	}
	for i, h := range s.HarmedOnlyBy {
		if h != "magic" && h != "silver" {
			wrong("harmed_only_by["+body.Itoa(i)+"]", "must be magic or silver")
		}
	}
	for i, p := range s.Spells {
		body.CheckSpell(p, s.Spells[:i], func(field, text string) { wrong("spells["+body.Itoa(i)+"]."+field, text) })
	}
	for i, w := range s.Weapons {
		body.CheckWeapon(w, s.Weapons[:i], func(field, text string) { wrong("weapons["+body.Itoa(i)+"]."+field, text) })
	}
	return list
}
