package body

import (
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Words of a sheet.
var (
	Sizes        = []string{"tiny", "small", "medium", "large", "huge", "gargantuan"}
	Materials    = []string{"none", "leather", "metal", "other"}
	kinds        = []string{"melee", "thrown", "bow", "crossbow", "sling", "siege", "grenade"}
	places       = []string{"", "main", "off", "both", "stowed"}
	contents     = []string{"", Oil, HolyWater}
	Tags         = []string{"elf", "undead", "fire-resistant", "fire-based", "needs-magic", "needs-silver", "no-brawl"}
	Conditions   = []string{"", CondShaken, CondProne, CondBlinded}
	Categories   = []string{CatDeathRay, "wands", "paralysis", "dragon-breath", CatSpells}
	AbilityNames = []string{"strength", "intelligence", "wisdom", "dexterity", "constitution", "charisma"}
	Speeds       = []string{"walk", "fly", "swim", "climb", "burrow"}
)

// Categories of saving throws that rules name.
//
// basic.item.oil-splash-save, basic.spell.disruption
const (
	CatDeathRay = "death-ray"
	CatSpells   = "spells"
)

// MaxEntries is how many entries a list of a sheet may have at most.
const MaxEntries = 100

// Checker collects what is wrong with a sheet.
type Checker struct {
	Out []fault.Violation
	// Conditions are those that spells and magic items may lay.
	Conditions []string
}

// Wrong records what is wrong with a field, whose path is given without "sheet.".
func (k *Checker) Wrong(field, format string, args ...any) {
	k.Out = append(k.Out, fault.Violation{Field: "sheet." + field, Description: fmt.Sprintf(format, args...)})
}

// Within records a number that is less than low or more than high.
func (k *Checker) Within(field string, n, low, high int32) {
	if n < low || n > high {
		k.Wrong(field, "must be %d to %d, not %d", low, high, n)
	}
}

// OneOf records a value that is not among those allowed, with the likeliest one meant.
func (k *Checker) OneOf(field, value string, allowed []string) {
	if !slices.Contains(allowed, value) {
		k.Wrong(field, "%q is not one of %v%s", value, allowed, rules.DidYouMean(value, allowed))
	}
}

func (k *Checker) dice(field, text string) {
	if _, _, _, ok := DamageOf(text); !ok {
		k.Wrong(field, "%q is not dice such as 1d8 or 2d4+1", text)
	}
}

// Weapons checks the weapons, the two hands that hold them and the routine that names
// them.
func (k *Checker) Weapons(s *eventv1.BasicSheet) {
	hands, seen := 0, []string{Punch, Kick, Grab.Name}
	if s.Shield {
		hands++
	}
	for i, w := range s.Weapons {
		field := "basic.weapons[" + Itoa(i) + "]"
		if w.Name == "" || len(w.Name) > rules.MaxIDLength || slices.Contains(seen, w.Name) {
			k.Wrong(field+".name", "%q is empty, too long or taken", w.Name)
		}
		seen = append(seen, w.Name)
		if w.Damage != "" || w.Contents == "" {
			k.dice(field+".damage", w.Damage)
		}
		k.OneOf(field+".contents", w.Contents, contents)
		if w.Contents != "" && w.Kind != "grenade" {
			k.Wrong(field+".contents", "%q is in a weapon of kind %q; only a grenade holds something", w.Contents, w.Kind)
		}
		k.Within(field+".rate_rounds", w.RateRounds, 0, 100)
		k.OneOf(field+".kind", w.Kind, kinds)
		k.OneOf(field+".hand", w.Hand, places)
		if w.TwoHanded && (w.Hand == "main" || w.Hand == "off") {
			k.Wrong(field+".hand", "%q is one hand and the weapon takes both", w.Hand)
		}
		k.Within(field+".short_feet", w.ShortFeet, 0, 10_000)
		if w.ShortFeet > 0 && (w.MediumFeet < w.ShortFeet || w.LongFeet < w.MediumFeet) {
			k.Wrong(field+".long_feet", "the ranges must rise: %d, %d, %d", w.ShortFeet, w.MediumFeet, w.LongFeet)
		}
		if w.Kind != "melee" && w.ShortFeet == 0 {
			k.Wrong(field+".short_feet", "missing for a missile weapon")
		}
		k.Within(field+".reload_rounds", w.ReloadRounds, 0, 100)
		k.Within(field+".spares", w.Spares, 0, 100)
		k.Within(field+".magic_bonus", w.MagicBonus, -20, 20)
		k.Within(field+".attack_bonus", w.AttackBonus, -20, 20)
		if _, ok := s.Ammunition[w.Ammunition]; w.Ammunition != "" && !ok {
			k.Wrong(field+".ammunition", "basic.ammunition has no %q%s", w.Ammunition, rules.DidYouMean(w.Ammunition, rules.SortedKeys(s.Ammunition)))
		}
		switch StartingPlace(w) {
		case "main", "off":
			hands++
		case "both":
			hands += 2
		}
	}
	if hands > 2 {
		k.Wrong("basic.weapons", "%d hands are full, there are 2", hands)
	}
	for i, name := range s.Routine {
		if !slices.Contains(seen[3:], name) {
			k.Wrong("basic.routine["+Itoa(i)+"]", "there is no weapon %q%s", name, rules.DidYouMean(name, seen[3:]))
		}
	}
}

// Items checks the things beside weapons; the names of both are one set.
func (k *Checker) Items(s *eventv1.BasicSheet) {
	var seen []string
	for _, w := range s.Weapons {
		seen = append(seen, w.Name)
	}
	for i, it := range s.Items {
		field := "basic.items[" + Itoa(i) + "]"
		if it.Name == "" || len(it.Name) > rules.MaxIDLength || slices.Contains(seen, it.Name) {
			k.Wrong(field+".name", "%q is empty, too long or taken", it.Name)
		}
		seen = append(seen, it.Name)
		if it.Effect != nil {
			k.magic(field+".effect", it.Effect)
		}
	}
}

// Spells checks the spells; no name may be that of another spell or of an item.
func (k *Checker) Spells(s *eventv1.BasicSheet) {
	var seen []string
	for _, it := range s.Items { // the uses left of both are counted by name
		seen = append(seen, it.Name)
	}
	for i, sp := range s.Spells {
		field := "basic.spells[" + Itoa(i) + "]"
		if sp.Name == "" || len(sp.Name) > rules.MaxIDLength || slices.Contains(seen, sp.Name) {
			k.Wrong(field+".name", "%q is empty, too long or taken", sp.Name)
		}
		seen = append(seen, sp.Name)
		k.magic(field, sp)
	}
}

// magic checks what a spell or a magic item does.
func (k *Checker) magic(field string, sp *eventv1.BasicSpell) {
	if sp.Damage != "" {
		k.dice(field+".damage", sp.Damage)
	}
	if sp.Healing != "" {
		k.dice(field+".healing", sp.Healing)
	}
	if sp.Damage != "" && sp.Healing != "" {
		k.Wrong(field+".healing", "it harms or heals, not both")
	}
	k.OneOf(field+".condition", sp.Condition, k.Conditions)
	if sp.Save != "" {
		k.OneOf(field+".save", sp.Save, Categories)
	}
	k.Within(field+".uses", sp.Uses, 0, 100)
	most := int32(100)
	if sp.Use != "" { // whoever is in the area of one of a pack
		most = rules.MaxCreatures
	}
	k.Within(field+".targets", sp.Targets, 0, most)
	k.Within(field+".range_feet", sp.RangeFeet, 0, 10_000)
}

// StartingPlace is where a weapon is before the fight; empty for natural ones.
func StartingPlace(w *eventv1.BasicWeapon) string {
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
