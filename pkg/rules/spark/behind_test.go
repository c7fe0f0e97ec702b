package spark

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Who stands behind an attacker is in reach, on the side away from the target and
// within an eighth of a turn of that direction, whichever way it looks; the nearest
// counts, of two as near the first by id.
//
// spark.fumble.nearest
func TestBehindAsMeasured(t *testing.T) {
	type spot struct{ x, y int32 }
	for name, c := range map[string]struct {
		target spot
		others map[string]spot // relative to the attacker
		reach  int32
		want   string
	}{
		"at the end of the reach, east":     {spot{5, 0}, map[string]spot{"b": {-5, 0}}, 5, "b"},
		"at the end of the reach, north":    {spot{0, 5}, map[string]spot{"b": {0, -5}}, 5, "b"},
		"at the end of the reach, south":    {spot{0, -5}, map[string]spot{"b": {0, 5}}, 5, "b"},
		"at the end of a long reach":        {spot{0, 10}, map[string]spot{"b": {0, -10}}, 10, "b"},
		"beyond the reach, east":            {spot{5, 0}, map[string]spot{"b": {-10, 0}}, 5, ""},
		"beyond the reach, north":           {spot{0, 5}, map[string]spot{"b": {0, -10}}, 5, ""},
		"beside, east":                      {spot{5, 0}, map[string]spot{"b": {0, 5}, "c": {0, -5}}, 5, ""},
		"beside, north":                     {spot{0, 5}, map[string]spot{"b": {5, 0}, "c": {-5, 0}}, 5, ""},
		"before, beside the target":         {spot{5, 0}, map[string]spot{"b": {5, 5}}, 5, ""},
		"an eighth to one side":             {spot{5, 0}, map[string]spot{"b": {-5, 5}}, 5, "b"},
		"an eighth to the other":            {spot{5, 0}, map[string]spot{"b": {-5, -5}}, 5, "b"},
		"more than an eighth":               {spot{10, 0}, map[string]spot{"b": {-5, 10}}, 10, ""},
		"more than an eighth, north":        {spot{0, 10}, map[string]spot{"b": {10, -5}}, 10, ""},
		"straight behind of an oblique one": {spot{5, 5}, map[string]spot{"b": {-5, -5}}, 5, "b"},
		"the nearer of two":                 {spot{10, 0}, map[string]spot{"b": {-10, 0}, "c": {-5, 0}}, 10, "c"},
		"the nearer of two, named first":    {spot{10, 0}, map[string]spot{"b": {-5, 0}, "c": {-10, 0}}, 10, "b"},
		"the first of two as near":          {spot{5, 0}, map[string]spot{"c": {-5, 0}, "b": {-5, 5}}, 5, "b"},
		"nobody":                            {spot{5, 0}, nil, 5, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).atXY(100, 100, fighter("ara", "party")).atXY(100+c.target.x, 100+c.target.y, fighter("orc", "monsters"))
			for _, id := range []string{"b", "c"} {
				if at, there := c.others[id]; there {
					f.atXY(100+at.x, 100+at.y, fighter(id, "party"))
				}
			}
			if got := body.Behind(f.State, f.Creature("ara"), f.Creature("orc"), c.reach); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	// Who lies there or has no place is behind nobody.
	f := newTable(t).at(100, fighter("ara", "party")).at(105, fighter("orc", "monsters")).at(95, fighter("b", "party")).add(fighter("c", "party"))
	if got := body.Behind(f.State, f.Creature("c"), f.Creature("orc"), 5) + body.Behind(f.State, f.Creature("ara"), f.Creature("c"), 5); got != "" {
		t.Errorf("behind one without a place: %q", got)
	}
	none := int32(0)
	f.Put("b", &eventv1.Vitals{Hp: &none})
	if got := body.Behind(f.State, f.Creature("ara"), f.Creature("orc"), 5); got != "" {
		t.Errorf("one who is out stands behind: %q", got)
	}
}

// Of those within so many feet the nearest are found, all at the same distance, and
// nobody who is left out.
//
// spark.fumble.nearest
func TestNearestAsMeasured(t *testing.T) {
	f := newTable(t).atXY(100, 100, fighter("ara", "party")).atXY(100, 110, fighter("b", "monsters")).atXY(110, 100, fighter("c", "party")).atXY(100, 80, fighter("d", "party")).add(fighter("e", "party"))
	for _, c := range []struct {
		feet  int32
		leave []string
		want  []string
	}{
		{10, nil, []string{"b", "c"}}, {9, nil, nil}, {20, nil, []string{"b", "c"}}, {20, []string{"b"}, []string{"c"}},
		{20, []string{"b", "c"}, []string{"d"}}, {19, []string{"b", "c"}, nil}, {1000, []string{"b", "c", "d"}, nil},
	} {
		if got := body.Nearest(f.State, f.Creature("ara"), c.feet, c.leave...); !slices.Equal(got, c.want) {
			t.Errorf("within %d, without %v: %v, want %v", c.feet, c.leave, got, c.want)
		}
	}
	if got := body.Nearest(f.State, f.Creature("e"), 1000); got != nil {
		t.Errorf("nearest to one without a place: %v", got)
	}
}
