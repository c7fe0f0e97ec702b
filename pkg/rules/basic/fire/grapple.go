package fire

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/holds"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DoGrapple touches, steps into the other's space and wrestles for the hold.
//
// basic.attack.grapple-touch, basic.movement.grapple-enter-space, basic.dice.grapple-check
func DoGrapple(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	b := strike.Begin(r, at, cite.AttackGrappleTouch)
	b.Weapon, b.Touch, b.Ability = body.Grab, true, take.Item
	if !b.Strike(r) {
		return nil
	}
	if r.Count("", body.CTogether) == 0 {
		Grabbed(r, c.Id, b.Target, take.Item)
		return nil
	}
	t := body.PutDown(r, body.TaskGrab, c.Id, "grab")
	t.Targets, t.Item, t.Rule = take.Targets, take.Item, cite.AttackGrappleTouch
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: t}, cite.InitiativeTiesSimultaneous)
	return nil
}

// Grabbed puts the holder into the other's space and has them wrestle.
//
// basic.movement.grapple-enter-space, basic.dice.grapple-check
func Grabbed(r *rules.Resolution, holder, target, ability string) {
	c, t := r.Creature(holder), r.Creature(target)
	if body.Dead(c) || body.Dead(t) { // by what content set off
		return
	}
	if c.Position != nil && t.Position != nil {
		r.Move(&eventv1.Moved{Creature: holder, To: t.Position, Mode: "grapple", Feet: grid.Steps(c.Position, t.Position)},
			cite.MovementGrappleEnterSpace)
		holds.LeaveHeld(r, holder, "")
		StandInFire(r, holder)
		if !body.Up(r.Creature(holder)) {
			return
		}
	}
	if !body.Inflict(r, target, &eventv1.Condition{Name: body.CondHeld, Source: holder, Cause: "grapple", Rule: cite.DiceGrappleCheck}) {
		return
	}
	holds.Checked(r, holder, target)
	holds.Wrestle(r, holder, target, ability)
}
