package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AllowanceRule is the rule behind the acts that a creature has in its turn: that of
// what leaves it fewest.
//
// celesia.mount.moved-two-acts, celesia.mount.control-check, celesia.condition.staggered-by-nonlethal,
// celesia.injury.disabled-one-less-act, celesia.initiative.natural-1
func AllowanceRule(s *eventv1.State, c *eventv1.Creature) string {
	switch {
	case body.Has(c, manners.CondUnruled):
		return cite.MountControlCheck
	case body.Has(c, body.CondStaggered):
		return cite.ConditionStaggeredByNonlethal
	case c.Counters[body.CRode] > 5:
		return cite.MountMovedTwoActs
	case body.Disabled(c):
		return cite.InjuryDisabledOneLessAct
	case c.Counters[body.CFirst] < 0 && s.Round > 0:
		return cite.InitiativeNatural1
	}
	return cite.TurnThreeActs
}

// Allowance is how many acts a creature has in its turn, those already spent
// included. Of several extra acts only the best source counts.
//
// celesia.turn.three-acts, celesia.turn.haste, celesia.turn.extra-acts-no-stack,
// celesia.injury.disabled-one-less-act, celesia.surprise.acts
func Allowance(s *eventv1.State, c *eventv1.Creature) int32 {
	if !Able(c) {
		return 0
	}
	surprise := s.Round == 0
	acts := 3 + manners.ExtraOf(s, c) - manners.LessActs(s, c)
	if surprise {
		acts = min(2, acts)
	}
	if c.Counters[body.CRode] > 5 {
		acts = min(2, acts) // celesia.mount.moved-two-acts
	}
	if c.Marks[body.MRuled] != "" {
		acts = min(3, acts) // celesia.mount.control-check
	}
	if body.Has(c, manners.CondUnruled) {
		acts = 0 // celesia.mount.control-check
	}
	if body.Has(c, body.CondStaggered) {
		acts = min(1, acts) // celesia.condition.staggered-by-nonlethal
	}
	return max(0, acts)
}
