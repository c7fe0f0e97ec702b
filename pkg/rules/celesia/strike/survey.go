package strike

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// concludeTask makes the check of a task with its last act.
//
// celesia.action.disable-device, celesia.action.find-tracks
func concludeTask(r *rules.Resolution, t *eventv1.Task) {
	k, ok := items.TaskSkills[t.Values[items.ValueSkill]]
	if !ok {
		return
	}
	RollSkillCheck(r, "check/"+k.Skill, r.Creature(t.Creature), body.RollKind{Name: k.Skill}, t.Values[items.ValueDC], t.Text, nil, nil, k.Rule)
}
