package holds

import (
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TurnedFrom are the foes who could strike at one who turns away from them, as far as
// everybody can see: what they hold and how hurt they are not all do.
//
// basic.attack.parting-shot
func TurnedFrom(at *play.At) []*eventv1.Creature {
	var out []*eventv1.Creature
	if _, quiet := house.NoProvoke(at.Content, at.State, at.Actor, at.Action.ID); quiet {
		return nil
	}
	for _, id := range at.Creatures() {
		e := at.State.Creatures[id]
		if e.Position != nil && body.Opposed(at.Actor, e) && order.SeemsFree(at.State, e) {
			out = append(out, e)
		}
	}
	return out
}

// LeftBehind are those whose 5 feet any way out leaves: the foes who could strike
// and stand that near.
//
// basic.attack.parting-shot
func LeftBehind(at *play.At) []string {
	var out []string
	if at.Actor.Position == nil {
		return nil
	}
	for _, e := range TurnedFrom(at) {
		if grid.Steps(at.Actor.Position, e.Position) <= body.EngagedFeet {
			out = append(out, e.Id)
		}
	}
	return out
}
