package spark

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
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

func toggle(id, title, def, text string) rules.Setting {
	return rules.Setting{ID: id, Title: title, Text: text, Values: []string{"on", "off"}, Default: def}
}

// Values of settings.
const (
	breakBoth     = "both"
	breakD10      = "d10-only"
	breakHardness = "hardness-only"
	atOnce        = "at-once"
	afterCombat   = "after-combat"
)

var settings = append([]rules.Setting{
	toggle(ruleAdvantage, "Advantage and disadvantage", "on", "Two dice, the higher or the lower kept. Off: always one die."),
	toggle(ruleFeatBonus, "Feats that cost the bonus action", "on", "Feats that name the bonus action as their price may be used."),
	toggle(ruleProne, "Prone", "on", "Melee attacks on the prone have advantage; standing up takes the move action."),
	toggle(ruleFrightened, "Frightened", "on", "Frightened lasts until a Will save, tried again each following round, succeeds."),
	{ID: setBonusWithBoth, Title: "Bonus action with a move and an attack", Values: []string{"allow", "deny"}, Default: "allow",
		Text: "Whether a full move with a single attack leaves the bonus action."},
	toggle(setNearestTarget, "The nearest may be the target", "off", "Fumbles that hit the nearest may hit the creature that was aimed at, save where the table rules it out."),
	toggle(setMonstersDie, "Monsters die at 0 hit points", "on", "Creatures without players are dead at 0 hit points; others are dying."),
	{ID: setFrightEffect, Title: "What fright does", Values: []string{"none", "disadvantage"}, Default: "none",
		Text: "Nothing but the state and its saves, or disadvantage on the frightened creature's attack rolls."},
	toggle(ruleAlt, "Alternate fumble table", "off", "A critical fail of an attack is thrown for with one d20 on the alternate table instead of 2d4."),
	{ID: setMagicBreak, Title: "When magical weapons break (alternate table)", Values: []string{breakBoth, breakD10, breakHardness}, Default: breakBoth,
		Text: "A 1 on a d10 and then the check of its hardness, only the d10, or only the check."},
	{ID: setBrokenItem, Title: "When it is known which object broke (alternate table)", Values: []string{atOnce, afterCombat}, Default: afterCombat,
		Text: "At once, or when the fight is over."},
}, altParts()...)

// altParts are the results of the alternate table, each with a switch of its
// own that follows the table's where it is not set.
//
// spark.fumble.alt-choice
func altParts() []rules.Setting {
	var parts []rules.Setting
	for _, id := range append(slices.Clone(altRules), ruleRetrieve) {
		title := strings.ReplaceAll(strings.TrimPrefix(id, "spark.fumble.alt-"), "-", " ")
		parts = append(parts, toggle(id, "Alternate fumble: "+title, "off",
			"On with the alternate table unless it is set; off, this result is no more than the failed attack."))
	}
	return parts
}

// altRules are the results of the alternate table, in the order of the source.
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
var defaults = rules.DefaultsOf(settings)

// Settings lists what a table may choose.
func (System) Settings() []rules.Setting { return settings }

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
