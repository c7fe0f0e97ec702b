package celesia

// ID is the system's id.
const ID = "celesia"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "3"

// cSeconds counts the seconds of the fight: six for every round that is over, the
// surprise round included.
const cSeconds = "clock"

// Counters of a creature.
const (
	// cActs is what is left of the acts of the turn.
	cActs = "acts"
	// cSpent is how many acts were used in the turn.
	cSpent = "spent"
	// cReactions is how many reactions are left until the next turn.
	cReactions = "reaction"
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
	// cTurn is the round whose turn the creature has had; see also mActed.
	cTurn = "turn"
)

// Marks of a creature.
const (
	// mActed is on a creature that has had its turn in the surprise round, which is
	// round 0 and so no number of cTurn.
	mActed = "acted-in-surprise"
	// mBegun is there once anything was done in the turn, free actions included.
	mBegun = "turn-begun"
	// mKept is there when the creature's grapple was begun or kept up this turn.
	mKept = "grapple-kept"
	// mDragging is there when the foe in hold may be brought along this turn.
	mDragging = "grapple-move"
	// mLimb is the prefix of limbs used this turn: "weapon" or "natural".
	mLimb = "limb."
	// mLeaving is on a creature that is being taken off the field.
	mLeaving = "leaving"
	// mTended is there when a stable creature was treated by a healer or magic.
	mTended = "tended"
	// mOver ends the turn once the act is settled: "ready" or "delay".
	mOver = "over"
)

// Conditions.
const (
	condBlind       = "blinded"
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
	// condSurprised is on a creature that gets no turn in the surprise round.
	condSurprised = "surprised"
)

// Relations: who holds whom, and rider and mount.
const (
	relHolds   = "holds"
	relRides   = "rides"
	relCarries = "carries"
)

// Kinds of things begun.
const (
	begunReadied  = "readied"
	begunDelayed  = "delayed"
	begunUnderway = "underway" // with a part of its acts
	begunCasting  = "casting"  // a 1-round spell
	begunLoading  = "loading"  // a 1-round action that loads a firearm
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

// taskComplex is an action that takes acts over several turns.
const taskComplex = "complex-action"
