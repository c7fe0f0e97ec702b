package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SurpriseRound tells whether the surprise round is running.
func SurpriseRound(s *eventv1.State) bool {
	return s.GetStatus() == eventv1.State_STATUS_STARTED && s.Phase == body.PhaseSurprise
}

// BareAction tells whether the creature has one action and nothing else: no
// bonus action, no reaction, no movement.
//
// rcr.surprise.one-action, rcr.surprise.joiners
func BareAction(s *eventv1.State, c *eventv1.Creature) bool {
	return SurpriseRound(s) || c.GetMarks()[body.MFreeAction] != ""
}
