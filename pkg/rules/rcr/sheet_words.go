package rcr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/growth"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// known says that a word is none of those known, with the near ones. An empty
// word is none said.
func (k *sheetChecker) known(field, what, word string, known []string) {
	if word != "" && !slices.ContainsFunc(known, func(x string) bool { return strings.EqualFold(x, word) }) {
		k.wrong(field, "%q is no %s%s; known are %s", word, what, rules.DidYouMean(word, known), strings.Join(known, ", "))
	}
}

func (k *sheetChecker) allKnown(field, what string, said, known []string) {
	for i, word := range said {
		k.known(fmt.Sprintf("%s[%d]", field, i), what, word, known)
		if word == "" {
			k.wrong(fmt.Sprintf("%s[%d]", field, i), "missing")
		}
	}
}

// words checks what a sheet says by name: what these rules do not know would
// otherwise be on the sheet and do nothing.
func (k *sheetChecker) words(sheet *eventv1.Sheet, s *eventv1.RcrSheet) {
	for i, name := range s.Traits {
		if field := fmt.Sprintf("rcr.traits[%d]", i); name == "" {
			k.wrong(field, "missing")
		} else if !body.Named(body.KnownTraits, name) {
			k.wrong(field, "%q is no trait%s", name, rules.DidYouMean(name, body.KnownTraits)) // too many to list them all
		}
	}
	k.featureWords(s)
	feats := append(k.content.IDs(effects.Feats), body.Feats...)
	k.allKnown("rcr.feats", "feat", s.Feats, feats)
	k.allKnown("feats", "feat", sheet.Feats, feats)
	for i, f := range s.ChosenFeats {
		at := fmt.Sprintf("rcr.chosen_feats[%d].name", i)
		k.known(at, "feat", body.FeatName(f.Name), spaced(feats))
		if f.Name == "" {
			k.wrong(at, "missing")
		}
	}
	growth.Check(sheet, k.wrong)
	k.allKnown("rcr.condition_immunities", "condition", s.ConditionImmunities, slices.Concat(System{}.Vocabulary().Names(rules.PlaceCondition, ""), k.content.IDs(effects.Conditions), []string{body.CExhaustion}))
	for _, mode := range rules.SortedKeys(sheet.Speeds) {
		k.known("speeds["+mode+"]", "mode of movement", mode, body.Modes)
	}
	for _, sense := range rules.SortedKeys(s.Senses) {
		k.known("rcr.senses["+sense+"]", "sense", sense, body.Senses)
	}
	for i, sk := range s.Skills {
		k.known(fmt.Sprintf("rcr.skills[%d].name", i), "skill", sk.Name, append(rules.SortedKeys(body.SkillAbility), body.Abilities...))
	}
	for _, list := range []struct {
		field string
		of    []*eventv1.RcrDefense
	}{{"immunities", s.Immunities}, {"resistances", s.Resistances}, {"vulnerabilities", s.Vulnerabilities}} {
		for i, d := range list.of {
			k.known(fmt.Sprintf("rcr.%s[%d].type", list.field, i), "type of damage", d.Type, body.DamageTypes)
		}
	}
	for i, res := range s.Resources {
		k.known(fmt.Sprintf("rcr.resources[%d].recharge", i), "recharge", res.Recharge, body.Recharges)
	}
	k.known("rcr.spell_ability", "ability", s.SpellAbility, body.Abilities)
	k.thingWords(s)
	k.bardingWords(s)
	k.mount(sheet, s)
}

// spaced are names of feats as these rules spell them.
func spaced(names []string) (out []string) {
	for _, n := range names {
		out = append(out, body.FeatName(n))
	}
	return out
}

// bardingWords checks what a sheet says of barding.
func (k *sheetChecker) bardingWords(s *eventv1.RcrSheet) {
	const at = "rcr.barding"
	k.known("rcr.barding_training", "grade of barding", s.BardingTraining, body.BardingGrades)
	if s.Barding == nil {
		return
	}
	k.known(at+".type", "type of barding", s.Barding.Type, rules.SortedKeys(body.Book.Barding))
	if s.Barding.Type == "" {
		k.wrong(at+".type", "missing")
	}
	k.within(at+".weight", s.Barding.Weight, 0, 1_000_000)
	k.within(at+".gold", s.Barding.Gold, 0, 1_000_000)
}

// mount checks what a sheet says of a mount and its tack. A saddle that does not fit
// is refused.
//
// rcr.mount.traits, rcr.mount.exotic-size
func (k *sheetChecker) mount(sheet *eventv1.Sheet, s *eventv1.RcrSheet) {
	k.allKnown("rcr.mount_traits", "trait of a mount", s.MountTraits, body.MountTraits)
	k.known("rcr.saddle", "saddle", s.Saddle, body.Saddles)
	k.within("rcr.training_total", s.TrainingTotal, 0, 100_000)
	k.within("rcr.shield_bonus", s.ShieldBonus, 0, 20)
	k.count("bonds", len(s.Bonds))
	if s.Saddle == "" && (s.SaddleExotic || s.SaddlePlatform) {
		k.wrong("rcr.saddle", "missing: what is exotic or a platform is a saddle")
	}
	if s.Saddle != "" && !s.SaddleExotic && (sheet.Size == "huge" || sheet.Size == "gargantuan") {
		k.wrong("rcr.saddle_exotic", "a %s mount takes an exotic saddle only", sheet.Size)
	}
	if s.ShieldStrapped && s.Shield == eventv1.RcrSheet_SHIELD_UNSPECIFIED {
		k.wrong("rcr.shield_strapped", "there is no shield")
	}
}

// thingWords checks the words of attacks, powers, spells and items.
func (k *sheetChecker) thingWords(s *eventv1.RcrSheet) {
	for i, a := range s.Attacks {
		field := fmt.Sprintf("rcr.attacks[%d]", i)
		k.allKnown(field+".properties", "property of a weapon", a.Properties, body.Properties)
		k.known(field+".usage.recharge", "recharge", a.GetUsage().GetRecharge(), body.Recharges)
	}
	for i, p := range s.Powers {
		field := fmt.Sprintf("rcr.powers[%d]", i)
		k.known(field+".usage.recharge", "recharge", p.GetUsage().GetRecharge(), body.Recharges)
		if names := body.NamesOf(s.Resources); p.Resource != "" && !slices.Contains(names, p.Resource) {
			k.wrong(field+".resource", "%q is no resource of the sheet%s", p.Resource, rules.DidYouMean(p.Resource, names))
		}
	}
	for i, sp := range s.Spells {
		field := fmt.Sprintf("rcr.spells[%d]", i)
		k.known(field+".casting_time", "casting time", sp.CastingTime, body.CastingTimes)
		k.known(field+".ability", "ability", sp.Ability, body.Abilities)
		k.known(field+".usage.recharge", "recharge", sp.GetUsage().GetRecharge(), body.Recharges)
	}
	for i, it := range s.Items {
		field := fmt.Sprintf("rcr.items[%d]", i)
		k.known(field+".activation", "activation", it.Activation, body.Activations)
		k.known(field+".rarity", "rarity", it.Rarity, body.Rarities)
		k.known(field+".flight", "way of flying", it.Flight, body.Lifts)
	}
}
