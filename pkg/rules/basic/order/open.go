package order

import (
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Others are the declarations that leave room for what the list does not name: who
// holds has not said what it will do.
var Others = []string{body.KindOther, body.KindHold}

// CheckAbility is the modifier of an ability and its name: Strength, or else Dexterity.
func CheckAbility(c *eventv1.Creature, ability string) (int32, string) {
	if ability == "strength" {
		return body.SheetOf(c).StrengthModifier, "Strength"
	}
	return body.SheetOf(c).DexterityModifier, "Dexterity"
}
