package basic

import (
	"errors"
	"slices"

	content "github.com/skaldrpg/skald/pkg/content/basic"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Kinds of rolls that situations touch.
const (
	rollAttack     = "attack"
	rollArmour     = "armour" // the number that an attack must reach
	rollCheck      = "check"
	rollSave       = "save"
	rollGrapple    = "grapple"
	rollInitiative = "initiative"
)

// shot is what the limits of situations ask about an attack.
type shot struct {
	blow
	// feet to the target, if anybody knows.
	feet  int32
	known bool
	// unaware: the target knows nothing of a missile.
	unaware bool
}

type roll = situation.Roll[shot]

// situations are what conditions and places add to rolls; situationError says what is
// wrong with the table.
var (
	situations     *situation.Table[shot]
	situationError error
)

func init() { // not in the declaration: limits look conditions up, which are read by then
	var table string
	if table, situationError = content.Book().Table("situations"); situationError == nil {
		situations, situationError = situation.Read(table, limitsOfRolls())
	}
	if situationError != nil {
		situations = &situation.Table[shot]{}
	}
	bookError = errors.Join(bookError, situationError)
}

// limitsOfRolls are the limits of the table by name.
//
// basic.attack.from-behind, basic.attack.missile-unaware, basic.attack.flanking, basic.action.ranged-attack,
// basic.attack.range-short, basic.attack.range-medium, basic.attack.range-long, basic.attack.missile-within-5
func limitsOfRolls() map[string]situation.Limit[shot] {
	return map[string]situation.Limit[shot]{
		"ranged":        func(r *roll) bool { return r.More.ranged },
		"kick":          func(r *roll) bool { return r.More.weapon.Name == kick },
		"flat":          func(r *roll) bool { return r.More.subdual },
		"sneak":         func(r *roll) bool { return r.More.sneak },
		"parting":       func(r *roll) bool { return r.More.parting },
		"charge":        func(r *roll) bool { return r.More.charge },
		"first-of-two":  func(r *roll) bool { return r.More.ofTwo == 1 },
		"second-of-two": func(r *roll) bool { return r.More.ofTwo == 2 },
		"beside":        func(r *roll) bool { return r.More.band() == "beside" },
		"short":         func(r *roll) bool { return r.More.band() == "short" },
		"long":          func(r *roll) bool { return r.More.band() == "long" },
		"behind":        func(r *roll) bool { return r.More.fromBehind() },
		"flanking":      flanks,
		"stumbles":      func(r *roll) bool { return counts(r.State, conditionOf(r.Self, condStumbling)) },
	}
}

// flanks tells whether a blow flanks: as stated, or as measured.
func flanks(r *roll) bool {
	if r.More.ranged {
		return false
	}
	if flanked, stated := told(r.More.facts, "flanked"); stated {
		return flanked
	}
	return flanking(r.State, r.Self, r.Target)
}

// band is the range of a missile; empty for a blow, and where nobody can measure.
//
// basic.attack.range-short, basic.attack.range-medium, basic.attack.range-long, basic.attack.missile-within-5
func (x *shot) band() string {
	switch {
	case !x.ranged || !x.known:
		return ""
	case x.feet <= engagedFeet && !x.unaware:
		return "beside"
	case x.feet <= x.weapon.ShortFeet:
		return "short"
	case x.feet <= x.weapon.MediumFeet:
		return "medium"
	}
	return "long"
}

// fromBehind tells whether an attack comes from behind; the bonus of a parting shot
// stands for it.
//
// basic.attack.from-behind, basic.attack.missile-unaware
func (x *shot) fromBehind() bool {
	return spoken.Truth(x.facts, "behind") && !x.parting || x.unaware && x.known && x.feet <= engagedFeet
}

// shotOf measures what situations ask about an attack.
func (b blow) shotOf(s *eventv1.State, a, t *eventv1.Creature) shot {
	x := shot{blow: b}
	if b.ranged {
		x.feet, x.known = gap(s, a, t, b.facts)
		x.unaware = spoken.Truth(b.facts, "unaware")
	}
	return x
}

// hampered is what its conditions add to a roll of a creature that is no attack.
func hampered(s *eventv1.State, c *eventv1.Creature, kind string) []*eventv1.Modifier {
	return situations.Modifiers(&roll{State: s, Kind: kind, Self: c})
}

// barring is the first condition of the book that keeps a creature from something;
// nil when none does. The words are those of package condition.
func barring(s *eventv1.State, c *eventv1.Creature, what string) *condition.Definition {
	if len(c.GetConditions()) == 0 {
		return nil
	}
	for _, d := range book.conditions.All() {
		if slices.Contains(d.Bars, what) && counts(s, conditionOf(c, d.Name)) {
			return d
		}
	}
	return nil
}

// counts tells whether a condition is there and counts by now: some count from a later
// round on, or from after the number on which they came.
//
// basic.fumble.second-roll, basic.fumble.stumble, basic.action.hold-silence
func counts(s *eventv1.State, x *eventv1.Condition) bool {
	if x == nil || s.GetRound() < x.Values["from"] {
		return false
	}
	n, numbered := x.Values["number"]
	return !numbered || x.Values["round"] != s.Round || int64(n) != s.Counters[cCount]
}
