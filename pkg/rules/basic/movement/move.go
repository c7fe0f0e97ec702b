package movement

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
	"github.com/skaldrpg/skald/pkg/rules/basic/holds"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// walkers are the declarations that leave the movement of the round free.
//
// basic.action.list, basic.movement.move-and-action
var walkers = []string{body.KindMove, body.KindAttack, body.KindMelee, body.KindRanged, body.KindCast, body.KindDodge, body.KindFeat, body.KindHold, body.KindGrapple, body.KindOther}

// MoveActions walk, run, back away fighting and stand up.
func MoveActions() []*play.Action {
	return []*play.Action{
		{ID: "move", Title: "Move", Rule: cite.MovementSplit, Group: play.GroupMove, Traits: body.During(walkers...),
			Refuse: refuseWalk, Fields: holds.WayFields, Check: holds.CheckWay, Squares: squares, Provokes: holds.LeftBehind, Do: doMove},
		{ID: "run", Title: "Run", Rule: cite.ActionRun, Group: play.GroupMove, Traits: body.During(body.KindRun),
			Refuse: refuseRun, Fields: holds.WayFields, Check: holds.CheckWay, Squares: squares, Provokes: holds.LeftBehind, Do: doRun},
		{ID: "withdraw", Title: "Back away fighting", Rule: cite.MovementFightingWithdrawal, Group: play.GroupMove, Traits: body.During(body.KindWithdraw),
			Refuse: refuseWalk, Fields: holds.WayFields, Check: holds.CheckWay, Squares: safeSquares, Do: doWithdraw},
		{ID: "stand", Title: "Stand up", Rule: cite.ConditionProne, Group: play.GroupMove, Refuse: refuseStand, Do: doStand},
	}
}

func refuseWalk(at *play.At) error {
	c := at.Actor
	if err := order.RefuseMoving(c); err != nil {
		return err
	}
	if c.Counters[body.CMovement] < 1 {
		return body.Refuse("NO_MOVEMENT", cite.MovementSplit, "%s has no movement left", c.Name)
	}
	return holds.RefuseTooFar(at)
}

// refuseRun: whoever is tired by now only walks, whatever it declared; a round of running
// that it has begun it may finish.
//
// basic.condition.fatigued, basic.movement.run-limit
func refuseRun(at *play.At) error {
	if c := at.Actor; c.Counters[body.CMoved] == 0 {
		if err := order.RefuseRunning(c); err != nil {
			return err
		}
	}
	return refuseWalk(at)
}

// ran counts a round of running; the last one brings fatigue.
//
// basic.movement.run-limit
func ran(r *rules.Resolution, id string) {
	n := r.Count(id, body.CRunning) + 1
	r.Set(id, body.CRunning, n, "a round of running", cite.MovementRunLimit)
	r.Set(id, body.CRested, 0, "a round of running", cite.RestFatigue)
	if n >= 3*body.Constitution(r.Creature(id)) {
		body.Inflict(r, id, &eventv1.Condition{Name: body.CondFatigued, Cause: "running", Rule: cite.ConditionFatigued})
	}
}

func refuseStand(at *play.At) error {
	c := at.Actor
	switch {
	case !body.Has(c, body.CondProne):
		return body.Refuse("NOT_PRONE", cite.ConditionProne, "%s is not prone", c.Name)
	case body.Has(c, body.CondHeld):
		return body.Refuse("HELD", cite.MovementGrappleEnterSpace, "%s is held", c.Name)
	case c.Counters[body.CMoved] > 0 || c.Counters[body.CMovement] < 1:
		return body.Refuse("NO_MOVEMENT", cite.ConditionProne, "standing up takes the whole movement of the round")
	}
	return nil
}

// doStand gets up; reading: it takes the movement of the round, not the action.
//
// basic.condition.prone
func doStand(r *rules.Resolution, at *play.At) error {
	c := at.Actor
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "stand"}, cite.ConditionProne)
	r.RemoveCondition(c.Id, body.ConditionOf(c, body.CondProne), "stands up", cite.ConditionProne)
	r.Set(c.Id, body.CMovement, 0, "standing up", cite.ConditionProne)
	return nil
}

// doMove moves by part of the movement, turning one's back on those one leaves.
//
// basic.movement.split, basic.attack.parting-shot
func doMove(r *rules.Resolution, at *play.At) error {
	travel(r, at, "walk", true)
	return nil
}

func doRun(r *rules.Resolution, at *play.At) error {
	c := at.Actor
	first := c.Counters[body.CMoved] == 0
	travel(r, at, "run", true)
	if first {
		ran(r, c.Id)
	}
	return nil
}

