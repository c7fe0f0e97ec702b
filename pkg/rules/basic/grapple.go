package basic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// takeHold lets the grabs and what was taken on a number take effect, after its
// blows. Reading: one who fell, or got out of reach on the same number, is not held.
//
// basic.initiative.ties-simultaneous, basic.action.hold-take-item
func takeHold(r *rules.Resolution) {
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		t := r.State().Tasks[id]
		if t.Kind != body.TaskGrab && t.Kind != body.TaskTake {
			continue
		}
		holder, target := r.Creature(t.Creature), r.Creature(t.Targets[0])
		d, _ := body.Measured(holder, target)
		if !body.Up(holder) || target == nil || t.Kind == body.TaskGrab && (!body.Up(target) || d > body.EngagedFeet) || t.Kind == body.TaskTake && !slices.Contains(body.Belongings(target), t.Item) {
			r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "came to nothing"}, cite.InitiativeTiesSimultaneous)
			continue
		}
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "took effect"}, cite.InitiativeTiesSimultaneous)
		if t.Kind == body.TaskTake {
			handOver(r, holder.Id, target.Id, t.Item)
			continue
		}
		fire.Grabbed(r, holder.Id, target.Id, t.Item)
	}
}
