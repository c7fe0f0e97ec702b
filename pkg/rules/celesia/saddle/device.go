package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/injury"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// deviceActions use items that hold a spell. None of them is an attack action,
// even with an attack roll, so that nothing that alters attacks goes with it.
//
// celesia.item.command-word, celesia.item.spell-completion, celesia.item.spell-trigger
func deviceActions() []*strike.Action {
	return []*strike.Action{{Action: play.Action{ID: "use-item", Title: "Use a magic item", Rule: cite.ItemCommandWord, Group: play.GroupItem, Trigger: "other", Costs: body.Acts(2),
		Items: body.Ways(items.Devices), Range: items.UpTo(items.DeviceTargets), Self: true, Refuse: body.Bars(items.RefuseDevice), RefuseTarget: injury.AimedWhole(answers.Aimed(items.RefuseDevice)),
		Fields: strike.SaddleFields, Do: body.Done(doDevice)}, Provoke: items.DeviceProvokes, Before: magic.DeviceBefore}}
}

// doDevice works the spell of an item; a scroll is gone with its last use.
func doDevice(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	th := body.ThingOf(c, take.Item)
	if th.Spell.Uses > 0 {
		r.Set(c.Id, body.CLeft+th.Name, r.Count(c.Id, body.CLeft+th.Name)-1, "used", items.DeviceRule(th))
		if th.Kind == body.ThingCompletion && r.Count(c.Id, body.CLeft+th.Name) == 0 {
			body.Shift(r, c.Id, th.Name, body.PlaceGone, "used up", items.DeviceRule(th))
		}
	}
	if kept := th.Kind != body.ThingCompletion || keptInSaddle(r, c.Id, th.Spell, take); !items.Thwarted(r, c.Id) && kept {
		takeEffect(r, c, th.Spell, take.Targets, take)
	}
	return nil
}
