package magic

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DoUse uses a thing: a simple one such as a ring freely, any other if the game
// master allows it. It is no casting: nothing disturbs it.
//
// basic.action.hold-magic-item
func DoUse(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	const rule = cite.ActionHoldMagicItem
	it := body.ItemOf(c, take.Item)
	if !it.Simple || body.TruthStated(take) {
		if ok, err := body.Approved(r, c, take, "uses "+take.Item, rule); !ok {
			return err
		}
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "hold-use-item", Targets: take.Targets, Item: take.Item}, rule)
	body.Pay(r, at, rule)
	if it.Effect.Uses > 0 {
		r.Set(c.Id, body.CLeft+take.Item, r.Count(c.Id, body.CLeft+take.Item)-1, "used", rule)
	}
	for _, h := range magic(r, c.Id, take.Item, it.Effect, take.Targets, rule) {
		h.Do(r, false)
	}
	Cast(r, c.Id, take.Item, it.Effect, take.Targets)
	return nil
}
