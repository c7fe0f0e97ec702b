package rcr

import (
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Stores are what a sheet counts out to the rested: slots, uses, charges, hit dice and
// the uses of a kit.
func (System) Stores(sheet *eventv1.Sheet) map[string]int64 {
	s, out := sheet.GetRcr(), startingCounters(sheet)
	for _, name := range []string{body.CLegendary, body.CInspiration} {
		delete(out, name) // of a fight, and of the moment
	}
	for _, res := range s.GetResources() {
		out[body.CLeft+res.Name] = int64(max(res.Max, res.Current))
	}
	for _, h := range s.GetHitDice() {
		out[body.CHitDice+body.Itoa(h.Size)] += int64(h.Spent)
	}
	return out
}
