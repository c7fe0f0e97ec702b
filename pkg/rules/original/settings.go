package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/toggles"
)

// Ids of the optional rules and of the readings that tables differ on.
const (
	setShortcut     = cite.AttackMultiShortcut
	setFumble       = cite.FumbleCriticalFumbleCheck
	setSpecial      = cite.CriticalMonsterSpecial
	setPartyDie     = cite.InitiativeOptionPartyDie
	setReroll       = cite.InitiativeOptionReroll
	setBehaviour    = cite.SurpriseMonsterBehaviour
	setAnimalLabels = cite.EncounterReactionAnimals
	setMindLabels   = cite.EncounterReactionIntelligent
	setMass         = cite.MassGrouping
	setMassPoints   = cite.MassUnitHitPoints
	setMassThrow    = cite.MassSingleHitThrow
	setMassDamage   = cite.MassDamage
	setMassSlain    = cite.MassSlainToAMan
	setMassLeft     = cite.MassSurvivors

	setRoundUp     = "original.setting.shortcut-round-up"
	setSwashbuckle = "original.setting.swashbuckler-all"
	setOutdoors    = "original.setting.outdoors"
	setTurnRounds  = "original.setting.rounds-per-turn"
	setReach       = "original.setting.reach-threshold"
	setPursue      = "original.setting.pursue-up-to"
	setStray       = "original.setting.fire-into-melee"
)

var settings = toggles.New([]rules.Setting{
	{ID: setShortcut},
	{ID: setFumble},
	{ID: setSpecial},
	{ID: setPartyDie},
	{ID: setReroll},
	{ID: setBehaviour},
	{ID: setAnimalLabels},
	{ID: setMindLabels},
	{ID: setMass},
	{ID: setMassPoints},
	{ID: setMassThrow},
	{ID: setMassDamage},
	{ID: setMassSlain},
	{ID: setMassLeft},
	toggles.OnOff(setRoundUp, "Shortcut rounds up", "on", "A fraction of a kill by the shortcut counts as a whole one."),
	toggles.OnOff(setSwashbuckle, "Swashbucklers of every fighter type", "off", "All fighter types may fight by DEX as a Fighter or Pirate may."),
	toggles.OnOff(setOutdoors, "Outdoors", "off", "Inches of movement are ten yards: speeds are three times those indoors."),
	toggles.OnOff(setStray, "Shots into melee go astray", "on", "Who shoots into a melee may hit a friend, unless an elf, or a hobbit with a sling."),
	{ID: setTurnRounds, Title: "Rounds in a Turn", Default: "10", Text: "How many rounds a Turn has: one charge in each."},
	{ID: setReach, Title: "Superior reach", Default: "2", Text: "Ranks of reach by which a weapon must be longer to strike first in the first melee round."},
	{ID: setPursue, Title: "Pursuit", Default: "7", Text: "Total of 2d6 up to which those who were left behind pursue."},
})

// Settings lists what a table may choose.
func (System) Settings() []rules.Setting { return settings.All() }

// StandingOrders lists the decisions that may be settled ahead.
func (System) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{
		{Decision: decReach, Orders: []string{"yes", "no"}, Text: "Strike first with the longer weapon when a foe closes"},
		{Decision: decSet, Orders: []string{"yes", "no"}, Text: "Set spear or pike against a charge"},
		{Decision: decMissile, Orders: []string{"yes", "no"}, Text: "Shoot at a charging foe"},
		{Decision: decAnswer, Orders: []string{"yes", "no"}, Text: "Strike back at a foe who has charged"},
		{Decision: decSpell, Orders: []string{"no"}, Text: "Cast at a charging foe"},
		{Decision: decWhipPull, Orders: []string{"yes", "no"}, Text: "Pull what a whip has entangled"},
		{Decision: decJoin, Orders: []string{"yes", "no"}, Text: "Grapple with one of the same side who asks for it"},
		{Decision: decStruggle, Orders: []string{"yes", "no"}, Text: "Struggle against a pin"},
	}
}

var defaults = settings
