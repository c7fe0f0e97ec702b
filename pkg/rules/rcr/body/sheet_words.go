package body

import (
	"slices"
	"strings"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
)

// KnownTraits are the names of all traits that a sheet may have, and traitsError says
// what is wrong with their table.
var KnownTraits, TraitsError = knownTraits()

func knownTraits() (names []string, err error) {
	all, err := content.Traits()
	for _, t := range all {
		names = append(names, t.Name)
	}
	return names, err
}

// DecidedTrait tells whether code decides a trait by its name alone.
func DecidedTrait(name string) bool {
	all, _ := content.Traits()
	return slices.ContainsFunc(all, func(t content.Trait) bool { return t.Rule != "" && strings.EqualFold(t.Name, name) })
}

// TraitTwoWeapons is the fighting style of two weapons.
const TraitTwoWeapons = "fighting style two-weapon fighting"

// Feats are those that the document has; what some of them bring is in the numbers of
// the sheet alone.
var Feats = []string{FeatAlert, FeatAerialAce, FeatAthlete, FeatCharger, FeatCrusher, FeatDefensiveDuelist, FeatDualWielder, FeatDungeonDelver, FeatDurable,
	FeatElementalAdept, FeatGrappler, FeatHealer, FeatImprovedDualWielder, FeatInspiringLeader, FeatKeenMind, FeatLegerdemain, FeatMageSlayer,
	FeatMartialAdept, FeatMetamagicAdept, FeatMightyWings, FeatMobile, FeatSavageAttacker, FeatSentinel, FeatSkillExpert, FeatSkilled, FeatSkulker, FeatSpellSniper,
	FeatTavernBrawler, FeatTough, FeatWarCaster, FeatWeaponMaster}

// Properties of weapons; heavy, reach and ammunition are already in the numbers of
// an attack. What those after the weapons of the water do is for the table's equipment.
var Properties = append([]string{"ammunition", "finesse", "heavy", "improvised", "light", "one-handed", "reach", "reload", "thrown", "two-handed", "versatile",
	PropUnderwater}, UntoldProperties...)

// UntoldProperties are those that the document names without telling what they do.
var UntoldProperties = []string{"brace", "disarm", "double ended", "entangle", "knockback", "nimble", "stagger", "sunder", "trip", "wound"}

// Senses that a sheet may have, in feet.
var Senses = []string{"blindsight", "darkvision", "tremorsense", "truesight"}

// Words of a sheet's fields that are one of a few.
var (
	CastingTimes = []string{"action", "bonus", "reaction", "longer"}
	Activations  = []string{"action", "bonus", "other"}
	Rarities     = []string{"common", "uncommon", "rare", "very rare", "legendary", "artifact"}
	Recharges    = []string{"short rest", "long rest", "day", "recharge"}
	Variants     = []string{VariantStricken, VariantDisabled}
)
