package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
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

var settings = []rules.Setting{
	toggle(setShortcut, "Shortcut for many attacks", "off", "Attacks against Normal Men may be counted instead of rolled."),
	toggle(setFumble, "Critical fumbles", "off", "A natural 1 is checked for a critical fumble."),
	toggle(setSpecial, "Special attacks of monsters", "on", "A high natural roll that hits sets off the monster's special attack."),
	toggle(setPartyDie, "One initiative die for the party", "off", "All player characters of a side share one initiative die."),
	toggle(setReroll, "Initiative every round", "off", "Initiative is rolled anew every round."),
	toggle(setBehaviour, "What monsters do with surprise", "on", "The game master is told what monsters who gain surprise may do."),
	toggle(setAnimalLabels, "Reactions of animals", "on", "What an animal does is one of angry, hungry, frightened, curious, friendly, disinterested. Off: of the table."),
	toggle(setMindLabels, "Reactions of intelligent monsters", "on", "What they do is one of hostile, parley, friendly, run away, observe, other. Off: of the table."),
	toggle(setMass, "Mass combat", "on", "Combatants of large forces fight in units, each as one man."),
	toggle(setMassPoints, "Hit points of units", "on", "A unit has one six-sided die of hit points for each man and hit die."),
	toggle(setMassThrow, "One throw for a unit", "on", "A unit makes one to-hit throw. Off: one for each of its men."),
	toggle(setMassDamage, "Damage of units", "on", "A unit's hit does a die of damage for each of its men. Off: its weapon's."),
	toggle(setMassSlain, "Slain to a man", "on", "A unit without points is dead. Off: it is broken and out of the fight."),
	toggle(setMassLeft, "Survivors", "on", "The men left alive in units are counted when the encounter ends."),
	toggle(setRoundUp, "Shortcut rounds up", "on", "A fraction of a kill by the shortcut counts as a whole one."),
	toggle(setSwashbuckle, "Swashbucklers of every fighter type", "off", "All fighter types may fight by DEX as a Fighter or Pirate may."),
	toggle(setOutdoors, "Outdoors", "off", "Inches of movement are ten yards: speeds are three times those indoors."),
	toggle(setStray, "Shots into melee go astray", "on", "Who shoots into a melee may hit a friend, unless an elf, or a hobbit with a sling."),
	{ID: setTurnRounds, Title: "Rounds in a Turn", Default: "10", Text: "How many rounds a Turn has: one charge in each."},
	{ID: setReach, Title: "Superior reach", Default: "2", Text: "Ranks of reach by which a weapon must be longer to strike first in the first melee round."},
	{ID: setPursue, Title: "Pursuit", Default: "7", Text: "Total of 2d6 up to which those who were left behind pursue."},
}

// Settings lists what a table may choose.
func (System) Settings() []rules.Setting { return settings }

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

func toggle(id, title, def, text string) rules.Setting {
	return rules.Setting{ID: id, Title: title, Text: text, Values: []string{"on", "off"}, Default: def}
}

var defaults = rules.DefaultsOf(settings)
