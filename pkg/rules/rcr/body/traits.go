package body

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Traits of classes, species and monsters that are decided by their names.
const (
	TraitAggressive     = "aggressive"
	TraitAmbusher       = "ambusher"
	TraitAssassinate    = "assassinate"
	TraitBloodFrenzy    = "blood frenzy"
	TraitBrave          = "brave"
	TraitDangerSense    = "danger sense"
	TraitDarkDevotion   = "dark devotion"
	TraitEvasion        = "evasion"
	TraitExtraAttack    = "extra attack"
	TraitFeyAncestry    = "fey ancestry"
	TraitFlyby          = "flyby"
	TraitGnomeCunning   = "gnome cunning"
	TraitGrappler       = "grappler"
	TraitMagicWeapons   = "magic weapons"
	TraitMartial        = "martial advantage"
	TraitRage           = "rage"
	TraitRampage        = "rampage"
	TraitReckless       = "reckless attack"
	TraitBoarRelentless = "relentless"
	TraitSavageAttacks  = "savage attacks"
	TraitSecondWind     = "second wind"
	TraitSmite          = "divine smite"
	TraitSneakAttack    = "sneak attack"
	TraitSureFooted     = "sure-footed"
	TraitSurpriseAttack = "surprise attack"
	TraitTwoHeaded      = "two-headed"
)

// Charges are the traits of those who hit the harder for having run up.
//
// rcr.trait.charge
var Charges = []string{"charge", "pounce", "trampling charge"}

// Conditions of traits.
const (
	// CondReckless is on whoever attacks recklessly, until its next turn.
	CondReckless = "reckless"
	// CondRaging is on whoever rages; the power of the sheet lays it.
	CondRaging = "raging"
)

// Marks of traits.
const (
	// MOnce is the prefix of traits that come once a turn, by the trait: the round and
	// the turn in which it came.
	MOnce = "once."
	// MStruck: it has attacked in its turn; of those alone whose trait asks for that.
	MStruck = "struck"
	// MFed: it has attacked an enemy or taken damage since its last turn ended; of those
	// alone who rage.
	MFed = "rage-fed"
	// MFelled: it has brought a creature to 0 hit points in melee in its turn; of those
	// alone whose trait asks for that.
	MFelled = "felled"
	// MRanDown names whom it has run down and may attack once more.
	MRanDown = "ran-down"
)

// aliases are other names that traits go by.
var aliases = map[string][]string{
	TraitReckless:    {"reckless"},
	TraitSneakAttack: {"sneak attack (1/turn)"},
}

// HasTrait tells whether the sheet names a trait, alone or with numbers of its own.
func HasTrait(c *eventv1.Creature, trait string) bool {
	s := SheetOf(c)
	if len(s.Traits) == 0 && len(s.Features) == 0 {
		return false
	}
	return Named(s.Traits, trait) || Feature(c, trait) != nil ||
		slices.ContainsFunc(aliases[trait], func(other string) bool { return Named(s.Traits, other) })
}

// Feature is the trait of a creature with the numbers of its sheet; nil for none.
func Feature(c *eventv1.Creature, trait string) *eventv1.RcrFeature {
	for _, f := range SheetOf(c).Features {
		if strings.EqualFold(f.Name, trait) || slices.ContainsFunc(aliases[trait], func(other string) bool { return strings.EqualFold(f.Name, other) }) {
			return f
		}
	}
	return nil
}

// TraitDice are the dice of a trait by the sheet, else those given.
func TraitDice(c *eventv1.Creature, trait, otherwise string) string {
	if d := Feature(c, trait).GetDice(); d != "" {
		return d
	}
	return otherwise
}

// ThisTurn names the turn that runs, for what comes once in it.
func ThisTurn(s *eventv1.State) string { return Itoa(s.Round) + "/" + strings.Join(s.Active, ",") }

// OnceATurn tells whether a trait has not come in the turn that runs.
func OnceATurn(s *eventv1.State, c *eventv1.Creature, trait string) bool {
	return c.GetMarks()[MOnce+trait] != ThisTurn(s)
}

// Came notes that a trait came in the turn that runs.
func Came(r *rules.Resolution, id, trait, rule string) {
	r.Mark(id, MOnce+trait, ThisTurn(r.State()), rule)
}

// ByStrength tells whether a melee attack goes by Strength (a reading): unless it is
// one of finesse and Dexterity is the higher.
//
// rcr.trait.reckless-attack, rcr.trait.rage
func ByStrength(c *eventv1.Creature, a *eventv1.RcrAttack, melee bool) bool {
	finesse := slices.Contains(a.GetProperties(), "finesse") && AbilityMod(c, "dexterity") > AbilityMod(c, "strength")
	return melee && !a.GetSpell() && !finesse
}

// Raging tells whether a creature rages by its trait.
func Raging(c *eventv1.Creature) bool { return Has(c, CondRaging) && HasTrait(c, TraitRage) }

// AttacksPerAction is how many attacks a creature's Attack action holds.
//
// rcr.trait.extra-attack
func AttacksPerAction(c *eventv1.Creature) int32 {
	n := max(1, SheetOf(c).AttacksPerAction)
	if n < 2 && HasTrait(c, TraitExtraAttack) {
		return 2
	}
	return n
}

// Evades tells whether a creature evades what a saving throw halves.
//
// rcr.trait.evasion
func Evades(c *eventv1.Creature, save *eventv1.RcrSave) bool {
	return save.GetAbility() == "dexterity" && save.GetHalfOnSuccess() && HasTrait(c, TraitEvasion) && !Incapacitated(c)
}

