package spark

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SheetNumbers are the numbers of a sheet whose parts it may list: the armour class and
// the attack modifier of each weapon.
func (System) SheetNumbers(sheet *eventv1.Sheet) map[string]int32 {
	s := sheet.GetSpark()
	out := map[string]int32{rules.NumberArmor: s.GetArmorClass()}
	for _, w := range s.GetWeapons() {
		out[rules.NumberAttack+w.Name] = w.AttackModifier
	}
	return out
}
