package body

// ID is the system's id.
const ID = "spark"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "4"

// Phases of a round.
const (
	// PhaseDeclare is the declaring part of the first half.
	PhaseDeclare = "declare"
	// PhaseMove is the moving part of the first half.
	PhaseMove = "movement"
	// PhaseAttack is the second half.
	PhaseAttack = "attack"
)

// Counters of a creature.
const (
	// CReaction is 1 while the round's reaction is still to be had.
	CReaction = "reaction"
	// CBonus is 1 while the round's bonus action is still to be had.
	CBonus = "bonus"
	// CAction is 1 while the round's full round action is still to be had.
	CAction = "action"
	// CFree is the number of free actions left in the round.
	CFree = "free"
	// COrder is the place in the order of declaring this round; 0 before.
	COrder = "order"
	// CMana are mana points.
	CMana = "mana"
	// CSpareStrings are spare bowstrings.
	CSpareStrings = "spare-strings"
	// CHitDice, with the size of the sheet's, are hit dice not spent.
	CHitDice = "hit-dice."
	// CChip, with a weapon's name, is what its damage has lost.
	CChip = "chip."
	// CAmmunition, with a weapon's name, are missiles or thrown pieces at hand.
	CAmmunition = "ammunition."
	// CSpent, with a weapon's name, are missiles on the ground to be gathered.
	CSpent = "spent."
	// CCracked, with a weapon's name, are cracked missiles: to be gathered, but not
	// shot before they are repaired.
	CCracked = "cracked-ammunition."
	// CSpilled, with a weapon's name, are missiles spilled from the quiver.
	CSpilled = "spilled."
	// CAdvantage is 1 while the next attack roll has advantage.
	CAdvantage = "advantage.next"
	// CBreakages are fragile objects whose breaking is settled after the fight.
	CBreakages = "breakages"
	// CClock, of the encounter, is the time fought, in seconds.
	CClock = "clock"
	// CLeft, with an item's name, are its uses left.
	CLeft = "left."
	// CLevelsTemporary and cLevelsPermanent are levels drained.
	CLevelsTemporary = "levels-drained"
	CLevelsPermanent = "levels-lost"
	// CDrained and cLost, with an ability's name, are points drained for a time
	// and for good.
	CDrained = "drained."
	CLost    = "lost."
	// CMinutes is time passed between fights.
	CMinutes = "minutes"
	// CLongRest is the minute after the one in which the last long rest began.
	CLongRest = "long-rest"
)

// Marks of a creature.
const (
	// MWeapon, with a weapon's name, is its state: cracked, broken.
	MWeapon = "weapon."
	// MStuck, with a weapon's name, is there while it cannot be pulled out.
	MStuck = "stuck."
	// MObject, of the encounter and with a thing's name, is its state.
	MObject = "object."
	// MString, with a weapon's name, is "snapped" without a string, "loose" with
	// one that came off.
	MString = "string."
	// MLeaving is on a creature that is being taken off the field.
	MLeaving = "leaving"
)

// States of a weapon.
const (
	Cracked = "cracked"
	Broken  = "broken"
	Snapped = "snapped"
	Loose   = "loose"
)

// Conditions.
const (
	CondProne      = "prone"
	CondFrightened = "frightened"
	CondBleeding   = "bleeding"
	// CondShaken: disadvantage on attack rolls until the next hit.
	CondShaken = "shaken"
	// CondStumbled: no attacks from the round among its values until the one in
	// which it ends.
	CondStumbled = "stumbled"
	// CondConcentrating: on the spell of its variant.
	CondConcentrating = "concentrating"
)

// Values of conditions that a table's own content lays.
const (
	// VSaveEnds, with a kind of saving throw, is the DC of the throw that ends it, at the
	// end of every round from that of VRound on.
	VSaveEnds = "save-ends."
	// VRound is the first round that it holds for from its beginning.
	VRound = "round"
	// VBrought is 1 for one that another condition brought with it, and ends with it.
	VBrought = "brought"
)

// Kinds of things begun.
const (
	// BegunDeclared is the declaration, sealed while the table declares.
	BegunDeclared = "declared"
	// BegunCasting is a spell that takes rounds; it ends with the last of them.
	BegunCasting = "casting"
	// BegunWork is work at a new string.
	BegunWork = "underway"
)

// Kinds of injuries.
const (
	InjurySprain = "sprained-wrist"
	InjuryBreak  = "broken-wrist"
	InjuryBone   = "broken-bone"
	InjuryArms   = "pulled-arms"
	InjuryLegs   = "pulled-legs"
	InjurySnap   = "snapped-natural-weapon"
)

// Deeds of medicine in a fight.
const (
	DeedDamage = "damage"
	DeedHeal   = "heal"
	DeedInjure = "injure"
)

// Names of decisions.
const (
	DecOpportunity  = "opportunity-attack"
	DecCounterspell = "counterspell"
	DecMana         = "counterspell-mana"
	DecTree         = "counterspell-tree"
	DecNearest      = "nearest"
	DecBehind       = "behind"
	DecPush         = "bull-rush-push"
	DecFlyingSave   = "flying-weapon-save"
	DecRetrieve     = "retrieve-weapon"
	DecFree         = "free-weapon"
	DecDistant      = "distant-target"
	DecAbility      = "drained-ability"
)

// Columns of the alternate fumble table.
//
// spark.fumble.alt-class
const (
	ColumnMelee    = "MW"
	ColumnShooting = "SR"
	ColumnThrown   = "TR"
	ColumnNatural  = "NW"
)

// Fumble classes.
const (
	classMissile     = "M"
	ClassSlashing    = "S"
	classBludgeoning = "B"
	classPiercing    = "P"
	ClassFist        = "F"
)
