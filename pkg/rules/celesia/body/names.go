package body

// ID is the system's id.
const ID = "celesia"

// Version of the rules code; it changes when a decision of an old fight could
// come out differently.
const Version = "5"

// CSeconds counts the seconds of the fight: six for every round that is over, the
// surprise round included.
const CSeconds = "clock"

// Counters of a creature.
const (
	// CActs is what is left of the acts of the turn.
	CActs = "acts"
	// CSpent is how many acts were used in the turn.
	CSpent = "spent"
	// CReactions is how many reactions are left until the next turn.
	CReactions = "reaction"
	// CFirst is what a natural 20 or 1 on initiative does to the first turn: 1 or -1.
	CFirst = "first-turn"
	// CNonlethal and cBurn are the tallies, in points of damage.
	CNonlethal = "nonlethal"
	CBurn      = "burn"
	// CBleed is continuous damage, in hit points at the start of each turn.
	CBleed = "bleed"
	// CConstitution is damage to the Constitution score.
	CConstitution = "constitution-damage"
	// CEscapes counts the attempts to escape made in the turn.
	CEscapes = "escapes"
	// CAim is the bonus of an unbroken run of aiming.
	CAim = "aim"
	// CLeft is the prefix of what is left of spells and potions: "left.NAME".
	CLeft = "left."
	// CTurn is the round whose turn the creature has had; see also mActed.
	CTurn = "turn"
)

// Marks of a creature.
const (
	// MActed is on a creature that has had its turn in the surprise round, which is
	// round 0 and so no number of cTurn.
	MActed = "acted-in-surprise"
	// MBegun is there once anything was done in the turn, free actions included.
	MBegun = "turn-begun"
	// MKept is there when the creature's grapple was begun or kept up this turn.
	MKept = "grapple-kept"
	// MDragging is there when the foe in hold may be brought along this turn.
	MDragging = "grapple-move"
	// MLimb is the prefix of limbs used this turn: "weapon" or "natural".
	MLimb = "limb."
	// MLeaving is on a creature that is being taken off the field.
	MLeaving = "leaving"
	// MTended is there when a stable creature was treated by a healer or magic.
	MTended = "tended"
	// MOver ends the turn once the act is settled: "ready" or "delay".
	MOver = "over"
)

// Conditions.
const (
	CondBlind       = "blinded"
	CondCharged     = "charged"
	CondCharging    = "charging"
	CondConfused    = "confused"
	CondCowering    = "cowering"
	CondDazed       = "dazed"
	CondDefensive   = "fighting-defensively"
	CondFeinted     = "feinted"
	CondFlatFooted  = "flat-footed"
	CondFlanked     = "flanked"
	CondFrightened  = "frightened"
	CondGrappled    = "grappled"
	CondHandsBound  = "hands-bound"
	CondHasted      = "hasted"
	CondHelpless    = "helpless"
	CondInvisible   = "invisible"
	CondPanicked    = "panicked"
	CondParalyzed   = "paralyzed"
	CondPinned      = "pinned"
	CondPinning     = "pinning"
	CondProne       = "prone"
	CondShaken      = "shaken"
	CondSickened    = "sickened"
	CondStaggered   = "staggered"
	CondStunned     = "stunned"
	CondTotal       = "total-defense"
	CondUnconscious = "unconscious"
	// CondSurprised is on a creature that gets no turn in the surprise round.
	CondSurprised = "surprised"
)

// Relations: who holds whom, and rider and mount.
const (
	RelHolds   = "holds"
	RelRides   = "rides"
	RelCarries = "carries"
)

// Kinds of things begun.
const (
	BegunReadied  = "readied"
	BegunDelayed  = "delayed"
	BegunUnderway = "underway" // with a part of its acts
	BegunCasting  = "casting"  // a 1-round spell
	BegunLoading  = "loading"  // a 1-round action that loads a firearm
)

// Kinds of weapons.
const (
	KindMelee         = "melee"
	KindThrown        = "thrown"
	KindProjectile    = "projectile"
	KindNatural       = "natural"
	KindNaturalRanged = "natural-ranged"
	KindUnarmed       = "unarmed"
)

// Features that the rules ask for.
const (
	FeatCombatReflexes  = "combat-reflexes"
	FeatUncannyDodge    = "uncanny-dodge"
	FeatImprovedGrapple = "improved-grapple"
	FeatImprovedUnarmed = "improved-unarmed-strike"
	FeatMonk            = "monk"
	FeatQuickDraw       = "quick-draw"
	FeatPreciseShot     = "precise-shot"
	FeatRegeneration    = "regeneration"
	FeatCounterspell    = "counterspell"
	FeatOpportunityHold = "opportunity-grapple"
	FeatBullRush        = "improved-bull-rush"
	FeatDrag            = "improved-drag"
	FeatFeint           = "improved-feint"
	FeatTwoWeapon       = "two-weapon-fighting"
	FeatMultiweapon     = "multiweapon-fighting"
	FeatSpellCombat     = "spell-combat"
	FeatSpellstrike     = "spellstrike"
)

// Immunities that the rules ask for.
const (
	ImmuneCritical  = "critical-hits"
	ImmuneNonlethal = "nonlethal"
	ImmuneBleed     = "bleed"
)

// Natures of damage besides ordinary.
const (
	NatureNonlethal = "nonlethal"
	NatureBurn      = "burn"
)

// Places of things.
const (
	PlaceMain    = "main"
	PlaceOff     = "off"
	PlaceBoth    = "both"
	PlaceStowed  = "stowed"
	PlaceDropped = "dropped"
)

// Phases of the encounter.
const PhaseSurprise = "surprise"

// Deeds of medicine in a fight: what the encounter asks the injury service.
const (
	DeedDamage    = "damage"
	DeedHeal      = "heal"
	DeedTurnStart = "turn-start" // bleeding, then the stabilising save, then the daze of head injuries
	DeedStrain    = "strain"     // hit points lost by acting while disabled
	DeedFirstAid  = "first-aid"
	// DeedCripple gives a crippling injury, DeedBleed adds its amount to what bleeds:
	// both are what content does.
	DeedCripple = "cripple"
	DeedBleed   = "bleed"
	DeedStaunch = "staunch" // a Heal check that ends bleeding
	DeedCoup    = "coup"    // damage of a coup de grace with its save
	DeedRestore = "restoration"
	DeedRegrow  = "regenerate"
	DeedSettle  = "settle" // life and conditions brought in line with the numbers
)

// Names of decisions.
const (
	DecReaction  = "reaction"
	DecReenter   = "re-enter"
	DecCrippling = "crippling-injury"
	DecHold      = "grapple-continued"
	DecEscape    = "escape"
	DecDisarm    = "disarm-item"
	DecCounter   = "counterspell"
)

// TaskComplex is an action that takes acts over several turns.
const TaskComplex = "complex-action"
