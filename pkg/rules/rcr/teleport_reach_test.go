package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// entered counts how often the last command said that a creature came into a reach.
func (f *table) entered(id, whose string) (n int) {
	for _, e := range f.Published {
		if x := e.GetRelation(); x != nil && x.Creature == id && x.Relation.Kind == body.RelEntered && x.Relation.To == whose {
			n++
		}
	}
	return n
}

// rcr.opportunity.enter-and-leave, rcr.opportunity.start-in-reach-leave,
// rcr.base.opportunity-frame: whose reach a teleportation leads into has been entered this
// turn, once; the reach that the turn began in has not, nor one that it stayed in.
func TestReachesAndTeleportation(t *testing.T) {
	// b at 0 and c at 40 feet, each with a reach of 5 feet.
	for _, c := range []struct {
		name     string
		start    [2]int32
		before   []int32 // a way on foot first
		lets     string  // who is asked in it and lets it pass
		to       [2]int32
		entered  string // whose reach the teleportation leads into; empty for nobody's
		after    []int32
		provokes []string
	}{
		{"out of the one, into the other, and out of that", [2]int32{5, 0}, nil, "", [2]int32{35, 0}, "c", []int32{30, 0}, []string{"c"}},
		{"out of the one, and back on foot, and out", [2]int32{5, 0}, nil, "", [2]int32{10, 0}, "", []int32{5, 0, 10, 0}, []string{"b"}},
		{"within the reach that the turn began in", [2]int32{5, 0}, nil, "", [2]int32{5, 5}, "", []int32{10, 5}, nil},
		{"within a reach that it has come into on foot", [2]int32{15, 0}, []int32{10, 0, 5, 0}, "", [2]int32{5, 5}, "", []int32{10, 5}, []string{"b"}},
		{"into a reach that it has been in and left", [2]int32{15, 0}, []int32{5, 0, 10, 0}, "b", [2]int32{5, 5}, "", []int32{10, 5}, []string{"b"}},
		{"into nobody's", [2]int32{15, 0}, nil, "", [2]int32{20, 0}, "", []int32{25, 0}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party", stepper, func(s *eventv1.Sheet) { speeds(s, 60) }), c.start[0], c.start[1])
			f.place(fighter("b", "monsters"), 0, 0)
			f.place(fighter("c", "monsters"), 40, 0)
			f.start(nil, 20, 5, 4)
			if c.before != nil {
				f.Must(act("a", "move", "", "", along(c.before...)))
				if c.lets != "" {
					f.Answer(body.DecOpportunity+"/"+c.lets, "no")
				}
			}
			f.Must(act("a", "use-power", "fey step", "", along(c.to[0], c.to[1])))
			f.wantAsked()
			for _, id := range []string{"b", "c"} {
				if n, want := f.entered("a", id), id == c.entered; n > 1 || (n == 1) != want {
					t.Errorf("%d times into the reach of %s, want %v", n, id, want)
				}
			}
			f.Must(act("a", "move", "", "", along(c.after...)))
			f.wantAsked(c.provokes...)
		})
	}
}

// A teleportation goes as far as it says along each axis, up and down too; the last place
// of the way counts; a large body needs all its squares.
func TestHowFarATeleportationGoes(t *testing.T) {
	for _, c := range []struct {
		name string
		size string
		way  []*eventv1.Position
		good bool
	}{
		{"30 feet east", "medium", []*eventv1.Position{spot(30, 0, 0)}, true},
		{"35 feet east", "medium", []*eventv1.Position{spot(35, 0, 0)}, false},
		{"35 feet west", "medium", []*eventv1.Position{spot(-35, 0, 0)}, false},
		{"30 feet south", "medium", []*eventv1.Position{spot(0, -30, 0)}, true},
		{"35 feet south", "medium", []*eventv1.Position{spot(0, -35, 0)}, false},
		{"30 feet up", "medium", []*eventv1.Position{spot(0, 0, 30)}, true},
		{"35 feet up", "medium", []*eventv1.Position{spot(0, 0, 35)}, false},
		{"30 feet along all three", "medium", []*eventv1.Position{spot(30, 30, 30)}, true},
		{"the last place counts", "medium", []*eventv1.Position{spot(100, 0, 0), spot(5, 0, 0)}, true},
		{"and is too far", "medium", []*eventv1.Position{spot(5, 0, 0), spot(35, 0, 0)}, false},
		{"onto somebody", "medium", []*eventv1.Position{spot(0, 20, 0)}, false},
		{"beside somebody", "medium", []*eventv1.Position{spot(0, 15, 0)}, true},
		{"a large one beside it: its space is two squares", "large", []*eventv1.Position{spot(0, 15, 0)}, false},
		{"a large one a square further", "large", []*eventv1.Position{spot(0, 10, 0)}, true},
		{"over it", "medium", []*eventv1.Position{spot(0, 20, 5)}, true},
	} {
		f := newTable(t)
		f.place(fighter("a", "party", stepper, ofSize(c.size), func(s *eventv1.Sheet) { s.Speeds["fly"] = 60 }), 0, 0)
		f.place(fighter("b", "monsters"), 0, 20)
		f.start(nil, 20, 5)
		f.Roller = func(sides int) int { return sides }
		err := f.Try(act("a", "use-power", "fey step", "", func(take *eventv1.TakeAction) { take.Path = c.way }))
		if (err == nil) != c.good {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// Where nobody has a place, none can be named.
	f := newTable(t).add(fighter("a", "party", stepper), fighter("b", "monsters")).start(nil, 20, 5)
	wantFault(t, f.Try(act("a", "use-power", "fey step", "", along(5, 0))), "take.path")
}