// Sensed tells whether a creature has a keen sense of the name.
//
// rcr.trait.keen-senses
func Sensed(c *eventv1.Creature, sense string) bool {
	s := SheetOf(c)
	keen := func(name string) bool {
		senses, keen := strings.CutPrefix(strings.ToLower(name), "keen ")
		return keen && slices.Contains(strings.Fields(senses), sense)
	}
	return slices.ContainsFunc(s.Traits, keen)
}

// wards are the conditions against which traits give advantage on saving throws.
//
// rcr.trait.brave, rcr.trait.fey-ancestry, rcr.trait.dark-devotion, rcr.trait.two-headed,
// rcr.trait.resilience
var wards = []struct {
	traits     []string
	conditions []string
}{
	{[]string{TraitBrave}, []string{CondFrightened, CondTerrified}},
	{[]string{TraitFeyAncestry}, []string{CondCharmed}},
	{[]string{TraitDarkDevotion}, []string{CondCharmed, CondFrightened, CondTerrified}},
	{[]string{TraitTwoHeaded}, []string{CondBlinded, CondCharmed, CondDeafened, CondFrightened, CondTerrified, CondStunned, CondUnconscious}},
	{Resilience, []string{CondPoisoned}},
}

// Resilience are the traits of those whom poison harms less.
var Resilience = []string{"dwarven resilience", "stout resilience"}

// warded tells whether a trait helps a creature against one of the conditions that a
// saving throw is against.
func warded(c *eventv1.Creature, trait string, against []string) bool {
	if !HasTrait(c, trait) {
		return false
	}
	for _, w := range wards {
		if slices.Contains(w.traits, trait) && slices.ContainsFunc(against, func(x string) bool { return slices.Contains(w.conditions, x) }) {
			return true
		}
	}
	return false
}

// Resilient tells whether a creature has the hardiness against poison.
//
// rcr.trait.resilience
func Resilient(c *eventv1.Creature) bool {
	return slices.ContainsFunc(Resilience, func(t string) bool { return HasTrait(c, t) })
}

// Laid are the conditions that effects lay.
func Laid(effects []*eventv1.RcrEffect) (out []string) {
	for _, e := range effects {
		out = append(out, e.Condition)
	}
	return out
}

// neverActed tells whether a creature has had no turn in this fight.
//
// rcr.trait.assassinate
func neverActed(c *eventv1.Creature) bool {
	_, had := c.GetCounters()[CTurn]
	return !had
}

// limitsOfTraits are the limits of the rows of traits.
var limitsOfTraits = map[string]situation.Limit[Asked]{
	"reckless-blow": func(r *roll) bool {
		return OwnTurn(r.State, r.Self.Id) && ByStrength(r.Self, r.More.Attack.Blow, r.More.Attack.Melee)
	},
	"blood-frenzy": func(r *roll) bool {
		return r.More.Attack.Melee && HasTrait(r.Self, TraitBloodFrenzy) && r.Target.GetHp() < r.Target.GetHpMax()
	},
	"ambusher":    func(r *roll) bool { return HasTrait(r.Self, TraitAmbusher) && Has(r.Target, CondSurprised) },
	"assassinate": func(r *roll) bool { return HasTrait(r.Self, TraitAssassinate) && neverActed(r.Target) },
	"grappler":    func(r *roll) bool { return HasTrait(r.Self, TraitGrappler) && GrappledBy(r.Target, r.Self.Id) != nil },
	"keen-senses": func(r *roll) bool { return r.More.Skill == "perception" && Sensed(r.Self, r.More.Purpose) },
	"two-headed-perception": func(r *roll) bool {
		return r.More.Skill == "perception" && HasTrait(r.Self, TraitTwoHeaded)
	},
	"brave":         func(r *roll) bool { return warded(r.Self, TraitBrave, r.More.Against) },
	"fey-ancestry":  func(r *roll) bool { return warded(r.Self, TraitFeyAncestry, r.More.Against) },
	"dark-devotion": func(r *roll) bool { return warded(r.Self, TraitDarkDevotion, r.More.Against) },
	"two-headed":    func(r *roll) bool { return warded(r.Self, TraitTwoHeaded, r.More.Against) },
	"resilience": func(r *roll) bool {
		poison := slices.ContainsFunc(r.More.Types, func(t string) bool { return strings.EqualFold(t, "poison") })
		return Resilient(r.Self) && (poison || slices.Contains(r.More.Against, CondPoisoned))
	},
	"sure-footed": func(r *roll) bool { return HasTrait(r.Self, TraitSureFooted) && r.More.Purpose == "stay-up" },
	"danger-sense": func(r *roll) bool {
		return HasTrait(r.Self, TraitDangerSense) && !Has(r.Self, CondBlinded) && !Has(r.Self, CondDeafened) && !Incapacitated(r.Self)
	},
	"gnome-cunning": func(r *roll) bool {
		return r.More.Magic && HasTrait(r.Self, TraitGnomeCunning) && slices.Contains([]string{"intelligence", "wisdom", "charisma"}, r.More.Ability)
	},
}

// RunsUp tells whether it matters how far a creature has come straight on.
//
// rcr.feat.charger-straight-bonus, rcr.trait.charge
func RunsUp(c *eventv1.Creature) bool {
	return HasFeat(c, FeatCharger) || slices.ContainsFunc(Charges, func(t string) bool { return Feature(c, t) != nil })
}
