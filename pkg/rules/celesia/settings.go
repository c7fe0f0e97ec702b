package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
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
func (System) Settings() []rules.Setting { return settings }

var settings = []rules.Setting{
	{ID: optDeck, Title: "Critical Hit Deck", Values: []string{"on", "off"}, Default: "off",
		Text: "A card of normal damage, stated as the fact deck: normal, counts every weapon die at its maximum and multiplies none."},
	{ID: optTended, Title: "Tended creatures are marked", Values: []string{"on", "off"}, Default: "on",
		Text: "A stable creature that a healer or magic has treated is marked as tended; it will recover in time."},
	{ID: optUntended, Title: "Untended creatures stay in danger", Values: []string{"on", "off"}, Default: "on",
		Text: "The game master is warned of a stable creature that nobody has tended."},
	{ID: optConvertFree, Title: "Free abilities", Values: []string{"on", "off"}, Default: "on",
		Text: "An ability that is a free action in the default economy costs no act and does not provoke."},
	{ID: optConvertSupport, Title: "Free abilities that support an action", Values: []string{"on", "off"}, Default: "on",
		Text: "A free ability that supports another action can be used only once that action was taken in the turn."},
	{ID: optConvertSwift, Title: "Swift abilities", Values: []string{"on", "off"}, Default: "on",
		Text: "An ability that is a swift action in the default economy costs 1 act, as often as one likes unless its sheet says once a turn."},
	{ID: optConvertMove, Title: "Abilities that are move actions", Values: []string{"on", "off"}, Default: "on",
		Text: "An ability that is a move action in the default economy costs 1 act."},
	{ID: optConvertAttack, Title: "Abilities that are attacks", Values: []string{"on", "off"}, Default: "on",
		Text: "An attack or maneuver that is a standard action in the default economy costs 1 act, a complicated one 2."},
	{ID: optConvertAbility, Title: "Supernatural and spell-like abilities", Values: []string{"on", "off"}, Default: "on",
		Text: "A standard-action ability costs 2 acts; spell-like ones provoke, supernatural ones do not."},
	{ID: optConvertFull, Title: "Abilities that are full-round actions", Values: []string{"on", "off"}, Default: "on",
		Text: "A full-attack or full-round action of the default economy costs 3 acts in a row."},
	{ID: optManipulate, Title: "Manipulations that take longer", Values: []string{"on", "off"}, Default: "on",
		Text: "The game master may make the handling of an item a complex action of 2 or more acts, in a row or not."},
	{ID: setRangedProvokes, Title: "Ranged attacks provoke", Values: []string{"on", "off"}, Default: "on",
		Text: "A ranged attack provokes attacks of opportunity although its entry has no such tag."},
	{ID: setOnTheWay, Title: "Moves provoke on the way", Values: []string{"on", "off"}, Default: "off",
		Text: "A Move also provokes from those who threaten a square that it leaves on the way, once each; else only from those who threaten where it starts."},
	{ID: setNaturalFaces, Title: "Natural 1 and 20 on attacks", Values: []string{"on", "off"}, Default: "off",
		Text: "A natural 20 always hits and a natural 1 always misses."},
	{ID: setLethalUnarmed, Title: "Lethal unarmed strikes", Values: []string{"disadvantage", "penalty"}, Default: "disadvantage",
		Text: "What a lethal blow with an unarmed strike costs: disadvantage, or 4 off the attack roll."},
}

var defaults = rules.DefaultsOf(settings)

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
