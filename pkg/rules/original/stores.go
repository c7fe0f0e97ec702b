package original

import (
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Stores are the spells that a sheet has prepared.
func (System) Stores(sheet *eventv1.Sheet) map[string]int64 {
	out := map[string]int64{}
	for _, p := range sheet.GetOriginal().GetSpells() {
		if p.Prepared > 0 {
			out[body.CLeft+p.Name] = int64(p.Prepared)
		}
	}
	return out
}
