package body

// Traits are those that these rules decide by their names.
var Traits = []string{"acts while surprised", "action surge", "cunning action", "ignores surprise", TraitLegendaryResistance, "magic resistance",
	"nimble escape", "pack tactics", "patient defense", TraitRelentless, "step of the wind", TraitTwoWeapons, TraitUncannyDodge, TraitUndeadFortitude,
	TraitAmphibious, TraitWaterBreathing}

// Undecided are traits that shipped sheets have and that these rules leave to the
// table: what they do is stated, or is among the sheet's powers and resources.
var Undecided = []string{"aggressive", "arcane recovery", "brave", "channel divinity", "danger sense", "dwarven resilience", "fey ancestry",
	"fighting style defense", "halfling nimbleness", "keen hearing and smell", "keen sight and smell", "keen smell", "lucky", "rage",
	"reckless attack", "savage attacks", "second wind", "sneak attack", "spider climb", "web sense", "web walker"}

// TraitTwoWeapons is the fighting style of two weapons.
const TraitTwoWeapons = "fighting style two-weapon fighting"

// Feats are those that the document has; what some of them bring is in the numbers of
// the sheet alone.
var Feats = []string{FeatAlert, FeatAerialAce, FeatAthlete, FeatCharger, FeatCrusher, FeatDefensiveDuelist, FeatDualWielder, FeatDungeonDelver, FeatDurable,
	FeatElementalAdept, FeatGrappler, FeatHealer, FeatImprovedDualWielder, FeatInspiringLeader, FeatKeenMind, FeatLegerdemain, FeatMageSlayer,
	FeatMartialAdept, FeatMetamagicAdept, FeatMightyWings, FeatMobile, FeatSavageAttacker, FeatSentinel, FeatSkillExpert, FeatSkilled, FeatSkulker, FeatSpellSniper,
	FeatTavernBrawler, FeatTough, FeatWarCaster, FeatWeaponMaster}

// Properties of weapons; heavy, reach and ammunition are already in the numbers of
// an attack. What those after the weapons of the water do is for the table's equipment.
var Properties = []string{"ammunition", "finesse", "heavy", "improvised", "light", "one-handed", "reach", "reload", "thrown", "two-handed", "versatile",
	PropUnderwater, "brace", "disarm", "double ended", "entangle", "knockback", "nimble", "stagger", "sunder", "trip", "wound"}

// Senses that a sheet may have, in feet.
var Senses = []string{"blindsight", "darkvision", "tremorsense", "truesight"}

// Words of a sheet's fields that are one of a few.
var (
	CastingTimes = []string{"action", "bonus", "reaction", "longer"}
	Activations  = []string{"action", "bonus", "other"}
	Rarities     = []string{"common", "uncommon", "rare", "very rare", "legendary", "artifact"}
	Recharges    = []string{"short rest", "long rest", "day", "recharge"}
	Variants     = []string{VariantStricken, VariantDisabled}
)
