package rcr

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SheetNumbers are the numbers of a sheet whose parts it may list: the armour class and
// the bonus of each attack.
func (System) SheetNumbers(sheet *eventv1.Sheet) map[string]int32 {
	s := sheet.GetRcr()
	out := map[string]int32{rules.NumberArmor: s.GetArmorClass()}
	for _, a := range s.GetAttacks() {
		out[rules.NumberAttack+a.Name] = a.Bonus
	}
	return out
}
