package growth

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// checking is a sheet whose choices are checked.
type checking struct {
	sheet *eventv1.Sheet
	s     *eventv1.RcrSheet
	wrong func(field, format string, args ...any)
}

// Check tells the function what is wrong with the choices of a sheet's feats and with
// its training.
func Check(sheet *eventv1.Sheet, wrong func(field, format string, args ...any)) {
	k := &checking{sheet: sheet, s: sheet.GetRcr(), wrong: wrong}
	var seen []string
	for i, f := range k.s.ChosenFeats {
		at, feat := fmt.Sprintf("rcr.chosen_feats[%d]", i), body.FeatName(f.Name)
		if slices.Contains(seen, feat) {
			wrong(at+".name", "%q is there twice", f.Name)
		}
		seen = append(seen, feat)
		if f.IncludedLevel < 0 || f.IncludedLevel > 20 {
			wrong(at+".included_level", "must be 0 to 20, not %d", f.IncludedLevel)
		}
		k.ability(at, feat, f)
		k.picks(at, feat, f)
	}
	k.training()
	k.improvised()
}

// ability checks which ability a feat raises.
//
// rcr.feat.ability-increase
func (k *checking) ability(at, feat string, f *eventv1.RcrFeat) {
	list, of := body.Book.FeatAbilities[feat], strings.ToLower(f.Ability)
	switch {
	case of == "" && len(list) > 1 && !f.Included:
		k.wrong(at+".ability", "missing: %s raises one of %s", f.Name, strings.Join(list, ", "))
	case of == "":
	case len(list) == 0:
		k.wrong(at+".ability", "%s raises no ability", f.Name)
	case of != f.Ability || !slices.Contains(list, of):
		k.wrong(at+".ability", "%s raises one of %s, not %q", f.Name, strings.Join(list, ", "), f.Ability)
	case feat == body.FeatSpellSniper && castingAbility(k.sheet) != "" && castingAbility(k.sheet) != of && !f.Included:
		k.wrong(at+".ability", "spells are cast by %s, not by %s", castingAbility(k.sheet), of)
	}
}

// choice is what a feat lets one pick.
type choice struct {
	picks, equipment, both int // how many; both together where either will do
}

var choices = map[string]choice{
	body.FeatKeenMind:       {picks: 1},
	body.FeatSkillExpert:    {picks: 1},
	body.FeatSkilled:        {both: 3},
	body.FeatMartialAdept:   {picks: 2},
	body.FeatMetamagicAdept: {picks: 2},
	body.FeatSpellSniper:    {picks: 1},
	body.FeatWeaponMaster:   {equipment: 4},
}

// picks checks what was picked with a feat: as many as it gives, each once, of what it
// offers. Where the numbers include the feat, nothing need be said.
//
// rcr.feat.skilled-picks, rcr.feat.weapon-master-training,
// rcr.feat.martial-adept-maneuvers, rcr.feat.metamagic-adept-options
func (k *checking) picks(at, feat string, f *eventv1.RcrFeat) {
	c, said := choices[feat], len(f.Picks)+len(f.Equipment)
	if said == 0 && f.Included && f.Expertise == "" {
		return
	}
	switch n, m := len(f.Picks), len(f.Equipment); {
	case c.both > 0 && said != c.both:
		k.wrong(at+".picks", "%s has %d picks and equipment together, not %d", f.Name, c.both, said)
	case c.both == 0 && n != c.picks:
		k.wrong(at+".picks", "%s has %d picks, not %d", f.Name, c.picks, n)
	case c.both == 0 && m != c.equipment:
		k.wrong(at+".equipment", "%s has %d kinds of equipment, not %d", f.Name, c.equipment, m)
	}
	for i, p := range append(slices.Clone(f.Picks), f.Equipment...) {
		if p == "" || len(p) > rules.MaxIDLength {
			k.wrong(at+".picks", "a pick must be 1 to %d bytes", rules.MaxIDLength)
		} else if body.Named(append(slices.Clone(f.Picks), f.Equipment...)[:i], p) {
			k.wrong(at+".picks", "%q is picked twice", p)
		}
	}
	k.offered(at, feat, f)
}

