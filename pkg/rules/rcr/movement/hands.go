package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// busy carries out an act of the hands: it is paid, the enemies get their
// window, and it takes effect if its doer still can.
//
// rcr.base.opportunity-frame
func busy(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, cost string, why checks.Trigger, rule string, effect func()) error {
	stated := checks.StatedIDs(take.Facts, "threatened_by")
	if cost != "" {
		body.Spend(r, c.Id, cost, take.Action)
	}
	notes := body.StatedNotes(take)
	if what := spoken.Word(take.Parameters, "object"); what != "" {
		notes = append(notes, what)
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: take.Item, Notes: notes})
	if rule != "" {
		OfferOpportunity(r, c.Id, why, rule, answers.Threateners(r.State(), c.Id, stated), take)
		if body.Incapacitated(r.Creature(c.Id)) {
			r.Note(event.Everyone(), c.Id, take.Action+": it does not come to that", cite.BaseOpportunityFrame)
			return nil
		}
	}
	effect()
	return nil
}

func busyWithObject(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, cost string) error {
	what := spoken.Word(take.Parameters, "object")
	if what == "" {
		what = "an object"
	}
	return busy(r, c, take, cost, checks.OnInteract, cite.OpportunityObjectInteraction, func() {
		r.Note(event.Everyone(), c.Id, "done: "+what, cite.OpportunityObjectInteraction)
	})
}
