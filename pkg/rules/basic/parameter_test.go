package basic

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A parameter that is not read, or is of another type than it is listed with, is
// a mistake of the caller; the field is named.
func TestParametersThatNobodyReads(t *testing.T) {
	waits := func(t *testing.T) *table {
		return newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil).declare([]int{6, 1}, "a=hold", "b=move")
	}
	throwsOf := func(contents string) func(*testing.T) *table {
		return func(t *testing.T) *table { return thrownAt(t, contents, []at{{30, 0}}, make1("b", "B")) }
	}
	for _, c := range []struct {
		name    string
		fight   func(*testing.T) *table
		cmd     *eventv1.Command
		refused string
	}{
		{"a number for one who waits to step in", waits, act("a", "hold", order.HoldOpen, "", parameters("number", 3)), "number"},
		{"a number as a word", waits, act("a", "hold", order.HoldNumber, "", parameters("number", "3")), "number"},
		{"half a number", waits, act("a", "hold", order.HoldNumber, "", parameters("number", 2.5)), "number"},
		{"a number", waits, act("a", "hold", order.HoldNumber, "", parameters("number", 3)), ""},
		{"no number", waits, act("a", "hold", order.HoldNumber, ""), ""},
		{"to step in", waits, act("a", "hold", order.HoldOpen, ""), ""},
		{"water that is lit", throwsOf(body.HolyWater), act("a", "throw", "flask", "b", lit(strike.LitWick)), "lit"},
		{"water", throwsOf(body.HolyWater), act("a", "throw", "flask", "b"), ""},
		{"oil that is lit", throwsOf(body.Oil), act("a", "throw", "flask", "b", lit(strike.LitWick)), ""},
		{"oil with truth for a way to light it", throwsOf(body.Oil), act("a", "throw", "flask", "b", parameters("lit", true)), "lit"},
		{"feet for who has a place", throwsOf(body.Oil), act("a", "move", "", "", to(5, 0), parameters("feet", 5)), "feet"},
		{"a way for who has a place", throwsOf(body.Oil), act("a", "move", "", "", to(5, 0)), ""},
		{"an ability where none is chosen", waits, act("a", "grapple", "strength", "b", parameters("ability", "strength")), "ability"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := c.fight(t)
			f.Roller = rulestest.NewChance(1).Die
			err := f.Try(c.cmd)
			if c.refused == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "take.parameters."+c.refused) {
				t.Errorf("refused by %v", err)
			}
		})
	}
}
