package basic

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/magic"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func itemActions() []*play.Action {
	return []*play.Action{
		{ID: "hold-use-item", Title: "Use a magic item in the hold", Rule: cite.ActionHoldMagicItem, Group: play.GroupItem, Traits: body.During(body.Wrestlers...), Costs: body.OneAction,
			Items: body.Of(body.Carried), Refuse: body.RefuseUse, RefuseTarget: body.RefuseItemTarget, Range: body.MagicTargets, Self: true, Do: magic.DoUse},
		{ID: "hold-take-item", Title: "Take something from the one held", Rule: cite.ActionHoldTakeItem, Group: play.GroupManeuver, Traits: body.During(body.Wrestlers...), Costs: body.OneAction,
			Items: body.Takeable, Refuse: body.RefuseTake, RefuseTarget: body.RefuseTakeFrom, Least: 1, Most: 1, Self: true, Do: doTakeItem},
		{ID: "hold-other", Title: "Do something else in the hold", Rule: cite.ActionHoldOther, Group: play.GroupOther, Traits: body.During(body.Wrestlers...), Costs: body.OneAction,
			Refuse: body.RefuseNoHold, Fields: body.OpenFields, Check: body.CheckOpen, Do: strike.DoOpen},
	}
}

// doTakeItem tries to take a thing: an attack roll, reading: against the touch
// armour class, like the grab.
//
// basic.action.hold-take-item
func doTakeItem(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	const rule = cite.ActionHoldTakeItem
	ability := spoken.Word(take.Parameters, "ability")
	b := strike.Begin(r, at, rule)
	b.Weapon, b.Touch, b.Ability = body.Grab, true, ability
	if !b.Strike(r) {
		return nil
	}
	if r.Count("", body.CTogether) == 0 {
		handOver(r, c.Id, b.Target, take.Item)
		return nil
	}
	t := body.PutDown(r, body.TaskTake, c.Id, "take "+take.Item)
	t.Targets, t.Item, t.Rule = take.Targets, take.Item, rule
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: t}, cite.InitiativeTiesSimultaneous)
	return nil
}
