package basic

import (
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Words of a sheet.
var (
	sizes        = []string{"tiny", "small", "medium", "large", "huge", "gargantuan"}
	materials    = []string{"none", "leather", "metal", "other"}
	kinds        = []string{"melee", "thrown", "bow", "crossbow", "sling", "siege", "grenade"}
	places       = []string{"", "main", "off", "both", "stowed"}
	contents     = []string{"", oil, holyWater}
	tags         = []string{"elf", "undead", "fire-resistant", "fire-based", "needs-magic", "needs-silver", "no-brawl"}
	conditions   = []string{"", condShaken, condProne, condBlinded}
	categories   = []string{catDeathRay, "wands", "paralysis", "dragon-breath", catSpells}
	abilityNames = []string{"strength", "intelligence", "wisdom", "dexterity", "constitution", "charisma"}
	speeds       = []string{"walk", "fly", "swim", "climb", "burrow"}
)

// Categories of saving throws that rules name.
//
// basic.item.oil-splash-save, basic.spell.disruption
const (
	catDeathRay = "death-ray"
	catSpells   = "spells"
)

const maxEntries = 100

// checker collects what is wrong with a sheet.
type checker struct{ out []fault.Violation }

func (k *checker) wrong(field, format string, args ...any) {
	k.out = append(k.out, fault.Violation{Field: "sheet." + field, Description: fmt.Sprintf(format, args...)})
}

func (k *checker) within(field string, n, low, high int32) {
	if n < low || n > high {
		k.wrong(field, "must be %d to %d, not %d", low, high, n)
	}
}

func (k *checker) oneOf(field, value string, allowed []string) {
	if !slices.Contains(allowed, value) {
		k.wrong(field, "%q is not one of %v%s", value, allowed, rules.DidYouMean(value, allowed))
	}
}

func (k *checker) dice(field, text string) {
	if _, _, _, ok := damageOf(text); !ok {
		k.wrong(field, "%q is not dice such as 1d8 or 2d4+1", text)
	}
}

// CheckSheet says what is wrong with the section of a sheet and with what the
// system needs of the core.
func (System) CheckSheet(sheet *eventv1.Sheet) []fault.Violation {
	k := &checker{}
	s := sheet.GetBasic()
	if s == nil {
		k.wrong("basic", "the section of this system is missing")
		return k.out
	}
	k.oneOf("size", sheet.Size, sizes)
	k.within("abilities[constitution]", sheet.Abilities["constitution"], 1, 30)
	k.within("speeds[walk]", sheet.Speeds["walk"], 0, 1000)
	k.within("basic.armor_class", s.ArmorClass, 1, 60)
	k.within("basic.touch_armor_class", s.TouchArmorClass, 0, 60)
	k.within("basic.attack_bonus", s.AttackBonus, -20, 60)
	k.within("basic.strength_modifier", s.StrengthModifier, -10, 20)
	k.within("basic.dexterity_modifier", s.DexterityModifier, -10, 20)
	k.within("basic.sneak_attack_bonus", s.SneakAttackBonus, 0, 20)
	k.oneOf("basic.armor_material", s.ArmorMaterial, materials)
	for i, tag := range s.Tags {
		k.oneOf("basic.tags["+itoa(i)+"]", tag, tags)
	}
	for _, name := range rules.SortedKeys(sheet.Abilities) {
		k.oneOf("abilities["+name+"]", name, abilityNames)
	}
	for _, name := range rules.SortedKeys(sheet.Speeds) {
		k.oneOf("speeds["+name+"]", name, speeds)
	}
	for _, name := range rules.SortedKeys(s.Saves) {
		k.oneOf("basic.saves["+name+"]", name, categories)
		k.within("basic.saves["+name+"]", s.Saves[name], 1, 40)
	}
	for _, name := range rules.SortedKeys(s.Ammunition) {
		k.within("basic.ammunition["+name+"]", s.Ammunition[name], 0, 10_000)
	}
	if len(s.Weapons) > maxEntries || len(s.Spells) > maxEntries || len(s.Routine) > maxEntries || len(s.Items) > maxEntries {
		k.wrong("basic", "more than %d weapons, spells, things or attacks of a routine", maxEntries)
		return k.out
	}
	k.weapons(s)
	k.items(s)
	k.spells(s)
	return k.out
}

func (k *checker) weapons(s *eventv1.BasicSheet) {
	hands, seen := 0, []string{punch, kick, grab.Name}
	if s.Shield {
		hands++
	}
	for i, w := range s.Weapons {
		field := "basic.weapons[" + itoa(i) + "]"
		if w.Name == "" || len(w.Name) > rules.MaxIDLength || slices.Contains(seen, w.Name) {
			k.wrong(field+".name", "%q is empty, too long or taken", w.Name)
		}
		seen = append(seen, w.Name)
		if w.Damage != "" || w.Contents == "" {
			k.dice(field+".damage", w.Damage)
		}
		k.oneOf(field+".contents", w.Contents, contents)
		if w.Contents != "" && w.Kind != "grenade" {
			k.wrong(field+".contents", "%q is in a weapon of kind %q; only a grenade holds something", w.Contents, w.Kind)
		}
		k.within(field+".rate_rounds", w.RateRounds, 0, 100)
		k.oneOf(field+".kind", w.Kind, kinds)
		k.oneOf(field+".hand", w.Hand, places)
		if w.TwoHanded && (w.Hand == "main" || w.Hand == "off") {
			k.wrong(field+".hand", "%q is one hand and the weapon takes both", w.Hand)
		}
		k.within(field+".short_feet", w.ShortFeet, 0, 10_000)
		if w.ShortFeet > 0 && (w.MediumFeet < w.ShortFeet || w.LongFeet < w.MediumFeet) {
			k.wrong(field+".long_feet", "the ranges must rise: %d, %d, %d", w.ShortFeet, w.MediumFeet, w.LongFeet)
		}
		if w.Kind != "melee" && w.ShortFeet == 0 {
			k.wrong(field+".short_feet", "missing for a missile weapon")
		}
		k.within(field+".reload_rounds", w.ReloadRounds, 0, 100)
		k.within(field+".spares", w.Spares, 0, 100)
		k.within(field+".magic_bonus", w.MagicBonus, -20, 20)
		k.within(field+".attack_bonus", w.AttackBonus, -20, 20)
		if _, ok := s.Ammunition[w.Ammunition]; w.Ammunition != "" && !ok {
			k.wrong(field+".ammunition", "basic.ammunition has no %q%s", w.Ammunition, rules.DidYouMean(w.Ammunition, rules.SortedKeys(s.Ammunition)))
		}
		switch startingPlace(w) {
		case "main", "off":
			hands++
		case "both":
			hands += 2
		}
	}
	if hands > 2 {
		k.wrong("basic.weapons", "%d hands are full, there are 2", hands)
	}
	for i, name := range s.Routine {
		if !slices.Contains(seen[3:], name) {
			k.wrong("basic.routine["+itoa(i)+"]", "there is no weapon %q%s", name, rules.DidYouMean(name, seen[3:]))
		}
	}
}

// items checks the things beside weapons; the names of both are one set.
func (k *checker) items(s *eventv1.BasicSheet) {
	var seen []string
	for _, w := range s.Weapons {
		seen = append(seen, w.Name)
	}
	for i, it := range s.Items {
		field := "basic.items[" + itoa(i) + "]"
		if it.Name == "" || len(it.Name) > rules.MaxIDLength || slices.Contains(seen, it.Name) {
			k.wrong(field+".name", "%q is empty, too long or taken", it.Name)
		}
		seen = append(seen, it.Name)
		if it.Effect != nil {
			k.magic(field+".effect", it.Effect)
		}
	}
}

func (k *checker) spells(s *eventv1.BasicSheet) {
	var seen []string
	for _, it := range s.Items { // the uses left of both are counted by name
		seen = append(seen, it.Name)
	}
	for i, sp := range s.Spells {
		field := "basic.spells[" + itoa(i) + "]"
		if sp.Name == "" || len(sp.Name) > rules.MaxIDLength || slices.Contains(seen, sp.Name) {
			k.wrong(field+".name", "%q is empty, too long or taken", sp.Name)
		}
		seen = append(seen, sp.Name)
		k.magic(field, sp)
	}
}

// magic checks what a spell or a magic item does.
func (k *checker) magic(field string, sp *eventv1.BasicSpell) {
	if sp.Damage != "" {
		k.dice(field+".damage", sp.Damage)
	}
	if sp.Healing != "" {
		k.dice(field+".healing", sp.Healing)
	}
	if sp.Damage != "" && sp.Healing != "" {
		k.wrong(field+".healing", "it harms or heals, not both")
	}
	k.oneOf(field+".condition", sp.Condition, conditions)
	if sp.Save != "" {
		k.oneOf(field+".save", sp.Save, categories)
	}
	k.within(field+".uses", sp.Uses, 0, 100)
	k.within(field+".targets", sp.Targets, 0, 100)
	k.within(field+".range_feet", sp.RangeFeet, 0, 10_000)
}

// startingPlace is where a weapon is before the fight; empty for natural ones.
func startingPlace(w *eventv1.BasicWeapon) string {
	switch {
	case w.Natural:
		return ""
	case w.Hand != "":
		return w.Hand
	case w.TwoHanded:
		return "both"
	}
	return "main"
}
