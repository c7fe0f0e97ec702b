package answers

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Surprised tells whether the creature is surprised.
func Surprised(c *eventv1.Creature) bool { return body.Has(c, body.CondSurprised) }

// Surprise makes a creature surprised until the first round begins.
//
// rcr.surprise.no-initiative
func Surprise(r *rules.Resolution, id string) {
	if !Surprised(r.Creature(id)) {
		r.AddCondition(id, &eventv1.Condition{Name: body.CondSurprised, Rule: cite.SurpriseNoInitiative})
	}
}

// IgnoresSurprise tells whether a trait lets the creature act all the same.
//
// rcr.surprise.no-initiative
func IgnoresSurprise(c *eventv1.Creature) bool {
	return body.HasTrait(c, "ignores surprise") || body.HasTrait(c, "acts while surprised") || body.HasFeat(c, body.FeatAlert)
}

// JoinOrder rolls the initiative of one that joins: a total above the turn now
// running keeps for the next round.
//
// rcr.surprise.joiners
func JoinOrder(r *rules.Resolution, id string) {
	s := r.State()
	total := initiativeTotals(r, id)[0]
	if !checks.SurpriseRound(s) {
		r.Set(id, body.CReaction, 1, "it joins", cite.BaseOpportunityFrame)
	}
	round := s.Round
	if len(s.Active) > 0 && int64(total) > s.Counters[body.CRunning] {
		round++
	}
	place(r, id, round, total)
}
