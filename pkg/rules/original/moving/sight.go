package moving

import (
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// placesOf lists the points that a move of so many feet can end at, where they are
// few enough to list: on open ground there are many, and any point will do.
func placesOf(j Journey) func(at *play.At) ([]*eventv1.Square, bool) {
	return func(at *play.At) ([]*eventv1.Square, bool) {
		v, from := strike.SightOf(at), at.Actor.Position
		limit := j.Feet(v)
		switch {
		case from == nil || limit < body.SquareFeet:
			return nil, false
		case limit > body.FewFeet:
			return nil, true
		}
		var list []*eventv1.Square
		for y := -limit / body.SquareFeet; y <= limit/body.SquareFeet; y++ {
			for x := -limit / body.SquareFeet; x <= limit/body.SquareFeet; x++ {
				p := &eventv1.Position{X: from.X + x*body.SquareFeet, Y: from.Y + y*body.SquareFeet, Z: from.Z}
				n := body.FeetBetween(from, p)
				take := &eventv1.TakeAction{Creature: at.Actor.Id, Path: []*eventv1.Position{p}}
				if n > 0 && j.fits(v, take, n, p) == nil {
					list = append(list, &eventv1.Square{At: p, Feet: n})
				}
			}
		}
		return list, false
	}
}
