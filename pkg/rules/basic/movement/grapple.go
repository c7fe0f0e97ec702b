package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
	"github.com/skaldrpg/skald/pkg/rules/basic/holds"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// GrappleActions grab somebody, and hurt, silence, drag or let go of the one held.
func GrappleActions() []*play.Action {
	return []*play.Action{
		{ID: "grapple", Title: "Grab somebody", Rule: cite.AttackGrappleTouch, Group: play.GroupManeuver, Traits: body.During(body.Wrestlers...), Costs: body.OneAction,
			Items: holds.AbilityItems, Refuse: holds.RefuseGrab, RefuseTarget: holds.RefuseGrabTarget, Least: 1, Most: 1, Self: true, Do: fire.DoGrapple},
		{ID: "hold-punch", Title: "Hurt the one held", Rule: cite.ActionHoldUnarmedDamage, Group: play.GroupManeuver, Traits: body.During(body.Wrestlers...), Costs: body.OneAction,
			Refuse: holds.RefuseHeldBlow, RefuseTarget: body.RefuseNotHeld, Least: 1, Most: 1, Self: true, Do: holds.DoHoldPunch},
		{ID: "hold-silence", Title: "Keep the one held from speaking", Rule: cite.ActionHoldSilence, Group: play.GroupManeuver, Traits: body.During(body.Wrestlers...), Costs: body.OneAction,
			RefuseTarget: body.RefuseNotHeld, Least: 1, Most: 1, Self: true, Do: holds.DoHoldSilence},
		{ID: "hold-drag", Title: "Drag the one held", Rule: cite.MovementHoldMoveOpponent, Group: play.GroupManeuver, Traits: body.During(body.Wrestlers...), Costs: body.OneAction,
			Refuse: holds.RefuseDrag, RefuseTarget: holds.RefuseWeak, Least: 1, Most: 1, Self: true, Fields: holds.WayFields, Check: holds.CheckWay, Squares: squares, Provokes: holds.LeftBehind, Do: doDrag},
		{ID: "let-go", Title: "Let go", Rule: cite.DiceGrappleCheck, Group: play.GroupManeuver, RefuseTarget: body.RefuseNotHeld, Least: 1, Most: 1, Self: true, Do: holds.DoLetGo},
	}
}

// doDrag shifts the one held by at most half of the holder's movement; both end
// in the same space.
//
// basic.movement.hold-move-opponent
func doDrag(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	const rule = cite.MovementHoldMoveOpponent
	points, feet := holds.WayOf(at)
	strike.Begin(r, at, rule)
	if points != nil {
		feet = along(r, c.Id, holds.Way{Points: points, Mode: "drag", Action: at.Action.ID, Turning: true, Facts: take.Facts, Dragged: take.Targets[0]})
		if to := r.Creature(c.Id).Position; r.Creature(take.Targets[0]).Position != nil && feet > 0 {
			r.Move(&eventv1.Moved{Creature: take.Targets[0], To: to, Mode: "dragged", Feet: feet}, rule)
			if slices.ContainsFunc(points[:feet+1], func(p *eventv1.Position) bool { return fire.InFire(r.State(), p) }) {
				holds.Scorch(r, take.Targets[0])
			}
		}
	}
	if feet > 0 {
		holds.LeaveHeld(r, c.Id, take.Targets[0])
	}
	r.Set(c.Id, body.CMoved, r.Count(c.Id, body.CMoved)+int64(feet), "drag", rule)
	r.Set(c.Id, body.CMovement, max(0, r.Count(c.Id, body.CMovement)-int64(feet)), "drag", rule)
	return nil
}
