package spark

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/toggles"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Settings with an id of their own: readings that tables differ on.
const (
	setBonusWithBoth = "spark.setting.bonus-with-move-and-attack"
	setNearestTarget = "spark.setting.nearest-may-be-target"
	setMonstersDie   = "spark.setting.monsters-die-at-zero"
	setMagicBreak    = "spark.setting.magic-break"
	setBrokenItem    = "spark.setting.broken-item"
	setFrightEffect  = "spark.setting.frightened-effect"
)

// Ids of optional rules.
const (
	ruleAdvantage  = cite.DiceAdvantage
	ruleFeatBonus  = cite.ActionFeatBonus
	ruleProne      = cite.ConditionProne
	ruleFrightened = cite.ConditionFrightened
	ruleAlt        = cite.FumbleAltChoice
	ruleRetrieve   = cite.FumbleAltRetrieve
)

// Values of settings.
const (
	breakBoth     = "both"
	breakD10      = "d10-only"
	breakHardness = "hardness-only"
	atOnce        = "at-once"
	afterCombat   = "after-combat"
)

var settings = toggles.New([]rules.Setting{
	{ID: ruleAdvantage},
	{ID: ruleFeatBonus},
	{ID: ruleProne},
	{ID: ruleFrightened},
	{ID: setBonusWithBoth, Title: "Bonus action with a move and an attack", Values: []string{"allow", "deny"}, Default: "allow",
		Text: "Whether a full move with a single attack leaves the bonus action."},
	toggles.OnOff(setNearestTarget, "The nearest may be the target", "off", "Fumbles that hit the nearest may hit the creature that was aimed at, save where the table rules it out."),
	toggles.OnOff(setMonstersDie, "Monsters die at 0 hit points", "on", "Creatures without players are dead at 0 hit points; others are dying."),
	{ID: setFrightEffect, Title: "What fright does", Values: []string{"none", "disadvantage"}, Default: "none",
		Text: "Nothing but the state and its saves, or disadvantage on the frightened creature's attack rolls."},
	{ID: ruleAlt},
	{ID: setMagicBreak, Title: "When magical weapons break (alternate table)", Values: []string{breakBoth, breakD10, breakHardness}, Default: breakBoth,
		Text: "A 1 on a d10 and then the check of its hardness, only the d10, or only the check."},
	{ID: setBrokenItem, Title: "When it is known which object broke (alternate table)", Values: []string{atOnce, afterCombat}, Default: afterCombat,
		Text: "At once, or when the fight is over."},
}, toggles.Rules(append(slices.Clone(altRules), ruleRetrieve)...))

// altRules are the results of the alternate table, in the order of the source,
// each with a switch of its own that follows the table's where it is not set.
//
// spark.fumble.alt-choice
var altRules = []string{
	cite.FumbleAltWeaponBreak,
	cite.FumbleAltOuch,
	cite.FumbleAltWeaponFlies,
	cite.FumbleAltStringSnaps,
	cite.FumbleAltPulledArms,
	cite.FumbleAltWildSwing,
	cite.FumbleAltLooseString,
	cite.FumbleAltStuckWeapon,
	cite.FumbleAltSlipUp,
	cite.FumbleAltStrayMelee,
	cite.FumbleAltSelfWound,
	cite.FumbleAltStrayRanged,
	cite.FumbleAltSlipUpNatural,
	cite.FumbleAltPulledLegs,
	cite.FumbleAltLossOfNerve,
	cite.FumbleAltLossOfNerveNatural,
	cite.FumbleAltAmmoAccident,
	cite.FumbleAltBrokenItem,
	cite.FumbleAltHopelessThrow,
	cite.FumbleAltAccident,
}

// partOn tells whether a result of the alternate table is in force: as set, or
// as the table is.
func partOn(s *eventv1.State, id string) bool {
	if v, ok := s.GetSettings()[id]; ok {
		return v == "on"
	}
	return defaults.On(s, ruleAlt)
}

// defaults of the settings by id.
var defaults = settings

// Settings lists what a table may choose.
func (System) Settings() []rules.Setting { return settings.All() }

// StandingOrders lists the decisions that may be settled ahead.
func (System) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{
		{Decision: decOpportunity, Orders: []string{"no"}, Text: "Let every opportunity attack pass"},
		{Decision: decCounterspell, Orders: []string{"no"}, Text: "Never counterspell"},
		{Decision: decRetrieve, Orders: []string{"no"}, Text: "Let a weapon lie that flew off"},
		{Decision: decFree, Orders: []string{"yes", "no"}, Text: "Pull at a stuck weapon at once, or not"},
		{Decision: decFlyingSave, Orders: []string{"strength", "reflex"}, Text: "The save by which a weapon is held"},
	}
}
