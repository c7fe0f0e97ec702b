package strike

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FallSkill is the skill that promises more.
func FallSkill(s *eventv1.State, c *eventv1.Creature) string {
	if checks.Better(s, c, "athletics", "acrobatics") {
		return "athletics"
	}
	return "acrobatics"
}

// SpaceFree tells whether nobody stands where a creature would. Who hides is in
// nobody's way, so that nobody finds it by trying.
func SpaceFree(s *eventv1.State, c *eventv1.Creature, to *eventv1.Position) bool {
	for _, id := range rules.SortedKeys(s.Creatures) {
		o := s.Creatures[id]
		if id != c.Id && o.Position != nil && !body.Dead(o) && !body.Has(o, body.CondHidden) && body.Seat(o) == nil && grid.Distance(to, body.SpaceFeet(c), o.Position, body.SpaceFeet(o)) == 0 {
			return false
		}
	}
	return true
}
