package autoplay

import (
	"testing"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func at(id, side string, x, y int32) *eventv1.Creature {
	return &eventv1.Creature{Id: id, Side: side, Life: eventv1.LifeStatus_LIFE_STATUS_ALIVE,
		Position: &eventv1.Position{X: x, Y: y}, Counters: map[string]int64{"movement": 30}}
}

func field(cs ...*eventv1.Creature) *eventv1.State {
	s := &eventv1.State{Creatures: map[string]*eventv1.Creature{}}
	for _, c := range cs {
		s.Creatures[c.Id] = c
	}
	return s
}

func TestWayGoesRoundWhoStandsThere(t *testing.T) {
	cases := []struct {
		name  string
		field []*eventv1.Creature
		steps int
		last  spot
	}{
		{"straight, as far as feet go", []*eventv1.Creature{at("a", "x", 0, 0), at("b", "y", 50, 0)}, 6, spot{30, 0}},
		{"stops beside", []*eventv1.Creature{at("a", "x", 0, 0), at("b", "y", 15, 0)}, 2, spot{10, 0}},
		{"already beside", []*eventv1.Creature{at("a", "x", 0, 0), at("b", "y", 5, 5)}, 0, spot{}},
		{"round a friend", []*eventv1.Creature{at("a", "x", 0, 0), at("c", "x", 5, 0), at("b", "y", 15, 0)}, 2, spot{10, 5}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := way(field(c.field...), c.field[0], c.field[len(c.field)-1])
			if len(got) != c.steps {
				t.Fatalf("want %d steps, got %v", c.steps, got)
			}
			if c.steps > 0 && (spot{got[len(got)-1].X, got[len(got)-1].Y}) != c.last {
				t.Errorf("want to end at %v, got %v", c.last, got)
			}
		})
	}
}

func TestDecideTakesTheNearestLegalTarget(t *testing.T) {
	me := at("a", "x", 0, 0)
	far, near, friend := at("b", "y", 30, 0), at("c", "y", 5, 0), at("d", "x", 0, 5)
	down := at("e", "y", 0, -5)
	down.Life = eventv1.LifeStatus_LIFE_STATUS_DYING
	s := field(me, far, near, friend, down)
	options := []*eventv1.Option{
		{Action: "help", Legal: true, Targets: []string{"d"}},
		{Action: "attack", Item: "bow"},
		{Action: "attack", Item: "sword", Legal: true, Targets: []string{"b", "c", "d", "e"}},
	}
	got := decide(s, me, options, map[string]bool{})
	if got.GetItem() != "sword" || len(got.Targets) != 1 || got.Targets[0] != "c" {
		t.Errorf("got %v", got)
	}
	if again := decide(s, me, options, map[string]bool{key(got): true}); again.Targets[0] != "b" {
		t.Errorf("what was refused is tried again: %v", again)
	}
}

func TestChoose(t *testing.T) {
	cases := []struct {
		name string
		d    *eventv1.Decision
		want string
	}{
		{"default", &eventv1.Decision{DefaultOption: "no", Options: []*eventv1.DecisionOption{{Id: "yes"}, {Id: "no"}}}, "no"},
		{"first", &eventv1.Decision{Options: []*eventv1.DecisionOption{{Id: "yes"}, {Id: "no"}}}, "yes"},
	}
	for _, c := range cases {
		if got := choose(c.d).Option; got != c.want {
			t.Errorf("%s: want %s, got %s", c.name, c.want, got)
		}
	}
	if got := choose(&eventv1.Decision{Kind: eventv1.DecisionKind_DECISION_KIND_NUMBER, Minimum: 3, Maximum: 5}).Number; got != 3 {
		t.Errorf("a number: want the smallest, got %d", got)
	}
}
