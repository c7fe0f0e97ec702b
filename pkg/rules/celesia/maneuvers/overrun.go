package maneuvers

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Squares expands a way into squares of 5 feet.
func Squares(from *eventv1.Position, path []*eventv1.Position) []*eventv1.Position {
	var out []*eventv1.Position
	for _, to := range path {
		n := grid.Steps(from, to) / 5
		for k := int32(1); k <= n; k++ {
			out = append(out, &eventv1.Position{X: Along(from.X, to.X, k, n), Y: Along(from.Y, to.Y, k, n), Z: Along(from.Z, to.Z, k, n)})
		}
		from = to
	}
	return out
}

// InTheFoe finds the first foe through whose space a way leads, other than one
// that is being overrun or held.
//
// celesia.maneuver.overrun
func InTheFoe(s *eventv1.State, c *eventv1.Creature, path []*eventv1.Position, passing string) *eventv1.Creature {
	for _, at := range Squares(c.Position, path) {
		for _, id := range rules.SortedKeys(s.Creatures) {
			other := s.Creatures[id]
			if id == c.Id || id == passing || other.Side == c.Side || body.Dead(other) || strike.Helpless(other) {
				continue
			}
			if answers.Overlaps(c, at, other) && !answers.Overlaps(c, c.Position, other) {
				return other
			}
		}
	}
	return nil
}

// RefuseThrough refuses a way through the space of a foe other than the one that may be
// passed: that takes an overrun.
//
// celesia.maneuver.overrun
func RefuseThrough(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, passing string) error {
	if c.Position == nil {
		return nil
	}
	if foe := InTheFoe(s, c, take.Path, passing); foe != nil {
		return body.Refuse("FOE_IN_THE_WAY", answers.RuleOverrun, "the way leads through the space of %s", foe.Name)
	}
	return nil
}

// CheckOverrun judges the way: through the foe, no longer than the speed, to a
// free space.
func CheckOverrun(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[body.Target(take)]
	feet, err := answers.PathLength(c, take)
	if err != nil {
		return err
	}
	if most := body.Speed(c, "walk"); feet > most {
		return body.Refuse("TOO_FAR", answers.RuleOverrun, "the way is %d feet, %s moves %d", feet, c.Name, most)
	}
	if c.Position == nil || t.GetPosition() == nil || len(take.Path) == 0 {
		return nil
	}
	if !slices.ContainsFunc(Squares(c.Position, take.Path), func(at *eventv1.Position) bool { return answers.Overlaps(c, at, t) }) {
		return body.Refuse("NOT_THROUGH", answers.RuleOverrun, "the way does not lead through the space of %s", t.Name)
	}
	if other := InTheFoe(s, c, take.Path, t.Id); other != nil {
		return body.Refuse("FOE_IN_THE_WAY", answers.RuleOverrun, "the way leads through %s as well", other.Name)
	}
	return FreeEnd(s, c, take)
}

// BeyondFoe is a way straight through a foe to the first free space behind it
// within one's speed; only to the last free space in front of it when there is
// none.
func BeyondFoe(s *eventv1.State, c, t *eventv1.Creature) []*eventv1.Position {
	by, at, through := answers.Away(c, t), c.Position, false
	var front []*eventv1.Position
	for n := int32(1); n <= body.Speed(c, "walk")/5; n++ {
		at = answers.Shifted(at, by)
		through = through || answers.Overlaps(c, at, t)
		if body.Blocked(s, c, at, "") {
			continue // in the foe, among others
		}
		if through {
			return []*eventv1.Position{at}
		}
		front = []*eventv1.Position{at}
	}
	return front
}
