package basic

// ID is the system's id.
const ID = "basic"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "3"

// Phases of a round.
const (
	phaseDeclare = "declare"
	phaseCount   = "count"
)

// Counters of a creature.
const (
	// cAction is 1 while the action of the round is still to be had.
	cAction = "action"
	// cMovement is what is left to move this round, in feet.
	cMovement = "movement"
	// cMoved is what was moved this round, in feet.
	cMoved = "moved"
	// cTurn is the last round whose turn the creature has had: its action of it is
	// completed.
	cTurn = "turn"
	// cNonlethal is the damage taken that was not meant to kill.
	cNonlethal = "nonlethal"
	// cRunning counts rounds run since the last full rest.
	cRunning = "running"
	// cWake is the round in which an unconscious creature wakes; cWakeTurns is
	// what was rolled for it, in turns.
	cWake      = "wake"
	cWakeTurns = "wake-turns"
	// cLeft begins the counters of uses left of spells and things, cAmmunition those of
	// missiles at hand.
	cLeft       = "left."
	cAmmunition = "ammunition."
)

// Counters of the encounter.
const (
	// cClock is the time since the fight began, in seconds.
	cClock = "clock"
	// cCount and cTie are the number that the count stands at and its order
	// within the number: above 0 is just before the others.
	cCount = "count"
	cTie   = "count-tie"
	// cRunningNumber is 1 while a number of the count is under way.
	cRunningNumber = "number"
	// cTogether is 1 when several creatures act on the number, or could.
	cTogether = "together"
	// cPending counts the tasks of effects that were put down.
	cPending = "pending"
	// cPools counts the pools of oil.
	cPools = "pools"
)

// mLeaving is the mark of a creature that is being taken off the field.
const mLeaving = "leaving"

// What a creature has begun.
const (
	// bDeclared is what it declared this round; the kind is the item of its action.
	bDeclared = "declared"
	// bWaiting holds its action until it steps in; its trigger is one of those below.
	bWaiting = "waiting"
	// bDelayed is its turn, put off to another number of the round.
	bDelayed = "delayed"
	// bSeries is an action of several attacks, some of which are left: done of needed;
	// the value "moved" is how far it had moved until then.
	bSeries = "series"
	// bMoving says where it stood, by the values x, y and z, before it moved on the
	// number of the count that is the value "number".
	bMoving = "moving"
)

// What a creature waits for that holds its action.
const (
	// trigStep: until it steps in on somebody's number.
	trigStep = "step-in"
	// trigAsked: it is asked between the numbers as well.
	trigAsked = "asked"
	// trigLast: the end of the count has come; it acts or lets go.
	trigLast = "last"
)

// What one creature is to another.
const (
	// relHolds: it holds the other. Round is that of the last check of the hold.
	relHolds = "holds"
	// relAttacks: it attacked the other in that round, on the number of the count that
	// is the value "number".
	relAttacks = "attacks"
	// relFollows: it stayed in reach of the other, which backed away in that round.
	relFollows = "follows"
)

// Conditions.
const (
	condSurprised = "surprised"
	condDodging   = "dodging"
	condCharging  = "charging"
	condShaken    = "shaken"
	condProne     = "prone"
	condBlinded   = "blinded"
	condStumbling = "stumbling"
	condFatigued  = "fatigued"
	condHeld      = "held"
	condBound     = "bound"
	condGagged    = "gagged"
	condBurning   = "burning"
	condInFlames  = "in-flames"
	// condScorched: fire on the ground has burned it this round.
	condScorched = "scorched"
	// condStumbled: it has lost its attacks, from the round that is the value "from".
	condStumbled = "stumbled"
	// condSilenced: a holder keeps it from speaking, from after the number and round
	// that are the values on.
	condSilenced = "silenced"
)

// Kinds of declared actions.
const (
	kindMove     = "move"
	kindAttack   = "attack"
	kindMelee    = "melee-attack"
	kindRanged   = "ranged-attack"
	kindCast     = "cast-spell"
	kindDodge    = "parry-and-dodge"
	kindFeat     = "perform-feat"
	kindHold     = "hold"
	kindRun      = "run"
	kindCharge   = "charge"
	kindSet      = "set-weapon"
	kindWithdraw = "fighting-withdrawal"
	kindGrapple  = "grapple"
	kindReload   = "reload"
	kindSmother  = "put-out-flames"
	kindOther    = "other"
)

// Brawling attacks that everybody has.
const (
	punch = "punch"
	kick  = "kick"
)

// Deeds of medicine in a fight.
const (
	deedDamage    = "damage"
	deedHeal      = "heal"
	deedCondition = "condition"
	deedWake      = "wake"
)

// Decisions.
const (
	decParting = "parting-shot"
	decFree    = "free-attack"
	decFreeTo  = "free-attack-to"
	decClosing = "closing-attack"
	// decBetween asks one who holds whether it acts on a number that nobody has.
	decBetween = "act-between"
	decSet     = "set-weapon"
	decFollow  = "follow"
	decStray   = "stray-target"
	decCharge  = "allow-charge"
	decChange  = "change-declaration"
	decAbility = "grapple-ability"
	decApprove = "approve"
	decLit     = "light-oil"
	decSplash  = "splashed"
	// decUnnoticed asks whether a sneak attack comes by surprise from behind.
	decUnnoticed = "unnoticed"
	// decEffective asks whether a way to put out flames works.
	decEffective = "effective"
	decideNo     = "no"
	decideYes    = "yes"
	noStray      = "none"
	engagedFeet  = 5
)

// tasks that put down effects of a number.
const (
	taskHarm  = "harm"
	taskSpell = "spell"
	taskGrab  = "grab"
	taskTake  = "take"
	// taskPool is a pool of oil on the ground.
	taskPool = "pool"
)
