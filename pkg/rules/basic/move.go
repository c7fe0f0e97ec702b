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
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// walkers are the declarations that leave the movement of the round free.
//
// basic.action.list, basic.movement.move-and-action
var walkers = []string{kindMove, kindAttack, kindMelee, kindRanged, kindCast, kindDodge, kindFeat, kindHold, kindGrapple, kindOther}

func moveActions() []*play.Action {
	return []*play.Action{
		{ID: "move", Title: "Move", Rule: cite.MovementSplit, Group: play.GroupMove, Traits: during(walkers...),
			Refuse: refuseWalk, Fields: wayFields, Check: checkWay, Squares: squares, Provokes: leftBehind, Do: doMove},
		{ID: "run", Title: "Run", Rule: cite.ActionRun, Group: play.GroupMove, Traits: during(kindRun),
			Refuse: refuseWalk, Fields: wayFields, Check: checkWay, Squares: squares, Provokes: leftBehind, Do: doRun},
		{ID: "withdraw", Title: "Back away fighting", Rule: cite.MovementFightingWithdrawal, Group: play.GroupMove, Traits: during(kindWithdraw),
			Refuse: refuseWalk, Fields: wayFields, Check: checkWay, Squares: safeSquares, Do: doWithdraw},
		{ID: "stand", Title: "Stand up", Rule: cite.ConditionProne, Group: play.GroupMove, Refuse: refuseStand, Do: doStand},
	}
}

// wayFields: with a position the way is the path of the action.
func wayFields(at *play.At) []play.Field {
	if at.Actor.Position != nil {
		return []play.Field{{Name: "path", Required: true}}
	}
	return []play.Field{{Name: "feet", Required: true, Least: 1, Most: farthest(at)}}
}

// farthest is how far the action can go at most, in feet.
//
// basic.movement.split, basic.movement.hold-move-opponent
func farthest(at *play.At) int32 {
	left := int32(at.Actor.Counters[cMovement])
	if at.Action.ID == "hold-drag" {
		return min(walk(at.Actor)/2, left)
	}
	return left
}

// refuseTooFar judges the way of a command.
//
// basic.movement.split
func refuseTooFar(at *play.At) error {
	feet, limit := int32(0), farthest(at)
	if from := at.Actor.Position; from != nil {
		feet = length(from, at.Take.Path, limit)
	} else {
		feet, _ = at.Number("feet")
	}
	if feet > limit {
		return refuse("TOO_FAR", cite.MovementSplit, "that is farther than the %d feet left", limit)
	}
	return nil
}

// checkWay holds that a way leads somewhere and that foes named on it are foes.
func checkWay(at *play.At) error {
	if from := at.Actor.Position; from != nil && length(from, at.Take.Path, farthest(at)) < 1 {
		return fault.Field("take.path", "leads nowhere")
	}
	return checkFoes(at.State, at.Actor, at.Take)
}

func refuseMoving(c *eventv1.Creature) error {
	if d := barring(nil, c, condition.BarsMoving); d != nil {
		return refuse(strings.ToUpper(d.Name), d.Rule, "%s is %s", c.Name, d.Name)
	}
	return nil
}

func refuseWalk(at *play.At) error {
	c := at.Actor
	if err := refuseMoving(c); err != nil {
		return err
	}
	if c.Counters[cMovement] < 1 {
		return refuse("NO_MOVEMENT", cite.MovementSplit, "%s has no movement left", c.Name)
	}
	return refuseTooFar(at)
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

func refuseStand(at *play.At) error {
	c := at.Actor
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
func doStand(r *rules.Resolution, at *play.At) error {
	c := at.Actor
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "stand"}, cite.ConditionProne)
	r.RemoveCondition(c.Id, conditionOf(c, condProne), "stands up", cite.ConditionProne)
	r.Set(c.Id, cMovement, 0, "standing up", cite.ConditionProne)
	return nil
}

// wayOf reads the way of an action: its points foot by foot, none without a
// position, and its length in feet.
func wayOf(at *play.At) ([]*eventv1.Position, int32) {
	from := at.Actor.Position
	if from == nil {
		feet, _ := at.Number("feet")
		return nil, feet
	}
	return steps(from, at.Take.Path), length(from, at.Take.Path, farthest(at))
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
	first := c.Counters[cMoved] == 0
	travel(r, at, "run", true)
	if first {
		ran(r, c.Id)
	}
	return nil
}

// travel moves along the way of a command, those met on it having their say.
func travel(r *rules.Resolution, at *play.At, mode string, turning bool) {
	c, take := at.Actor, at.Take
	points, feet := wayOf(at)
	before := engagedWith(r.State(), c)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.MovementSplit)
	if points == nil && spoken.Truth(take.Facts, "through_flames") {
		scorch(r, c.Id)
		if !up(r.Creature(c.Id)) {
			return
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
	b := blow{attacker: enemy, target: mover, weapon: w, label: "parting-shot/" + enemy, now: true, parting: true, subdual: flat, facts: hidden(facts)}
	b.strike(r)
	m := r.Creature(mover)
	return up(m) && !has(m, condProne)
}
