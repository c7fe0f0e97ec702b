package strike

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// IncapacitatedRule is the rule id behind a creature's being incapacitated.
func IncapacitatedRule(c *eventv1.Creature) string {
	switch {
	case body.Has(c, body.CondHelpless):
		return cite.ConditionHelplessIncapacitated
	case body.Has(c, body.CondParalyzed):
		return cite.ConditionParalyzedCommon
	}
	return cite.BaseFifthEditionFallback
}

// NeedReaction says whether the creature may react now.
//
// rcr.base.opportunity-frame, rcr.surprise.one-action
func NeedReaction(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case checks.BareAction(s, c):
		return body.Refuse("NO_REACTION", cite.SurpriseOneAction, "there are no reactions now")
	case body.Incapacitated(c):
		return body.Refuse("INCAPACITATED", IncapacitatedRule(c), "%s is incapacitated", c.GetName())
	case c.Counters[body.CReaction] < 1:
		return body.Refuse("NO_REACTION", cite.BaseOpportunityFrame, "%s has no reaction left", c.Name)
	}
	return nil
}
