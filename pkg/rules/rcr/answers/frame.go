package answers

import (
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
)

// TeleportField is where a teleportation goes; without a map there is nothing to say.
func TeleportField(list []play.Field, at *play.At, feet int32) []play.Field {
	if feet <= 0 {
		return list
	}
	return body.Offer(list, at, at.Actor.Position != nil,
		play.Field{Name: "path", Required: true, Text: "Where it appears, within " + body.Itoa(feet) + " feet; the last place of the path counts"})
}
