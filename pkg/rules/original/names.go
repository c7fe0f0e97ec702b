package original

// ID is the system's id.
const ID = "original"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "3"

// Counters of a creature.
const (
	// cAttacks is the number of attacks made this round.
	cAttacks = "attacks"
	// cMoved is what was moved this round, in feet.
	cMoved = "moved"
	// cCharged is the Turn, from 1, in which the creature charged last.
	cCharged = "charged"
	// cActual is damage that kills, in hit points.
	cActual = "actual"
	// cTemporary is damage that only knocks out, in hit points.
	cTemporary = "nonlethal"
	// cStrong is the number of the round's attacks that went to strong foes.
	cStrong = "strong"
	// cRunShots is the number of shots on the run in this round.
	cRunShots = "run-shots"
	// cBackstabs is the number of backstabs in this round: the other attacks of it
	// are by surprise.
	cBackstabs = "backstabs"
	// cCasts is the number of spells cast in this round.
	cCasts = "casts"
	// cStruggles is the number of contests of this round with those who hold it.
	cStruggles = "struggles"
	// cMen is the number of men in a unit.
	cMen = "men"
	// cOriginal is the hit points that a unit began with.
	cOriginal = "original"
	// cRolled is the hit point maximum that was rolled for a creature.
	cRolled = "hit-points.rolled"
	// cLoading is the prefix of in how many rounds, this one counted, a crossbow is
	// still being loaded.
	cLoading = "loading."
	// cLeft is the prefix of how often a spell can still be cast.
	cLeft = "left."
	// cSurvivors is the number of a unit's men found alive after the fight.
	cSurvivors = "survivors"
)

// Counters of the encounter.
const (
	// cStep is the number of segments of the round already called.
	cStep = "step"
	// cBlows numbers the blows held back in a simultaneous slot.
	cBlows = "blows"
	// cStart, cPassed, cFirst and cHalf are prefixes of a group's strength at
	// the start, morale checks passed, and whether the checks of the first
	// death and of half the group were made.
	cStart = "morale.start."
	// cUnseen is the prefix of how many of a group's strength were staged: the game
	// master's alone.
	cUnseen = "morale.unseen."
	cPassed = "morale.passed."
	cFirst  = "morale.first."
	cHalf   = "morale.half."
	// cAppearing is the prefix of how many monsters of a kind appear.
	cAppearing = "appearing."
	// cEntry is the entry by which they come, from 1.
	cEntry = "entry"
	// cDistance is how far apart the sides are when they meet, in feet.
	cDistance = "distance"
)

// Names of what older records say otherwise; see [brought].
const (
	// oldTemporary was the counter of damage that only knocks out.
	oldTemporary = "temporary"
	// oldCast was the prefix of how often a spell was cast.
	oldCast = "cast."
	// oldMounted was the mark of a rider.
	oldMounted = "mounted"
)

// ofTheRound are the counters that begin anew with every round.
var ofTheRound = []string{cAttacks, cMoved, cStrong, cRunShots, cBackstabs, cCasts, cStruggles}

// Marks of a creature.
const (
	// mNormal is on a Normal Man or the like.
	mNormal = "normal-type"
	// mMain and mOff are the two weapons of one who fights florentine.
	mMain = "main-hand"
	mOff  = "off-hand"
	// mLeaving is on a creature that is being taken off the field.
	mLeaving = "leaving"
)

// Kinds of relations of a creature to another.
const (
	// relEngaged is between foes in melee who have no place on a map.
	relEngaged = "engaged"
	// relApart: an obstacle separates the two.
	relApart = "apart"
	// relMet names the round in which the two were in melee first.
	relMet = "met"
	// relAmbushed names the round in which it attacked the other by surprise or from
	// behind.
	relAmbushed = "ambushed"
	// relFlanks: it stands on the other's flank.
	relFlanks = "flanks"
	// relPursues: it pursues the other; of a counted chase with the gap in feet and
	// the round in which that was found.
	relPursues = "pursues"
	// relAttacks: the foe attacked last in melee.
	relAttacks = "attacks"
	// relHolds: the foe that it holds.
	relHolds = "holds"
	// relShield: an attacker that its shield serves against this round.
	relShield = "shields-against"
	// relDisturbed: one of the same initiative who hurt the caster this round.
	relDisturbed = "disturbed-by"
	// relSubdues counts the damage rolls against the other that were meant to subdue.
	relSubdues = "subdues"
)

