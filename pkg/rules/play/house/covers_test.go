package house

import (
	"strings"
	"testing"

	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// who stands somewhere, in feet.
func who(id string, x, y int32) *eventv1.Creature {
	return &eventv1.Creature{Id: id, Position: &eventv1.Position{X: x, Y: y}}
}

// squares is a system whose creatures fill a square of 5 feet; points one whose creatures
// stand at points, as far from each other as the longer of both ways.
var (
	squares = Space{Side: func(*eventv1.Creature) int32 { return 5 }, Out: func(c *eventv1.Creature) bool { return c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD }}
	points  = Space{Out: squares.Out, Feet: func(a, b *eventv1.Creature) int32 {
		far := func(n int32) int32 { return max(n, -n) }
		return max(far(a.Position.X-b.Position.X), far(a.Position.Y-b.Position.Y))
	}}
)

// A sphere and a cylinder reach as far from the first target as they say, a cube half as far
// as it is wide; a cone is as wide as it is long and a line as wide as it says, both from the
// caster towards the first target and never on the caster, each exactly at its edge.
func TestWhatAnAreaCovers(t *testing.T) {
	caster, east, northEast := who("caster", 0, 0), who("first", 10, 0), who("first", 10, 10)
	for name, c := range map[string]struct {
		sp    Space
		area  *contentv1.Area
		first *eventv1.Creature
		o     *eventv1.Creature
		want  bool
	}{
		"a sphere at its edge":            {points, &contentv1.Area{Shape: "sphere", Feet: 20}, east, who("o", 30, 0), true},
		"a sphere beyond":                 {points, &contentv1.Area{Shape: "sphere", Feet: 20}, east, who("o", 31, 0), false},
		"a sphere, between spaces":        {squares, &contentv1.Area{Shape: "sphere", Feet: 20}, east, who("o", 30, 0), true},
		"a sphere takes the caster too":   {points, &contentv1.Area{Shape: "sphere", Feet: 20}, east, caster, true},
		"a cube at its edge":              {points, &contentv1.Area{Shape: "cube", Feet: 20}, east, who("o", 20, 0), true},
		"a cube beyond":                   {points, &contentv1.Area{Shape: "cube", Feet: 20}, east, who("o", 21, 0), false},
		"a cube of an odd width":          {points, &contentv1.Area{Shape: "cube", Feet: 15}, east, who("o", 18, 0), false},
		"a cone as far as it goes":        {points, &contentv1.Area{Shape: "cone", Feet: 20}, east, who("o", 20, 0), true},
		"a cone beyond":                   {points, &contentv1.Area{Shape: "cone", Feet: 20}, east, who("o", 21, 0), false},
		"a cone at its side":              {points, &contentv1.Area{Shape: "cone", Feet: 20}, east, who("o", 20, 10), true},
		"a cone at its other side":        {points, &contentv1.Area{Shape: "cone", Feet: 20}, east, who("o", 20, -10), true},
		"a cone beside it":                {points, &contentv1.Area{Shape: "cone", Feet: 20}, east, who("o", 20, 11), false},
		"a cone beside it, below":         {points, &contentv1.Area{Shape: "cone", Feet: 20}, east, who("o", 20, -11), false},
		"a cone behind the caster":        {points, &contentv1.Area{Shape: "cone", Feet: 20}, east, who("o", -5, 0), false},
		"a cone abreast of the caster":    {points, &contentv1.Area{Shape: "cone", Feet: 20}, east, who("o", 0, 5), false},
		"a cone, where the caster stands": {points, &contentv1.Area{Shape: "cone", Feet: 20}, east, who("o", 0, 0), false},
		"a cone leaves the caster":        {points, &contentv1.Area{Shape: "cone", Feet: 20}, east, caster, false},
		"a cone along a diagonal":         {points, &contentv1.Area{Shape: "cone", Feet: 20}, northEast, who("o", 15, 5), true},
		"a cone beside a diagonal":        {points, &contentv1.Area{Shape: "cone", Feet: 20}, northEast, who("o", 16, 5), false},
		"a cone of a caster nowhere":      {points, &contentv1.Area{Shape: "cone", Feet: 20}, east, who("o", 20, 0), false},
		"a line as far as it goes":        {points, &contentv1.Area{Shape: "line", Feet: 60}, east, who("o", 60, 0), true},
		"a line beyond":                   {points, &contentv1.Area{Shape: "line", Feet: 60}, east, who("o", 61, 0), false},
		"a line behind the caster":        {points, &contentv1.Area{Shape: "line", Feet: 60}, east, who("o", -10, 0), false},
		"a line, 2 ft beside it":          {points, &contentv1.Area{Shape: "line", Feet: 60}, east, who("o", 30, 2), true},
		"a line, 2 ft beside it, below":   {points, &contentv1.Area{Shape: "line", Feet: 60}, east, who("o", 30, -2), true},
		"a line, 3 ft beside it":          {points, &contentv1.Area{Shape: "line", Feet: 60}, east, who("o", 30, 3), false},
		"a wide line at its edge":         {points, &contentv1.Area{Shape: "line", Feet: 60, WidthFeet: 10}, east, who("o", 30, 5), true},
		"a wide line beyond":              {points, &contentv1.Area{Shape: "line", Feet: 60, WidthFeet: 10}, east, who("o", 30, 6), false},
		"a line, the next row of squares": {squares, &contentv1.Area{Shape: "line", Feet: 60}, east, who("o", 30, 5), false},
		"a wide line, the next row":       {squares, &contentv1.Area{Shape: "line", Feet: 60, WidthFeet: 10}, east, who("o", 30, 5), true},
		"a line along a diagonal":         {points, &contentv1.Area{Shape: "line", Feet: 60}, northEast, who("o", 31, 29), true},
		"a line well off a diagonal":      {points, &contentv1.Area{Shape: "line", Feet: 60}, northEast, who("o", 34, 26), false},
	} {
		from := caster
		if strings.Contains(name, "nowhere") {
			from = &eventv1.Creature{Id: "caster"}
		}
		if got := c.sp.covers(c.area, from, c.first, c.o); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The dice of every number of an expression are rolled again, and nothing else that is
// written with the same letter; what would be no dice stays as it is.
func TestDiceRolledAgain(t *testing.T) {
	for expr, want := range map[string]string{"1d20": "1d20ro<=1", "2d20kh1": "2d20ro<=1kh1", "4d6dl1": "4d6ro<=1dl1", "1d6+1d4+2": "1d6ro<=1+1d4ro<=1+2", "1d9": "1d9ro<=1", "1d10-1d90": "1d10ro<=1-1d90ro<=1",
		"7": "7", "": "", "2d": "2d", "1d%": "1d%", "d6": "d6ro<=1", "1d6 and more": "1d6 and more"} {
		if got := suffixed(expr, "ro<=1"); got != want {
			t.Errorf("%q: %q, want %q", expr, got, want)
		}
	}
}
