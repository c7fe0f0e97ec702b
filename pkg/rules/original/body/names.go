package body

// ID is the system's id.
const ID = "original"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "5"

// Counters of a creature.
const (
	// CAttacks is the number of attacks made this round.
	CAttacks = "attacks"
	// CMoved is what was moved this round, in feet.
	CMoved = "moved"
	// CCharged is the Turn, from 1, in which the creature charged last.
	CCharged = "charged"
	// CActual is damage that kills, in hit points.
	CActual = "actual"
	// CTemporary is damage that only knocks out, in hit points.
	CTemporary = "nonlethal"
	// CStrong is the number of the round's attacks that went to strong foes.
	CStrong = "strong"
	// CRunShots is the number of shots on the run in this round.
	CRunShots = "run-shots"
	// CBackstabs is the number of backstabs in this round: the other attacks of it
	// are by surprise.
	CBackstabs = "backstabs"
	// CCasts is the number of spells cast in this round.
	CCasts = "casts"
	// CStruggles is the number of contests of this round with those who hold it.
	CStruggles = "struggles"
	// CMen is the number of men in a unit.
	CMen = "men"
	// COriginal is the hit points that a unit began with.
	COriginal = "original"
	// CRolled is the hit point maximum that was rolled for a creature.
	CRolled = "hit-points.rolled"
	// CLoading is the prefix of in how many rounds, this one counted, a crossbow is
	// still being loaded.
	CLoading = "loading."
	// CLeft is the prefix of how often a spell can still be cast.
	CLeft = "left."
	// CMore is the number of attacks of a round that content gives beside the book's.
	CMore = "more-attacks"
	// CSurvivors is the number of a unit's men found alive after the fight.
	CSurvivors = "survivors"
)

// Counters of the encounter.
const (
	// CStep is the number of segments of the round already called.
	CStep = "step"
	// CBlows numbers the blows held back in a simultaneous slot.
	CBlows = "blows"
	// CStart, cPassed, cFirst and cHalf are prefixes of a group's strength at
	// the start, morale checks passed, and whether the checks of the first
	// death and of half the group were made.
	CStart = "morale.start."
	// CUnseen is the prefix of how many of a group's strength were staged: the game
	// master's alone.
	CUnseen = "morale.unseen."
	CPassed = "morale.passed."
	CFirst  = "morale.first."
	CHalf   = "morale.half."
	// CAppearing is the prefix of how many monsters of a kind appear.
	CAppearing = "appearing."
	// CEntry is the entry by which they come, from 1.
	CEntry = "entry"
	// CDistance is how far apart the sides are when they meet, in feet.
	CDistance = "distance"
)

// Names of what older records say otherwise; see [brought].
const (
	// OldTemporary was the counter of damage that only knocks out.
	OldTemporary = "temporary"
	// OldCast was the prefix of how often a spell was cast.
	OldCast = "cast."
	// OldMounted was the mark of a rider.
	OldMounted = "mounted"
)

// OfTheRound are the counters that begin anew with every round.
var OfTheRound = []string{CAttacks, CMoved, CStrong, CRunShots, CBackstabs, CCasts, CStruggles}

// Marks of a creature.
const (
	// MNormal is on a Normal Man or the like.
	MNormal = "normal-type"
	// MMain and mOff are the two weapons of one who fights florentine.
	MMain = "main-hand"
	MOff  = "off-hand"
	// MLeaving is on a creature that is being taken off the field.
	MLeaving = "leaving"
)

// Kinds of relations of a creature to another.
const (
	// RelEngaged is between foes in melee who have no place on a map.
	RelEngaged = "engaged"
	// RelApart: an obstacle separates the two.
	RelApart = "apart"
	// RelMet names the round in which the two were in melee first.
	RelMet = "met"
	// RelAmbushed names the round in which it attacked the other by surprise or from
	// behind.
	RelAmbushed = "ambushed"
	// RelFlanks: it stands on the other's flank.
	RelFlanks = "flanks"
	// RelPursues: it pursues the other; of a counted chase with the gap in feet and
	// the round in which that was found.
	RelPursues = "pursues"
	// RelAttacks: the foe attacked last in melee.
	RelAttacks = "attacks"
	// RelHolds: the foe that it holds.
	RelHolds = "holds"
	// RelShield: an attacker that its shield serves against this round.
	RelShield = "shields-against"
	// RelDisturbed: one of the same initiative who hurt the caster this round.
	RelDisturbed = "disturbed-by"
	// RelSubdues counts the damage rolls against the other that were meant to subdue.
	RelSubdues = "subdues"
)

