package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What the rows of the book cite is in the book.
func TestRowsCiteRules(t *testing.T) {
	rows := strike.Situations.Rules()
	for _, d := range body.Book.Conditions.All() {
		rows = append(rows, d.Rule)
	}
	if len(rows) < 20 {
		t.Fatalf("only %d rows", len(rows))
	}
	for _, id := range rows {
		if _, known := catalogue.Lookup(catalogue.RuleID(id)); !known {
			t.Errorf("%q is cited by a row and no rule of the catalogue", id)
		}
	}
}

// basic.fumble.second-roll, basic.action.hold-silence: a condition can count from later on.
func TestConditionsThatCountLater(t *testing.T) {
	s := &eventv1.State{Round: 2, Counters: map[string]int64{body.CCount: 5}}
	for name, c := range map[string]struct {
		values map[string]int32
		want   bool
	}{
		"at once":                {nil, true},
		"from this round":        {map[string]int32{"from": 2}, true},
		"from the next":          {map[string]int32{"from": 3}, false},
		"since another number":   {map[string]int32{"round": 2, "number": 6}, true},
		"since this very number": {map[string]int32{"round": 2, "number": 5}, false},
		"since another round":    {map[string]int32{"round": 1, "number": 5}, true},
	} {
		if got := body.Counts(s, &eventv1.Condition{Name: body.CondSilenced, Values: c.values}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// basic.condition.prone, basic.action.dodge: conditions add to the number that an
// attack must reach, each with its rule.
func TestSituationsOfTheTarget(t *testing.T) {
	c := &eventv1.Creature{Id: "b", Conditions: []*eventv1.Condition{{Name: body.CondProne}, {Name: body.CondDodging}, {Name: body.CondDodging}}}
	for ranged, want := range map[bool]int32{false: -2, true: 6} {
		sum := int32(0)
		for _, m := range strike.Situations.Modifiers(&situation.Roll[strike.Shot]{State: &eventv1.State{}, Kind: body.RollArmour, Target: c, More: strike.Shot{Blow: strike.Blow{Ranged: ranged}}}) {
			sum += m.Value
		}
		if sum != want {
			t.Errorf("ranged %t: %d, want %d", ranged, sum, want)
		}
	}
}
