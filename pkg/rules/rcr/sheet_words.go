package rcr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// traits are those that these rules decide by their names.
var traits = []string{"acts while surprised", "action surge", "cunning action", "ignores surprise", traitLegendaryResistance, "magic resistance",
	"nimble escape", "pack tactics", "patient defense", traitRelentless, "step of the wind", traitUncannyDodge, traitUndeadFortitude}

// undecided are traits that shipped sheets have and that these rules leave to the
// table: what they do is stated, or is among the sheet's powers and resources.
var undecided = []string{"aggressive", "arcane recovery", "brave", "channel divinity", "danger sense", "dwarven resilience", "fey ancestry",
	"fighting style defense", "halfling nimbleness", "keen hearing and smell", "keen sight and smell", "keen smell", "lucky", "rage",
	"reckless attack", "savage attacks", "second wind", "sneak attack", "spider climb", "web sense", "web walker"}

// feats are those that these rules decide by their names.
var feats = []string{featAlert, featWarCaster}

// properties of weapons; heavy, reach and ammunition are already in the numbers of
// an attack.
var properties = []string{"ammunition", "finesse", "heavy", "light", "one-handed", "reach", "reload", "thrown", "two-handed", "versatile"}

// senses that a sheet may have, in feet.
var senses = []string{"blindsight", "darkvision", "tremorsense", "truesight"}

// Words of a sheet's fields that are one of a few.
var (
	castingTimes = []string{"action", "bonus", "reaction", "longer"}
	activations  = []string{"action", "bonus", "other"}
	rarities     = []string{"common", "uncommon", "rare", "very rare", "legendary", "artifact"}
	recharges    = []string{"short rest", "long rest", "day", "recharge"}
	variants     = []string{variantStricken, variantDisabled}
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
	k.allKnown("rcr.traits", "trait", s.Traits, append(slices.Clone(traits), undecided...))
	k.allKnown("rcr.feats", "feat", s.Feats, append(k.content.IDs(effects.Feats), feats...))
	k.allKnown("rcr.condition_immunities", "condition", s.ConditionImmunities, slices.Concat(System{}.Vocabulary().Names(rules.PlaceCondition, ""), k.content.IDs(effects.Conditions), []string{cExhaustion}))
	for _, mode := range rules.SortedKeys(sheet.Speeds) {
		k.known("speeds["+mode+"]", "mode of movement", mode, modes)
	}
	for _, sense := range rules.SortedKeys(s.Senses) {
		k.known("rcr.senses["+sense+"]", "sense", sense, senses)
	}
	for i, sk := range s.Skills {
		k.known(fmt.Sprintf("rcr.skills[%d].name", i), "skill", sk.Name, append(rules.SortedKeys(skillAbility), abilities...))
	}
	for _, list := range []struct {
		field string
		of    []*eventv1.RcrDefense
	}{{"immunities", s.Immunities}, {"resistances", s.Resistances}, {"vulnerabilities", s.Vulnerabilities}} {
		for i, d := range list.of {
			k.known(fmt.Sprintf("rcr.%s[%d].type", list.field, i), "type of damage", d.Type, damageTypes)
		}
	}
	for i, res := range s.Resources {
		k.known(fmt.Sprintf("rcr.resources[%d].recharge", i), "recharge", res.Recharge, recharges)
	}
	k.thingWords(s)
}

// thingWords checks the words of attacks, powers, spells and items.
func (k *sheetChecker) thingWords(s *eventv1.RcrSheet) {
	for i, a := range s.Attacks {
		field := fmt.Sprintf("rcr.attacks[%d]", i)
		k.allKnown(field+".properties", "property of a weapon", a.Properties, properties)
		k.known(field+".usage.recharge", "recharge", a.GetUsage().GetRecharge(), recharges)
	}
	for i, p := range s.Powers {
		field := fmt.Sprintf("rcr.powers[%d]", i)
		k.known(field+".usage.recharge", "recharge", p.GetUsage().GetRecharge(), recharges)
		if names := namesOf(s.Resources); p.Resource != "" && !slices.Contains(names, p.Resource) {
			k.wrong(field+".resource", "%q is no resource of the sheet%s", p.Resource, rules.DidYouMean(p.Resource, names))
		}
	}
	for i, sp := range s.Spells {
		field := fmt.Sprintf("rcr.spells[%d]", i)
		k.known(field+".casting_time", "casting time", sp.CastingTime, castingTimes)
		k.known(field+".usage.recharge", "recharge", sp.GetUsage().GetRecharge(), recharges)
	}
	for i, it := range s.Items {
		field := fmt.Sprintf("rcr.items[%d]", i)
		k.known(field+".activation", "activation", it.Activation, activations)
		k.known(field+".rarity", "rarity", it.Rarity, rarities)
	}
}
