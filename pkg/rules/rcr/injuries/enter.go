package injuries

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SetBloodied brings the condition in line with the hit points: fewer than
// half, temporary ones not counted.
//
// rcr.condition.bloodied
func SetBloodied(r *rules.Resolution, id string) {
	c := r.Creature(id)
	now := body.Condition(c, body.CondBloodied)
	below := 2*c.GetHp() < c.GetHpMax()
	switch {
	case below && now == nil:
		r.AddCondition(id, &eventv1.Condition{Name: body.CondBloodied, Cause: "fewer than half its hit points", Rule: cite.ConditionBloodied})
	case !below && now != nil:
		r.RemoveCondition(id, now, "half its hit points or more", cite.ConditionBloodied)
	}
}
