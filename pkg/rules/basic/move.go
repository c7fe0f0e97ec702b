package basic

import (
	"cmp"
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// walkers are the declarations that leave the movement of the round free.
//
// basic.action.list, basic.movement.move-and-action
var walkers = []string{kindMove, kindAttack, kindMelee, kindRanged, kindCast, kindDodge, kindFeat, kindHold, kindGrapple, kindOther}

func moveActions() []*action {
	return []*action{
		{id: "move", title: "Move", rule: cite.MovementSplit, kinds: walkers, refuse: refuseWalk, parameters: moveParameters, do: doMove},
		{id: "run", title: "Run", rule: cite.ActionRun, kinds: []string{kindRun}, refuse: refuseWalk, parameters: moveParameters, do: doRun},
		{id: "withdraw", title: "Back away fighting", rule: cite.MovementFightingWithdrawal, kinds: []string{kindWithdraw},
			refuse: refuseWalk, parameters: moveParameters, do: doWithdraw},
		{id: "stand", title: "Stand up", rule: cite.ConditionProne, refuse: refuseStand, do: doStand},
	}
}

// moveParameters: with a position the way is the path of the action.
func moveParameters(_ *eventv1.State, c *eventv1.Creature, _ string) []*eventv1.Parameter {
	if c.Position != nil {
		return []*eventv1.Parameter{{Name: "path", Type: "path", Required: true, Text: "The way, in feet"}}
	}
	return []*eventv1.Parameter{{Name: "feet", Type: "number", Required: true, Text: "Feet moved"}}
}

func refuseMoving(c *eventv1.Creature) error {
	switch {
	case has(c, condHeld):
		return refuse("HELD", cite.MovementGrappleEnterSpace, "%s is held", c.Name)
	case has(c, condProne):
		return refuse("PRONE", cite.ConditionProne, "%s is prone and must stand up first", c.Name)
	}
	return nil
}

func refuseWalk(_ *eventv1.State, c *eventv1.Creature, _ string) error {
	if err := refuseMoving(c); err != nil {
		return err
	}
	if c.Counters[cMovement] < 1 {
		return refuse("NO_MOVEMENT", cite.MovementSplit, "%s has no movement left", c.Name)
	}
	return nil
}

// refuseRunning says why a creature cannot run.
//
// basic.condition.fatigued, basic.movement.run-limit
func refuseRunning(c *eventv1.Creature) error {
	if has(c, condFatigued) || c.Counters[cRunning] >= 3*constitution(c) {
		return refuse("FATIGUED", cite.ConditionFatigued, "%s is fatigued and can only walk", c.Name)
	}
	return refuseMoving(c)
}

// ran counts a round of running; the last one brings fatigue.
//
// basic.movement.run-limit
func ran(r *rules.Resolution, id string) {
	n := r.Count(id, cRunning) + 1
	r.Set(id, cRunning, n, "a round of running", cite.MovementRunLimit)
	if n >= 3*constitution(r.Creature(id)) && !has(r.Creature(id), condFatigued) {
		r.AddCondition(id, &eventv1.Condition{Name: condFatigued, Cause: "running", Rule: cite.ConditionFatigued})
	}
}

func refuseStand(_ *eventv1.State, c *eventv1.Creature, _ string) error {
	switch {
	case !has(c, condProne):
		return refuse("NOT_PRONE", cite.ConditionProne, "%s is not prone", c.Name)
	case has(c, condHeld):
		return refuse("HELD", cite.MovementGrappleEnterSpace, "%s is held", c.Name)
	case c.Counters[cMoved] > 0 || c.Counters[cMovement] < 1:
		return refuse("NO_MOVEMENT", cite.ConditionProne, "standing up takes the whole movement of the round")
	}
	return nil
}

// doStand gets up; reading: it takes the movement of the round, not the action.
//
// basic.condition.prone
func doStand(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "stand"}, cite.ConditionProne)
	r.RemoveCondition(c.Id, condition(c, condProne), "stands up", cite.ConditionProne)
	r.Set(c.Id, cMovement, 0, "standing up", cite.ConditionProne)
	return nil
}

// wayOf reads the way of an action: its points foot by foot, none without a
// position, and its length in feet.
func wayOf(c *eventv1.Creature, take *eventv1.TakeAction, limit int32) ([]*eventv1.Position, int32, error) {
	feet := int32(0)
	switch {
	case c.Position != nil && len(take.Path) > 0:
		feet = length(c.Position, take.Path, limit)
	case c.Position != nil:
		return nil, 0, fault.Field("take.path", "missing for a creature with a position")
	default:
		n, ok := spoken.Number(take.Parameters, "feet")
		if !ok || n < 1 {
			return nil, 0, fault.Field("take.parameters.feet", "must be at least 1")
		}
		feet = n
	}
	if feet > limit {
		return nil, 0, refuse("TOO_FAR", cite.MovementSplit, "that is farther than the %d feet left", limit)
	}
	if feet < 1 {
		return nil, 0, fault.Field("take.path", "leads nowhere")
	}
	if c.Position == nil {
		return nil, feet, nil
	}
	return steps(c.Position, take.Path), feet, nil
}

// doMove moves by part of the movement, turning one's back on those one leaves.
//
// basic.movement.split, basic.attack.parting-shot
func doMove(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	return travel(r, c, take, "walk", true)
}

func doRun(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	first := c.Counters[cMoved] == 0
	if err := travel(r, c, take, "run", true); err != nil {
		return err
	}
	if first {
		ran(r, c.Id)
	}
	return nil
}

