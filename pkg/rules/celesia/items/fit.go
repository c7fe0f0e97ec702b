package items

import (
	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Fit finishes a spell that a sheet took from content. Where neither says it, its
// caster level is the level of the sheet, and the DC of its saving throw 10 with the
// level of the spell and the best modifier of Intelligence, Wisdom and Charisma.
// Other things stay as they are: the numbers of a weapon's wielder are added when
// it strikes.
func Fit(sheet *eventv1.Sheet, _, thing proto.Message) {
	sp, ok := thing.(*eventv1.CelesiaSpell)
	if !ok {
		return
	}
	if sp.CasterLevel == 0 {
		sp.CasterLevel = sheet.GetCelesia().GetLevel()
	}
	if sp.Save == "" || sp.SaveDc != 0 {
		return
	}
	best := int32(-5)
	for _, ability := range []string{"intelligence", "wisdom", "charisma"} {
		if v, scored := sheet.GetAbilities()[ability]; scored {
			best = max(best, (v+100)/2-55)
		}
	}
	sp.SaveDc = max(1, 10+sp.Level+best)
}
