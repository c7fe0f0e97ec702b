package magic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PlanTeleport finds where a teleportation of so many feet ends: a place within
// them where nobody stands. Nil without a map, or when it is none.
//
// rcr.base.opportunity-frame
func PlanTeleport(s *eventv1.State, c *eventv1.Creature, feet int32, take *eventv1.TakeAction) (*eventv1.Position, error) {
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
		if far := max(dice.Abs(to.X-c.Position.X), dice.Abs(to.Y-c.Position.Y), dice.Abs(to.Z-c.Position.Z)); far > feet {
			return nil, body.Refuse("OUT_OF_RANGE", body.Fallback, "that is %d feet away, not %d", far, feet)
		}
		if !strike.SpaceFree(s, c, to) {
			return nil, body.Refuse("SPACE_TAKEN", body.Fallback, "somebody stands there")
		}
		return to, nil
	}
}

// Teleport takes a creature elsewhere at once. That provokes nothing and spends
// no movement; holds end with the distance. Whose reach it comes into it has
// come into this turn (a reading): walking out of it provokes.
//
// rcr.base.opportunity-frame, rcr.opportunity.enter-and-leave
func Teleport(r *rules.Resolution, id, cause string, feet int32, to *eventv1.Position) {
	if feet <= 0 {
		return
	}
	if to == nil {
		r.Note(event.Everyone(), id, r.Creature(id).Name+" teleports up to "+body.Itoa(feet)+" feet: "+cause, cite.BaseOpportunityFrame)
		return
	}
	mine := slices.Contains(r.State().Active, id)
	before := inReachOf(r.State(), id)
	if mine {
		NoteStart(r, id)
	}
	from := r.Creature(id).Position
	r.Move(&eventv1.Moved{Creature: id, To: to, Mode: "teleport",
		Feet: max(dice.Abs(to.X-from.X), dice.Abs(to.Y-from.Y), dice.Abs(to.Z-from.Z))}, cite.BaseOpportunityFrame)
	body.Befall(r, body.OnAway, id, cause, 0)
	if mine {
		for _, enemy := range inReachOf(r.State(), id) {
			if !slices.Contains(before, enemy) && rules.RelationTo(r.Creature(id), body.RelEntered, enemy) == nil {
				r.Relate(id, &eventv1.Relation{Kind: body.RelEntered, To: enemy, Round: r.State().Round})
			}
		}
	}
	body.EndDistantGrapples(r, id)
}

// inReachOf lists the enemies in whose reach a creature stands.
func inReachOf(s *eventv1.State, id string) []string {
	return slices.DeleteFunc(rules.SortedKeys(s.Creatures), func(other string) bool {
		e := s.Creatures[other]
		return !body.Hostile(e, s.Creatures[id]) || !answers.WithinReach(e, s.Creatures[id])
	})
}
