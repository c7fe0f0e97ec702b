package basic

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Stores are what a sheet counts out: ammunition, spells, and uses of items.
func (System) Stores(sheet *eventv1.Sheet) map[string]int64 {
	s, out := sheet.GetBasic(), map[string]int64{}
	for _, kind := range rules.SortedKeys(s.GetAmmunition()) {
		out[body.CAmmunition+kind] = int64(s.Ammunition[kind])
	}
	for _, sp := range s.GetSpells() {
		out[body.CLeft+sp.Name] = int64(sp.Uses)
	}
	for _, it := range s.GetItems() {
		if n := it.Effect.GetUses(); n > 0 {
			out[body.CLeft+it.Name] = int64(n)
		}
	}
	return out
}
