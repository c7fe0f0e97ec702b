package body

// ID is the system's id.
const ID = "rcr"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "6"

// Counters of a creature.
const (
	// CAction, cBonus, cReaction are 1 while the thing is still to be had this
	// turn (the reaction: until the next turn), 0 when spent.
	CAction   = "action"
	CBonus    = "bonus"
	CReaction = "reaction"
	// CInteraction is the free object interaction of the turn.
	CInteraction = "interaction"
	// CMovement is what is left to spend this turn, in feet.
	CMovement = "movement"
	// CPace is the speed, a crouch left aside, that cMovement was last counted by.
	CPace = "pace"
	// CMoved is what was spent this turn, in feet of movement.
	CMoved = "moved"
	// CDangerous is what was spent in dangerous terrain this turn, in feet of movement.
	CDangerous = "dangerous"
	// CAttacks is what is left of the attacks of an Attack action begun this turn.
	CAttacks = "attacks"
	// CExhaustion is the exhaustion level, 0 to 10; 11 is death.
	CExhaustion = "exhaustion"
	// cDeathSuccesses and cDeathFailures are the tally of death saves.
	CDeath          = "death." // all that begins so is the game master's
	CDeathSuccesses = "death.successes"
	CDeathFailures  = "death.failures"
	// CDeathExhaustion is the level of exhaustion that a creature came down with,
	// and 1 more; 0 while it is up. What it has gained since is a secret.
	CDeathExhaustion = "death.exhaustion"
	// CDeathInspiration is the inspiration that one who is stable in secret has
	// spent in vain, and has back when that is no secret any more.
	CDeathInspiration = "death.inspiration"
	// CDeathStable is 1 while a creature is stable by its own death saves,
	// which only the game master knows.
	CDeathStable = "death.stable"
	// CWounds is the raw count of wounds.
	CWounds = "wounds"
	// CInspiration is 1 when the creature has inspiration.
	CInspiration = "inspiration"
	// CKit is the number of uses left in healer's kits.
	CKit = "kit"
	// CSlot is the prefix of spell slots left, by level: "slot.1" to "slot.9".
	CSlot = "slot."
	// cResource is the prefix of what is left of a sheet's resources, powers
	// and items: "left.NAME".
	CLeft = "left."
	// CHitDice is the prefix of hit dice left by size: "hit-dice.8".
	CHitDice = "hit-dice."
	// CStealth is the total of the Stealth check that a creature hides by.
	CStealth = "stealth"
	// CSuffocating counts the saves already made against suffocation.
	CSuffocating = "suffocating"
	// CMulti is the prefix of what is left of a multiattack begun this turn, by
	// the name of its part.
	CMulti = "multi."
	// CLegendary is what is left of the legendary actions until the next turn.
	CLegendary = "legendary"
	// CRerolled is 1 once a savage attacker has rolled a 1 again, until it rests.
	CRerolled = "rerolled"
	// CTurn is the round whose turn the creature has had; -1 when it is to have it
	// again. In the surprise round, which is round 0, one that never had a turn has
	// no such counter.
	CTurn = "turn"
	// CRunning, of the encounter, is the initiative of the turn that runs.
	CRunning = "running"
)

// Marks of a creature.
const (
	// MSteady says how the check of a blinded creature to move unhampered came out
	// this turn: "passed" or "failed".
	MSteady = "steady"
	// MWoundsEnabled is the game master's override: "on" or "off".
	MWoundsEnabled = "wounds-enabled"
	// MKilled says what a dead creature died of.
	MKilled = "killed"
	// MAttacked names the light weapon that the Attack action of this turn was
	// made with: an off-hand attack may follow.
	MAttacked = "attacked"
	// MAttackedHand is the hand that held that weapon: "main" or "off".
	MAttackedHand = "attacked-hand"
	// MOffHand: the off-hand attack that goes with the Attack action was made this turn.
	MOffHand = "off-hand-made"
	// MStowed: a one-handed weapon was put away this turn, and another may be with it.
	MStowed = "stowed"
	// MParried names whom a reaction of this turn parries a second time.
	MParried = "parried"
	// MShifted says in whose turn of which round it has shifted somebody.
	MShifted = "shifted"
	// MImprovised begins the marks of the properties that a tavern brawler has given to what
	// it holds, by its name.
	MImprovised = "improvised."
	// MBrawled names whom a tavern brawler has hit unarmed this turn.
	MBrawled = "brawled"
	// MTended: a healer has tended it since its last long rest.
	MTended = "tended-by-healer"
)

// CBlock, of the encounter, counts the blocks of initiative called in the round.
const CBlock = "block"

// Words of mSteady.
const (
	SteadyPassed = "passed"
	SteadyFailed = "failed"
)

// Relations of a creature to others.
const (
	// relHolds is a grappler's to whoever is grappled by it: what the condition says
	// from the other side.
	relHolds = "holds"
	// RelStarted is to the enemies in whose reach the turn's movement began,
	// relEntered to those whose reach was entered since. They are the game master's:
	// they would tell how far an enemy reaches.
	RelStarted = "started-in-reach"
	RelEntered = "entered-reach"
	// RelThrough is to those whose space a tumble or an overrun has opened.
	RelThrough = "through"
)

// What a creature has begun.
const (
	// BegunReadied is what is readied for a trigger; a readied spell has the level
	// of its slot among the values.
	BegunReadied = "readied"
	// BegunHiding goes with the condition "hidden": x, y and z among the values are
	// where it was seen last, in feet; without them nobody knows.
	BegunHiding = "hiding"
)

// Conditions.
const (
	CondBlinded       = "blinded"
	CondBloodied      = "bloodied"
	CondCharmed       = "charmed"
	CondConcentrating = "concentrating" // the variant is the spell
	CondCrouching     = "crouching"
	CondDeafened      = "deafened"
	CondDisengaged    = "disengaged"
	CondDodging       = "dodging"
	CondFrightened    = "frightened"
	CondGrappled      = "grappled"
	CondHelped        = "helped"
	CondHelpless      = "helpless"
	CondHidden        = "hidden"
	CondIncapacitated = "incapacitated"
	CondInvisible     = "invisible"
	CondParalyzed     = "paralyzed"
	CondPetrified     = "petrified"
	CondPoisoned      = "poisoned"
	CondProne         = "prone"
	CondRestrained    = "restrained"
	CondShackled      = "shackled"
	CondSqueezing     = "squeezing"
	CondStopped       = "stopped"
	CondStunned       = "stunned"
	CondSuffocating   = "suffocating"
	CondSurprised     = "surprised"
	CondTerrified     = "terrified"
	CondUnconscious   = "unconscious"
)

// Variants of paralyzed.
const (
	VariantStricken = "stricken"
	VariantDisabled = "disabled"
)

// Kinds of injuries; wounds themselves are the counter cWounds.
const (
	InjuryScar = "scar"
	InjuryLost = "lost-part"
)

// Phases of the encounter.
const (
	PhaseSurprise = "surprise"
)

// Deeds of medicine in a fight: what the encounter asks the injury service.
const (
	DeedDamage    = "damage"
	DeedHeal      = "heal"
	DeedExhaust   = "exhaust"
	DeedTurnStart = "turn-start" // bleeding, suffocation, death save: in that order
	DeedStabilise = "stabilise"
	DeedSpell     = "spell" // a spell named in the list of those that remove wounds
	DeedKit       = "kit"
	DeedTempHP    = "temporary-hit-points"
	DeedSetback   = "setback"
	DeedRevive    = "revive"
	DeedWound     = "wound" // so many wounds, as content has it
	DeedSever     = "sever" // a part of the body is lost
)
