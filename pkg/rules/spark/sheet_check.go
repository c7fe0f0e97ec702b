package spark

import (
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	// abilities are those of which points can be drained.
	//
	// spark.rest.long-ability-point
	abilities = []string{"strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"}
	// speeds are the ways to move; the best counts where a creature cannot walk.
	speeds = []string{"walk", "fly", "swim", "climb", "burrow"}
)

// sheetChecker collects what is wrong with a sheet.
type sheetChecker struct{ out []fault.Violation }

func (k *sheetChecker) wrong(field, format string, args ...any) {
	k.out = append(k.out, fault.Violation{Field: "sheet." + field, Description: fmt.Sprintf(format, args...)})
}

func (k *sheetChecker) within(field string, n, low, high int32) {
	if n < low || n > high {
		k.wrong(field, "must be %d to %d, not %d", low, high, n)
	}
}

// name holds that a name is there and is the only one of its list.
func (k *sheetChecker) name(field, name string, seen map[string]bool) {
	if name == "" || len(name) > rules.MaxIDLength {
		k.wrong(field+".name", "must be 1 to %d bytes", rules.MaxIDLength)
	}
	if seen[name] {
		k.wrong(field+".name", "%q twice", name)
	}
	seen[name] = true
}

func (k *sheetChecker) oneOf(field, word string, known []string) {
	if !slices.Contains(known, word) {
		k.wrong(field, "%q is not one of %v%s", word, known, rules.DidYouMean(word, known))
	}
}

func (k *sheetChecker) dice(field, expr string) {
	if expr == "" {
		return
	}
	if _, err := dice.Parse(expr); err != nil {
		k.wrong(field, "%v", err)
	}
}

// CheckSheet says what is wrong with the spark section of a sheet.
func (System) CheckSheet(sheet *eventv1.Sheet) []fault.Violation {
	k := &sheetChecker{}
	s := sheet.GetSpark()
	if s == nil {
		k.wrong("spark", "the section of this system is missing")
		return k.out
	}
	k.oneOf("size", sheet.Size, sizes)
	for _, name := range rules.SortedKeys(sheet.Abilities) {
		k.oneOf("abilities["+name+"]", name, abilities)
	}
	for _, m := range rules.SortedKeys(sheet.Speeds) {
		k.oneOf("speeds["+m+"]", m, speeds)
		k.within("speeds["+m+"]", sheet.Speeds[m], 0, 10_000)
	}
	k.within("spark.level", s.Level, 1, 40)
	k.within("spark.hit_die", s.HitDie, 2, 100)
	k.within("spark.armor_class", s.ArmorClass, 1, 100)
	k.within("spark.attacks_per_round", s.AttacksPerRound, 0, 20)
	k.within("spark.mana", s.Mana, 0, 100_000)
	k.within("spark.spare_strings", s.SpareStrings, 0, 10_000)
	for _, b := range []struct {
		field string
		n     int32
	}{{"strength_modifier", s.StrengthModifier}, {"constitution_modifier", s.ConstitutionModifier}, {"fortitude", s.Fortitude},
		{"reflex", s.Reflex}, {"will", s.Will}, {"initiative", s.Initiative}, {"heal_skill", s.HealSkill},
		{"dexterity_modifier", s.DexterityModifier}, {"strength_save", s.StrengthSave}, {"sleight_of_hand", s.SleightOfHand}} {
		k.within("spark."+b.field, b.n, -100, 100)
	}
	k.within("spark.legs", s.Legs, 0, 1000)
	k.dice("spark.sneak_attack", s.SneakAttack)
	k.weapons(s)
	k.spells(s)
	k.rest(s)
	return k.out
}

