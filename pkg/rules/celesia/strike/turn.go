package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Allowance is how many acts a creature has in its turn, those already spent
// included. Of several extra acts only the best source counts.
func Allowance(s *eventv1.State, c *eventv1.Creature) int32 {
	acts, _ := Allowed(s, c)
	return acts
}

// Allowed is the allowance and the rule that set it: of what adds acts, takes them and
// limits them the last that came to bear.
//
// celesia.turn.three-acts, celesia.turn.haste, celesia.turn.extra-acts-no-stack,
// celesia.injury.disabled-one-less-act, celesia.surprise.acts, celesia.initiative.natural-1,
// celesia.initiative.natural-20
func Allowed(s *eventv1.State, c *eventv1.Creature) (acts int32, rule string) {
	acts, rule = 3, cite.TurnThreeActs
	if !Able(c) {
		return 0, rule
	}
	if extra, by := manners.ExtraOf(s, c); extra > 0 {
		acts, rule = acts+extra, by
	}
	if less, by := manners.LessActs(s, c); less > 0 {
		acts, rule = max(0, acts-less), by
	}
	for _, limit := range limits(s, c) {
		if acts >= limit.acts {
			acts, rule = limit.acts, limit.rule
		}
	}
	return acts, rule
}

// limit is how many acts a creature can have at most, by a rule.
type limit struct {
	acts int32
	rule string
}

// limits are those in force for a creature.
//
// celesia.surprise.acts, celesia.mount.moved-two-acts, celesia.mount.control-check,
// celesia.condition.staggered-by-nonlethal
func limits(s *eventv1.State, c *eventv1.Creature) []limit {
	var out []limit
	if s.Round == 0 {
		out = append(out, limit{2, cite.SurpriseActs})
	}
	if c.Counters[body.CRode] > 5 {
		out = append(out, limit{2, cite.MountMovedTwoActs})
	}
	if c.Marks[body.MRuled] != "" {
		out = append(out, limit{3, cite.MountControlCheck})
	}
	if body.Has(c, body.CondStaggered) {
		out = append(out, limit{1, cite.ConditionStaggeredByNonlethal})
	}
	if body.Has(c, manners.CondUnruled) {
		out = append(out, limit{0, cite.MountControlCheck})
	}
	return out
}
