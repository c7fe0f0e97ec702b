package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// OfAttacks are the facts that bear on nothing but attacks with weapons.
var OfAttacks = []string{"distance", "behind", "nearest", "near", "in_range", "direction"}

// CheckVitals refuses what is said of weapons, items and abilities that one who
// comes in does not have. The record of a patient may know of what a new sheet
// has no more.
func CheckVitals(add *eventv1.AddCreature) error {
	if add.Sheet.Patient != "" {
		return nil
	}
	c, v := &eventv1.Creature{Sheet: add.Sheet}, add.GetVitals()
	weapons := WeaponNames(c)
	if err := rules.Named("add.vitals.counters", rules.SortedKeys(v.GetCounters()), map[string][]string{CChip: weapons, CAmmunition: weapons,
		CSpent: weapons, CCracked: weapons, CSpilled: weapons, CLeft: ItemNames(c), CDrained: Abilities, CLost: Abilities}); err != nil {
		return err
	}
	return rules.Named("add.vitals.marks", rules.SortedKeys(v.GetMarks()), map[string][]string{MWeapon: weapons, MStuck: weapons, MString: weapons})
}
