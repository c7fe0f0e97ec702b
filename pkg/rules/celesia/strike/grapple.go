package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FreeHands counts the hands that hold nothing and can hold something.
func FreeHands(c *eventv1.Creature) int32 {
	n := UsableHands(c)
	for _, name := range body.InHands(c) {
		n--
		if c.Items[name].Place == body.PlaceBoth {
			n--
		}
	}
	return max(0, n)
}

// Escapes rolls the check of an escape.
func Escapes(r *rules.Resolution, c, holder *eventv1.Creature, cmd *eventv1.TargetNumber, take *eventv1.TakeAction, check string, more []*eventv1.Modifier) bool {
	const rule = cite.ManeuverEscapeGrapple
	if check == "escape-artist" {
		return RollSkillCheck(r, "escape", c, body.RollKind{Name: "escape-artist"}, cmd.Value, "escape", more, take.GetCircumstances(), rule).Success()
	}
	return RollManeuverCheck(r, "escape", "escape", c, holder, cmd, take, rule, more...).Success()
}