// Numbers of relations and tasks.
const (
	// valGap is how far behind a pursuer is, in feet.
	valGap = "gap"
	// valRolls is the number of damage rolls.
	valRolls = "rolls"
	// valUnhorsed of a blow that waits: 1 throws its target off its mount.
	valUnhorsed = "unhorsed"
)

// What a creature has begun.
const (
	// begunSet is a weapon set against a charge.
	begunSet = "set"
	// begunPreparing is the spell announced for the round.
	begunPreparing = "preparing"
)

// untilRound is the end of what lasts to the end of a round.
const untilRound = "round"

// Places of things.
const (
	placeHand    = "main"
	placeDropped = "dropped"
)

// Kinds of tasks.
const (
	// taskSegment is a call of the round: who acts, all at the same time.
	taskSegment = "segment"
	// taskBlow and taskSpell wait for the end of a simultaneous slot.
	taskBlow  = "blow"
	taskSpell = "spell"
	// taskContest is a contest with grapplers that waits likewise.
	taskContest = "contest"
)

// Marks of the encounter.
const (
	// mTogether is there while foes act at the same time: blows are held back.
	mTogether = "simultaneous"
	// mReroll is there when initiative is rolled anew for the next round.
	mReroll = "reroll"
	// mMorale is the prefix of what became of a group: "fearless", "flee", "surrender".
	mMorale = "morale."
	// mHunt is the prefix of whether a group pursues a side in this round: "pursue" or
	// "let go" under "GROUP.SIDE".
	mHunt = "pursuit."
	// mReaction is the prefix of how a group of monsters reacts.
	mReaction = "reaction."
)

// Conditions.
const (
	condHasted      = "hasted"
	condPinned      = "pinned"
	condStruggling  = "struggling"
	condStunned     = "stunned"
	condProne       = "prone"
	condHeld        = "held"
	condRouted      = "routed"
	condSurrendered = "surrendered"
	condSurprised   = "surprised"
	condRan         = "ran"
	condCharging    = "charging"
	condParrying    = "parrying"
	condWithdrawing = "withdrawing"
	condFleeing     = "fleeing"
	condStumbled    = "stumbled"
	condSwift       = "swift"
	condDisturbed   = "disturbed"
	condMounted     = "mounted"
	condStationary  = "stationary"
	condWall        = "back-to-wall"
	condTight       = "tight-space"
)

// Phases of a round.
const (
	phaseSurprise = "surprise"
	segHaste      = "haste"
	segFirst      = "first"
	segSlot       = "slot"
	segLast       = "last"
)

// Deeds of medicine.
const (
	deedDamage  = "damage"
	deedHeal    = "heal"
	deedSet     = "set"
	deedRecover = "recover"
)

// Types of damage parts.
const (
	partActual    = "actual"
	partTemporary = "temporary"
)

// Actions that only the game master calls.
const (
	actReaction    = "reaction"
	actCheckMorale = "check-morale"
)

// condSpecial is the prefix of what a special attack brings about beside the
// other conditions.
const condSpecial = "special."

// Names of decisions.
const (
	decReach    = "reach-strike"
	decSet      = "set-spear"
	decMissile  = "charge-missile"
	decAnswer   = "charge-answer"
	decStruggle = "struggle"
	decMorale   = "morale-broken"
	decSight    = "out-of-sight"
	decSpell    = "charge-spell"
	decWhipArea = "whip-area"
	decWhipPull = "whip-pull"

	decUnnoticed = "unnoticed"
	decJoin      = "join-grapple"
)
