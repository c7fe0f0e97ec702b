package body

import (
	"regexp"
)

var (
	// DiceWord matches dice without a bonus, such as 2d6: up to 99 dice of up to 99
	// sides.
	DiceWord = regexp.MustCompile(`^[1-9][0-9]?d[1-9][0-9]?$`)
	// HealingWord matches dice with or without a bonus of up to 999, such as 2d8+3.
	HealingWord = regexp.MustCompile(`^[1-9][0-9]?d[1-9][0-9]?(\+[1-9][0-9]{0,2})?$`)
)

// What the lists of a sheet may name.
var (
	KnownFeatures = []string{FeatCombatReflexes, FeatUncannyDodge, FeatImprovedGrapple, FeatImprovedUnarmed,
		FeatMonk, FeatQuickDraw, FeatPreciseShot, FeatRegeneration, FeatCounterspell, FeatOpportunityHold,
		FeatGreaterGrapple, FeatStillSpell, FeatBullRush, FeatDrag, FeatFeint, FeatTwoWeapon, FeatMultiweapon,
		FeatSpellCombat, FeatSpellstrike}
	KnownImmunities = []string{ImmuneCritical, ImmuneNonlethal, ImmuneBleed, ImmuneBreath}
	SpeedModes      = []string{"walk", "burrow", "climb", "fly", "swim"}
	// Answerable are the words for what an immediate ability answers.
	Answerable = []string{"attack", "cast", "move", "approach", "stand-up", "maneuver", "forced", "other"}
)
