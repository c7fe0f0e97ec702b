package celesia

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Stores are what a sheet counts out: uses of spells, things and abilities, and potions.
func (System) Stores(sheet *eventv1.Sheet) map[string]int64 {
	s, out := sheet.GetCelesia(), map[string]int64{}
	for _, sp := range s.GetSpells() {
		if sp.Uses > 0 {
			out[body.CLeft+sp.Name] = int64(sp.Uses)
		}
	}
	for _, p := range s.GetPotions() {
		out[body.CLeft+p.Name] = int64(p.Count)
	}
	for _, th := range s.GetThings() {
		if n := th.GetSpell().GetUses(); n > 0 {
			out[body.CLeft+th.Name] = int64(n)
		}
	}
	for _, a := range s.GetSpecialAbilities() {
		if n := manners.StartUses(a); n > 0 {
			out[body.CLeft+a.Name] = n
		}
	}
	return out
}
