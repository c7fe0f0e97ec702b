package rcr

// ID is the system's id.
const ID = "rcr"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "3"

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
	// cHitDice is the prefix of hit dice left by size: "hit-dice.8".
	cHitDice = "hit-dice."
	// cStealth is the total of the Stealth check that a creature hides by.
	cStealth = "stealth"
	// cSuffocating counts the saves already made against suffocation.
	cSuffocating = "suffocating"
	// cMulti is the prefix of what is left of a multiattack begun this turn, by
	// the name of its part.
	cMulti = "multi."
	// cLegendary is what is left of the legendary actions until the next turn.
	cLegendary = "legendary"
	// cTurn is the round whose turn the creature has had; -1 when it is to have it
	// again. In the surprise round, which is round 0, one that never had a turn has
	// no such counter.
	cTurn = "turn"
	// cRunning, of the encounter, is the initiative of the turn that runs.
	cRunning = "running"
)

// Marks of a creature.
const (
	// mSteady says how the check of a blinded creature to move unhampered came out
	// this turn: "passed" or "failed".
	mSteady = "steady"
	// mWoundsEnabled is the game master's override: "on" or "off".
	mWoundsEnabled = "wounds-enabled"
	// mKilled says what a dead creature died of.
	mKilled = "killed"
	// mAttacked names the light weapon that the Attack action of this turn was
	// made with: an off-hand attack may follow.
	mAttacked = "attacked"
)

// cBlock, of the encounter, counts the blocks of initiative called in the round.
const cBlock = "block"

// Words of mSteady.
const (
	steadyPassed = "passed"
	steadyFailed = "failed"
)

// Relations of a creature to others.
const (
	// relHolds is a grappler's to whoever is grappled by it: what the condition says
	// from the other side.
	relHolds = "holds"
	// relStarted is to the enemies in whose reach the turn's movement began,
	// relEntered to those whose reach was entered since. They are the game master's:
	// they would tell how far an enemy reaches.
	relStarted = "started-in-reach"
	relEntered = "entered-reach"
	// relThrough is to those whose space a tumble or an overrun has opened.
	relThrough = "through"
)

// What a creature has begun.
const (
	// begunReadied is what is readied for a trigger; a readied spell has the level
	// of its slot among the values.
	begunReadied = "readied"
	// begunHiding goes with the condition "hidden": x, y and z among the values are
	// where it was seen last, in feet; without them nobody knows.
	begunHiding = "hiding"
)

// Conditions.
const (
	condBlinded       = "blinded"
	condBloodied      = "bloodied"
	condCharmed       = "charmed"
	condConcentrating = "concentrating" // the variant is the spell
	condCrouching     = "crouching"
	condDeafened      = "deafened"
	condDisengaged    = "disengaged"
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
	condSurprised     = "surprised"
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
