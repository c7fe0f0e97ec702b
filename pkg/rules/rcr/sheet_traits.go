package rcr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

var (
	_ rules.Leaver      = System{}
	_ rules.ThingLeaver = System{}
)

// LeftOfThing says which properties of a weapon no code decides.
//
// rcr.feat.tavern-brawler-property
func (System) LeftOfThing(thing proto.Message) []fault.Violation {
	a, ok := thing.(*eventv1.RcrAttack)
	if !ok {
		return nil
	}
	return leftOfWeapon("properties", a)
}

// leftOfWeapon says which properties of a weapon the document names and does not tell
// what they do.
func leftOfWeapon(field string, a *eventv1.RcrAttack) (out []fault.Violation) {
	for i, name := range a.GetProperties() {
		if slices.ContainsFunc(body.UntoldProperties, func(p string) bool { return strings.EqualFold(p, name) }) {
			out = append(out, fault.Violation{Field: fmt.Sprintf("%s[%d]", field, i), Description: fmt.Sprintf("%q is not decided by code: the document does not tell what the property does, the table's equipment does", name)})
		}
	}
	return out
}

// featureWords checks the traits that have numbers of their own.
func (k *sheetChecker) featureWords(s *eventv1.RcrSheet) {
	k.count("features", len(s.Features))
	attacks := body.NamesOf(s.Attacks)
	var names []string
	for i, f := range s.Features {
		field := fmt.Sprintf("rcr.features[%d]", i)
		names = k.name(field, f.Name, names)
		k.known(field+".name", "trait", f.Name, body.KnownTraits)
		k.dice(field+".dice", f.Dice)
		k.known(field+".type", "type of damage", f.Type, body.DamageTypes)
		k.within(field+".feet", f.Feet, 0, body.MaxFeet)
		k.within(field+".number", f.Number, 0, 1_000_000)
		k.known(field+".attack", "attack of the sheet", f.Attack, attacks)
		k.known(field+".follow", "attack of the sheet", f.Follow, attacks)
		k.save(field+".save", f.Save)
	}
}

// LeftToPeople lists the traits of a sheet, and the properties of its weapons, that no code decides: what they do is for
// the table to say. A trait that is among the powers or the spells of the sheet is
// decided there, and one that content has by effects of its own.
func (System) LeftToPeople(book *effects.Book, sheet *eventv1.Sheet) []fault.Violation {
	s := sheet.GetRcr()
	if book == nil {
		book = rules.OwnBook(System{})
	}
	var out []fault.Violation
	say := func(field, name string) {
		if why := undecided(book, s, name); why != "" {
			out = append(out, fault.Violation{Field: "sheet." + field, Description: fmt.Sprintf("%q is not decided by code: %s", name, why)})
		}
	}
	for i, name := range s.GetTraits() {
		say(fmt.Sprintf("rcr.traits[%d]", i), name)
	}
	for i, f := range s.GetFeatures() {
		say(fmt.Sprintf("rcr.features[%d].name", i), f.Name)
	}
	for i, a := range s.GetAttacks() {
		out = append(out, leftOfWeapon(fmt.Sprintf("sheet.rcr.attacks[%d].properties", i), a)...)
	}
	return out
}

// undecided says why code does not decide a trait; empty when it does.
func undecided(book *effects.Book, s *eventv1.RcrSheet, name string) string {
	same := func(other string) bool { return strings.EqualFold(other, name) }
	power := slices.ContainsFunc(body.NamesOf(s.Powers), same) || slices.ContainsFunc(body.NamesOf(s.Spells), same)
	resource := slices.ContainsFunc(body.NamesOf(s.Resources), same)
	c := &eventv1.Creature{Sheet: &eventv1.Sheet{Section: &eventv1.Sheet_Rcr{Rcr: s}}}
	f := body.Feature(c, name)
	switch {
	case power, book.Entry(effects.Feats, strings.ReplaceAll(strings.ToLower(name), " ", "-")) != nil:
		return ""
	case !body.DecidedTrait(name):
		return "what it does is for the table to say"
	case body.Lacks(c, name) != "":
		return "the sheet gives no " + body.Lacks(c, name) + " for it among its features"
	case same("regeneration") && s.Regeneration == nil:
		return "the sheet does not say what it regenerates"
	case same("parry"), same(body.TraitRage):
		return "the sheet has no power of that name"
	case (same(body.TraitBoarRelentless) || same(body.TraitSecondWind) || same("action surge") || same(body.TraitRelentless)) && !resource:
		return "the sheet counts no uses of it among its resources"
	case strings.HasPrefix(strings.ToLower(name), body.TraitSneakAttack) && s.Level == 0 && f.GetDice() == "":
		return "the sheet gives neither a level nor dice for it"
	}
	return ""
}
