package body

import (
	"maps"
	"slices"
	"sync"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	lore "github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Kinds of rolls in the table of situations. What an attack gets from its target
// stands apart, and so does what comes after the changes that effects bring: sources
// stand in a roll in the order of the book.
const (
	RollAttack       = "attack"
	RollAttackAllies = "attack.allies"
	RollAttacked     = "attacked"
	RollAttackDodge  = "attacked.dodge"
	RollInitiativeOf = "initiative"
	RollCheckOf      = "check"
	RollSaveOf       = "save"
)

// Asked is what the limits of situations ask about a roll.
type Asked struct {
	// Attack: what its circumstances are.
	Attack AttackKind
	// Ability, skill and purpose of a check or a saving throw.
	Ability, Skill, Purpose string
	// Types of the damage that a saving throw is against.
	Types []string
	// Against are the conditions that a failed saving throw brings.
	Against []string
	// Magic: a saving throw is against a spell or other magic.
	Magic bool
	// Kit: a check is made with a healer's kit.
	Kit bool
	// Water is what is stated about it, for checks and saving throws.
	Water WaterSaid
}

type roll = situation.Roll[Asked]

// Situations is the table of the book; situationsError says what is wrong with it.
var Situations, SituationsError = readSituations()

func readSituations() (*situation.Table[Asked], error) {
	text, err := content.Book().Table("situations")
	if err != nil {
		return nil, err
	}
	limits := maps.Clone(limitsOfRolls)
	// order-free: a map is copied into a map
	for name, limit := range limitsOfTraits {
		limits[name] = limit
	}
	// order-free: a map is copied into a map
	for name, limit := range limitsOfMoreTraits {
		limits[name] = limit
	}
	return situation.Read(text, limits)
}

// Conditions are those of the book, read at the first question.
var Conditions = lore.Lazily(func() ([]byte, error) { return content.Book().File("conditions.yaml") })

// barred tells whether a condition keeps a creature from acting.
func barred(c *eventv1.Creature) bool {
	x, _ := Conditions.Barring(c, lore.BarsActing)
	return x != nil
}

// heldFast tells whether a condition leaves a creature no speed.
func heldFast(c *eventv1.Creature) bool {
	return slices.ContainsFunc(c.GetConditions(), func(x *eventv1.Condition) bool {
		d := Conditions.Find(x.Name)
		return d != nil && d.Speed == "0"
	})
}

// EdgesOf are the sources that the situation gives a roll.
func EdgesOf(s *eventv1.State, kind string, self, target *eventv1.Creature, more Asked) []*eventv1.Edge {
	if SituationsError != nil {
		return nil // nothing is carried out: Validate says why
	}
	r := rolls.Get().(*roll)
	*r = roll{State: s, Kind: kind, Self: self, Target: target, More: more}
	out := Situations.Edges(r)
	*r = roll{}
	rolls.Put(r)
	return out
}

// rolls are those that were asked about, to be used again: they are large, and every roll
// is asked about several times.
var rolls = sync.Pool{New: func() any { return &roll{} }}

// limitsOfRolls are the limits that rows may name.
var limitsOfRolls = map[string]situation.Limit[Asked]{
	"target-unseen": func(r *roll) bool {
		return !PerceivesIn(r.State, r.Self, r.Target, r.More.Attack.Apart(), r.More.Attack.Water)
	},
	// That the unconscious see nothing is one fact with their being unconscious.
	"attacker-unseen": func(r *roll) bool {
		return !Has(r.Target, CondUnconscious) && !PerceivesIn(r.State, r.Target, r.Self, r.More.Attack.Apart(), r.More.Attack.Water.Turned())
	},
	"afraid":          func(r *roll) bool { return Afraid(r.State, r.Self) },
	"terrified":       func(r *roll) bool { return Has(r.Self, CondTerrified) },
	"held-by-another": func(r *roll) bool { return grappledByOther(r.Self, r.Target.GetId()) },
	"crippled":        func(r *roll) bool { return RowInForce(r.Self, 2, Defaults.On(r.State, SetSkippedRows)) },
	"in-shock":        func(r *roll) bool { return RowInForce(r.Self, 1, Defaults.On(r.State, SetSkippedRows)) },
	"crippled-source": func(r *roll) bool {
		return r.Target.Id != r.Self.Id && RowInForce(r.Target, 2, Defaults.On(r.State, SetSkippedRows))
	},
	// rcr.flight.adv-descent-advantage
	"descended": func(r *roll) bool {
		return !r.More.Attack.Spell && r.Self.Counters[CDescended] >= 20 && OwnTurn(r.State, r.Self.Id) && Advanced(r.State, cite.FlightAdvDescentAdvantage)
	},
	// rcr.flight.adv-upward-ranged, rcr.feat.aerial-ace-upward-ranged
	"target-high-above": func(r *roll) bool {
		return !r.More.Attack.Melee && r.More.Attack.Higher >= 20 && Advanced(r.State, cite.FlightAdvUpwardRanged) &&
			!Ace(r.State, r.Self, cite.FeatAerialAceUpwardRanged)
	},
	"acrobatics": func(r *roll) bool { return r.More.Skill == "acrobatics" },
	"athletics":  func(r *roll) bool { return r.More.Skill == "athletics" },
	"strength":   func(r *roll) bool { return r.More.Ability == "strength" },
	"aerial-ace": func(r *roll) bool { return Ace(r.State, r.Self, cite.FeatAerialAceAdvantage) },
	"mighty-wings": func(r *roll) bool {
		return Flies(r.Self) && Mighty(r.State, r.Self, cite.FeatMightyWingsAdvantage)
	},
	"long-range":  func(r *roll) bool { return r.More.Attack.LongRange },
	"close-enemy": func(r *roll) bool { return r.More.Attack.CloseEnemy && !r.More.Attack.Melee },
	"pack-tactics": func(r *roll) bool {
		return HasTrait(r.Self, "pack tactics") && Beset(r.State, r.Self, r.Target, r.More.Attack)
	},
	"melee":   func(r *roll) bool { return r.More.Attack.Melee }, // by the kind of attack, not the distance
	"between": func(r *roll) bool { return r.More.Attack.Between },
	"dodges":  func(r *roll) bool { return dodges(r.State, r.Self) },
	"dodges-the-attacker": func(r *roll) bool {
		return dodges(r.State, r.Target) && PerceivesIn(r.State, r.Target, r.Self, r.More.Attack.Apart(), r.More.Attack.Water.Turned())
	},
	"strength-or-dexterity": func(r *roll) bool { return r.More.Ability == "strength" || r.More.Ability == "dexterity" },
	"dexterity":             func(r *roll) bool { return r.More.Ability == "dexterity" },
	"wisdom":                func(r *roll) bool { return r.More.Ability == "wisdom" },
	"initiative":            func(r *roll) bool { return r.More.Purpose == "initiative" },
	"concentration":         func(r *roll) bool { return r.More.Purpose == "concentration" },
	"stay-up":               func(r *roll) bool { return r.More.Purpose == "stay-up" },
	"athletics-or-acrobatics": func(r *roll) bool {
		return r.More.Skill == "athletics" || r.More.Skill == "acrobatics"
	},
	"stay-mounted": func(r *roll) bool { return r.More.Purpose == "stay-mounted" && Seat(r.Self) != nil },
	"bareback":     func(r *roll) bool { return SaddleOn(MountOf(r.State, r.Self)) == "" },
	"military-saddle": func(r *roll) bool {
		return SaddleOn(MountOf(r.State, r.Self)) == SaddleMilitary
	},
	"heavy-in-small-hands": func(r *roll) bool {
		return slices.Contains([]string{"small", "tiny"}, r.Self.Size) && slices.Contains(r.More.Attack.Blow.GetProperties(), "heavy")
	},
	"petrified":       func(r *roll) bool { return Has(r.Self, CondPetrified) },
	"squeezed":        func(r *roll) bool { return squeezed(r.State, r.Self) },
	"squeezed-target": func(r *roll) bool { return squeezed(r.State, r.Target) },
	"hands": func(r *roll) bool {
		return r.More.Purpose == "hands" || slices.Contains([]string{"sleight of hand", "thieves' tools"}, r.More.Skill)
	},
	"unfit-for-water": func(r *roll) bool {
		return InWater(r.State, r.Self, r.More.Attack.Water, cite.UnderwaterWeaponDisadvantage) && !fitForWater(r.Self, r.More.Attack.Blow)
	},
	"fire-in-water": func(r *roll) bool {
		fire, _ := elements(r.More.Attack.Types)
		return fire && eitherInWater(r.State, r.Self, r.Target, r.More.Attack.Water, cite.UnderwaterFireAttack)
	},
	"shock-in-water": func(r *roll) bool {
		_, shock := elements(r.More.Attack.Types)
		return shock && eitherInWater(r.State, r.Self, r.Target, r.More.Attack.Water, cite.UnderwaterShockAttack)
	},
	"against-fire-in-water": func(r *roll) bool {
		fire, _ := elements(r.More.Types)
		return fire && InWater(r.State, r.Self, r.More.Water, cite.UnderwaterFireSave)
	},
	"against-shock-in-water": func(r *roll) bool {
		_, shock := elements(r.More.Types)
		return shock && InWater(r.State, r.Self, r.More.Water, cite.UnderwaterShockSave)
	},
	"unaided-eyes": func(r *roll) bool { return r.More.Skill == "perception" && unaided(r.State, r.Self, r.More.Water) },
	"dim-water": func(r *roll) bool {
		return r.More.Skill == "perception" && dimlyLit(r.State, r.Self, r.More.Purpose, r.More.Water)
	},
	"kit-in-water": func(r *roll) bool {
		return r.More.Kit && InWater(r.State, r.Self, r.More.Water, cite.UnderwaterHealersKit)
	},
	"weapon-in-barding": func(r *roll) bool {
		return untrainedBarding(r.Self) && !r.More.Attack.Blow.GetSpell()
	},
	"untrained-barding": func(r *roll) bool {
		return untrainedBarding(r.Self) && (r.More.Ability == "strength" || r.More.Ability == "dexterity")
	},
	"loud-barding": func(r *roll) bool { return r.More.Skill == "stealth" && loudBarding(r.Self) },
}
