package strike

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SpeakAgain ends the silence of a hold on a creature; without one it does nothing.
func SpeakAgain(r *rules.Resolution, id string) {
	if x := body.ConditionOf(r.Creature(id), body.CondSilenced); x != nil {
		r.RemoveCondition(id, x, "the hold loosens", cite.ActionHoldSilence)
	}
}

// Free ends a hold.
func Free(r *rules.Resolution, id string, x *eventv1.Condition, cause string) {
	r.RemoveCondition(id, x, cause, cite.DiceGrappleCheck)
	if r.Creature(x.Source) != nil {
		r.Unrelate(x.Source, body.RelHolds, id, cause, cite.DiceGrappleCheck)
	}
	if !body.Has(r.Creature(id), body.CondHeld) {
		SpeakAgain(r, id)
	}
}
