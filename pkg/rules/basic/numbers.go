package basic

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SheetNumbers are the numbers of a sheet whose parts it may list: both armour classes.
func (System) SheetNumbers(sheet *eventv1.Sheet) map[string]int32 {
	s := sheet.GetBasic()
	out := map[string]int32{rules.NumberArmor: s.GetArmorClass()}
	if s.GetTouchArmorClass() > 0 {
		out[rules.NumberTouch] = s.TouchArmorClass
	}
	return out
}
