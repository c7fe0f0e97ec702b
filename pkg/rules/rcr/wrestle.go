package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// refuseWrestle says why a creature cannot be grappled or shoved: more than one
// size larger, out of reach, already in one's hold.
func refuseWrestle(s *eventv1.State, c, e *eventv1.Creature, id string, take *eventv1.TakeAction) error {
	const frame = cite.BaseFifthEditionFallback
	feet, known := distanceTo(c, e)
	if n, ok := spoken.Number(take.GetFacts(), "distance"); ok {
		feet, known = n, true
	}
	switch {
	case e.Id == c.Id:
		return refuse("SELF", frame, "%s cannot %s itself", c.Name, id)
	case dead(e):
		return refuse("TARGET_DEAD", frame, "%s is dead", e.Name)
	case known && feet > 5:
		return refuse("OUT_OF_REACH", frame, "%s is not within 5 feet", e.Name)
	case slices.Index(sizes, e.Size) > slices.Index(sizes, c.Size)+1:
		return refuse("TOO_LARGE", frame, "%s is too large", e.Name)
	case charmedBy(c, e.Id):
		return refuse("CHARMED", frame, "%s is charmed by %s", c.Name, e.Name)
	case id == "grapple" && grappledBy(e, c.Id) != nil:
		return refuse("GRAPPLED", frame, "%s is grappled already", e.Name)
	case id == "grapple" && handsTaken(s, c) >= 2:
		return refuse("NO_FREE_HAND", frame, "%s has no hand free", c.Name)
	}
	return nil
}

func grappledBy(c *eventv1.Creature, source string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == condGrappled && x.Source == source {
			return x
		}
	}
	return nil
}

// holding are the conditions that can be escaped from.
func holding(c *eventv1.Creature) []*eventv1.Condition {
	var out []*eventv1.Condition
	for _, x := range c.GetConditions() {
		if x.Name == condGrappled || x.Name == condRestrained && x.Values["escape_dc"] > 0 {
			out = append(out, x)
		}
	}
	return out
}
