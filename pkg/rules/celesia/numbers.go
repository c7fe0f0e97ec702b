package celesia

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SheetNumbers are the numbers of a sheet whose parts it may list: both defense values,
// without what the shield adds, which counts apart.
func (System) SheetNumbers(sheet *eventv1.Sheet) map[string]int32 {
	s := sheet.GetCelesia()
	return map[string]int32{rules.NumberArmor: s.GetDefense(), rules.NumberTouch: s.GetTouchDefense()}
}
