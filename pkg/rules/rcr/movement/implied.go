package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// imply brings the conditions that come with one of content, unless the creature has them
// or something keeps them off, which is said when the one of content is laid.
func imply(r *rules.Resolution, id string, x *eventv1.Condition, say bool) {
	for _, name := range r.Content().Implies(x.Name) {
		c := r.Creature(id)
		if body.Has(c, name) || immune(c, name) {
			continue
		}
		if _, off := r.Content().ConditionImmune(c, name, effects.Env{State: r.State(), Target: c}); off && (!say || house.KeepsOff(r, c, name)) {
			continue
		}
		AddCondition(r, id, &eventv1.Condition{Name: name, Source: x.Source, Cause: x.Name, Until: x.Until,
			Rule: r.Content().Cite(effects.Conditions, x.Name).Rule})
	}
}

// SettleImplied brings the conditions of creatures in line with those that content
// brings: what came with one that is over is over, what is missing is laid.
func SettleImplied(r *rules.Resolution) {
	if len(r.Content().IDs(effects.Conditions)) == 0 {
		return
	}
	for _, id := range r.CreatureIDs() {
		for {
			at := slices.IndexFunc(r.Creature(id).Conditions, func(x *eventv1.Condition) bool {
				return slices.Contains(r.Content().Implies(x.Cause), x.Name) && !body.Has(r.Creature(id), x.Cause)
			})
			if at < 0 {
				break // what ended may have brought others
			}
			x := r.Creature(id).Conditions[at]
			r.RemoveCondition(id, x, x.Cause+" is over", x.Rule)
			KeepPace(r, id)
		}
		for _, x := range r.Creature(id).Conditions {
			imply(r, id, x, false)
		}
	}
}
