package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Names of the complex actions that end in a check, and their rules.
const (
	nameDevice = "disable-device"
	nameTracks = "find-tracks"
	ruleDevice = cite.ActionDisableDevice
	ruleTracks = cite.ActionFindTracks
)

// Numbers of such a task: the DC of the check and which check it is.
const (
	valueDC    = "dc"
	valueSkill = "skill"
)

// taskSkills are the checks that end tasks, by their number.
var taskSkills = map[int32]struct{ skill, rule string }{1: {"disable-device", ruleDevice}, 2: {"survival", ruleTracks}}

// surveyActions begin complex actions that end in a check; they go on as other
// complex actions do.
func surveyActions() []*action {
	return []*action{
		{id: nameDevice, title: "Disable a device", rule: ruleDevice, cost: taskCost, task: true, provoke: always, trigger: "other",
			refuse: refuseSurvey(nameDevice, ruleDevice), check: checkSurvey, parameters: disableParameters, spans: spanning, paid: doDisable},
		{id: nameTracks, title: "Find tracks", rule: ruleTracks, cost: taskCost, task: true, provoke: always, trigger: "other",
			refuse: refuseSurvey(nameTracks, ruleTracks), check: checkSurvey, parameters: tracksParameters, spans: spanning, paid: doTracks},
	}
}

func disableParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return append(tracksParameters(s, c), &eventv1.Parameter{Name: "rounds", Type: "number", Text: "rounds that the skill says it takes, 3 acts each; 1 when not given"},
		&eventv1.Parameter{Name: "scattered", Type: "boolean", Text: "the acts need not follow each other"})
}

func tracksParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return append(append(actsParameter(nil, nil), dcParameter(s, c)...),
		&eventv1.Parameter{Name: "needed", Type: "number", Text: "acts it takes, as the game master sets; at least 3"})
}

// refuseSurvey: one of a kind at a time; a broken one is begun again.
func refuseSurvey(name, rule string) func(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
		if t := s.Tasks[taskID(c.Id, name)]; t != nil && t.Values["done"] > 0 {
			return refuse("UNDER_WAY", rule, "%s is under way", name)
		}
		return refusePinned(s, c, take)
	}
}

// refuseBroken: what ends in a check and was broken is begun again, and provokes
// again.
//
// celesia.action.disable-device
func refuseBroken(t *eventv1.Task) error {
	k, ok := taskSkills[t.Values[valueSkill]]
	if !ok || t.Values["done"] > 0 {
		return nil
	}
	return refuse("BROKEN", k.rule, "%s was broken off and has to be begun again", t.Text)
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
	if acts, ok := spoken.Number(take.GetParameters(), "acts"); ok && acts > n {
		return fault.Field("take.parameters.acts", "must be 1 to %d", n)
	}
	return nil
}

func doDisable(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	return beginSurvey(r, c, take, nameDevice, 1, spoken.Truth(take.Parameters, "scattered"), acts)
}

func doTracks(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	return beginSurvey(r, c, take, nameTracks, 2, false, acts)
}

// beginSurvey puts the first acts into a task that ends in a check.
//
// celesia.action.disable-device, celesia.action.find-tracks
func beginSurvey(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, name string, skill int32, scattered bool, acts int32) error {
	breakTasks(r, c.Id, "another task was begun")
	consecutive := int32(1)
	if scattered {
		consecutive = 0
	}
	progress(r, &eventv1.Task{Id: taskID(c.Id, name), Creature: c.Id, Kind: taskComplex, Status: "pending", Text: name,
		Values: map[string]int32{"needed": surveyActs(take), "done": 0, "consecutive": consecutive, valueDC: dcOf(take), valueSkill: skill}}, acts)
	return nil
}

// concludeTask makes the check of a task with its last act.
//
// celesia.action.disable-device, celesia.action.find-tracks
func concludeTask(r *rules.Resolution, t *eventv1.Task) {
	k, ok := taskSkills[t.Values[valueSkill]]
	if !ok {
		return
	}
	rollSkillCheck(r, "check/"+k.skill, r.Creature(t.Creature), rollKind{name: k.skill}, t.Values[valueDC], t.Text, nil, nil, k.rule)
}
