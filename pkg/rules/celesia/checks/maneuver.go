package checks

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ManeuverDefense is CMD; against trips each leg beyond two adds 2.
//
// celesia.maneuver.extra-legs
func ManeuverDefense(t *eventv1.Creature, legs bool) *eventv1.TargetNumber {
	n := &eventv1.TargetNumber{Kind: "CMD", Value: body.SheetOf(t).ManeuverDefense,
		Modifiers: []*eventv1.Modifier{body.Mod(body.SheetOf(t).ManeuverDefense, "CMD on the sheet", cite.ManeuverSuccess)}}
	if extra := 2 * (body.BodyOf(t).Legs - 2); legs && extra > 0 {
		n.Value += extra
		n.Modifiers = append(n.Modifiers, body.Mod(extra, "extra legs", cite.ManeuverExtraLegs))
	}
	return n
}
