package rcr

// ID is the system's id.
const ID = "rcr"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "2"

// Counters of a creature.
const (
	// cAction, cBonus, cReaction are 1 while the thing is still to be had this
	// turn (the reaction: until the next turn), 0 when spent.
	cAction   = "action"
	cBonus    = "bonus"
	cReaction = "reaction"
	// cInteraction is the free object interaction of the turn.
	cInteraction = "interaction"
	// cMovement is what is left to spend this turn, in feet.
	cMovement = "movement"
	// cPace is the speed, a crouch left aside, that cMovement was last counted by.
	cPace = "pace"
	// cMoved is what was spent this turn, in feet of movement.
	cMoved = "moved"
	// cDangerous is what was spent in dangerous terrain this turn, in feet of movement.
	cDangerous = "dangerous"
	// cAttacks is what is left of the attacks of an Attack action begun this turn.
	cAttacks = "attacks"
	// cExhaustion is the exhaustion level, 0 to 10; 11 is death.
	cExhaustion = "exhaustion"
	// cDeathSuccesses and cDeathFailures are the tally of death saves.
	cDeath          = "death." // all that begins so is the game master's
	cDeathSuccesses = "death.successes"
	cDeathFailures  = "death.failures"
	// cDeathExhaustion is the level of exhaustion that a creature came down with,
	// and 1 more; 0 while it is up. What it has gained since is a secret.
	cDeathExhaustion = "death.exhaustion"
	// cDeathInspiration is the inspiration that one who is stable in secret has
	// spent in vain, and has back when that is no secret any more.
	cDeathInspiration = "death.inspiration"
	// cDeathStable is 1 while a creature is stable by its own death saves,
	// which only the game master knows.
	cDeathStable = "death.stable"
	// cWounds is the raw count of wounds.
	cWounds = "wounds"
	// cInspiration is 1 when the creature has inspiration.
	cInspiration = "inspiration"
	// cKit is the number of uses left in healer's kits.
	cKit = "kit"
	// cSlot is the prefix of spell slots left, by level: "slot.1" to "slot.9".
	cSlot = "slot."
	// cResource is the prefix of what is left of a sheet's resources, powers
	// and items: "left.NAME".
	cLeft = "left."
	// cHitDice is the prefix of hit dice left by size: "hitdice.8".
	cHitDice = "hitdice."
	// cStealth is the total of the Stealth check that a creature hides by.
	cStealth = "stealth"
	// cSuffocating counts the saves already made against suffocation.
	cSuffocating = "suffocating"
	// cMulti is the prefix of what is left of a multiattack begun this turn, by
	// the name of its part.
	cMulti = "multi."
	// cLegendary is what is left of the legendary actions until the next turn.
	cLegendary = "legendary"
	// cRunning, of the encounter, is the initiative of the turn that runs.
	cRunning = "running"
)

// Marks of a creature.
const (
	// mSurprised is "yes" while the creature is surprised.
	mSurprised = "surprised"
	// mTurn is the round whose turn the creature has had.
	mTurn = "turn"
	// mConcentration names the spell the creature concentrates on.
	mConcentration = "concentration"
	// mDisengaged is "yes" until the turn ends after Disengage.
	mDisengaged = "disengaged"
	// mSteady is "yes" in a turn in which a blinded creature passed its check to move unhampered.
	mSteady = "steady"
	// mWoundsEnabled is the game master's override: "on" or "off".
	mWoundsEnabled = "wounds-enabled"
	// mKilled says what a dead creature died of.
	mKilled = "killed"
	// mAttacked names the light weapon that the Attack action of this turn was
	// made with: an off-hand attack may follow.
	mAttacked = "attacked"
	// mLastSeen is where a hidden creature was seen last: "x,y,z" in feet, or
	// "nowhere".
	mLastSeen = "last-seen"
	// mBlock, of the encounter, is the block of initiative called last.
	mBlock = "block"
)

// Conditions.
const (
	condBlinded       = "blinded"
	condBloodied      = "bloodied"
	condCharmed       = "charmed"
	condCrouching     = "crouching"
	condDeafened      = "deafened"
	condDodging       = "dodging"
	condFrightened    = "frightened"
	condGrappled      = "grappled"
	condHelped        = "helped"
	condHelpless      = "helpless"
	condHidden        = "hidden"
	condIncapacitated = "incapacitated"
	condInvisible     = "invisible"
	condParalyzed     = "paralyzed"
	condPetrified     = "petrified"
	condPoisoned      = "poisoned"
	condProne         = "prone"
	condRestrained    = "restrained"
	condShackled      = "shackled"
	condStunned       = "stunned"
	condTerrified     = "terrified"
	condUnconscious   = "unconscious"
)

// Variants of paralyzed.
const (
	variantStricken = "stricken"
	variantDisabled = "disabled"
)

// Kinds of injuries; wounds themselves are the counter cWounds.
const (
	injuryScar = "scar"
	injuryLost = "lost-part"
)

// Phases of the encounter.
const (
	phaseSurprise = "surprise"
)

// Deeds of medicine in a fight: what the encounter asks the injury service.
const (
	deedDamage    = "damage"
	deedHeal      = "heal"
	deedExhaust   = "exhaust"
	deedTurnStart = "turn-start" // bleeding, suffocation, death save: in that order
	deedStabilise = "stabilise"
	deedSpell     = "spell" // a spell named in the list of those that remove wounds
	deedKit       = "kit"
	deedTempHP    = "temporary-hit-points"
	deedSetback   = "setback"
	deedRevive    = "revive"
)

// Numbers handed back by deeds.
const (
	resTaken    = "taken"    // hit points of damage taken after defences
	resHealed   = "healed"   // hit points regained
	resDropped  = "dropped"  // 1: fell from above 0 to 0 hit points
	resDead     = "dead"     // 1: dead now
	resWoke     = "woke"     // 1: was unconscious at 0 and is conscious again by healing
	resRevived  = "natural"  // 1: woke by its own natural 20
	resWounds   = "wounds"   // wounds gained
	resRemoved  = "removed"  // wounds removed
	resNoSave   = "no-save"  // 1: no death save this turn
	resConcMust = "concdc"   // DC of the concentration save owed; 0 none
	resImmune   = "immune"   // 1: the condition or damage did not take
	resStable   = "stable"   // 1: stable now
	resFailures = "failures" // death save failures now
	resCheck    = "check"    // the Medicine check against wounds: 1 made, 2 failed, 0 none
)
