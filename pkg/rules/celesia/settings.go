package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/toggles"
)

// Ids of the settings that are no rules of their own: readings that tables
// differ on.
const (
	setRangedProvokes = "celesia.setting.ranged-provokes"
	setNaturalFaces   = "celesia.setting.natural-1-and-20"
	setLethalUnarmed  = "celesia.setting.lethal-unarmed"
	setOnTheWay       = "celesia.setting.moves-provoke-on-the-way"
)

// Ids of the toggles: optional rules.
const (
	optDeck     = cite.CriticalDeckNormal
	optTended   = cite.RestTendedStableRecovery
	optUntended = cite.DeathUntendedStableDanger

	optConvertFree    = cite.ActionConvertFree
	optConvertSupport = cite.ActionConvertFreeSupporting
	optConvertSwift   = cite.ActionConvertSwift
	optConvertMove    = cite.ActionConvertMove
	optConvertAttack  = cite.ActionConvertStandardAttack
	optConvertAbility = cite.ActionConvertStandardAbility
	optConvertFull    = cite.ActionConvertFull
	optManipulate     = cite.EquipmentManipulateComplex
)

// Settings lists what a table may choose.
func (System) Settings() []rules.Setting { return settings.All() }

var settings = toggles.New([]rules.Setting{
	{ID: optDeck},
	{ID: optTended},
	{ID: optUntended},
	{ID: optConvertFree},
	{ID: optConvertSupport},
	{ID: optConvertSwift},
	{ID: optConvertMove},
	{ID: optConvertAttack},
	{ID: optConvertAbility},
	{ID: optConvertFull},
	{ID: optManipulate},
	{ID: setRangedProvokes, Title: "Ranged attacks provoke", Values: []string{"on", "off"}, Default: "on",
		Text: "A ranged attack provokes attacks of opportunity although its entry has no such tag."},
	{ID: setOnTheWay, Title: "Moves provoke on the way", Values: []string{"on", "off"}, Default: "off",
		Text: "A Move also provokes from those who threaten a square that it leaves on the way, once each; else only from those who threaten where it starts."},
	{ID: setNaturalFaces, Title: "Natural 1 and 20 on attacks", Values: []string{"on", "off"}, Default: "off",
		Text: "A natural 20 always hits and a natural 1 always misses."},
	{ID: setLethalUnarmed, Title: "Lethal unarmed strikes", Values: []string{"disadvantage", "penalty"}, Default: "disadvantage",
		Text: "What a lethal blow with an unarmed strike costs: disadvantage, or 4 off the attack roll."},
})

var defaults = settings

// StandingOrders lists the decisions that may be settled ahead.
func (System) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{
		{Decision: decReaction, Orders: []string{"no"}, Text: "Let every chance to react pass"},
		{Decision: decReenter, Orders: []string{"yes", "no"}, Text: "Come back from a delay at the first chance, or never"},
		{Decision: decCrippling, Orders: []string{"none", "scar", "major-scar"}, Text: "Injury to take in place of damage that would bring hit points to 0 or lower"},
		{Decision: decPass, Orders: []string{"yes", "no"}, Text: "Let a creature that overruns pass, or stand in its way"},
		{Decision: decHazard, Orders: []string{"no", "maneuver", "escape-artist"}, Text: "How to break free before being put in danger"},
		{Decision: decEscape, Orders: []string{"free", "control"}, Text: "What a successful escape from a grapple gains"},
		{Decision: decCleave, Orders: []string{"no"}, Text: "Never cleave on after a hit"},
		{Decision: decBear, Orders: []string{"yes", "no"}, Text: "Bear riders of one's own side whom others play, or none"},
		{Decision: decWilling, Orders: []string{"yes", "no"}, Text: "Let the spells of allies whom others play work, or none"},
		{Decision: decExtra, Orders: []string{mostActs}, Text: "Of several effects that give extra acts, take the one that gives most"},
		{Decision: decRideOn, Orders: []string{"yes", "no"}, Text: "Whether the mount moves on after a spell from the saddle"},
	}
}
