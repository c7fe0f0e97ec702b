package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// GrappleCastingDC is what a grappled caster must reach: the highest escape DC
// or passive Athletics of those who hold it; 0 when nobody does. The hold's own
// escape DC beats the holder's; a hold of nobody's has that alone.
//
// rcr.condition.grappled-somatic
func GrappleCastingDC(s *eventv1.State, c *eventv1.Creature) int32 {
	dc := int32(0)
	for _, x := range c.Conditions {
		if x.Name != body.CondGrappled {
			continue
		}
		g, own := s.Creatures[x.Source], x.Values["escape_dc"]
		if own == 0 && g != nil {
			own = body.EscapeDC(g)
		}
		if dc = max(dc, own); g != nil {
			dc = max(dc, passive(s, g, "athletics"))
		}
	}
	return dc
}