func travel(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, mode string, turning bool) error {
	points, feet, err := wayOf(c, take, int32(c.Counters[cMovement]))
	if err != nil {
		return err
	}
	before := engagedWith(r.State(), c)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.MovementSplit)
	if points == nil && spoken.Truth(take.Facts, "through_flames") {
		scorch(r, c.Id)
		if !up(r.Creature(c.Id)) {
			return nil
		}
	}
	if points == nil && turning {
		left, _ := spoken.Words(take.Facts, "leaves")
		for _, id := range left {
			if o := r.Creature(id); o != nil && opposed(c, o) && up(r.Creature(c.Id)) && !partingShot(r, id, c.Id, take.Facts) {
				feet = 0
			}
		}
	}
	if points != nil {
		feet = along(r, c.Id, way{points: points, mode: mode, turning: turning, facts: take.Facts})
	} else if feet > 0 {
		leaveHeld(r, c.Id, "")
	}
	r.Set(c.Id, cMoved, r.Count(c.Id, cMoved)+int64(feet), take.Action, cite.MovementSplit)
	r.Set(c.Id, cMovement, max(0, r.Count(c.Id, cMovement)-int64(feet)), take.Action, cite.MovementSplit)
	closed, _ := spoken.Words(take.Facts, "closes_with")
	for _, id := range engagedWith(r.State(), r.Creature(c.Id)) {
		if !slices.Contains(before, id) {
			closed = append(closed, id)
		}
	}
	if turning && up(r.Creature(c.Id)) {
		offerClosing(r, c.Id, closed, take.Facts)
	}
	return nil
}

// way is how a creature moves: foot by foot along points, the start first.
type way struct {
	points []*eventv1.Position
	mode   string
	// turning: with the back to those that it leaves.
	turning bool
	// facts stated with the move, for the blows that it gives others.
	facts *structpb.Struct
	// dragged is whom the creature drags along and so does not leave; or empty.
	dragged string
}

// leaving is an enemy that a way leaves, and the last step within its 5 feet;
// without an enemy it is the first step in flames.
type leaving struct {
	enemy string
	at    int
}

// leavings lists the enemies whose 5 feet a way leaves, in order, each as often as it does.
//
// basic.movement.engaged
func leavings(s *eventv1.State, mover *eventv1.Creature, w way) []leaving {
	var out []leaving
	points := w.points
	for _, id := range living(s) {
		e := s.Creatures[id]
		if id == w.dragged || !opposed(mover, e) || e.Position == nil || !canStrike(s, e) {
			continue
		}
		for i := 0; i+1 < len(points); i++ {
			if grid.Steps(points[i], e.Position) <= engagedFeet && grid.Steps(points[i+1], e.Position) > engagedFeet {
				out = append(out, leaving{id, i})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b leaving) int {
		return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.enemy, b.enemy))
	})
	return out
}

// along moves a creature along a way; those whose 5 feet it leaves with its
// back to them may strike, and flames on the way burn it. It returns the feet really
// moved.
//
// basic.attack.parting-shot, basic.item.oil-ground-fire
func along(r *rules.Resolution, id string, w way) int32 {
	points, at, stopped := w.points, 0, false
	goTo := func(i int) {
		if i > at {
			stood(r, id)
			r.Move(&eventv1.Moved{Creature: id, To: points[i], Mode: w.mode, Feet: int32(i - at)}, cite.MovementSplit)
			at = i
		}
	}
	var halts []leaving
	if w.turning {
		halts = leavings(r.State(), r.Creature(id), w)
	}
	if i := slices.IndexFunc(points, func(p *eventv1.Position) bool { return inFire(r.State(), p) }); i >= 0 {
		at := slices.IndexFunc(halts, func(l leaving) bool { return l.at >= i })
		if at < 0 {
			at = len(halts)
		}
		halts = slices.Insert(halts, at, leaving{at: i})
	}
	for _, l := range halts {
		if stopped && l.at > at || !up(r.Creature(id)) {
			break
		}
		goTo(l.at)
		if l.enemy == "" {
			scorch(r, id)
			stopped = stopped || !up(r.Creature(id))
		} else if !partingShot(r, l.enemy, id, w.facts) {
			stopped = true // all that it turns away from here strike
		}
	}
	if !stopped {
		goTo(len(points) - 1)
	}
	if w.dragged == "" {
		leaveHeld(r, id, "")
	}
	return int32(at)
}

// canStrike tells whether a creature could make a parting shot: with a weapon
// ready, be it held itself.
func canStrike(s *eventv1.State, c *eventv1.Creature) bool {
	return outOfTurn(s, c) && len(melee(c)) > 0
}

// partingShot offers an enemy its blow at one who turns away, any time that one
// does; one mode of a routine. It tells whether the mover can go on.
//
// basic.attack.parting-shot, basic.attack.parting-shot-one-mode
func partingShot(r *rules.Resolution, enemy, mover string, facts *structpb.Struct) bool {
	e := r.Creature(enemy)
	if !canStrike(r.State(), e) || unseen(facts) {
		return true
	}
	const rule = cite.AttackPartingShot
	w, flat := opening{label: "parting-shot/" + enemy, decision: decParting, cause: r.Creature(mover).Name + " turns away", rule: rule,
		weapons: melee(e), flat: true}.choose(r, e)
	if w == nil {
		return true
	}
	b := blow{attacker: enemy, target: mover, weapon: w, label: "parting-shot/" + enemy, now: true, parting: true, subdual: flat, facts: hidden(facts),
		extra: []*eventv1.Modifier{{Value: 2, Source: "parting shot", Rule: rule}}}
	b.strike(r)
	m := r.Creature(mover)
	return up(m) && !has(m, condProne)
}
