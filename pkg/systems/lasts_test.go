package systems_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a turn lasts for is the system's to say: its reaction and the handling of a thing
// hold none, and where the feet of a turn are counted the counted ones decide.
func TestHoldsTurn(t *testing.T) {
	reg := systems.Registry()
	type row struct {
		system, cost, group string
		feet                int64 // -1: not counted
		holds               bool
	}
	var rows []row
	for _, id := range []string{"rcr", "spark", "basic", "celesia", "original"} {
		rows = append(rows, row{id, "anything-else", "other", -1, true}, row{id, "", "other", -1, false},
			row{id, "", "attack", -1, true}, row{id, "", "move", -1, true}, row{id, "", "move", 5, true},
			row{id, "reaction", "attack", -1, id == "basic" || id == "original"}, // which count none
			row{id, "interaction", "item", -1, id != "rcr"},
			row{id, "", "move", 0, id == "spark" || id == "original"})
	}
	for _, c := range rows {
		sys, err := reg.System(c.system)
		if err != nil {
			t.Fatal(err)
		}
		o, who := &eventv1.Option{Group: c.group}, &eventv1.Creature{Counters: map[string]int64{}}
		if c.cost != "" {
			o.Costs = map[string]int32{c.cost: 1}
		}
		if c.feet >= 0 {
			who.Counters["movement"] = c.feet
		}
		if got := sys.(rules.Lasting).HoldsTurn(who, o); got != c.holds {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
