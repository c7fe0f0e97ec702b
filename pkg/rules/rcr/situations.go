package rcr

import (
	"slices"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
	lore "github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Kinds of rolls in the table of situations. What an attack gets from its target
// stands apart, and so does what comes after the changes that effects bring: sources
// stand in a roll in the order of the book.
const (
	rollAttack       = "attack"
	rollAttackAllies = "attack.allies"
	rollAttacked     = "attacked"
	rollAttackDodge  = "attacked.dodge"
	rollInitiativeOf = "initiative"
	rollCheckOf      = "check"
	rollSaveOf       = "save"
)

// asked is what the limits of situations ask about a roll.
type asked struct {
	// attack: what its circumstances are.
	attack attackKind
	// ability, skill and purpose of a check or a saving throw.
	ability, skill, purpose string
}

type roll = situation.Roll[asked]

// situations is the table of the book; situationsError says what is wrong with it.
var situations, situationsError = readSituations()

func readSituations() (*situation.Table[asked], error) {
	text, err := content.Book().Table("situations")
	if err != nil {
		return nil, err
	}
	return situation.Read(text, limitsOfRolls)
}

// conditions are those of the book; conditionsError says what is wrong with it.
var conditions, conditionsError = readConditions()

func readConditions() (*lore.Book, error) {
	data, err := content.Book().File("conditions.yaml")
	if err != nil {
		return &lore.Book{}, err
	}
	b, err := lore.Read(data)
	if err != nil {
		return &lore.Book{}, err
	}
	return b, nil
}

// barred tells whether a condition keeps a creature from acting.
func barred(c *eventv1.Creature) bool {
	x, _ := conditions.Barring(c, lore.BarsActing)
	return x != nil
}

// heldFast tells whether a condition leaves a creature no speed.
func heldFast(c *eventv1.Creature) bool {
	return slices.ContainsFunc(c.GetConditions(), func(x *eventv1.Condition) bool {
		d := conditions.Find(x.Name)
		return d != nil && d.Speed == "0"
	})
}

// edgesOf are the sources that the situation gives a roll.
func edgesOf(s *eventv1.State, kind string, self, target *eventv1.Creature, more asked) []*eventv1.Edge {
	if situationsError != nil {
		return nil // nothing is carried out: Validate says why
	}
	return situations.Edges(&roll{State: s, Kind: kind, Self: self, Target: target, More: more})
}

// limitsOfRolls are the limits that rows may name.
var limitsOfRolls = map[string]situation.Limit[asked]{
	"target-unseen": func(r *roll) bool { return !perceives(r.State, r.Self, r.Target, r.More.attack.distance) },
	// That the unconscious see nothing is one fact with their being unconscious.
	"attacker-unseen": func(r *roll) bool {
		return !has(r.Target, condUnconscious) && !perceives(r.State, r.Target, r.Self, r.More.attack.distance)
	},
	"afraid":          func(r *roll) bool { return afraid(r.State, r.Self) },
	"terrified":       func(r *roll) bool { return has(r.Self, condTerrified) },
	"held-by-another": func(r *roll) bool { return grappledByOther(r.Self, r.Target.GetId()) },
	"crippled":        func(r *roll) bool { return rowInForce(r.Self, 2, defaults.On(r.State, setSkippedRows)) },
	"in-shock":        func(r *roll) bool { return rowInForce(r.Self, 1, defaults.On(r.State, setSkippedRows)) },
	"crippled-source": func(r *roll) bool {
		return r.Target.Id != r.Self.Id && rowInForce(r.Target, 2, defaults.On(r.State, setSkippedRows))
	},
	"long-range":   func(r *roll) bool { return r.More.attack.longRange },
	"close-enemy":  func(r *roll) bool { return r.More.attack.closeEnemy && !r.More.attack.melee },
	"pack-tactics": func(r *roll) bool { return hasTrait(r.Self, "pack tactics") && flanked(r.State, r.Self, r.Target) },
	"melee":        func(r *roll) bool { return r.More.attack.melee }, // by the kind of attack, not the distance
	"between":      func(r *roll) bool { return r.More.attack.between },
	"dodges":       func(r *roll) bool { return dodges(r.State, r.Self) },
	"dodges-the-attacker": func(r *roll) bool {
		return dodges(r.State, r.Target) && perceives(r.State, r.Target, r.Self, r.More.attack.distance)
	},
	"strength-or-dexterity": func(r *roll) bool { return r.More.ability == "strength" || r.More.ability == "dexterity" },
	"dexterity":             func(r *roll) bool { return r.More.ability == "dexterity" },
	"wisdom":                func(r *roll) bool { return r.More.ability == "wisdom" },
	"initiative":            func(r *roll) bool { return r.More.purpose == "initiative" },
	"concentration":         func(r *roll) bool { return r.More.purpose == "concentration" },
	"stay-up":               func(r *roll) bool { return r.More.purpose == "stay-up" },
	"athletics-or-acrobatics": func(r *roll) bool {
		return r.More.skill == "athletics" || r.More.skill == "acrobatics"
	},
	"hands": func(r *roll) bool {
		return r.More.purpose == "hands" || slices.Contains([]string{"sleight of hand", "thieves' tools"}, r.More.skill)
	},
}
