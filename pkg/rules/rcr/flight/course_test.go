package flight

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.flight.headwind-cost, rcr.flight.tailwind-rate: with the wind and against it within
// 45 degrees; what nobody knows is across, what is stated is so.
func TestWindOn(t *testing.T) {
	const gale = 60
	for _, c := range []struct {
		w       Weather
		heading int32
		want    int
	}{
		{Weather{Mph: gale, Toward: 90}, 90, with}, {Weather{Mph: gale, Toward: 90}, 45, with}, {Weather{Mph: gale, Toward: 90}, 135, with}, {Weather{Mph: gale, Toward: 90}, 360, across}, {Weather{Mph: gale, Toward: 90}, 180, across},
		{Weather{Mph: gale, Toward: 90}, 225, against}, {Weather{Mph: gale, Toward: 90}, 270, against}, {Weather{Mph: gale, Toward: 90}, 315, against},
		{Weather{Mph: gale, Toward: 360}, 45, with}, {Weather{Mph: gale, Toward: 360}, 315, with}, {Weather{Mph: gale, Toward: 360}, 135, against},
		{Weather{Mph: gale, Toward: 90}, 0, across}, {Weather{Mph: gale}, 90, across}, {Weather{Mph: 0, Toward: 90}, 90, across}, {Weather{Mph: 0, Way: "against"}, 90, across},
		{Weather{Mph: gale, Toward: 90, Way: "against"}, 90, against}, {Weather{Mph: gale, Toward: 90, Way: "with"}, 270, with}, {Weather{Mph: gale, Toward: 90, Way: "across"}, 90, across},
	} {
		if got := c.w.windOn(c.heading); got != c.want {
			t.Errorf("%+v on %d: %d, want %d", c.w, c.heading, got, c.want)
		}
	}
}

// rcr.flight.climb-cost, rcr.flight.descent-rate, rcr.flight.headwind-cost,
// rcr.flight.tailwind-rate: climbing and a headwind double the cost, once; descending and
// a tailwind halve it, once; one of each cancel.
func TestCostOfLegs(t *testing.T) {
	s, c := &eventv1.State{}, &eventv1.Creature{Id: "a"}
	for _, x := range []struct {
		name string
		p    piece
		half int32
	}{
		{"level", piece{feet: 20}, 40}, {"level against the wind", piece{feet: 20, wind: against}, 80}, {"level with it", piece{feet: 20, wind: with}, 20},
		{"a climb", piece{feet: 20, up: 20}, 80}, {"half a climb", piece{feet: 20, up: 10}, 60}, {"a climb against the wind", piece{feet: 20, up: 20, wind: against}, 80}, {"a climb with it", piece{feet: 20, up: 20, wind: with}, 40},
		{"a steep climb", piece{feet: 20, up: 20, steep: 10}, 80}, {"a steep climb with the wind", piece{feet: 20, up: 20, steep: 20, wind: with}, 40},
		{"a descent", piece{feet: 20, down: 20}, 20}, {"half a descent", piece{feet: 20, down: 10}, 30}, {"a descent with the wind", piece{feet: 20, down: 20, wind: with}, 20}, {"a descent against it", piece{feet: 20, down: 20, wind: against}, 40},
	} {
		if got := (&course{}).costHalf(s, c, x.p); got != x.half {
			t.Errorf("%s: %d half feet, want %d", x.name, got, x.half)
		}
	}
}

