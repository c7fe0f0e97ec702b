package body

import (
	"github.com/skaldrpg/skald/pkg/rules/play"
)

// CheckFields are those of any check.
func CheckFields(at *play.At, dcNeeded bool) []play.Field {
	return InspirationField([]play.Field{{Name: "dc", Required: dcNeeded && at.Listing}, {Name: "sense"}}, at)
}

// KitField is the kit, where a Medicine check can be made with one.
func KitField(list []play.Field, at *play.At, skill string) []play.Field {
	return Offer(list, at, skill == "medicine" && at.Actor.Counters[CKit] > 0, play.Field{Name: "kit"})
}
