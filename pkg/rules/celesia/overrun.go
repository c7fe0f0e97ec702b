package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// squares expands a way into squares of 5 feet.
func squares(from *eventv1.Position, path []*eventv1.Position) []*eventv1.Position {
	var out []*eventv1.Position
	for _, to := range path {
		n := grid.Steps(from, to) / 5
		for k := int32(1); k <= n; k++ {
			out = append(out, &eventv1.Position{X: along(from.X, to.X, k, n), Y: along(from.Y, to.Y, k, n), Z: along(from.Z, to.Z, k, n)})
		}
		from = to
	}
	return out
}

// overlaps tells whether a creature standing somewhere would be in another's space.
func overlaps(c *eventv1.Creature, at *eventv1.Position, other *eventv1.Creature) bool {
	feet, known := distance(&eventv1.Creature{Size: c.Size, Position: at}, other)
	return known && feet == 0
}

// inTheFoe finds the first foe through whose space a way leads, other than one
// that is being overrun or held.
//
// celesia.maneuver.overrun
func inTheFoe(s *eventv1.State, c *eventv1.Creature, path []*eventv1.Position, passing string) *eventv1.Creature {
	for _, at := range squares(c.Position, path) {
		for _, id := range rules.SortedKeys(s.Creatures) {
			other := s.Creatures[id]
			if id == c.Id || id == passing || other.Side == c.Side || dead(other) || helpless(other) || other.Position == nil {
				continue
			}
			if overlaps(c, at, other) && !overlaps(c, c.Position, other) {
				return other
			}
		}
	}
	return nil
}

func refuseOverrun(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch {
	case has(c, condProne):
		return refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	case legless(c):
		return refuse("NO_LEGS", cite.InjuryLegAllLost, "%s can only crawl", c.Name)
	}
	if err := bound(c); err != nil {
		return err
	}
	t := s.Creatures[target(take)]
	if err := tooLarge(c, t); t == nil || err != nil {
		return err
	}
	if feet, known := apart(take, c, t); known && feet > speed(c, "walk") {
		return refuse("TOO_FAR", ruleOverrun, "%s is %d feet away, %s moves %d", t.Name, feet, c.Name, speed(c, "walk"))
	}
	return nil
}

// checkOverrun judges the way: through the foe, no longer than the speed, to a
// free space.
func checkOverrun(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[target(take)]
	feet, err := pathLength(c, take)
	if err != nil {
		return err
	}
	if most := speed(c, "walk"); feet > most {
		return refuse("TOO_FAR", ruleOverrun, "the way is %d feet, %s moves %d", feet, c.Name, most)
	}
	if t == nil || c.Position == nil || t.Position == nil || len(take.Path) == 0 {
		return nil
	}
	if !slices.ContainsFunc(squares(c.Position, take.Path), func(at *eventv1.Position) bool { return overlaps(c, at, t) }) {
		return refuse("NOT_THROUGH", ruleOverrun, "the way does not lead through the space of %s", t.Name)
	}
	if other := inTheFoe(s, c, take.Path, t.Id); other != nil {
		return refuse("FOE_IN_THE_WAY", ruleOverrun, "the way leads through %s as well", other.Name)
	}
	return freeEnd(s, c, take)
}

// doOverrun runs through the foe: it may make way; else success passes, a margin
// of 5 knocks it prone as well, failure stops the movement in front of it.
//
// celesia.maneuver.overrun, celesia.maneuver.extra-legs
func doOverrun(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(target(take))
	path := take.Path
	if len(path) == 0 && c.Position != nil && t.Position != nil {
		path = beyondFoe(r.State(), c, t)
	}
	if able(t) && r.Ask("overrun", rules.YesNo(decPass, t.Id, c.Name+" overruns", "Let "+c.Name+" pass?", "no", ruleOverrun)).Option == "yes" {
		runThrough(r, c, take, path)
		return nil
	}
	cmd := maneuverDefense(t, true)
	rolled := rollManeuverCheck(r, "overrun", "overrun", c, t, cmd, take, ruleOverrun)
	if rolled.Success() {
		if rolled.Total-cmd.Value >= 5 {
			setProne(r, t.Id, "overrun", ruleOverrun)
			saddle(r, t.Id)
		}
		runThrough(r, c, take, path)
		return nil
	}
	var way []*eventv1.Position
	if c.Position != nil {
		for _, at := range squares(c.Position, path) {
			if overlaps(c, at, t) {
				break
			}
			way = append(way, at)
		}
	}
	runThrough(r, c, take, way)
	return nil
}

// beyondFoe is a way straight through a foe to the first free space behind it
// within one's speed; only to the last free space in front of it when there is
// none.
func beyondFoe(s *eventv1.State, c, t *eventv1.Creature) []*eventv1.Position {
	by, at, through := away(c, t), c.Position, false
	var front []*eventv1.Position
	for n := int32(1); n <= speed(c, "walk")/5; n++ {
		at = shifted(at, by)
		inside := overlaps(c, at, t)
		through = through || inside
		if through && !inside && !blocked(s, c, at, "") {
			return []*eventv1.Position{at}
		}
		if !through && !blocked(s, c, at, "") {
			front = []*eventv1.Position{at}
		}
	}
	return front
}

// runThrough ends an overrun at the end of a way and lets those react whom the
// creature came near.
func runThrough(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, way []*eventv1.Position) {
	to, feet := c.Position, int32(0)
	if n := len(way); n > 0 {
		to, feet = way[n-1], grid.Steps(c.Position, way[n-1])
	} else if c.Position == nil {
		feet, _ = spoken.Number(take.Facts, "feet")
	}
	r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: "overrun", Feet: feet}, ruleOverrun)
	takeRider(r, c.Id)
	window(r, provocation{by: c.Id, kind: "approach", take: take})
}
