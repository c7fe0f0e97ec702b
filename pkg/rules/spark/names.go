package spark

// ID is the system's id.
const ID = "spark"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "2"

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
	// cPackage is 1 while the round's full round action is still to be had.
	cPackage = "package"
	// cFree is the number of free actions left in the round.
	cFree = "free"
	// cOrder is the place in the order of declaring this round; 0 before.
	cOrder = "order"
	// cMana are mana points.
	cMana = "mana"
	// cBarredFrom and cBarredUntil are the first and last round without attacks.
	cBarredFrom  = "barred.from"
	cBarredUntil = "barred.until"
	// cLocked is the last round of a spell that takes rounds.
	cLocked = "locked"
	// cSpareStrings are spare bowstrings.
	cSpareStrings = "spare-strings"
	// cHitDice are hit dice not spent.
	cHitDice = "hit-dice"
	// cChip, with a weapon's name, is what its damage has lost.
	cChip = "chip."
	// cMissiles, with a weapon's name, are missiles or thrown pieces at hand.
	cMissiles = "missiles."
	// cSpent, with a weapon's name, are missiles on the ground to be gathered.
	cSpent = "spent."
	// cCrackedMissiles, with a weapon's name, are cracked missiles: to be
	// gathered, but not shot before they are repaired.
	cCrackedMissiles = "cracked-missiles."
	// cSpilled, with a weapon's name, are missiles spilled from the quiver.
	cSpilled = "spilled."
	// cAdvantage is 1 while the next attack roll has advantage.
	cAdvantage = "advantage.next"
	// cShaken is 1 while attack rolls have disadvantage until the next hit.
	cShaken = "shaken"
	// cBreakages are fragile objects whose breaking is settled after the fight.
	cBreakages = "breakages"
	// cSeconds, of the encounter, is the time fought.
	cSeconds = "seconds"
	// cRestring, with a weapon's name, are rounds worked at a new string.
	cRestring = "restring."
	// cUses, with an item's name, are its uses left.
	cUses = "uses."
	// cLevelsTemporary and cLevelsPermanent are levels drained.
	cLevelsTemporary = "levels-drained"
	cLevelsPermanent = "levels-lost"
	// cDrained and cLost, with an ability's name, are points drained for a time
	// and for good.
	cDrained = "drained."
	cLost    = "lost."
	// cClock is time passed between fights, in minutes.
	cClock = "clock"
	// cLongRest is the minute after the one in which the last long rest began.
	cLongRest = "long-rest"
)

// Marks of a creature.
const (
	// mDeclared is the sealed declaration.
	mDeclared = "declared"
	// mCasting is the declaration of a spell that takes rounds.
	mCasting = "casting"
	// mConcentration names the spell the creature concentrates on.
	mConcentration = "concentration"
	// mWeapon, with a weapon's name, is its state: cracked, broken.
	mWeapon = "weapon."
	// mBarred is the rule by which a creature may not attack.
	mBarred = "barred.by"
	// mStuck, with a weapon's name, is "stuck" while it cannot be pulled out.
	mStuck = "stuck."
	// mObject, of the encounter and with a thing's name, is its state.
	mObject = "object."
	// mString, with a weapon's name, is "snapped" without a string, "loose" with
	// one that came off.
	mString = "string."
	// mLeaving is "yes" on a creature that is being taken off the field.
	mLeaving = "leaving"
)

// States of a weapon.
const (
	cracked = "cracked"
	broken  = "broken"
	snapped = "snapped"
	loose   = "loose"
	stuck   = "stuck"
)

// Conditions.
const (
	condProne      = "prone"
	condFrightened = "frightened"
	condBleeding   = "bleeding"
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

// Numbers handed back by deeds.
const (
	resTaken  = "taken"  // hit points lost
	resHealed = "healed" // hit points regained
	resOut    = "out"    // 1: out of the fight now
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