// offered checks each pick against what the feat offers.
//
// rcr.feat.keen-mind-lore, rcr.feat.skill-expert-expertise,
// rcr.feat.spell-sniper-cantrip
func (k *checking) offered(at, feat string, f *eventv1.RcrFeat) {
	one := func(what string, known []string) {
		for i, p := range f.Picks {
			if !body.Named(known, p) {
				k.wrong(fmt.Sprintf("%s.picks[%d]", at, i), "%q is no %s%s", p, what, rules.DidYouMean(p, known))
			}
		}
	}
	switch feat {
	case body.FeatKeenMind:
		one("lore of a keen mind", lore)
	case body.FeatMartialAdept:
		one("power of the sheet", body.NamesOf(k.s.Powers))
	case body.FeatMetamagicAdept:
		one("option of metamagic", body.MetamagicOptions())
	case body.FeatSpellSniper:
		one("spell of the sheet", body.NamesOf(k.s.Spells))
		for _, p := range f.Picks {
			if sp := body.SpellNamed(k.s, p); sp != nil && (sp.Level > 0 || sp.Attack == "") {
				k.wrong(at+".picks", "%q is no cantrip with an attack roll", p)
			}
		}
		if lists := rules.SortedKeys(body.Book.SpellLists); !slices.Contains(lists, f.SpellList) {
			k.wrong(at+".spell_list", "%q is none of %s", f.SpellList, strings.Join(lists, ", "))
		}
	}
	switch known := body.Named(f.Picks, f.Expertise) || body.ProficientIn(k.s, f.Expertise); {
	case feat != body.FeatSkillExpert && f.Expertise != "":
		k.wrong(at+".expertise", "%s has none", f.Name)
	case feat == body.FeatSkillExpert && !known && !k.taught(f.Expertise):
		k.wrong(at+".expertise", "%q is no skill or tool of proficiency", f.Expertise)
	}
}

// taught tells whether a feat of the sheet makes proficient in a skill or tool.
func (k *checking) taught(name string) bool {
	for _, f := range k.s.ChosenFeats {
		switch body.FeatName(f.Name) {
		case body.FeatSkilled, body.FeatKeenMind:
			if body.Named(f.Picks, name) {
				return true
			}
		case body.FeatLegerdemain:
			if body.Named([]string{thievesTools, "sleight of hand"}, name) {
				return true
			}
		}
	}
	return false
}

// training checks the ranks of training.
func (k *checking) training() {
	if len(k.s.Training) > body.MaxEntries {
		k.wrong("rcr.training", "at most %d", body.MaxEntries)
	}
	var seen []string
	for i, t := range k.s.Training {
		at := fmt.Sprintf("rcr.training[%d]", i)
		if t.Name == "" || len(t.Name) > rules.MaxIDLength {
			k.wrong(at+".name", "must be 1 to %d bytes", rules.MaxIDLength)
		} else if body.Named(seen, t.Name) {
			k.wrong(at+".name", "%q is there twice", t.Name)
		}
		seen = append(seen, t.Name)
		if !slices.Contains(body.Ranks, t.Rank) {
			k.wrong(at+".rank", "%q is none of %s", t.Rank, strings.Join(body.Ranks, ", "))
		}
	}
}

// improvised checks that what is no weapon has one property of those that a tavern
// brawler may give it, and has it from one.
//
// rcr.feat.tavern-brawler-property
func (k *checking) improvised() {
	brawler := body.HasFeat(&eventv1.Creature{Sheet: k.sheet}, body.FeatTavernBrawler) || body.ChosenFeat(k.s, body.FeatTavernBrawler) != nil
	for i, a := range k.s.Attacks {
		if !body.Named(a.Properties, body.PropImprovised) {
			continue
		}
		var has []string
		for _, p := range a.Properties {
			if body.Named(body.Book.Improvised, p) && (brawler || !slices.Contains(plain, strings.ToLower(p))) {
				has = append(has, p)
			}
		}
		switch at := fmt.Sprintf("rcr.attacks[%d].properties", i); {
		case len(has) > 0 && !brawler:
			k.wrong(at, "what is no weapon is %s for a tavern brawler alone", has[0])
		case len(has) > 1:
			k.wrong(at, "what is no weapon has one of %s", strings.Join(has, ", "))
		}
	}
}

// plain are properties that the thing itself can have, in anybody's hands.
var plain = []string{"heavy", "light", "reach"}
