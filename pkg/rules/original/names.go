package original

// ID is the system's id.
const ID = "original"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "2"

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
	cTemporary = "temporary"
	// cTally is the prefix of the number of damage rolls against a creature
	// that were meant to subdue.
	cTally = "tally."
	// cMen is the number of men in a unit.
	cMen = "men"
	// cOriginal is the hit points that a unit began with.
	cOriginal = "original"
	// cRolled is the hit point maximum that was rolled for a creature.
	cRolled = "hit-points.rolled"
	// cShot is the prefix of the round after the last shot with a crossbow.
	cShot = "shot."
	// cCast is the prefix of the number of times a spell was cast or lost.
	cCast = "cast."
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

// Marks of a creature. Those that hold for one round have its number as word.
const (
	// mSurprised holds in the round in which the creature is surprised.
	mSurprised = "surprised"
	// mStrong holds in the round in which the one attack went to a strong foe.
	mStrong = "one-attack"
	// mRan holds in a round in which the creature may do nothing more.
	mRan = "ran"
	// mCharging holds in the round of a charge: no DEX.
	mCharging = "charging"
	// mParrying holds in a round of parrying.
	mParrying = "parrying"
	// mWithdrawing is "yes" until the next turn after a fighting withdrawal.
	mWithdrawing = "withdrawing"
	// mFleeing is "yes" from a retreat until the creature fights again.
	mFleeing = "fleeing"
	// mSet holds in the round in which a weapon is set against a charge.
	mSet = "set"
	// mStumbled is the round in which a fumbler may not attack.
	mStumbled = "stumbled"
	// mNormal is "yes" on a Normal Man or the like.
	mNormal = "normal-type"
	// mMounted is "yes" on a rider.
	mMounted = "mounted"
	// mStationary is "yes" on one who neither fights, moves fast nor dodges.
	mStationary = "stationary"
	// mWall is "yes" on one with its back to a wall.
	mWall = "back-to-wall"
	// mAttacking names the foe attacked last in melee.
	mAttacking = "attacking"
	// mHolds names the foe that a grappler holds.
	mHolds = "holds"
	// mStruggled is the round of the last contest of one who is held.
	mStruggled = "struggled"
	// mShield is "ROUND:ID,ID": the attackers that the shield serves against.
	mShield = "shield"
	// mBackstab is the round of a backstab: the other attacks of it are by surprise.
	mBackstab = "backstab"
	// mSwift is the round in which the creature moved more than half and may only
	// shoot on the run.
	mSwift = "swift"
	// mRunShot is the round of a shot on the run.
	mRunShot = "run-shot"
	// mCast is the round in which the creature cast a spell.
	mCast = "cast"
	// mTight is "yes" on one who has no room for anything but a dagger.
	mTight = "tight-space"
	// mMain and mOff are the two weapons of one who fights florentine.
	mMain = "main-hand"
	mOff  = "off-hand"
	// mContest is "yes" on one whose contest with grapplers waits for the end of
	// a simultaneous slot.
	mContest = "contest"
	// mLies is the prefix of where a dropped weapon lies: "ID" or "ID@X,Y,Z", the
	// one at whose feet and the place.
	mLies = "lies."
	// mPreparing is "ROUND:SPELL", the spell announced for the round.
	mPreparing = "preparing"
	// mDisturbed is the round in which a caster was hurt before its place.
	mDisturbed = "disturbed"
	// mShaken is "ROUND:ID,ID": those of the same initiative who hurt a caster.
	mShaken = "shaken"
	// mLeaving is "yes" on a creature that is being taken off the field.
	mLeaving = "leaving"
)

// Prefixes of marks of a creature about another, whose id follows.
const (
	// mEngaged is "yes" between foes in melee who have no place on a map.
	mEngaged = "engaged."
	// mApart is "yes" where an obstacle separates two creatures.
	mApart = "apart."
	// mMet is the round in which the two were in melee first.
	mMet = "met."
	// mAmbushed is the round in which the creature attacked the other by
	// surprise or from behind.
	mAmbushed = "ambushed."
	// mFlank is "yes" while the other stands on the creature's flank.
	mFlank = "flank."
	// mChase is the prefix of a counted chase by a group: "FEET:ROUND", the gap and
	// the round it was found in.
	mChase = "chase."
	// mPursues is "yes" while the creature pursues the other.
	mPursues = "pursues."
)

// Marks of the encounter.
const (
	// mPlan is the order of the round: "KIND:ID,ID;KIND:ID".
	mPlan = "plan"
	// mTogether is "yes" while foes act at the same time: blows are held back.
	mTogether = "simultaneous"
	// mReroll is "yes" when initiative is rolled anew for the next round.
	mReroll = "reroll"
	// mMorale is the prefix of what became of a group: "fearless", "flee", "surrender".
	mMorale = "morale."
	// mHunt is the prefix of whether a group pursues a side: "ROUND:OUTCOME" under
	// "GROUP.SIDE".
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

// Numbers handed back by deeds.
const (
	resTaken = "taken" // hit points of damage taken
	resDead  = "dead"  // 1: dead now
	resOut   = "out"   // 1: unconscious now
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
