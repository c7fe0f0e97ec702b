package manners

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ForRound puts a condition on a creature for so many rounds after the present
// one, unless it has it.
func ForRound(r *rules.Resolution, id, name, cause, rule string, more int32) {
	until := &eventv1.Until{When: "round", Round: r.State().Round + more}
	if x := body.Condition(r.Creature(id), name); x != nil {
		if x.Until.GetRound() >= until.Round {
			return
		}
		r.RemoveCondition(id, x, "again", rule)
	}
	r.AddCondition(id, &eventv1.Condition{Name: name, Cause: cause, Until: until, Rule: rule})
}