// Numbers of relations and tasks.
const (
	// ValGap is how far behind a pursuer is, in feet.
	ValGap = "gap"
	// ValRolls is the number of damage rolls.
	ValRolls = "rolls"
	// ValUnhorsed of a blow that waits: 1 throws its target off its mount.
	ValUnhorsed = "unhorsed"
)

// What a creature has begun.
const (
	// BegunSet is a weapon set against a charge.
	BegunSet = "set"
	// BegunPreparing is the spell announced for the round.
	BegunPreparing = "preparing"
)

// UntilRound is the end of what lasts to the end of a round.
const UntilRound = "round"

// Places of things.
const (
	PlaceHand    = "main"
	PlaceDropped = "dropped"
)

// Kinds of tasks.
const (
	// TaskSegment is a call of the round: who acts, all at the same time.
	TaskSegment = "segment"
	// TaskBlow and taskSpell wait for the end of a simultaneous slot.
	TaskBlow  = "blow"
	TaskSpell = "spell"
	// TaskCondition is a condition of content that waits likewise.
	TaskCondition = "condition"
	// TaskContest is a contest with grapplers that waits likewise.
	TaskContest = "contest"
)

// Marks of the encounter.
const (
	// MTogether is there while foes act at the same time: blows are held back.
	MTogether = "simultaneous"
	// MReroll is there when initiative is rolled anew for the next round.
	MReroll = "reroll"
	// MMorale is the prefix of what became of a group: "fearless", "flee", "surrender".
	MMorale = "morale."
	// MHunt is the prefix of whether a group pursues a side in this round: "pursue" or
	// "let go" under "GROUP.SIDE".
	MHunt = "pursuit."
	// MReaction is the prefix of how a group of monsters reacts.
	MReaction = "reaction."
)

// Conditions.
const (
	CondHasted      = "hasted"
	CondPinned      = "pinned"
	CondStruggling  = "struggling"
	CondStunned     = "stunned"
	CondProne       = "prone"
	CondHeld        = "held"
	CondRouted      = "routed"
	CondSurrendered = "surrendered"
	CondSurprised   = "surprised"
	CondRan         = "ran"
	CondCharging    = "charging"
	CondParrying    = "parrying"
	CondWithdrawing = "withdrawing"
	CondFleeing     = "fleeing"
	CondStumbled    = "stumbled"
	CondSwift       = "swift"
	CondDisturbed   = "disturbed"
	CondMounted     = "mounted"
	CondStationary  = "stationary"
	CondWall        = "back-to-wall"
	CondTight       = "tight-space"
)

// Phases of a round.
const (
	PhaseSurprise = "surprise"
	SegHaste      = "haste"
	SegFirst      = "first"
	SegSlot       = "slot"
	SegLast       = "last"
)

// Deeds of medicine.
const (
	DeedDamage  = "damage"
	DeedHeal    = "heal"
	DeedSet     = "set"
	DeedRecover = "recover"
)

// Types of damage parts.
const (
	PartActual    = "actual"
	PartTemporary = "temporary"
)

// Actions that only the game master calls.
const (
	ActReaction    = "reaction"
	ActCheckMorale = "check-morale"
)

// CondSpecial is the prefix of what a special attack brings about beside the
// other conditions.
const CondSpecial = "special."

// Names of decisions.
const (
	DecReach    = "reach-strike"
	DecSet      = "set-spear"
	DecMissile  = "charge-missile"
	DecAnswer   = "charge-answer"
	DecInTurn   = "charge-in-turn"
	DecStruggle = "struggle"
	DecMorale   = "morale-broken"
	DecSight    = "out-of-sight"
	DecSpell    = "charge-spell"
	DecWhipArea = "whip-area"
	DecWhipPull = "whip-pull"

	DecUnnoticed = "unnoticed"
	DecJoin      = "join-grapple"
)