func (k *sheetChecker) weapons(s *eventv1.SparkSheet) {
	seen := map[string]bool{}
	for i, w := range s.Weapons {
		f := fmt.Sprintf("spark.weapons[%d]", i)
		k.name(f, w.Name, seen)
		k.within(f+".attack_modifier", w.AttackModifier, -100, 100)
		k.within(f+".damage_bonus", w.DamageBonus, -1000, 1000)
		k.within(f+".critical_from", w.CriticalFrom, 0, 20)
		k.within(f+".reach_feet", w.ReachFeet, 0, 1000)
		k.within(f+".range_feet", w.RangeFeet, 0, 100_000)
		k.within(f+".long_range_feet", w.LongRangeFeet, 0, 100_000)
		k.within(f+".missiles", w.GetMissiles(), 0, 10_000)
		k.within(f+".enchantment", w.Enchantment, 0, 50)
		k.within(f+".missile_enchantment", w.MissileEnchantment, 0, 50)
		k.within(f+".hardness", w.Hardness, 0, 100)
		k.dice(f+".damage_dice", w.DamageDice)
		if w.CriticalFrom == 1 {
			k.wrong(f+".critical_from", "a natural 1 is always a critical fail")
		}
		if w.ReachFeet == 0 && w.RangeFeet == 0 {
			k.wrong(f, "has neither reach nor range")
		}
		if len(w.FumbleClasses) == 0 {
			k.wrong(f+".fumble_classes", "at least one of %v", fumbleClasses)
		}
		for j, class := range w.FumbleClasses {
			switch {
			case !slices.Contains(fumbleClasses, class):
				k.oneOf(fmt.Sprintf("%s.fumble_classes[%d]", f, j), class, fumbleClasses)
			case w.Natural && class != classFist: // spark.fumble.weapon-class
				k.wrong(fmt.Sprintf("%s.fumble_classes[%d]", f, j), "a natural weapon is of class %s", classFist)
			}
		}
		if w.Material != "" {
			k.oneOf(f+".material", w.Material, rules.SortedKeys(book.hardness))
		}
	}
}

func (k *sheetChecker) spells(s *eventv1.SparkSheet) {
	seen := map[string]bool{}
	for i, sp := range s.Spells {
		f := fmt.Sprintf("spark.spells[%d]", i)
		k.name(f, sp.Name, seen)
		k.within(f+".mana_cost", sp.ManaCost, 0, 100_000)
		k.within(f+".dc", sp.Dc, 0, 100)
		k.within(f+".rounds", sp.Rounds, 0, 100)
		k.within(f+".attack_modifier", sp.AttackModifier, -100, 100)
		k.within(f+".critical_from", sp.CriticalFrom, 0, 20)
		k.within(f+".range_feet", sp.RangeFeet, 0, 100_000)
		k.within(f+".targets", sp.Targets, 0, 100)
		k.within(f+".damage_bonus", sp.DamageBonus, -1000, 1000)
		k.dice(f+".damage_dice", sp.DamageDice)
		k.dice(f+".healing", sp.Healing)
		k.oneOf(f+".delivery", sp.Delivery, []string{"ranged", "melee-touch", "other"})
		if sp.Save != "" {
			k.oneOf(f+".save", sp.Save, []string{"fortitude", "reflex", "will"})
		}
		if sp.Attack && (sp.Targets > 1 || sp.Delivery == "other") {
			k.wrong(f+".attack", "an attack roll is for one target, ranged or by touch")
		}
	}
	trees := map[string]bool{}
	for i, t := range s.ManaTrees {
		f := fmt.Sprintf("spark.mana_trees[%d]", i)
		k.name(f, t.Name, trees)
		k.within(f+".rank", t.Rank, 0, 100)
	}
}

func (k *sheetChecker) rest(s *eventv1.SparkSheet) {
	feats, items := map[string]bool{}, map[string]bool{}
	for i, f := range s.Feats {
		k.name(fmt.Sprintf("spark.feats[%d]", i), f.Name, feats)
		if !f.Bonus && !f.FullMoveFullAttack {
			k.wrong(fmt.Sprintf("spark.feats[%d]", i), "%q does nothing: give bonus or full_move_full_attack", f.Name)
		}
	}
	for i, it := range s.Items {
		f := fmt.Sprintf("spark.items[%d]", i)
		k.name(f, it.Name, items)
		k.within(f+".uses", it.Uses, 0, 10_000)
		k.dice(f+".healing", it.Healing)
		k.oneOf(f+".kind", it.Kind, []string{"potion", "magic", "other"})
	}
}
