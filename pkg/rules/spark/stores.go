package spark

import (
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Stores are what a sheet counts out: mana, hit dice, spare strings, uses of items and
// missiles.
func (System) Stores(sheet *eventv1.Sheet) map[string]int64 {
	s := sheet.GetSpark()
	c := &eventv1.Creature{Id: sheet.GetId(), Sheet: sheet}
	out := map[string]int64{body.CMana: int64(s.GetMana()), body.HitDiceOf(c): int64(s.GetLevel()), body.CSpareStrings: int64(s.GetSpareStrings())}
	for _, it := range s.GetItems() {
		out[body.CLeft+it.Name] = int64(it.Uses)
	}
	for _, w := range s.GetWeapons() {
		if w.Missiles != nil {
			out[body.CAmmunition+w.Name] = int64(w.GetMissiles())
		}
	}
	return out
}