// rcr.flight.climb-angle, rcr.flight.descent-angle: a foot up or down for each foot
// travelled, not straight up, and not down beyond that.
func TestAngles(t *testing.T) {
	s, c := &eventv1.State{}, &eventv1.Creature{Id: "a"}
	for _, x := range []struct {
		name string
		p    piece
		rule string
	}{
		{name: "level", p: piece{feet: 20}}, {name: "as much as it goes", p: piece{feet: 20, up: 10, down: 10}}, {name: "up more than it goes", p: piece{feet: 20, up: 15, down: 10}, rule: cite.FlightClimbAngle},
		{name: "down more than it goes", p: piece{feet: 20, up: 10, down: 15}, rule: cite.FlightDescentAngle}, {name: "up and down as much", p: piece{feet: 10, up: 10, down: 10}, rule: cite.FlightClimbAngle},
		{name: "straight up", p: piece{feet: 20, up: 20, steep: 5}, rule: cite.FlightClimbAngle},
		{name: "beyond a descent", p: piece{feet: 20, down: 20, drop: 5}, rule: cite.FlightDescentAngle},
	} {
		err := (&course{pieces: []piece{{feet: 5}, x.p}}).refuseAngles(s, c)
		f, refused := fault.As(err)
		if refused != (x.rule != "") || refused && (f.Reason != "TOO_STEEP" || f.Rule != x.rule) {
			t.Errorf("%s: %v, want a refusal by %q", x.name, err, x.rule)
		}
	}
	for want, p := range map[bool][]piece{false: {{feet: 5}, {feet: 10}}, true: {{feet: 5}, {feet: 10, up: 5}}} {
		if got := (&course{pieces: p}).slopes(); got != want {
			t.Errorf("%v slopes %v", p, got)
		}
	}
	if !(&course{pieces: []piece{{feet: 10, down: 5}}}).slopes() {
		t.Error("a descent does not slope")
	}
}

// rcr.flight.adv-dive-double-dice: directly below is the same place at no greater height,
// or what is stated.
func TestBelow(t *testing.T) {
	at := func(x, y, z int32) *eventv1.Creature {
		return &eventv1.Creature{Size: "medium", Position: &eventv1.Position{X: x, Y: y, Z: z}}
	}
	plain := &eventv1.TakeAction{}
	for _, x := range []struct {
		name   string
		c, t   *eventv1.Creature
		facts  bool
		stated bool
		want   bool
	}{
		{name: "straight below", c: at(0, 0, 50), t: at(0, 0, 0), want: true}, {name: "as high", c: at(0, 0, 0), t: at(0, 0, 0), want: true}, {name: "above", c: at(0, 0, 0), t: at(0, 0, 5)},
		{name: "beside x", c: at(5, 0, 50), t: at(0, 0, 0)}, {name: "beside y", c: at(0, 5, 50), t: at(0, 0, 0)},
		{name: "off the map", c: &eventv1.Creature{}, t: at(0, 0, 0)}, {name: "a target off the map", c: at(0, 0, 50), t: &eventv1.Creature{}},
		{name: "stated", c: at(5, 0, 50), t: at(0, 0, 0), facts: true, stated: true, want: true}, {name: "stated not to be", c: at(0, 0, 50), t: at(0, 0, 0), facts: true},
	} {
		take := plain
		if x.facts {
			take = &eventv1.TakeAction{Facts: rulestest.Object("below", x.stated)}
		}
		if got := below(x.c, x.t, take); got != x.want {
			t.Errorf("%s: below %v", x.name, got)
		}
	}
}

// rcr.flight.adv-dive-impact-risk: where somebody who is seen stands a dive does not end.
func TestLandingOnSomebody(t *testing.T) {
	me := &eventv1.Creature{Id: "a", Size: "medium", Position: &eventv1.Position{Z: 50}}
	there := func(change func(o *eventv1.Creature)) error {
		o := &eventv1.Creature{Id: "b", Name: "b", Size: "medium", Position: &eventv1.Position{X: 10}, Life: eventv1.LifeStatus_LIFE_STATUS_ALIVE}
		change(o)
		s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": me, "b": o}}
		return refuseLanding(s, me, &eventv1.TakeAction{Path: []*eventv1.Position{{X: 10, Z: 0}}})
	}
	for name, c := range map[string]struct {
		change  func(o *eventv1.Creature)
		refused bool
	}{
		"somebody": {func(*eventv1.Creature) {}, true}, "the dead": {func(o *eventv1.Creature) { o.Life = eventv1.LifeStatus_LIFE_STATUS_DEAD }, false},
		"the hidden": {func(o *eventv1.Creature) { o.Conditions = []*eventv1.Condition{{Name: "hidden"}} }, false}, "one beside": {func(o *eventv1.Creature) { o.Position.Y = 5 }, false},
	} {
		f, refused := fault.As(there(c.change))
		if refused != c.refused || refused && f.Rule != cite.FlightAdvDiveImpactRisk {
			t.Errorf("%s: %v", name, f)
		}
	}
	if refuseLanding(&eventv1.State{Creatures: map[string]*eventv1.Creature{"a": me}}, me, &eventv1.TakeAction{Path: []*eventv1.Position{{Z: 50}}}) != nil {
		t.Error("it stands in its own way")
	}
}
