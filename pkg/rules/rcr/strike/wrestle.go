package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseWrestle says why a creature cannot be grappled or shoved: more than one
// size larger, out of reach, already in one's hold.
func RefuseWrestle(s *eventv1.State, c, e *eventv1.Creature, id string, take *eventv1.TakeAction) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case e.Id == c.Id:
		return body.Refuse("SELF", frame, "%s cannot %s itself", c.Name, id)
	case body.Dead(e):
		return body.Refuse("TARGET_DEAD", frame, "%s is dead", e.Name)
	case checks.FeetTo(c, e, take) > 5:
		return body.Refuse("OUT_OF_REACH", frame, "%s is not within 5 feet", e.Name)
	case slices.Index(Sizes, e.Size) > slices.Index(Sizes, c.Size)+1:
		return body.Refuse("TOO_LARGE", frame, "%s is too large", e.Name)
	case checks.CharmedBy(c, e.Id):
		return body.Refuse("CHARMED", frame, "%s is charmed by %s", c.Name, e.Name)
	case id == "grapple" && body.GrappledBy(e, c.Id) != nil:
		return body.Refuse("GRAPPLED", frame, "%s is grappled already", e.Name)
	case id == "grapple" && body.HandsTaken(s, c) >= 2:
		return body.Refuse("NO_FREE_HAND", frame, "%s has no hand free", c.Name)
	}
	return nil
}

// holding are the conditions that can be escaped from.
func holding(c *eventv1.Creature) []*eventv1.Condition {
	var out []*eventv1.Condition
	for _, x := range c.GetConditions() {
		if x.Name == body.CondGrappled || x.Name == body.CondRestrained && x.Values["escape_dc"] > 0 {
			out = append(out, x)
		}
	}
	return out
}
