package declaring

import (
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// warn tells who declares a shot that its target is out of range as things stand. It is
// no refusal: distances are measured from the places reached in the first half, and how
// far the target may go is not the shooter's to know.
//
// spark.turn.movement-first, spark.turn.declare
func warn(r *rules.Resolution, c *eventv1.Creature, d *Declaration) {
	if d.Stated.Distance != nil || c.Position == nil {
		return
	}
	from := c.Position
	if n := len(d.Path); n > 0 {
		from = d.Path[n-1]
	}
	for _, st := range d.Strikes {
		w, target := body.WeaponOf(c, st.Weapon), r.Creature(st.Target)
		if !st.Ranged || target.GetPosition() == nil {
			continue
		}
		if feet := body.DistanceAt(from, c, target.Position, target); feet > body.Widest(w) {
			r.Note(event.Controllers(c.Id), c.Id, target.Name+" is out of range as things stand: "+body.Itoa(feet)+" ft, and "+w.Name+" reaches "+
				body.Itoa(body.Widest(w))+" ft; the shot is lost unless "+target.Name+" comes nearer", cite.TurnMovementFirst)
		}
	}
}
