package gear

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// drawFields: how many hands there are for it, and what is drawn with it.
//
// celesia.equipment.draw-two
func drawFields(at *play.At) []play.Field {
	hands := play.Field{Name: "hands"}
	if strike.FreeHands(at.Actor) < 2 {
		hands.Values = []string{"one"}
	}
	second := answers.Without("second")
	if body.Feature(at.Actor, body.FeatTwoWeapon) {
		second.Values = answers.Fitting(body.Loose(at.State, at.Actor), func(word string) error { return RefuseSecond(at.State, at.Actor, at.Item(), word, false) })
	}
	return strike.Remaining(at, hands, second)
}

// MoveFields: what is drawn, or strapped on, on the way.
//
// celesia.equipment.draw-with-move, celesia.equipment.shield
func MoveFields(at *play.At) []play.Field {
	s, c := at.State, at.Actor
	draws := answers.Without("draw")
	if body.SheetOf(c).BaseAttack >= 1 {
		draws.Values = answers.Fitting(body.Loose(s, c), func(word string) error { return RefuseDrawOnTheWay(s, c, word) })
	}
	shield := play.Field{Name: "shield", Values: answers.Fitting(items.Shields(s, c), func(word string) error { return RefuseShieldOnMove(s, c, word) })}
	return strike.Remaining(at, play.Field{Name: "mode", Values: answers.Modes(c)}, draws, shield, answers.Without("second"))
}

// DrawingTwo are the Moves on which two weapons are drawn: the second goes with the
// first alone.
//
// celesia.equipment.draw-two, celesia.equipment.draw-with-move
func DrawingTwo(at *play.At) []*eventv1.Option {
	s, c := at.State, at.Actor
	if !body.Feature(c, body.FeatTwoWeapon) || body.SheetOf(c).BaseAttack < 1 {
		return nil
	}
	var out []*eventv1.Option
	for _, first := range body.Loose(s, c) {
		if RefuseDrawOnTheWay(s, c, first) != nil {
			continue
		}
		seconds := answers.Fitting(body.Loose(s, c), func(word string) error { return RefuseSecond(s, c, first, word, false) })
		if len(seconds) == 0 {
			continue
		}
		o := checks.Frame().Option(at)
		if !o.Legal {
			return nil
		}
		o.Title = "Move, drawing " + first + " and another"
		o.Parameters = slices.DeleteFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Name == "draw" || p.Name == "shield" })
		o.Parameters = append(o.Parameters, answers.PickOne("draw", first), answers.PickOne("second", seconds...))
		out = append(out, o)
	}
	return out
}
