package answers

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// speedZeroRule is the rule that holds a speed at 0.
func speedZeroRule(c *eventv1.Creature) string {
	switch {
	case body.Has(c, body.CondStopped):
		return cite.FeatSentinelStop
	case body.Has(c, body.CondGrappled):
		return cite.ConditionGrappledSpeed
	case body.Has(c, body.CondRestrained):
		return cite.ConditionRestrainedSpeed
	case body.Has(c, body.CondHelpless):
		return cite.ConditionHelplessIncapacitated
	case body.Has(c, body.CondParalyzed):
		return cite.ConditionParalyzedCommon
	case c.GetCounters()[body.CExhaustion] > 1:
		return cite.ConditionExhaustionSpeed
	}
	return cite.BaseFifthEditionFallback
}

// RefuseSpeed says why a creature cannot spend movement at all.
func RefuseSpeed(s *eventv1.State, c *eventv1.Creature) error {
	if body.BaseSpeed(s, c) == 0 {
		return body.Refuse("SPEED_ZERO", speedZeroRule(c), "%s has a speed of 0", c.Name)
	}
	return nil
}

// Surcharge is the extra feet of movement that each foot costs whatever the
// ground. Surcharges add up.
//
// rcr.base.movement-cost-additive, rcr.condition.prone-crawl, rcr.condition.blinded-movement
func Surcharge(s *eventv1.State, c *eventv1.Creature, mode string, crawling bool) int32 {
	extra := int32(0)
	if crawling {
		extra++
	}
	if body.Has(c, body.CondBlinded) && c.Marks[body.MSteady] != body.SteadyPassed {
		extra++
	}
	if (mode == "climb" || mode == "swim") && body.SpeedIn(s, c.Id, mode) == 0 {
		extra++ // without a speed of its own, as in the fifth edition
	}
	return extra
}

// ModesOf lists the modes that a creature can move by: those it has a speed in, and
// climbing and swimming for whoever walks. Who crawls only walks.
func ModesOf(s *eventv1.State, c *eventv1.Creature, crawling bool) []string {
	if crawling {
		return []string{"walk"}
	}
	if body.Airborne(c) {
		if body.SpeedIn(s, c.Id, "fly") > 0 {
			return inTheAir
		}
		return nil
	}
	var out []string
	for _, mode := range body.Modes {
		if body.SaddleBars(c, mode) {
			continue // rcr.mount.exotic-movement
		}
		if body.SpeedIn(s, c.Id, mode) > 0 || (mode == "climb" || mode == "swim") && body.SpeedIn(s, c.Id, "walk") > 0 {
			out = append(out, mode)
		}
	}
	return out
}

// inTheAir is how one that is in the air moves.
var inTheAir = []string{"fly"}

// OpenModes lists the modes that so much movement takes a creature a foot by.
func OpenModes(s *eventv1.State, c *eventv1.Creature, crawling bool, left func(mode string) int32) []string {
	return slices.DeleteFunc(ModesOf(s, c, crawling), func(mode string) bool { return left(mode) <= Surcharge(s, c, mode, crawling) })
}
