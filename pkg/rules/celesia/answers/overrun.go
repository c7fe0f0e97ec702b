package answers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Overlaps tells whether a creature standing somewhere would be in another's space.
func Overlaps(c *eventv1.Creature, at *eventv1.Position, other *eventv1.Creature) bool {
	feet, known := body.Distance(&eventv1.Creature{Size: c.Size, Position: at}, other)
	return known && feet == 0
}

// RefuseOverrun says why an overrun cannot be tried: not on one's feet or not free
// to move, the foe too large, or farther away than the walking speed.
func RefuseOverrun(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch {
	case body.Has(c, body.CondProne):
		return body.Refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	case body.Legless(c):
		return body.Refuse("NO_LEGS", cite.InjuryLegAllLost, "%s can only crawl", c.Name)
	}
	if err := Bound(c); err != nil {
		return err
	}
	t := s.Creatures[body.Target(take)]
	if err := TooLarge(c, t); t == nil || err != nil {
		return err
	}
	if feet, _ := body.Apart(take, c, t); feet > body.Speed(c, "walk") {
		return body.Refuse("TOO_FAR", RuleOverrun, "%s is %d feet away, %s moves %d", t.Name, feet, c.Name, body.Speed(c, "walk"))
	}
	return nil
}
