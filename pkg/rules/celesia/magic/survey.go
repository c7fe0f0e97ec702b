package magic

import (
	"github.com/skaldrpg/skald/pkg/fault"
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

// SurveyActions begin complex actions that end in a check; they go on as other
// complex actions do.
func SurveyActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: items.NameDevice, Title: "Disable a device", Rule: items.RuleDevice, Group: play.GroupCheck, Trigger: "other", CostOf: body.Priced(items.TaskCost),
			Traits: checks.Task, Refuse: body.Bars(refuseSurvey(items.NameDevice, items.RuleDevice)), Check: checks.Judged(checkSurvey),
			Do: items.Paid(doDisable)}, Provoke: checks.Always, Spans: answers.Spanning},
		{Action: play.Action{ID: items.NameTracks, Title: "Find tracks", Rule: items.RuleTracks, Group: play.GroupCheck, Trigger: "other", CostOf: body.Priced(items.TaskCost), Traits: checks.Task,
			Refuse: body.Bars(refuseSurvey(items.NameTracks, items.RuleTracks)), Check: checks.Judged(checkSurvey), Do: items.Paid(doTracks)}, Provoke: checks.Always, Spans: answers.Spanning},
	}
}

// refuseSurvey: one of a kind at a time; a broken one is begun again.
func refuseSurvey(name, rule string) func(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
		if t := s.Tasks[items.TaskID(c.Id, name)]; t != nil && t.Values["done"] > 0 {
			return body.Refuse("UNDER_WAY", rule, "%s is under way", name)
		}
		return RefusePinned(s, c, take)
	}
}

// surveyActs is how many acts such a task takes: 3 for each round, or what the
// game master sets.
//
// celesia.action.disable-device, celesia.action.find-tracks
func surveyActs(take *eventv1.TakeAction) int32 {
	if n, ok := spoken.Number(take.GetParameters(), "needed"); ok {
		return n
	}
	if n, ok := spoken.Number(take.GetParameters(), "rounds"); ok {
		return 3 * n
	}
	return 3
}

func checkSurvey(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	n := surveyActs(take)
	if acts, _ := spoken.Number(take.GetParameters(), "acts"); acts > n {
		return fault.Field("take.parameters.acts", "must be 1 to %d", n)
	}
	return nil
}

func doDisable(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	return beginSurvey(r, c, take, items.NameDevice, 1, spoken.Truth(take.Parameters, "scattered"), acts)
}

func doTracks(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	return beginSurvey(r, c, take, items.NameTracks, 2, false, acts)
}

// beginSurvey puts the first acts into a task that ends in a check.
//
// celesia.action.disable-device, celesia.action.find-tracks
func beginSurvey(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, name string, skill int32, scattered bool, acts int32) error {
	answers.BreakTasks(r, c.Id, "another task was begun")
	consecutive := int32(1)
	if scattered {
		consecutive = 0
	}
	strike.Progress(r, &eventv1.Task{Id: items.TaskID(c.Id, name), Creature: c.Id, Kind: body.TaskComplex, Status: "pending", Text: name,
		Values: map[string]int32{"needed": surveyActs(take), "done": 0, "consecutive": consecutive, items.ValueDC: checks.DcOf(take), items.ValueSkill: skill}, Action: stated(c, take)}, nil, acts)
	return nil
}

// stated is what was stated when a task was begun, for the check that ends it; nil
// when nothing was.
func stated(c *eventv1.Creature, take *eventv1.TakeAction) *eventv1.TakeAction {
	if len(take.Circumstances) == 0 && !spoken.Truth(take.Facts, checks.FactBroken) {
		return nil
	}
	return &eventv1.TakeAction{Creature: c.Id, Action: take.Action, Circumstances: take.Circumstances, Facts: take.Facts}
}