// travel moves along the way of a command, those met on it having their say.
func travel(r *rules.Resolution, at *play.At, mode string, turning bool) {
	c, take := at.Actor, at.Take
	points, feet := holds.WayOf(at)
	before := body.EngagedWith(r.State(), c)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.MovementSplit)
	if points == nil && spoken.Truth(take.Facts, "through_flames") {
		holds.Scorch(r, c.Id)
		if !body.Up(r.Creature(c.Id)) {
			return
		}
	}
	if points == nil && turning {
		left, _ := spoken.Words(take.Facts, "leaves")
		for _, id := range left {
			if body.Up(r.Creature(c.Id)) && !partingShot(r, id, c.Id, take.Action, take.Facts) {
				feet = 0
			}
		}
	}
	if points != nil {
		feet = along(r, c.Id, holds.Way{Points: points, Mode: mode, Action: take.Action, Turning: turning, Facts: take.Facts})
	} else if feet > 0 {
		holds.LeaveHeld(r, c.Id, "")
	}
	r.Set(c.Id, body.CMoved, r.Count(c.Id, body.CMoved)+int64(feet), take.Action, cite.MovementSplit)
	r.Set(c.Id, body.CMovement, max(0, r.Count(c.Id, body.CMovement)-int64(feet)), take.Action, cite.MovementSplit)
	closed, _ := spoken.Words(take.Facts, "closes_with")
	for _, id := range body.EngagedWith(r.State(), r.Creature(c.Id)) {
		if !slices.Contains(before, id) {
			closed = append(closed, id)
		}
	}
	if turning && body.Up(r.Creature(c.Id)) {
		offerClosing(r, c.Id, closed, take.Facts)
	}
}

// leaving is an enemy that a way leaves, and the last step within its 5 feet;
// without an enemy it is the first step in flames.
type leaving struct {
	Enemy string
	at    int
}

// Leavings lists the enemies whose 5 feet a way leaves, in order, each as often as it does.
//
// basic.movement.engaged
func Leavings(s *eventv1.State, mover *eventv1.Creature, w holds.Way) []leaving {
	var out []leaving
	points := w.Points
	for _, id := range body.Living(s) {
		e := s.Creatures[id]
		if id == w.Dragged || !body.Opposed(mover, e) || e.Position == nil || !canStrike(s, e) {
			continue
		}
		for i := 0; i+1 < len(points); i++ {
			if grid.Steps(points[i], e.Position) <= body.EngagedFeet && grid.Steps(points[i+1], e.Position) > body.EngagedFeet {
				out = append(out, leaving{id, i})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b leaving) int {
		return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.Enemy, b.Enemy))
	})
	return out
}

// along moves a creature along a way; those whose 5 feet it leaves with its
// back to them may strike, and flames on the way burn it. It returns the feet really
// moved.
//
// basic.attack.parting-shot, basic.item.oil-ground-fire
func along(r *rules.Resolution, id string, w holds.Way) int32 {
	points, at, stopped := w.Points, 0, false
	goTo := func(i int) {
		if i > at {
			body.Stood(r, id)
			r.Move(&eventv1.Moved{Creature: id, To: points[i], Mode: w.Mode, Feet: int32(i - at)}, cite.MovementSplit)
			at = i
		}
	}
	var halts []leaving
	if w.Turning {
		halts = Leavings(r.State(), r.Creature(id), w)
	}
	if i := slices.IndexFunc(points, func(p *eventv1.Position) bool { return fire.InFire(r.State(), p) }); i >= 0 {
		at := slices.IndexFunc(halts, func(l leaving) bool { return l.at >= i })
		if at < 0 {
			at = len(halts)
		}
		halts = slices.Insert(halts, at, leaving{at: i})
	}
	for _, l := range halts {
		if stopped && l.at > at || !body.Up(r.Creature(id)) {
			break
		}
		goTo(l.at)
		if l.Enemy == "" {
			holds.Scorch(r, id)
			stopped = !body.Up(r.Creature(id))
		} else if !partingShot(r, l.Enemy, id, w.Action, w.Facts) {
			stopped = true // all that it turns away from here strike
		}
	}
	if !stopped {
		goTo(len(points) - 1)
	}
	if w.Dragged == "" {
		holds.LeaveHeld(r, id, "")
	}
	return int32(at)
}

// canStrike tells whether a creature could make a parting shot: with a weapon
// ready, be it held itself.
func canStrike(s *eventv1.State, c *eventv1.Creature) bool {
	return strike.OutOfTurn(s, c) && len(body.Melee(c)) > 0
}

// partingShot offers an enemy its blow at one who turns away, any time that one
// does; one mode of a routine. It tells whether the mover can go on.
//
// basic.attack.parting-shot, basic.attack.parting-shot-one-mode
func partingShot(r *rules.Resolution, enemy, mover, action string, facts *structpb.Struct) bool {
	e := r.Creature(enemy)
	if !canStrike(r.State(), e) || order.Unseen(facts) {
		return true
	}
	if by, quiet := house.NoProvoke(r.Content(), r.State(), r.Creature(mover), action); quiet {
		r.Note(event.Everyone(), mover, r.Creature(mover).Name+" gives "+e.Name+" no parting shot: "+by.Title, house.Cited(by)...)
		return true
	}
	const rule = cite.AttackPartingShot
	w, flat := order.Opening{Label: "parting-shot/" + enemy, Decision: body.DecParting, Foe: mover, Cause: r.Creature(mover).Name + " turns away", Rule: rule,
		Weapons: body.Melee(e), Flat: true}.Choose(r, e)
	if w == nil {
		return true
	}
	b := strike.Blow{Attacker: enemy, Target: mover, Weapon: w, Label: "parting-shot/" + enemy, Now: true, Parting: true, Subdual: flat, Facts: order.Hidden(facts)}
	b.Strike(r)
	m := r.Creature(mover)
	return body.Up(m) && !body.Has(m, body.CondProne)
}
