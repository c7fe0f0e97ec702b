package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
)

// TravelFields are the words of moving: feet, path, who is dragged and the mode. A
// listing offers the most feet and those whom the movement left can drag.
func TravelFields(at *play.At, crawling bool) []play.Field {
	s, c := at.State, at.Actor
	if !at.Listing {
		out := []play.Field{{Name: "feet"}, {Name: "path"}, {Name: "drag"}, {Name: "mode"}}
		if !crawling {
			out = append(out, play.Field{Name: "jump"}, play.Field{Name: "leap"})
		}
		return out
	}
	out := []play.Field{{Name: "feet", Least: 1, Most: most(s, c, crawling)}, {Name: "path"}}
	usual := usualMode(s, c, crawling)
	foot := 1 + answers.Surcharge(s, c, usual, crawling)
	held := slices.DeleteFunc(body.Grappling(s, c), func(id string) bool {
		return MovementLeft(s, c, usual) < foot*Burden(s, c, []string{id})
	})
	if len(held) > 0 {
		out = append(out, play.Field{Name: "drag", Values: held})
	}
	if going := answers.OpenModes(s, c, crawling, func(mode string) int32 { return MovementLeft(s, c, mode) }); !crawling {
		out = append(out, play.Field{Name: "mode", Values: going})
	}
	if high := leapFeet(c, longJump, true); !crawling && usual == "walk" {
		out = append(out, play.Field{Name: "jump", Values: []string{longJump, highJump}}, play.Field{Name: "leap", Least: 1, Most: high})
	}
	return out
}
