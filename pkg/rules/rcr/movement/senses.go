package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// kitInHand gives the enemies about their window before a healer's kit is used,
// as with any object (a reading), and tells whether its user can still do so.
//
// rcr.opportunity.object-interaction, rcr.base.opportunity-frame
func kitInHand(r *rules.Resolution, id string, stated []string, take *eventv1.TakeAction) bool {
	OfferOpportunity(r, id, checks.OnInteract, cite.OpportunityObjectInteraction, answers.Threateners(r.State(), id, stated), take)
	if body.Incapacitated(r.Creature(id)) {
		r.Note(event.Everyone(), id, "the healer's kit is not used", cite.BaseOpportunityFrame)
		return false
	}
	return true
}
