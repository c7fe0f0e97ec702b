package body

import (
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	// Abilities are those of which points can be drained.
	//
	// spark.rest.long-ability-point
	Abilities = []string{"strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"}
	// Speeds are the ways to move; the best counts where a creature cannot walk.
	Speeds = []string{"walk", "fly", "swim", "climb", "burrow"}
)

// SheetChecker collects what is wrong with a sheet.
type SheetChecker struct {
	// Out is what is wrong.
	Out []fault.Violation
	// Content is a table's own; nil when there is none.
	Content *effects.Book
}

// Wrong records what is wrong with a field, whose path is given without "sheet.".
func (k *SheetChecker) Wrong(field, format string, args ...any) {
	k.Out = append(k.Out, fault.Violation{Field: "sheet." + field, Description: fmt.Sprintf(format, args...)})
}

// Within records a number that is less than low or more than high.
func (k *SheetChecker) Within(field string, n, low, high int32) {
	if n < low || n > high {
		k.Wrong(field, "must be %d to %d, not %d", low, high, n)
	}
}

// name holds that a name is there and is the only one of its list.
func (k *SheetChecker) name(field, name string, seen map[string]bool) {
	if name == "" || len(name) > rules.MaxIDLength {
		k.Wrong(field+".name", "must be 1 to %d bytes", rules.MaxIDLength)
	}
	if seen[name] {
		k.Wrong(field+".name", "%q twice", name)
	}
	seen[name] = true
}

// OneOf records a word that is not among those known, with the likeliest one meant.
func (k *SheetChecker) OneOf(field, word string, known []string) {
	if !slices.Contains(known, word) {
		k.Wrong(field, "%q is not one of %v%s", word, known, rules.DidYouMean(word, known))
	}
}

// Dice records an expression that is no dice; an empty one is allowed.
func (k *SheetChecker) Dice(field, expr string) {
	if expr == "" {
		return
	}
	if _, err := dice.Parse(expr); err != nil {
		k.Wrong(field, "%v", err)
	}
}

// Weapons checks the weapons: numbers, dice, fumble classes and materials.
func (k *SheetChecker) Weapons(s *eventv1.SparkSheet) {
	seen := map[string]bool{}
	for i, w := range s.Weapons {
		f := fmt.Sprintf("spark.weapons[%d]", i)
		k.name(f, w.Name, seen)
		k.Within(f+".attack_modifier", w.AttackModifier, -100, 100)
		k.Within(f+".damage_bonus", w.DamageBonus, -1000, 1000)
		k.Within(f+".critical_from", w.CriticalFrom, 0, 20)
		k.Within(f+".reach_feet", w.ReachFeet, 0, 1000)
		k.Within(f+".range_feet", w.RangeFeet, 0, 100_000)
		k.Within(f+".long_range_feet", w.LongRangeFeet, 0, 100_000)
		k.Within(f+".missiles", w.GetMissiles(), 0, 10_000)
		k.Within(f+".enchantment", w.Enchantment, 0, 50)
		k.Within(f+".missile_enchantment", w.MissileEnchantment, 0, 50)
		k.Within(f+".hardness", w.Hardness, 0, 100)
		k.Dice(f+".damage_dice", w.DamageDice)
		if w.CriticalFrom == 1 {
			k.Wrong(f+".critical_from", "a natural 1 is always a critical fail")
		}
		if w.ReachFeet == 0 && w.RangeFeet == 0 {
			k.Wrong(f, "has neither reach nor range")
		}
		if len(w.FumbleClasses) == 0 {
			k.Wrong(f+".fumble_classes", "at least one of %v", FumbleClasses)
		}
		for j, class := range w.FumbleClasses {
			switch {
			case !slices.Contains(FumbleClasses, class):
				k.OneOf(fmt.Sprintf("%s.fumble_classes[%d]", f, j), class, FumbleClasses)
			case w.Natural && class != ClassFist: // spark.fumble.weapon-class
				k.Wrong(fmt.Sprintf("%s.fumble_classes[%d]", f, j), "a natural weapon is of class %s", ClassFist)
			}
		}
		if w.Material != "" {
			k.OneOf(f+".material", w.Material, rules.SortedKeys(TablesOf(k.Content).Hardness))
		}
	}
}

// targets is how many a spell may have at most; one with an area has no limit but that
// of the field.
func (k *SheetChecker) targets() int32 {
	if k.Content != nil {
		return rules.MaxCreatures
	}
	return 100
}

// Spells checks the spells and the mana trees.
func (k *SheetChecker) Spells(s *eventv1.SparkSheet) {
	seen := map[string]bool{}
	for i, sp := range s.Spells {
		f := fmt.Sprintf("spark.spells[%d]", i)
		k.name(f, sp.Name, seen)
		k.Within(f+".mana_cost", sp.ManaCost, 0, 100_000)
		k.Within(f+".dc", sp.Dc, 0, 100)
		k.Within(f+".rounds", sp.Rounds, 0, 100)
		k.Within(f+".attack_modifier", sp.AttackModifier, -100, 100)
		k.Within(f+".critical_from", sp.CriticalFrom, 0, 20)
		k.Within(f+".range_feet", sp.RangeFeet, 0, 100_000)
		k.Within(f+".targets", sp.Targets, 0, k.targets())
		k.Within(f+".damage_bonus", sp.DamageBonus, -1000, 1000)
		k.Dice(f+".damage_dice", sp.DamageDice)
		k.Dice(f+".healing", sp.Healing)
		k.OneOf(f+".delivery", sp.Delivery, []string{"ranged", "melee-touch", "other"})
		if sp.Save != "" {
			k.OneOf(f+".save", sp.Save, []string{"fortitude", "reflex", "will"})
		}
		if sp.Attack && (sp.Targets > 1 || sp.Delivery == "other") {
			k.Wrong(f+".attack", "an attack roll is for one target, ranged or by touch")
		}
	}
	trees := map[string]bool{}
	for i, t := range s.ManaTrees {
		f := fmt.Sprintf("spark.mana_trees[%d]", i)
		k.name(f, t.Name, trees)
		k.Within(f+".rank", t.Rank, 0, 100)
	}
}

// Feats checks those of the common core: where a table has content of its own, they
// are feats of it, or those that the sheet itself explains.
func (k *SheetChecker) Feats(sheet *eventv1.Sheet) {
	if k.Content == nil {
		return
	}
	var own []string
	for _, f := range sheet.GetSpark().GetFeats() {
		own = append(own, f.Name)
	}
	house.CheckFeats(k.Content, sheet, k.Wrong, own...)
}

// Rest checks the feats and the items.
func (k *SheetChecker) Rest(s *eventv1.SparkSheet) {
	feats, items := map[string]bool{}, map[string]bool{}
	for i, f := range s.Feats {
		k.name(fmt.Sprintf("spark.feats[%d]", i), f.Name, feats)
		if !f.Bonus && !f.FullMoveFullAttack && k.Content.FeatID(f.Name) == "" {
			k.Wrong(fmt.Sprintf("spark.feats[%d]", i), "%q does nothing: give bonus or full_move_full_attack%s", f.Name,
				rules.DidYouMean(f.Name, k.Content.IDs(effects.Feats)))
		}
	}
	for i, it := range s.Items {
		f := fmt.Sprintf("spark.items[%d]", i)
		k.name(f, it.Name, items)
		k.Within(f+".uses", it.Uses, 0, 10_000)
		k.Dice(f+".healing", it.Healing)
		k.OneOf(f+".kind", it.Kind, []string{"potion", "magic", "other"})
	}
}
