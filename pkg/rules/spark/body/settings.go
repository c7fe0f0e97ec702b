package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/toggles"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Settings with an id of their own: readings that tables differ on.
const (
	SetBonusWithBoth = "spark.setting.bonus-with-move-and-attack"
	SetNearestTarget = "spark.setting.nearest-may-be-target"
	SetMonstersDie   = "spark.setting.monsters-die-at-zero"
	SetMagicBreak    = "spark.setting.magic-break"
	SetBrokenItem    = "spark.setting.broken-item"
	SetFrightEffect  = "spark.setting.frightened-effect"
)

// Ids of optional rules.
const (
	RuleAdvantage  = cite.DiceAdvantage
	RuleFeatBonus  = cite.ActionFeatBonus
	RuleProne      = cite.ConditionProne
	RuleFrightened = cite.ConditionFrightened
	RuleAlt        = cite.FumbleAltChoice
	RuleRetrieve   = cite.FumbleAltRetrieve
)

// Values of settings.
const (
	BreakBoth     = "both"
	BreakD10      = "d10-only"
	BreakHardness = "hardness-only"
	AtOnce        = "at-once"
	afterCombat   = "after-combat"
	frightHinders = "disadvantage"
)

// Settings are what a table may set for this system, each with its default.
var Settings = toggles.New([]rules.Setting{
	{ID: RuleAdvantage},
	{ID: RuleFeatBonus},
	{ID: RuleProne},
	{ID: RuleFrightened},
	{ID: SetBonusWithBoth, Title: "Bonus action with a move and an attack", Values: []string{"allow", "deny"}, Default: "allow",
		Text: "Whether a full move with a single attack leaves the bonus action."},
	toggles.OnOff(SetNearestTarget, "The nearest may be the target", "off", "Fumbles that hit the nearest may hit the creature that was aimed at, save where the table rules it out."),
	toggles.OnOff(SetMonstersDie, "Monsters die at 0 hit points", "on", "Creatures without players are dead at 0 hit points; others are dying."),
	{ID: SetFrightEffect, Title: "What fright does", Values: []string{"none", frightHinders}, Default: "none",
		Text: "Nothing but the state and its saves, or disadvantage on the frightened creature's attack rolls."},
	{ID: RuleAlt},
	{ID: SetMagicBreak, Title: "When magical weapons break (alternate table)", Values: []string{BreakBoth, BreakD10, BreakHardness}, Default: BreakBoth,
		Text: "A 1 on a d10 and then the check of its hardness, only the d10, or only the check."},
	{ID: SetBrokenItem, Title: "When it is known which object broke (alternate table)", Values: []string{AtOnce, afterCombat}, Default: afterCombat,
		Text: "At once, or when the fight is over."},
}, toggles.Rules(append(slices.Clone(altRules), RuleRetrieve)...))

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

// PartOn tells whether a result of the alternate table is in force: as set, or
// as the table is.
func PartOn(s *eventv1.State, id string) bool {
	if v, ok := s.GetSettings()[id]; ok {
		return v == "on"
	}
	return Defaults.On(s, RuleAlt)
}

// Defaults of the settings by id.
var Defaults = Settings
