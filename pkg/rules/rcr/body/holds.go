package body

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TellHolds brings the relations of those who hold others in line with the
// condition of those held, which decides: it may have begun or ended by an
// attack, a distance or the game master's word.
//
// rcr.condition.grappled-speed
func TellHolds(r *rules.Resolution) {
	ids := r.CreatureIDs()
	for _, id := range ids {
		for _, x := range r.Creature(id).Conditions {
			if x.Cause == CausePin && GrappledBy(r.Creature(id), x.Source) == nil {
				Unpin(r, id, x.Source)
			}
		}
	}
	for _, id := range ids {
		for _, rel := range r.Creature(id).Relations {
			if rel.Kind == relHolds && GrappledBy(r.Creature(rel.To), id) == nil {
				r.Unrelate(id, relHolds, rel.To, "let go")
			}
		}
	}
	for _, id := range ids {
		for _, x := range r.Creature(id).Conditions {
			if x.Name != CondGrappled || r.Creature(x.Source) == nil || rules.RelationTo(r.Creature(x.Source), relHolds, id) != nil {
				continue
			}
			r.Relate(x.Source, &eventv1.Relation{Kind: relHolds, To: id, Values: x.Values, Rule: cite.ConditionGrappledSpeed})
		}
	}
}

// CausePin is the cause of what a grappler's pin brings.
const CausePin = "pin"

// Unpin ends what a grappler's pin has brought to a creature.
//
// rcr.feat.grappler-pin
func Unpin(r *rules.Resolution, id, by string) {
	for _, x := range r.Creature(id).Conditions {
		if x.Cause == CausePin && x.Source == by {
			r.RemoveCondition(id, x, "the pin ends", cite.FeatGrapplerPin)
		}
	}
}
