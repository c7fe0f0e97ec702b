package gear

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// manipulateActions handle things in ways of their own.
func manipulateActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "manipulate", Title: "Manipulate an item", Rule: items.RuleManipulate, Group: play.GroupItem, Trigger: "other", CostOf: body.Priced(items.TaskCost),
			Traits: checks.Task, Refuse: body.Bars(items.RefuseManipulate), Fields: strike.TaskFields, Check: checks.Judged(items.CheckManipulate), Do: items.Paid(doManipulate)}, Provoke: checks.Always, Spans: func(_ *eventv1.Creature, take *eventv1.TakeAction) bool { return items.NeededHere(take) > 1 }},
		{Action: play.Action{ID: "prepare-flask", Title: "Prepare a flask of oil", Rule: body.RuleFlask, Group: play.GroupItem, Trigger: "other", Costs: body.Acts(2),
			Items: body.Ways(items.Flasks), Refuse: body.Bars(items.RefuseFlask), Do: body.Done(items.DoFlask)}, Provoke: checks.Always},
		{Action: play.Action{ID: "lock-gauntlet", Title: "Lock a weapon in a gauntlet", Rule: body.RuleGauntlet, Group: play.GroupItem, Trigger: "other", Costs: body.Acts(2),
			Items: body.Ways(items.OneHanded), Refuse: body.Bars(items.RefuseGauntlet(0)), Do: body.Done(items.DoGauntlet(1))}, Provoke: checks.Always},
		{Action: play.Action{ID: "unlock-gauntlet", Title: "Unlock a weapon from a gauntlet", Rule: body.RuleGauntlet, Group: play.GroupItem, Trigger: "other", Costs: body.Acts(2),
			Items: body.Ways(items.OneHanded), Refuse: body.Bars(items.RefuseGauntlet(1)), Do: body.Done(items.DoGauntlet(0))}, Provoke: checks.Always},
	}
}

// celesia.equipment.manipulate-item, celesia.equipment.manipulate-complex
func doManipulate(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	answers.BreakTasks(r, c.Id, "something else was handled")
	name, n := spoken.Word(take.Parameters, "task"), items.NeededHere(take)
	if n == 1 {
		r.Note(event.Everyone(), c.Id, c.Name+" handles: "+name, items.RuleManipulate)
		return nil
	}
	consecutive := int32(1)
	if spoken.Truth(take.Parameters, "scattered") {
		consecutive = 0
	}
	strike.Progress(r, &eventv1.Task{Id: items.TaskID(c.Id, name), Creature: c.Id, Kind: body.TaskComplex, Status: "pending", Text: name,
		Values: map[string]int32{"needed": n, "done": 0, "consecutive": consecutive}}, nil, acts)
	return nil
}
