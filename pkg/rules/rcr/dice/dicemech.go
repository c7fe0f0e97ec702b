package dice

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Kinds of tasks and the numbers that go with them.
const (
	TaskDelayed   = "delayed-roll"
	TaskChallenge = "challenge"

	ValSafeties  = "safeties"
	ValTimeDice  = "time_dice"
	ValMinutes   = "minutes"
	ValDegree    = "degree"
	ValBarred    = "barred"
	ValTriumph   = "triumph"
	ValFails     = "fails"
	ValTotal     = "total"
	CTimeDice    = "time-dice"
	DecSafety    = "safety"
	MinutesSpent = 10
)

// RefuseOff says that a rule is off at this table.
func RefuseOff(s *eventv1.State, rule string) error {
	if !body.Defaults.On(s, rule) {
		return body.Refuse("RULE_OFF", rule, "this table does not play by %s", rule)
	}
	return nil
}

// TasksOf lists the tasks of a creature of a kind, by id.
func TasksOf(s *eventv1.State, c *eventv1.Creature, kind string) []*eventv1.Task {
	var out []*eventv1.Task
	for _, id := range rules.SortedKeys(s.Tasks) {
		if t := s.Tasks[id]; t.Creature == c.Id && (kind == "" || t.Kind == kind) {
			out = append(out, t)
		}
	}
	return out
}

// TaskName reads and checks the name of a task; its id is that of a creature's
// own task.
func TaskName(c *eventv1.Creature, take *eventv1.TakeAction) (string, error) {
	name := spoken.Word(take.Parameters, "task")
	if name == "" || len(name) > rules.MaxIDLength {
		return "", fault.Field("take.parameters.task", "must be 1 to %d bytes", rules.MaxIDLength)
	}
	return name + "/" + c.Id, nil
}

// AbilityOf is the ability that a skill goes by; any other name, an ability's own
// too, comes back as it is.
func AbilityOf(skill string) string {
	if a, ok := body.SkillAbility[skill]; ok {
		return a
	}
	return skill
}
