package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SetProne lays a creature prone; one that lies already keeps its condition and the
// cause of it.
func SetProne(r *rules.Resolution, id, cause, rule string) {
	if !Has(r.Creature(id), CondProne) {
		r.AddCondition(id, &eventv1.Condition{Name: CondProne, Cause: cause, Rule: rule})
	}
}

// InHands lists the things that a creature holds, as everyone can see.
func InHands(c *eventv1.Creature) []string {
	var out []string
	for _, name := range rules.SortedKeys(c.Items) {
		switch c.Items[name].Place {
		case PlaceMain, PlaceOff, PlaceBoth:
			out = append(out, name)
		}
	}
	return out
}

// DropThing lays a thing on the ground.
func DropThing(r *rules.Resolution, id, thing, cause, rule string) {
	Lay(r, id, thing, r.Creature(id).Position, cause, rule)
}
