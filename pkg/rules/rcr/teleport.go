package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// teleportParameters are where a teleportation goes; without a map there is
// nothing to say.
func teleportParameters(c *eventv1.Creature, feet int32) []*eventv1.Parameter {
	if feet <= 0 || c.Position == nil {
		return nil
	}
	return []*eventv1.Parameter{{Name: "path", Type: "path", Required: true, Text: "Where it appears, within " + itoa(feet) + " feet; the last place of the path counts"}}
}

// planTeleport finds where a teleportation of so many feet ends: a place within
// them where nobody stands. Nil without a map, or when it is none.
//
// rcr.base.opportunity-frame
func planTeleport(s *eventv1.State, c *eventv1.Creature, feet int32, take *eventv1.TakeAction) (*eventv1.Position, error) {
	if feet <= 0 {
		return nil, nil
	}
	switch way := take.GetPath(); {
	case c.Position == nil && len(way) > 0:
		return nil, fault.Field("take.path", "%s stands nowhere: there is no place to name", c.Name)
	case c.Position == nil:
		return nil, nil
	case len(way) == 0:
		return nil, fault.Field("take.path", "where %s appears is missing", c.Name)
	default:
		to := way[len(way)-1]
		if far := max(abs(to.X-c.Position.X), abs(to.Y-c.Position.Y), abs(to.Z-c.Position.Z)); far > feet {
			return nil, refuse("OUT_OF_RANGE", fallback, "that is %d feet away, not %d", far, feet)
		}
		if !spaceFree(s, c, to) {
			return nil, refuse("SPACE_TAKEN", fallback, "somebody stands there")
		}
		return to, nil
	}
}

// teleport takes a creature elsewhere at once. That provokes nothing and spends
// no movement; holds end with the distance. Whose reach it comes into it has
// come into this turn (a reading): walking out of it provokes.
//
// rcr.base.opportunity-frame, rcr.opportunity.enter-and-leave
func teleport(r *rules.Resolution, id, cause string, feet int32, to *eventv1.Position) {
	if feet <= 0 {
		return
	}
	if to == nil {
		r.Note(event.Everyone(), id, r.Creature(id).Name+" teleports up to "+itoa(feet)+" feet: "+cause, cite.BaseOpportunityFrame)
		return
	}
	mine := slices.Contains(r.State().Active, id)
	before := inReachOf(r.State(), id)
	if mine {
		noteStart(r, id)
	}
	from := r.Creature(id).Position
	r.Move(&eventv1.Moved{Creature: id, To: to, Mode: "teleport",
		Feet: max(abs(to.X-from.X), abs(to.Y-from.Y), abs(to.Z-from.Z))}, cite.BaseOpportunityFrame)
	if mine {
		entered := marked(r.Creature(id), mEntered)
		for _, enemy := range inReachOf(r.State(), id) {
			if !slices.Contains(before, enemy) && !slices.Contains(entered, enemy) {
				entered = append(entered, enemy)
			}
		}
		markList(r, id, mEntered, entered)
	}
	endDistantGrapples(r, id)
}

// inReachOf lists the enemies in whose reach a creature stands.
func inReachOf(s *eventv1.State, id string) []string {
	return slices.DeleteFunc(rules.SortedKeys(s.Creatures), func(other string) bool {
		e := s.Creatures[other]
		return other == id || !hostile(e, s.Creatures[id]) || !withinReach(e, s.Creatures[id])
	})
}
