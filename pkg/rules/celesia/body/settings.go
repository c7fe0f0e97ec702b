package body

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/toggles"
)

// Ids of the settings that are no rules of their own: readings that tables
// differ on.
const (
	SetRangedProvokes = "celesia.setting.ranged-provokes"
	SetNaturalFaces   = "celesia.setting.natural-1-and-20"
	SetLethalUnarmed  = "celesia.setting.lethal-unarmed"
	SetOnTheWay       = "celesia.setting.moves-provoke-on-the-way"
)

// Ids of the toggles: optional rules.
const (
	OptDeck     = cite.CriticalDeckNormal
	OptTended   = cite.RestTendedStableRecovery
	OptUntended = cite.DeathUntendedStableDanger

	OptConvertFree    = cite.ActionConvertFree
	OptConvertSupport = cite.ActionConvertFreeSupporting
	OptConvertSwift   = cite.ActionConvertSwift
	OptConvertMove    = cite.ActionConvertMove
	OptConvertAttack  = cite.ActionConvertStandardAttack
	OptConvertAbility = cite.ActionConvertStandardAbility
	OptConvertFull    = cite.ActionConvertFull
	OptManipulate     = cite.EquipmentManipulateComplex
)

// Settings are the toggles and settings of this system, in the order in which they
// are listed.
var Settings = toggles.New([]rules.Setting{
	{ID: OptDeck},
	{ID: OptTended},
	{ID: OptUntended},
	{ID: OptConvertFree},
	{ID: OptConvertSupport},
	{ID: OptConvertSwift},
	{ID: OptConvertMove},
	{ID: OptConvertAttack},
	{ID: OptConvertAbility},
	{ID: OptConvertFull},
	{ID: OptManipulate},
	{ID: SetRangedProvokes, Title: "Ranged attacks provoke", Values: []string{"on", "off"}, Default: "on",
		Text: "A ranged attack provokes attacks of opportunity although its entry has no such tag."},
	{ID: SetOnTheWay, Title: "Moves provoke on the way", Values: []string{"on", "off"}, Default: "off",
		Text: "A Move also provokes from those who threaten a square that it leaves on the way, once each; else only from those who threaten where it starts."},
	{ID: SetNaturalFaces, Title: "Natural 1 and 20 on attacks", Values: []string{"on", "off"}, Default: "off",
		Text: "A natural 20 always hits and a natural 1 always misses."},
	{ID: SetLethalUnarmed, Title: "Lethal unarmed strikes", Values: []string{"disadvantage", "penalty"}, Default: "disadvantage",
		Text: "What a lethal blow with an unarmed strike costs: disadvantage, or 4 off the attack roll."},
})

// Defaults is the same list as Settings, by which the rules read what a setting
// stands at in a state.
var Defaults = Settings
