package celesia

// ID is the system's id.
const ID = "celesia"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "2"

// cSeconds counts the seconds of the fight: six for every round that is over, the
// surprise round included.
const cSeconds = "seconds"

// Counters of a creature.
const (
	// cActs is what is left of the acts of the turn.
	cActs = "acts"
	// cSpent is how many acts were used in the turn.
	cSpent = "spent"
	// cReactions is how many reactions are left until the next turn.
	cReactions = "reactions"
	// cFirst is what a natural 20 or 1 on initiative does to the first turn: 1 or -1.
	cFirst = "first-turn"
	// cNonlethal and cBurn are the tallies, in points of damage.
	cNonlethal = "nonlethal"
	cBurn      = "burn"
	// cBleed is continuous damage, in hit points at the start of each turn.
	cBleed = "bleed"
	// cConstitution is damage to the Constitution score.
	cConstitution = "constitution-damage"
	// cEscapes counts the attempts to escape made in the turn.
	cEscapes = "escapes"
	// cAim is the bonus of an unbroken run of aiming.
	cAim = "aim"
	// cLeft is the prefix of what is left of spells and potions: "left.NAME".
	cLeft = "left."
)

// Marks of a creature.
const (
	// mTurn is the round whose turn the creature has had.
	mTurn = "turn"
	// mBegun is "yes" once anything was done in the turn, free actions included.
	mBegun = "begun"
	// mUnaware is "yes" on a creature that gets no turn in the surprise round.
	mUnaware = "unaware"
	// mDelaying is "yes" from a delay until the delayed turn is taken or lost.
	mDelaying = "delaying"
	// mReady is the prefix of the readied action: ready.action, ready.item,
	// ready.trigger, ready.foe, ready.words and ready.command, the whole of it.
	mReady = "ready."
	// mKept is "yes" when the creature's grapple was begun or kept up this turn.
	mKept = "grapple-kept"
	// mDragging is "yes" when the foe in hold may be brought along this turn.
	mDragging = "grapple-move"
	// mBusy names the task of a 1-round action under way: no reactions.
	mBusy = "busy"
	// mLimb is the prefix of limbs used this turn: "weapon" or "natural".
	mLimb = "limb."
	// mLeaving is "yes" on a creature that is being taken off the field.
	mLeaving = "leaving"
	// mTended is "yes" when a stable creature was treated by a healer or magic.
	mTended = "tended"
	// mOver ends the turn once the act is settled: "ready" or "delay".
	mOver = "over"
)

// Conditions.
const (
	condBlind       = "blind"
	condCharged     = "charged"
	condCharging    = "charging"
	condConfused    = "confused"
	condCowering    = "cowering"
	condDazed       = "dazed"
	condDefensive   = "fighting-defensively"
	condFeinted     = "feinted"
	condFlatFooted  = "flat-footed"
	condFlanked     = "flanked"
	condFrightened  = "frightened"
	condGrappled    = "grappled"
	condHandsBound  = "hands-bound"
	condHasted      = "hasted"
	condHelpless    = "helpless"
	condInvisible   = "invisible"
	condPanicked    = "panicked"
	condParalyzed   = "paralyzed"
	condPinned      = "pinned"
	condPinning     = "pinning"
	condProne       = "prone"
	condShaken      = "shaken"
	condSickened    = "sickened"
	condStaggered   = "staggered"
	condStunned     = "stunned"
	condTotal       = "total-defense"
	condUnconscious = "unconscious"
)

// Variants of grappled: who began the hold, and who is in it.
const (
	variantHolder = "holder"
	variantHeld   = "held"
)

// Kinds of weapons.
const (
	kindMelee         = "melee"
	kindThrown        = "thrown"
	kindProjectile    = "projectile"
	kindNatural       = "natural"
	kindNaturalRanged = "natural-ranged"
	kindUnarmed       = "unarmed"
)

// Features that the rules ask for.
const (
	featCombatReflexes  = "combat-reflexes"
	featUncannyDodge    = "uncanny-dodge"
	featImprovedGrapple = "improved-grapple"
	featImprovedUnarmed = "improved-unarmed-strike"
	featMonk            = "monk"
	featQuickDraw       = "quick-draw"
	featPreciseShot     = "precise-shot"
	featRegeneration    = "regeneration"
	featCounterspell    = "counterspell"
	featOpportunityHold = "opportunity-grapple"
	featBullRush        = "improved-bull-rush"
	featDrag            = "improved-drag"
	featFeint           = "improved-feint"
	featTwoWeapon       = "two-weapon-fighting"
	featMultiweapon     = "multiweapon-fighting"
	featSpellCombat     = "spell-combat"
	featSpellstrike     = "spellstrike"
)

// Immunities that the rules ask for.
const (
	immuneCritical  = "critical-hits"
	immuneNonlethal = "nonlethal"
	immuneBleed     = "bleed"
)

// Natures of damage besides ordinary.
const (
	natureNonlethal = "nonlethal"
	natureBurn      = "burn"
)

// Places of things.
const (
	placeMain    = "main"
	placeOff     = "off"
	placeBoth    = "both"
	placeStowed  = "stowed"
	placeDropped = "dropped"
)

// Phases of the encounter.
const phaseSurprise = "surprise"

// Deeds of medicine in a fight: what the encounter asks the injury service.
const (
	deedDamage    = "damage"
	deedHeal      = "heal"
	deedTurnStart = "turn-start" // bleeding, then the stabilising save, then the daze of head injuries
	deedStrain    = "strain"     // hit points lost by acting while disabled
	deedFirstAid  = "first-aid"
	deedStaunch   = "staunch" // a Heal check that ends bleeding
	deedCoup      = "coup"    // damage of a coup de grace with its save
	deedRestore   = "restoration"
	deedRegrow    = "regenerate"
	deedSettle    = "settle" // life and conditions brought in line with the numbers
)

// Numbers handed back by deeds.
const (
	resTaken  = "taken"  // hit points lost
	resHealed = "healed" // hit points regained
	resDead   = "dead"   // 1: dead now
	resDown   = "down"   // 1: unconscious now
	resStable = "stable" // 1: stable now
)

// Names of decisions.
const (
	decReaction  = "reaction"
	decReenter   = "re-enter"
	decCrippling = "crippling-injury"
	decHold      = "grapple-continued"
	decEscape    = "escape"
	decDisarm    = "disarm-item"
	decCounter   = "counterspell"
)

// Tasks.
const (
	taskComplex  = "complex-action"
	taskOneRound = "one-round-action"
)
