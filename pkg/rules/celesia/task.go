package celesia

import (
	"maps"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// taskActions are complex actions, which take acts over several turns.
func taskActions() []*action {
	return []*action{
		{id: "begin-task", title: "Begin a complex action", rule: cite.ActionComplexFrame, cost: taskCost, task: true, trigger: "other",
			provoke: func(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
				return spoken.Truth(take.Parameters, "provokes"), ""
			},
			check: checkTask, parameters: taskParameters, spans: spanning, paid: doBeginTask},
		{id: "continue-task", title: "Go on with a complex action", rule: cite.ActionComplexFrame, cost: taskCost, task: true,
			items: taskNames, refuse: refuseContinue, check: checkTaskActs, parameters: actsParameter, paid: doContinueTask},
	}
}

func actsParameter(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{{Name: "acts", Type: "number", Text: "acts put in now, 1 when not given"}}
}

func taskParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	name := "task"
	for n := 2; s.Tasks[taskID(c.Id, name)] != nil; n++ {
		name = "task-" + itoa(n)
	}
	return append(actsParameter(nil, nil), choice("task", "what it is, in any word not under way", true, name),
		&eventv1.Parameter{Name: "needed", Type: "number", Text: "acts it takes, 4 when not given"},
		&eventv1.Parameter{Name: "scattered", Type: "boolean", Text: "the acts need not follow each other"},
		&eventv1.Parameter{Name: "provokes", Type: "boolean", Text: "beginning it provokes"})
}

func taskCost(_ *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if n, ok := spoken.Number(take.GetParameters(), "acts"); ok {
		return n
	}
	return 1
}

func taskID(c, name string) string { return "task-" + c + "-" + name }

// taskNames lists the complex actions that a creature has begun.
func taskNames(s *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, id := range rules.SortedKeys(s.Tasks) {
		if t := s.Tasks[id]; t.Creature == c.Id && t.Kind == taskComplex {
			out = append(out, t.Text)
		}
	}
	return out
}

// checkTask judges what the game master set for a task.
//
// celesia.action.complex-frame
func checkTask(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	name := spoken.Word(take.Parameters, "task")
	if !rules.ValidID(name) {
		return fault.Field("take.parameters.task", "must be 1 to 64 letters, digits, '-' or '_'")
	}
	if s.Tasks[taskID(c.Id, name)] != nil {
		return refuse("UNDER_WAY", cite.ActionComplexFrame, "%s is under way", name)
	}
	return checkTaskActs(s, c, take)
}

func needed(take *eventv1.TakeAction) int32 {
	if n, ok := spoken.Number(take.Parameters, "needed"); ok {
		return n
	}
	return 4
}

func checkTaskActs(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	left := needed(take)
	if t := s.Tasks[taskID(c.Id, take.Item)]; t != nil && take.Action == "continue-task" {
		left = t.Values["needed"] - t.Values["done"]
	}
	if n, ok := spoken.Number(take.Parameters, "acts"); ok && n > left {
		return fault.Field("take.parameters.acts", "must be 1 to %d", left)
	}
	return nil
}

func refuseContinue(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if s.Tasks[taskID(c.Id, take.Item)] == nil {
		return refuse("NOT_BEGUN", cite.ActionComplexFrame, "%s has begun no such action%s", c.Name, rules.DidYouMean(take.Item, taskNames(s, c)))
	}
	return refuseBroken(s.Tasks[taskID(c.Id, take.Item)])
}

func doBeginTask(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	breakTasks(r, c.Id, "another task was begun")
	name := spoken.Word(take.Parameters, "task")
	consecutive := int32(1)
	if spoken.Truth(take.Parameters, "scattered") {
		consecutive = 0
	}
	progress(r, &eventv1.Task{Id: taskID(c.Id, name), Creature: c.Id, Kind: taskComplex, Status: "pending", Text: name,
		Values: map[string]int32{"needed": needed(take), "done": 0, "consecutive": consecutive}}, acts)
	return nil
}

func doContinueTask(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		if t := r.State().Tasks[id]; t.Creature == c.Id && id != taskID(c.Id, take.Item) {
			breakTask(r, t, "another task was carried on")
		}
	}
	progress(r, r.State().Tasks[taskID(c.Id, take.Item)], acts)
	return nil
}

// progress puts acts into a task; it is done with the last of them.
func progress(r *rules.Resolution, t *eventv1.Task, acts int32) {
	values := maps.Clone(t.Values)
	values["done"] += acts
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: t.Id, Creature: t.Creature, Kind: t.Kind, Status: "pending",
		Text: t.Text, Values: values}}, cite.ActionComplexFrame)
	if values["done"] >= values["needed"] {
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "done"}, cite.ActionComplexFrame)
		concludeTask(r, t)
	}
}

// breakTasks breaks what a creature must do in one run.
//
// celesia.action.complex-frame, celesia.action.one-round-split
func breakTasks(r *rules.Resolution, id, why string) {
	for _, task := range rules.SortedKeys(r.State().Tasks) {
		if t := r.State().Tasks[task]; t.Creature == id {
			breakTask(r, t, why)
		}
	}
}

func breakTask(r *rules.Resolution, t *eventv1.Task, why string) {
	switch {
	case t.Kind == taskCoup:
		endCoup(r, t, "lost: "+why)
	case t.Kind == taskOneRound:
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "lost: " + why}, cite.ActionOneRoundSplit)
		r.Mark(t.Creature, mBusy, "")
	case t.Kind == taskComplex && t.Values["consecutive"] == 1 && t.Values["done"] > 0:
		values := maps.Clone(t.Values)
		values["done"] = 0
		r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: t.Id, Creature: t.Creature, Kind: t.Kind, Status: "broken: " + why,
			Text: t.Text, Values: values}}, cite.ActionComplexFrame)
	}
}
