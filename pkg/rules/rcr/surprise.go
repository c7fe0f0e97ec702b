package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// join brings a creature into a fight under way. One that surprises every
// combatant has one free action first: it acts beside whoever has the turn and
// rolls initiative when it ends its own.
//
// rcr.surprise.joiners
func join(r *rules.Resolution, id string, surprisesAll, isSurprised bool) error {
	s := r.State()
	switch {
	case body.Dead(s.Creatures[id]):
		return nil
	case checks.SurpriseRound(s) && isSurprised && !answers.IgnoresSurprise(s.Creatures[id]):
		answers.Surprise(r, id)
		return advance(r)
	case surprisesAll && !body.Down(s.Creatures[id]) && len(s.Active) > 0:
		r.Flag(id, body.MFreeAction, true, cite.SurpriseJoiners)
		answers.FillTurn(r, id)
		r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: append(slices.Clone(s.Active), id)}, cite.SurpriseJoiners)
		return nil
	}
	answers.JoinOrder(r, id)
	return advance(r)
}
