package basic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Begin starts the fight: surprise first, once, then the first round. The facts
// say which sides might be surprised ("surprise": list of sides) and which lie
// well hidden and prepared in ambush ("ambush": list of sides).
//
// basic.turn.sequence, basic.surprise.check
func (System) Begin(r *rules.Resolution, start *eventv1.StartEncounter) error {
	if body.BookError != nil {
		return body.BookError
	}
	risk, _ := spoken.Words(start.GetFacts(), "surprise")
	ambush, _ := spoken.Words(start.GetFacts(), "ambush")
	for key, list := range [][]string{risk, ambush} {
		for i, side := range list {
			if err := rules.OneOf("start.facts."+[]string{"surprise", "ambush"}[key]+"["+body.Itoa(i)+"]", side, order.SidesOf(r.State())); err != nil {
				return err
			}
		}
	}
	sides := slices.Clone(risk)
	slices.Sort(sides)
	for _, side := range slices.Compact(sides) {
		order.Surprise(r, side, slices.ContainsFunc(ambush, func(a string) bool { return a != side }))
	}
	startRound(r, 1)
	return advance(r)
}
