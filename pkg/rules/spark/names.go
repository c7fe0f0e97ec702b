package spark

// ID is the system's id.
const ID = "spark"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "3"

// Phases of a round.
const (
	// phaseDeclare is the declaring part of the first half.
	phaseDeclare = "declare"
	// phaseMove is the moving part of the first half.
	phaseMove = "movement"
	// phaseAttack is the second half.
	phaseAttack = "attack"
)

// Counters of a creature.
const (
	// cReaction is 1 while the round's reaction is still to be had.
	cReaction = "reaction"
	// cBonus is 1 while the round's bonus action is still to be had.
	cBonus = "bonus"
	// cAction is 1 while the round's full round action is still to be had.
	cAction = "action"
	// cFree is the number of free actions left in the round.
	cFree = "free"
	// cOrder is the place in the order of declaring this round; 0 before.
	cOrder = "order"
	// cMana are mana points.
	cMana = "mana"
	// cSpareStrings are spare bowstrings.
	cSpareStrings = "spare-strings"
	// cHitDice, with the size of the sheet's, are hit dice not spent.
	cHitDice = "hit-dice."
	// cChip, with a weapon's name, is what its damage has lost.
	cChip = "chip."
	// cAmmunition, with a weapon's name, are missiles or thrown pieces at hand.
	cAmmunition = "ammunition."
	// cSpent, with a weapon's name, are missiles on the ground to be gathered.
	cSpent = "spent."
	// cCracked, with a weapon's name, are cracked missiles: to be gathered, but not
	// shot before they are repaired.
	cCracked = "cracked-ammunition."
	// cSpilled, with a weapon's name, are missiles spilled from the quiver.
	cSpilled = "spilled."
	// cAdvantage is 1 while the next attack roll has advantage.
	cAdvantage = "advantage.next"
	// cBreakages are fragile objects whose breaking is settled after the fight.
	cBreakages = "breakages"
	// cClock, of the encounter, is the time fought, in seconds.
	cClock = "clock"
	// cLeft, with an item's name, are its uses left.
	cLeft = "left."
	// cLevelsTemporary and cLevelsPermanent are levels drained.
	cLevelsTemporary = "levels-drained"
	cLevelsPermanent = "levels-lost"
	// cDrained and cLost, with an ability's name, are points drained for a time
	// and for good.
	cDrained = "drained."
	cLost    = "lost."
	// cMinutes is time passed between fights.
	cMinutes = "minutes"
	// cLongRest is the minute after the one in which the last long rest began.
	cLongRest = "long-rest"
)

// Marks of a creature.
const (
	// mWeapon, with a weapon's name, is its state: cracked, broken.
	mWeapon = "weapon."
	// mStuck, with a weapon's name, is there while it cannot be pulled out.
	mStuck = "stuck."
	// mObject, of the encounter and with a thing's name, is its state.
	mObject = "object."
	// mString, with a weapon's name, is "snapped" without a string, "loose" with
	// one that came off.
	mString = "string."
	// mLeaving is on a creature that is being taken off the field.
	mLeaving = "leaving"
)

// States of a weapon.
const (
	cracked = "cracked"
	broken  = "broken"
	snapped = "snapped"
	loose   = "loose"
)

// Conditions.
const (
	condProne      = "prone"
	condFrightened = "frightened"
	condBleeding   = "bleeding"
	// condShaken: disadvantage on attack rolls until the next hit.
	condShaken = "shaken"
	// condStumbled: no attacks from the round among its values until the one in
	// which it ends.
	condStumbled = "stumbled"
	// condConcentrating: on the spell of its variant.
	condConcentrating = "concentrating"
)

// Kinds of things begun.
const (
	// begunDeclared is the declaration, sealed while the table declares.
	begunDeclared = "declared"
	// begunCasting is a spell that takes rounds; it ends with the last of them.
	begunCasting = "casting"
	// begunWork is work at a new string.
	begunWork = "underway"
)

// Kinds of injuries.
const (
	injurySprain = "sprained-wrist"
	injuryBreak  = "broken-wrist"
	injuryBone   = "broken-bone"
	injuryArms   = "pulled-arms"
	injuryLegs   = "pulled-legs"
	injurySnap   = "snapped-natural-weapon"
)

// Deeds of medicine in a fight.
const (
	deedDamage = "damage"
	deedHeal   = "heal"
	deedInjure = "injure"
)

// Names of decisions.
const (
	decOpportunity  = "opportunity-attack"
	decCounterspell = "counterspell"
	decMana         = "counterspell-mana"
	decTree         = "counterspell-tree"
	decNearest      = "nearest"
	decBehind       = "behind"
	decPush         = "bull-rush-push"
	decFlyingSave   = "flying-weapon-save"
	decRetrieve     = "retrieve-weapon"
	decFree         = "free-weapon"
	decDistant      = "distant-target"
	decAbility      = "drained-ability"
)

// Columns of the alternate fumble table.
//
// spark.fumble.alt-class
const (
	columnMelee    = "MW"
	columnShooting = "SR"
	columnThrown   = "TR"
	columnNatural  = "NW"
)

// Fumble classes.
const (
	classMissile     = "M"
	classSlashing    = "S"
	classBludgeoning = "B"
	classPiercing    = "P"
	classFist        = "F"
)
