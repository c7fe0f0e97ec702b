package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// concludeTask makes the check of a task with its last act. What was stated when it
// was begun counts, and what is stated with the last act.
//
// celesia.action.disable-device, celesia.action.find-tracks
func concludeTask(r *rules.Resolution, t *eventv1.Task, take *eventv1.TakeAction) {
	k, ok := items.TaskSkills[t.Values[items.ValueSkill]]
	if !ok {
		return
	}
	kind := body.RollKind{Name: k.Skill, Broken: spoken.Truth(t.Action.GetFacts(), checks.FactBroken) || spoken.Truth(take.GetFacts(), checks.FactBroken)}
	said := slices.Concat(t.Action.GetCircumstances(), take.GetCircumstances())
	RollSkillCheck(r, "check/"+k.Skill, r.Creature(t.Creature), kind, t.Values[items.ValueDC], t.Text, nil, said, k.Rule)
}
