package holds

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// WayFields: with a position the way is the path of the action.
func WayFields(at *play.At) []play.Field {
	if at.Actor.Position != nil {
		return []play.Field{{Name: "path", Required: true}}
	}
	return []play.Field{{Name: "feet", Required: true, Least: 1, Most: Farthest(at)}}
}

// Farthest is how far the action can go at most, in feet.
//
// basic.movement.split, basic.movement.hold-move-opponent
func Farthest(at *play.At) int32 {
	left := int32(at.Actor.Counters[body.CMovement])
	if at.Action.ID == "hold-drag" {
		return min(body.Walk(at.Actor)/2, left)
	}
	return left
}

// RefuseTooFar judges the way of a command.
//
// basic.movement.split
func RefuseTooFar(at *play.At) error {
	feet, limit := int32(0), Farthest(at)
	if from := at.Actor.Position; from != nil {
		feet = body.Length(from, at.Take.Path, limit)
	} else {
		feet, _ = at.Number("feet")
	}
	if feet > limit {
		return body.Refuse("TOO_FAR", cite.MovementSplit, "that is farther than the %d feet left", limit)
	}
	return nil
}

// CheckWay holds that a way leads somewhere and that foes named on it are foes.
func CheckWay(at *play.At) error {
	if from := at.Actor.Position; from != nil && body.Length(from, at.Take.Path, Farthest(at)) < 1 {
		return fault.Field("take.path", "leads nowhere")
	}
	return body.CheckFoes(at.State, at.Actor, at.Take)
}

// WayOf reads the way of an action: its points foot by foot, none without a
// position, and its length in feet.
func WayOf(at *play.At) ([]*eventv1.Position, int32) {
	from := at.Actor.Position
	if from == nil {
		feet, _ := at.Number("feet")
		return nil, feet
	}
	return body.Steps(from, at.Take.Path), body.Length(from, at.Take.Path, Farthest(at))
}

// Way is how a creature moves: foot by foot along points, the start first.
type Way struct {
	Points []*eventv1.Position
	Mode   string
	// Action that it is part of; empty for none of its own.
	Action string
	// Turning: with the back to those that it leaves.
	Turning bool
	// Facts stated with the move, for the blows that it gives others.
	Facts *structpb.Struct
	// Dragged is whom the creature drags along and so does not leave; or empty.
	Dragged string
}
