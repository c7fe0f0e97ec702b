package body

import (
	"fmt"
	"slices"
	"strings"
)

// castingAbilities are those that spells are cast by.
var castingAbilities = []string{"intelligence", "wisdom", "charisma"}

// featRow reads which abilities a feat may raise: some by name, any, or those that
// spells are cast by.
//
// rcr.feat.ability-increase
func (t *RuleBook) featRow(rec []string) error {
	of := strings.Split(rec[1], "|")
	switch rec[1] {
	case "any":
		of = Abilities
	case "spellcasting":
		of = castingAbilities
	}
	for _, a := range of {
		if !slices.Contains(Abilities, a) {
			return fmt.Errorf("%q is no ability", a)
		}
	}
	if _, twice := t.FeatAbilities[rec[0]]; twice {
		return fmt.Errorf("%q twice", rec[0])
	}
	t.FeatAbilities[rec[0]] = of
	return nil
}

// spellListRow reads which ability the cantrips of a class are cast by.
//
// rcr.feat.spell-sniper-cantrip
func (t *RuleBook) spellListRow(rec []string) error {
	if !slices.Contains(castingAbilities, rec[1]) {
		return fmt.Errorf("nobody casts by %q", rec[1])
	}
	t.SpellLists[rec[0]] = rec[1]
	return nil
}

// improvisedRow reads a property that an improvised weapon may have.
//
// rcr.feat.tavern-brawler-property
func (t *RuleBook) improvisedRow(rec []string) error {
	if rec[0] == "" || slices.Contains(t.Improvised, rec[0]) {
		return fmt.Errorf("%q is missing or there twice", rec[0])
	}
	t.Improvised = append(t.Improvised, rec[0])
	return nil
}
