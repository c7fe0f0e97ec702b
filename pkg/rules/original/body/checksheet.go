package body

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	// Classes are those that rules ask for, and some that are of all others, as is any
	// name besides; empty is a creature without one.
	Classes = []string{"", "fighter", "ranger", "barbarian", "dwarf", "hobbit", "paladin", "pirate", "thief", "cleric", "magic-user", "elf"}
	kinds   = []string{"", "melee", "bow", "great-bow", "crossbow", "thrown", "javelin", "sling", "firearm", "polearm", "spear", "long-spear",
		"pike", "lance", "dagger", "whip", "hand", "natural"}
	// Races are those that rules ask for; a creature may be of any other.
	Races = []string{"elf", "hobbit"}
	// Abilities are the scores of a character; STR, DEX and PSY count in a fight.
	Abilities = []string{"strength", "intelligence", "psyche", "wisdom", "dexterity", "constitution", "charisma"}
	// Speeds are the ways to move; in a fight the one on foot counts.
	Speeds = []string{"walk", "fly", "swim", "climb", "burrow"}
)

// CheckSpell calls wrong for each field of a spell that is at fault; its name must not
// be one of those before it.
func CheckSpell(p *eventv1.OriginalSpell, before []*eventv1.OriginalSpell, wrong func(field, text string)) {
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

// CheckWeapon calls wrong for each field of a weapon that is at fault; its name must
// not be one of those before it.
func CheckWeapon(w *eventv1.OriginalWeapon, before []*eventv1.OriginalWeapon, wrong func(field, text string)) {
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
	if Missile(w) && w.LongFeet == 0 {
		wrong("long_feet", "missing on a missile weapon")
	}
	for _, by := range []struct{ field, word string }{{"ranged_ability_to_hit", w.RangedAbilityToHit}, {"ranged_ability_damage", w.RangedAbilityDamage}} {
		if !slices.Contains([]string{"", "dex", "str", "none"}, by.word) {
			wrong(by.field, "must be dex, str or none")
		}
	}
}
