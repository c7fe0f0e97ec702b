package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mFreeAction is "yes" on a creature that joined, surprised everyone and has
// its one free action; it has no initiative yet.
const mFreeAction = "free-action"

// surpriseRound tells whether the surprise round is running.
func surpriseRound(s *eventv1.State) bool {
	return s.GetStatus() == eventv1.State_STATUS_STARTED && s.Phase == phaseSurprise
}

// bareAction tells whether the creature has one action and nothing else: no
// bonus action, no reaction, no movement.
//
// rcr.surprise.one-action, rcr.surprise.joiners
func bareAction(s *eventv1.State, c *eventv1.Creature) bool {
	return surpriseRound(s) || c.GetMarks()[mFreeAction] != ""
}

// surprised tells whether the creature is surprised.
func surprised(c *eventv1.Creature) bool { return c.GetMarks()[mSurprised] != "" }

// ignoresSurprise tells whether a trait lets the creature act all the same.
//
// rcr.surprise.no-initiative
func ignoresSurprise(c *eventv1.Creature) bool {
	return hasTrait(c, "ignores surprise") || hasTrait(c, "acts while surprised") || hasFeat(c, featAlert)
}

// join brings a creature into a fight under way. One that surprises every
// combatant has one free action first: it acts beside whoever has the turn and
// rolls initiative when it ends its own.
//
// rcr.surprise.joiners
func join(r *rules.Resolution, id string, surprisesAll, isSurprised bool) error {
	s := r.State()
	switch {
	case dead(s.Creatures[id]):
		return nil
	case surpriseRound(s) && isSurprised && !ignoresSurprise(s.Creatures[id]):
		r.Mark(id, mSurprised, "yes", cite.SurpriseNoInitiative)
		return advance(r)
	case surprisesAll && !down(s.Creatures[id]) && len(s.Active) > 0:
		r.Mark(id, mFreeAction, "yes", cite.SurpriseJoiners)
		fillTurn(r, id)
		r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: append(slices.Clone(s.Active), id)}, cite.SurpriseJoiners)
		return nil
	}
	joinOrder(r, id)
	return advance(r)
}

// joinOrder rolls the initiative of one that joins: a total above the turn now
// running keeps for the next round.
//
// rcr.surprise.joiners
func joinOrder(r *rules.Resolution, id string) {
	s := r.State()
	total := initiativeTotals(r, id)[0]
	if !surpriseRound(s) {
		r.Set(id, cReaction, 1, "it joins", cite.BaseOpportunityFrame)
	}
	round := s.Round
	if len(s.Active) > 0 && int64(total) > s.Counters[cRunning] {
		round++
	}
	place(r, id, round, total)
}
