package body

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/toggles"
)

// Ids of the optional rules and of the readings that tables differ on.
const (
	SetShortcut     = cite.AttackMultiShortcut
	SetFumble       = cite.FumbleCriticalFumbleCheck
	SetSpecial      = cite.CriticalMonsterSpecial
	SetPartyDie     = cite.InitiativeOptionPartyDie
	SetReroll       = cite.InitiativeOptionReroll
	SetBehaviour    = cite.SurpriseMonsterBehaviour
	SetAnimalLabels = cite.EncounterReactionAnimals
	SetMindLabels   = cite.EncounterReactionIntelligent
	SetMass         = cite.MassGrouping
	SetMassPoints   = cite.MassUnitHitPoints
	setMassThrow    = cite.MassSingleHitThrow
	SetMassDamage   = cite.MassDamage
	SetMassSlain    = cite.MassSlainToAMan
	SetMassLeft     = cite.MassSurvivors

	SetRoundUp     = "original.setting.shortcut-round-up"
	SetSwashbuckle = "original.setting.swashbuckler-all"
	SetOutdoors    = "original.setting.outdoors"
	SetTurnRounds  = "original.setting.rounds-per-turn"
	SetReach       = "original.setting.reach-threshold"
	SetPursue      = "original.setting.pursue-up-to"
	SetStray       = "original.setting.fire-into-melee"
)

// Settings are what a table may set for this system, each with its default.
var Settings = toggles.New([]rules.Setting{
	{ID: SetShortcut},
	{ID: SetFumble},
	{ID: SetSpecial},
	{ID: SetPartyDie},
	{ID: SetReroll},
	{ID: SetBehaviour},
	{ID: SetAnimalLabels},
	{ID: SetMindLabels},
	{ID: SetMass},
	{ID: SetMassPoints},
	{ID: setMassThrow},
	{ID: SetMassDamage},
	{ID: SetMassSlain},
	{ID: SetMassLeft},
	toggles.OnOff(SetRoundUp, "Shortcut rounds up", "on", "A fraction of a kill by the shortcut counts as a whole one."),
	toggles.OnOff(SetSwashbuckle, "Swashbucklers of every fighter type", "off", "All fighter types may fight by DEX as a Fighter or Pirate may."),
	toggles.OnOff(SetOutdoors, "Outdoors", "off", "Inches of movement are ten yards: speeds are three times those indoors."),
	toggles.OnOff(SetStray, "Shots into melee go astray", "on", "Who shoots into a melee may hit a friend, unless an elf, or a hobbit with a sling."),
	{ID: SetTurnRounds, Title: "Rounds in a Turn", Default: "10", Text: "How many rounds a Turn has: one charge in each."},
	{ID: SetReach, Title: "Superior reach", Default: "2", Text: "Ranks of reach by which a weapon must be longer to strike first in the first melee round."},
	{ID: SetPursue, Title: "Pursuit", Default: "7", Text: "Total of 2d6 up to which those who were left behind pursue."},
})

// Defaults reads the value of a setting at a table: its own, or the default.
var Defaults = Settings
