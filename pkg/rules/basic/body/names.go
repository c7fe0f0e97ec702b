package body

// ID is the system's id.
const ID = "basic"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "4"

// Phases of a round.
const (
	PhaseDeclare = "declare"
	PhaseCount   = "count"
)

// Counters of a creature.
const (
	// CAction is 1 while the action of the round is still to be had.
	CAction = "action"
	// CMovement is what is left to move this round, in feet.
	CMovement = "movement"
	// CMoved is what was moved this round, in feet.
	CMoved = "moved"
	// CTurn is the last round whose turn the creature has had: its action of it is
	// completed.
	CTurn = "turn"
	// CNonlethal is the damage taken that was not meant to kill.
	CNonlethal = "nonlethal"
	// CRunning counts rounds run since the last full rest.
	CRunning = "running"
	// CWake is the round in which an unconscious creature wakes; cWakeTurns is
	// what was rolled for it, in turns.
	CWake      = "wake"
	CWakeTurns = "wake-turns"
	// CRested is how many turns one who is tired has rested since it last fought or
	// ran.
	CRested = "rested"
	// CTurns is how many turns of the hour under way have passed between fights.
	CTurns = "turns"
	// CLeft begins the counters of uses left of spells and things, cAmmunition those of
	// missiles at hand.
	CLeft       = "left."
	CAmmunition = "ammunition."
)

// Counters of the encounter.
const (
	// CClock is the time since the fight began, in seconds.
	CClock = "clock"
	// CCount and cTie are the number that the count stands at and its order
	// within the number: above 0 is just before the others.
	CCount = "count"
	CTie   = "count-tie"
	// CRunningNumber is 1 while a number of the count is under way.
	CRunningNumber = "number"
	// CTogether is 1 when several creatures act on the number, or could.
	CTogether = "together"
	// cPending counts the tasks of effects that were put down.
	cPending = "pending"
	// CPools counts the pools of oil.
	CPools = "pools"
)

// MLeaving is the mark of a creature that is being taken off the field.
const MLeaving = "leaving"

// What a creature has begun.
const (
	// BDeclared is what it declared this round; the kind is the item of its action.
	BDeclared = "declared"
	// BWaiting holds its action until it steps in; its trigger is one of those below.
	BWaiting = "waiting"
	// BDelayed is its turn, put off to another number of the round.
	BDelayed = "delayed"
	// BSeries is an action of several attacks, some of which are left: done of needed;
	// the value "moved" is how far it had moved until then.
	BSeries = "series"
	// BMoving says where it stood, by the values x, y and z, before it moved on the
	// number of the count that is the value "number".
	BMoving = "moving"
)

// What a creature waits for that holds its action.
const (
	// TrigStep: until it steps in on somebody's number.
	TrigStep = "step-in"
	// TrigAsked: it is asked between the numbers as well.
	TrigAsked = "asked"
	// TrigLast: the end of the count has come; it acts or lets go.
	TrigLast = "last"
)

// What one creature is to another.
const (
	// RelHolds: it holds the other. Round is that of the last check of the hold.
	RelHolds = "holds"
	// RelAttacks: it attacked the other in that round, on the number of the count that
	// is the value "number".
	RelAttacks = "attacks"
	// RelFollows: it stayed in reach of the other, which backed away in that round.
	RelFollows = "follows"
)

// Conditions.
const (
	CondSurprised = "surprised"
	CondDodging   = "dodging"
	CondCharging  = "charging"
	CondShaken    = "shaken"
	CondProne     = "prone"
	CondBlinded   = "blinded"
	CondStumbling = "stumbling"
	CondFatigued  = "fatigued"
	CondHeld      = "held"
	CondBound     = "bound"
	CondGagged    = "gagged"
	CondBurning   = "burning"
	CondInFlames  = "in-flames"
	// CondScorched: fire on the ground has burned it this round.
	CondScorched = "scorched"
	// CondStumbled: it has lost its attacks, from the round that is the value "from".
	CondStumbled = "stumbled"
	// CondSilenced: a holder keeps it from speaking, from after the number and round
	// that are the values on.
	CondSilenced = "silenced"
)

// Kinds of declared actions.
const (
	KindMove     = "move"
	KindAttack   = "attack"
	KindMelee    = "melee-attack"
	KindRanged   = "ranged-attack"
	KindCast     = "cast"
	KindDodge    = "parry-and-dodge"
	KindFeat     = "feat"
	KindHold     = "hold"
	KindRun      = "run"
	KindCharge   = "charge"
	KindSet      = "set-weapon"
	KindWithdraw = "withdraw"
	KindGrapple  = "grapple"
	KindReload   = "reload"
	KindSmother  = "smother"
	KindOther    = "other"
)

// Brawling attacks that everybody has.
const (
	Punch = "punch"
	Kick  = "kick"
)

// Deeds of medicine in a fight.
const (
	DeedDamage    = "damage"
	DeedHeal      = "heal"
	DeedCondition = "condition"
	DeedWake      = "wake"
)

// Decisions.
const (
	DecParting = "parting-shot"
	DecFree    = "free-attack"
	DecFreeTo  = "free-attack-to"
	DecClosing = "closing-attack"
	// DecBetween asks one who holds whether it acts on a number that nobody has.
	DecBetween = "act-between"
	DecSet     = "set-weapon"
	DecFollow  = "follow"
	DecStray   = "stray-target"
	DecCharge  = "allow-charge"
	DecChange  = "change-declaration"
	DecAbility = "grapple-ability"
	DecApprove = "approve"
	DecLit     = "light-oil"
	DecSplash  = "splashed"
	// DecUnnoticed asks whether a sneak attack comes by surprise from behind.
	DecUnnoticed = "unnoticed"
	// DecEffective asks whether a way to put out flames works.
	DecEffective = "effective"
	DecideNo     = "no"
	DecideYes    = "yes"
	NoStray      = "none"
	EngagedFeet  = 5
)

// tasks that put down effects of a number.
const (
	TaskHarm  = "harm"
	TaskSpell = "spell"
	TaskGrab  = "grab"
	TaskTake  = "take"
	// TaskCondition is a condition of content.
	TaskCondition = "condition"
	// TaskPool is a pool of oil on the ground.
	TaskPool = "pool"
)
