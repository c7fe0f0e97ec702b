package strike

import (
	"maps"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TaskActions are complex actions, which take acts over several turns.
func TaskActions() []*Action {
	return []*Action{
		{Action: play.Action{ID: "begin-task", Title: "Begin a complex action", Rule: cite.ActionComplexFrame, Group: play.GroupOther, Trigger: "other",
			CostOf: body.Priced(items.TaskCost), Traits: checks.Task, Fields: TaskFields, Check: checks.Judged(answers.CheckTask), Do: items.Paid(doBeginTask)}, Provoke: func(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
			return spoken.Truth(take.Parameters, "provokes"), ""
		}, Spans: answers.Spanning},
		{Action: play.Action{ID: "continue-task", Title: "Go on with a complex action", Rule: cite.ActionComplexFrame, Group: play.GroupOther, CostOf: body.Priced(items.TaskCost),
			Items: body.Ways(answers.TaskNames), Traits: checks.Task, Refuse: body.Bars(answers.RefuseContinue), Check: checks.Judged(answers.CheckTaskActs),
			Do: items.Paid(doContinueTask)}},
	}
}

func doBeginTask(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	answers.BreakTasks(r, c.Id, "another task was begun")
	name := spoken.Word(take.Parameters, "task")
	consecutive := int32(1)
	if spoken.Truth(take.Parameters, "scattered") {
		consecutive = 0
	}
	Progress(r, &eventv1.Task{Id: items.TaskID(c.Id, name), Creature: c.Id, Kind: body.TaskComplex, Status: "pending", Text: name,
		Values: map[string]int32{"needed": answers.Needed(take), "done": 0, "consecutive": consecutive}}, nil, acts)
	return nil
}

func doContinueTask(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		if t := r.State().Tasks[id]; t.Creature == c.Id && id != items.TaskID(c.Id, take.Item) {
			answers.BreakTask(r, t, "another task was carried on")
		}
	}
	answers.BreakBegun(r, c.Id, "another task was carried on")
	Progress(r, r.State().Tasks[items.TaskID(c.Id, take.Item)], take, acts)
	return nil
}

// Progress puts acts into a task; it is done with the last of them. Take is the command
// that goes on with it, nil when it is only begun.
func Progress(r *rules.Resolution, t *eventv1.Task, take *eventv1.TakeAction, acts int32) {
	values := maps.Clone(t.Values)
	values["done"] += acts
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: t.Id, Creature: t.Creature, Kind: t.Kind, Status: "pending",
		Text: t.Text, Values: values, Action: t.Action}}, cite.ActionComplexFrame)
	if values["done"] >= values["needed"] {
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "done"}, cite.ActionComplexFrame)
		concludeTask(r, t, take)
	}
}
