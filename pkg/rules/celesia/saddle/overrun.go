package saddle

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// doOverrun runs through the foe: it may make way; else success passes, a margin
// of 5 knocks it prone as well, failure stops the movement in front of it.
//
// celesia.maneuver.overrun, celesia.maneuver.extra-legs
func doOverrun(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(body.Target(take))
	path := take.Path
	if len(path) == 0 && c.Position != nil && t.Position != nil {
		path = maneuvers.BeyondFoe(r.State(), c, t)
	}
	if strike.Able(t) && r.Ask("overrun", rules.About(rules.YesNo(answers.DecPass, t.Id, c.Name+" overruns", "Let "+c.Name+" pass?", "no", answers.RuleOverrun), c.Id)).Option == "yes" {
		RunThrough(r, c, take, path)
		return nil
	}
	cmd := checks.ManeuverDefense(t, true)
	rolled := strike.RollManeuverCheck(r, "overrun", "overrun", c, t, cmd, take, answers.RuleOverrun)
	if rolled.Success() {
		if rolled.Total-cmd.Value >= 5 {
			body.KnockProne(r, t.Id, "overrun", answers.RuleOverrun)
			saddle(r, t.Id)
		}
		RunThrough(r, c, take, path)
		return nil
	}
	var way []*eventv1.Position
	if c.Position != nil {
		for _, at := range maneuvers.Squares(c.Position, path) {
			if answers.Overlaps(c, at, t) {
				break
			}
			way = append(way, at)
		}
		for len(way) > 0 && body.Blocked(r.State(), c, way[len(way)-1], "") {
			way = way[:len(way)-1] // in front of the foe stands somebody else
		}
	}
	RunThrough(r, c, take, way)
	return nil
}

// RunThrough ends an overrun at the end of a way and lets those react whom the
// creature came near.
func RunThrough(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, way []*eventv1.Position) {
	to, feet := c.Position, int32(0)
	if n := len(way); n > 0 {
		to, feet = way[n-1], grid.Steps(c.Position, way[n-1])
	} else if c.Position == nil {
		feet, _ = spoken.Number(take.Facts, "feet")
	}
	r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: "overrun", Feet: feet}, answers.RuleOverrun)
	answers.TakeRider(r, c.Id)
	window(r, checks.Provocation{By: c.Id, Kind: "approach", Take: take})
}
