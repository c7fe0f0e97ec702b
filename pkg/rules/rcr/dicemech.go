package rcr

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Kinds of tasks and the numbers that go with them.
const (
	taskDelayed   = "delayed-roll"
	taskChallenge = "challenge"

	valSafeties  = "safeties"
	valTimeDice  = "time_dice"
	valMinutes   = "minutes"
	valDegree    = "degree"
	valBarred    = "barred"
	valTriumph   = "triumph"
	valFails     = "fails"
	valTotal     = "total"
	cTimeDice    = "time-dice"
	decSafety    = "safety"
	minutesSpent = 10
)

// refuseOff says that a rule is off at this table.
func refuseOff(s *eventv1.State, rule string) error {
	if !defaults.On(s, rule) {
		return refuse("RULE_OFF", rule, "this table does not play by %s", rule)
	}
	return nil
}

// tasksOf lists the tasks of a creature of a kind, by id.
func tasksOf(s *eventv1.State, c *eventv1.Creature, kind string) []*eventv1.Task {
	var out []*eventv1.Task
	for _, id := range rules.SortedKeys(s.Tasks) {
		if t := s.Tasks[id]; t.Creature == c.Id && (kind == "" || t.Kind == kind) {
			out = append(out, t)
		}
	}
	return out
}

// taskName reads and checks the name of a task; its id is that of a creature's
// own task.
func taskName(c *eventv1.Creature, take *eventv1.TakeAction) (string, error) {
	name := spoken.Word(take.Parameters, "task")
	if name == "" || len(name) > rules.MaxIDLength {
		return "", fault.Field("take.parameters.task", "must be 1 to %d bytes", rules.MaxIDLength)
	}
	return name + "/" + c.Id, nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func abilityOf(skill string) string {
	if a, ok := skillAbility[skill]; ok {
		return a
	}
	return skill
}
