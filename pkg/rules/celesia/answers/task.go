package answers

import (
	"maps"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TaskNames lists the complex actions that a creature has begun.
func TaskNames(s *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, id := range rules.SortedKeys(s.Tasks) {
		if t := s.Tasks[id]; t.Creature == c.Id && t.Kind == body.TaskComplex {
			out = append(out, t.Text)
		}
	}
	return out
}

// CheckTask judges what the game master set for a task.
//
// celesia.action.complex-frame
func CheckTask(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	name := spoken.Word(take.Parameters, "task")
	if !rules.ValidID(name) {
		return fault.Field("take.parameters.task", "must be 1 to 64 letters, digits, '-' or '_'")
	}
	if s.Tasks[items.TaskID(c.Id, name)] != nil {
		return body.Refuse("UNDER_WAY", cite.ActionComplexFrame, "%s is under way", name)
	}
	return CheckTaskActs(s, c, take)
}

// Needed is how many acts a complex action takes in all, as the game master sets it;
// 4 when nothing is said.
func Needed(take *eventv1.TakeAction) int32 {
	if n, ok := spoken.Number(take.Parameters, "needed"); ok {
		return n
	}
	return 4
}

// CheckTaskActs refuses to spend more acts on a complex action than it still takes.
func CheckTaskActs(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	left := Needed(take)
	if t := s.Tasks[items.TaskID(c.Id, take.Item)]; t != nil {
		left = t.Values["needed"] - t.Values["done"]
	}
	if n, _ := spoken.Number(take.Parameters, "acts"); n > left {
		return fault.Field("take.parameters.acts", "must be 1 to %d", left)
	}
	return nil
}

// RefuseContinue says why a complex action cannot be gone on with: it was never
// begun, or it is broken.
func RefuseContinue(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if s.Tasks[items.TaskID(c.Id, take.Item)] == nil {
		return body.Refuse("NOT_BEGUN", cite.ActionComplexFrame, "%s has begun no such action%s", c.Name, rules.DidYouMean(take.Item, TaskNames(s, c)))
	}
	return refuseBroken(s.Tasks[items.TaskID(c.Id, take.Item)])
}

// BreakTasks breaks what a creature must do in one run.
//
// celesia.action.complex-frame
func BreakTasks(r *rules.Resolution, id, why string) {
	for _, task := range rules.SortedKeys(r.State().Tasks) {
		if t := r.State().Tasks[task]; t.Creature == id {
			BreakTask(r, t, why)
		}
	}
	BreakBegun(r, id, why)
}

// BreakBegun breaks what a creature has begun and must do in one run: a 1-round
// action, or a coup de grace on an unseen foe.
//
// celesia.action.one-round-split, celesia.attack.coup-total-concealment
func BreakBegun(r *rules.Resolution, id, why string) {
	EndCoup(r, id, "lost: "+why)
	if b := Rounding(r.Creature(id)); b != nil {
		r.EndBegun(id, b.Kind, "lost: "+why, cite.ActionOneRoundSplit)
	}
}

// BreakTask sets a complex action that must be done in one run back to no acts done;
// others, and one without any act done, stay as they are.
func BreakTask(r *rules.Resolution, t *eventv1.Task, why string) {
	if t.Values["consecutive"] == 1 && t.Values["done"] > 0 {
		values := maps.Clone(t.Values)
		values["done"] = 0
		r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: t.Id, Creature: t.Creature, Kind: t.Kind, Status: "broken: " + why,
			Text: t.Text, Values: values, Action: t.Action}}, cite.ActionComplexFrame)
	}
}
