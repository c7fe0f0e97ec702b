package answers

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// hasHadTurn tells whether a creature has had its turn of a round.
func hasHadTurn(c *eventv1.Creature, round int32) bool {
	had, ok := c.GetCounters()[body.CTurn]
	return ok && had == int64(round)
}

// FillTurn gives back what a turn brings.
//
// rcr.base.opportunity-frame, rcr.initiative.back-to-back, rcr.surprise.one-action
func FillTurn(r *rules.Resolution, id string) {
	full := int64(1)
	if checks.BareAction(r.State(), r.Creature(id)) {
		full = 0
	}
	const why = "the turn begins"
	r.Set(id, body.CLegendary, int64(body.SheetOf(r.Creature(id)).LegendaryActions), why)
	CloseLegendary(r, id)
	r.Set(id, body.CAction, 1, why)
	r.Set(id, body.CBonus, full, why)
	r.Set(id, body.CReaction, full, why, cite.BaseOpportunityFrame)
	r.Set(id, body.CInteraction, full, why)
	for _, spent := range []string{body.CMoved, body.CDangerous, body.CAttacks, body.CDashes, body.CCharges, body.CStraight,
		body.CTravelled, body.CDescended, body.CDived, body.CHalf, body.CStrikes} {
		r.Set(id, spent, 0, why)
	}
	for _, name := range rules.SortedKeys(r.Creature(id).Counters) {
		if len(name) > len(body.CMulti) && name[:len(body.CMulti)] == body.CMulti {
			r.Set(id, name, 0, why)
		}
	}
}
