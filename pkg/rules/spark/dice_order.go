package spark

import (
	"cmp"
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DiceOrder lists those in the fight as the d20s of the round come: as they declared,
// which is its only order, then those who have still to declare.
//
// spark.dice.roll-order
func (System) DiceOrder(s *eventv1.State) []string {
	ids := body.Living(s)
	place := func(id string) int64 {
		if n := s.Creatures[id].Counters[body.COrder]; n > 0 {
			return n
		}
		return int64(len(s.Creatures)) + 1
	}
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	return ids
}
