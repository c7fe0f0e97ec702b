package rules

import (
	"maps"
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Refereed is what a system implements when some of its actions are calls of
// the game master rather than deeds of a creature: whoever plays the creature
// may not take them and is not offered them.
type Refereed interface {
	// GMOnly tells whether only the game master may take the action.
	GMOnly(action string) bool
}

// MayCall tells whether a principal may take an action at all, as far as the
// system keeps it for the game master.
func MayCall(sys System, p *eventv1.Principal, action string) bool {
	if p.GetRole() == eventv1.Principal_ROLE_GM {
		return true
	}
	ref, ok := sys.(Refereed)
	return !ok || !ref.GMOnly(action)
}

// Preparer is a system some of whose actions can be taken before the fight
// begins, such as a check that settles who will be surprised.
type Preparer interface {
	// BeforeStart tells whether an action needs no fight under way.
	BeforeStart(action string) bool
}

// Fleeting is a system that counts and marks things for one fight alone. When
// a patient leaves a fight they stay behind: in the next they would be false.
type Fleeting interface {
	// OfTheFight lists what means nothing outside the fight in which it came to
	// be.
	OfTheFight() OfTheFight
}

// OfTheFight lists names of counters, marks and conditions of creatures and of values
// of their things; one that ends in "." or "/" is the beginning of names.
type OfTheFight struct{ Counters, Marks, Conditions, Values []string }

// Without takes what is listed from a creature, its relations to others and what it
// has begun.
func (o OfTheFight) Without(c *eventv1.Creature) {
	c.Relations, c.Begun = nil, nil
	maps.DeleteFunc(c.Counters, func(name string, _ int64) bool { return Listed(o.Counters, name) })
	maps.DeleteFunc(c.Marks, func(name, _ string) bool { return Listed(o.Marks, name) })
	c.Conditions = slices.DeleteFunc(c.Conditions, func(x *eventv1.Condition) bool { return Listed(o.Conditions, x.Name) })
}

// Listed tells whether a list holds a name; an entry that ends in "." or "/" is
// the beginning of names.
func Listed(list []string, name string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		begins := strings.HasSuffix(entry, ".") || strings.HasSuffix(entry, "/")
		return entry == name || begins && strings.HasPrefix(name, entry)
	})
}

// Counting is a system whose sheets count out what is spent: slots, uses, hit dice.
type Counting interface {
	// Stores are the counters that a whole creature of the sheet has, by name.
	Stores(sheet *eventv1.Sheet) map[string]int64
}
