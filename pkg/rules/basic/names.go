package basic

// ID is the system's id.
const ID = "basic"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "2"

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
	// cDone is the last round in which the creature completed its action.
	cDone = "done"
	// cNonlethal is the damage taken that was not meant to kill.
	cNonlethal = "nonlethal"
	// cRunning counts rounds run since the last full rest.
	cRunning = "running"
	// cNoAttack is the round in which the creature may make no attack.
	cNoAttack = "no-attack"
	// cWake is the round in which an unconscious creature wakes; cWakeTurns is
	// what was rolled for it, in turns.
	cWake      = "wake"
	cWakeTurns = "wake-turns"
	// cHeld is the round in which the holder's check of the hold was made.
	cHeld = "hold-checked"
	// cScorched is the last round in which fire on the ground burned the creature.
	cScorched = "scorched"
	// cSpell, cItem and cAmmunition begin counters of what is left.
	cSpell      = "spell/"
	cItem       = "item/"
	cAmmunition = "ammunition/"
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

// Marks of a creature.
const (
	// mDeclared is what kind of action the creature declared this round.
	mDeclared = "declared"
	// mHold is "open" for one that holds without naming anyone, "asked" for one
	// that is asked between the numbers as well, "last" at the end of the count.
	mHold = "hold"
	// mAttackedOn is the number, as ROUND/NUMBER, on which it was last attacked
	// in a way that disturbs casting.
	mAttackedOn = "attacked-on"
	// mPutOff is the round in which the creature put its action off to a number.
	mPutOff = "put-off"
	// mFollowed lists who followed a fighting withdrawal this round.
	mFollowed = "followed-by"
	// mSeries is what is left of an action with several attacks: the action, how many
	// of them were made, and the feet moved until then.
	mSeries = "series"
	// mLeaving is "yes" on a creature that is being taken off the field.
	mLeaving = "leaving"
	// mSilenced is the number, as ROUND/NUMBER, from which on a holder keeps the
	// creature from speaking.
	mSilenced = "silenced"
	// mStood is where the creature stood before it moved on the present number, as
	// "ROUND/NUMBER X Y Z".
	mStood = "stood"
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

// Results of deeds.
const (
	resTaken = "taken"
	resDown  = "down"
	resDead  = "dead"
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
