package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/holds"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// leastCharge is the shortest way of a charge, in feet.
const leastCharge = 10

// ChargeActions charge a foe.
func ChargeActions() []*play.Action {
	return []*play.Action{
		{ID: "charge", Title: "Charge", Rule: cite.ActionCharge, Group: play.GroupAttack, Traits: body.During(body.KindCharge), Costs: body.OneAction,
			Items: body.Of(order.Chargers), Refuse: refuseChargeWith, RefuseTarget: refuseLane, Least: 1, Most: 1, Self: true, Provokes: holds.LeftBehind, Do: doCharge},
	}
}

func refuseChargeWith(at *play.At) error {
	s, c, item := at.State, at.Actor, at.Item()
	if err := strike.RefuseHand(c, body.WeaponOf(c, item)); err != nil {
		return err
	}
	return order.RefuseCharging(s, c, body.AtHand)
}

// refuseLane says why a target cannot be charged: too near, too far, out of
// sight at the start, something in the way, or the game master's word.
//
// basic.action.charge-distance, basic.action.charge-straight-path, basic.action.charge-line-of-sight
func refuseLane(at *play.At, t *eventv1.Creature) error {
	s, c, facts := at.State, at.Actor, at.Take.Facts
	d, known := body.Distance(c, t, facts)
	clear, cleared := body.Told(facts, "path_clear")
	sight, seen := body.Told(facts, "line_of_sight")
	allowed, ruled := body.Told(facts, "allowed")
	concealment, _ := spoken.Number(facts, "concealment")
	way := d - body.EngagedFeet
	if _, stated := spoken.Number(facts, "distance"); !stated && known {
		way = runUp(s, c, t)
	}
	switch {
	case t.Id == c.Id || body.Dead(t):
		return body.Refuse("NO_TARGET", cite.ActionCharge, "%s cannot be charged", t.Name)
	case ruled && !allowed:
		return body.Refuse("NOT_ALLOWED", cite.ActionCharge, "the game master does not allow the charge")
	case seen && !sight:
		return body.Refuse("NO_SIGHT", cite.ActionChargeLineOfSight, "%s is out of sight at the start", t.Name)
	case concealment >= 100: // basic.attack.cover-table
		return body.Refuse("HIDDEN", cite.AttackCoverTable, "%s is wholly hidden", t.Name)
	case !known:
		return body.Refuse("NO_DISTANCE", cite.ActionChargeDistance, "the distance to %s is not known: state it", t.Name)
	case way < leastCharge:
		return body.Refuse("TOO_NEAR", cite.ActionChargeDistance, "%d feet are too few for a charge", max(0, way))
	case way > 2*body.Walk(c):
		return body.Refuse("TOO_FAR", cite.ActionChargeDistance, "%s is farther than a charge goes", t.Name)
	case cleared && !clear, !cleared && blocked(s, c, t):
		return body.Refuse("PATH_BLOCKED", cite.ActionChargeStraightPath, "the way to %s is not clear", t.Name)
	}
	return nil
}

// runUp is how far a charger has to go, in feet. One that moved on the present number
// is charged where it stood before as well: two who charge each other on one number
// meet, and who leaves on it is not too far away.
//
// basic.action.charge-distance, basic.initiative.ties-simultaneous
func runUp(s *eventv1.State, c, t *eventv1.Creature) int32 {
	way := grid.Steps(c.Position, t.Position) - body.EngagedFeet
	if fits := func(way int32) bool { return way >= leastCharge && way <= 2*body.Walk(c) }; !fits(way) {
		if p := body.StoodAt(s, t); p != nil && fits(grid.Steps(c.Position, p)-body.EngagedFeet) {
			return grid.Steps(c.Position, p) - body.EngagedFeet
		}
	}
	return way
}

// lane is the way of a charge: straight at the target, to 5 feet from it, or from
// where it stood if it has gone too far since.
func lane(s *eventv1.State, c, t *eventv1.Creature) []*eventv1.Position {
	at := t.Position
	if p := body.StoodAt(s, t); p != nil && grid.Steps(c.Position, at)-body.EngagedFeet > 2*body.Walk(c) {
		at = p
	}
	points := body.Steps(c.Position, []*eventv1.Position{at})
	return points[:max(1, len(points)-body.EngagedFeet)]
}

// blocked tells whether somebody stands in the lane: within 2 feet of it, so
// that a neighbouring square does not count.
func blocked(s *eventv1.State, c, t *eventv1.Creature) bool {
	if c.Position == nil || t.Position == nil {
		return false
	}
	points := lane(s, c, t)
	for _, id := range body.Living(s) {
		o := s.Creatures[id]
		if id == c.Id || id == t.Id || o.Position == nil {
			continue
		}
		for _, p := range points {
			if grid.Steps(p, o.Position) <= 2 {
				return true
			}
		}
	}
	return false
}

// EndCharge ends that of one who did not charge after all.
func EndCharge(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if r.Content().Asks(effects.KindExtraAction) && rules.RelationTo(c, body.RelAttacks, "").GetRound() == r.State().Round {
		return // it charged, and has an action left by content
	}
	if x := body.ConditionOf(c, body.CondCharging); x != nil && order.DeclaredBy(c) == body.KindCharge && c.Counters[body.CAction] > 0 {
		r.RemoveCondition(id, x, "it does not charge", cite.ConditionChargeAc)
	}
}

// doCharge runs straight at the target and attacks it; the target may set a
// weapon, and those with long ones may strike as it closes in.
//
// basic.action.charge, basic.attack.charge-bonus, basic.damage.charge-double, basic.condition.charge-ac
func doCharge(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	const rule = cite.ActionCharge
	target := take.Targets[0]
	if r.Value(body.SetCharge) == "ask" {
		d := rules.YesNo(body.DecCharge, c.Id, c.Name+" charges", "Is the charge possible?", body.DecideYes, rule)
		d.GmOnly = true
		if r.Ask("allow-charge", d).GetOption() != body.DecideYes {
			r.Note(event.Everyone(), c.Id, "the game master does not allow the charge", rule)
			return nil
		}
	}
	b := strike.Begin(r, at, rule)
	ran(r, c.Id)
	before := body.EngagedWith(r.State(), c)
	if t := r.Creature(target); c.Position != nil && t.Position != nil {
		points := lane(r.State(), c, t)
		if along(r, c.Id, holds.Way{Points: points, Mode: "charge", Action: at.Action.ID, Turning: true, Facts: take.Facts}) < int32(len(points)-1) || !body.Up(r.Creature(c.Id)) {
			return nil
		}
	}
	closed := []string{}
	for _, id := range body.EngagedWith(r.State(), r.Creature(c.Id)) {
		if id != target && !slices.Contains(before, id) {
			closed = append(closed, id)
		}
	}
	if !offerSetting(r, target, c.Id, take.Facts) {
		closed = append([]string{target}, closed...)
	}
	offerClosing(r, c.Id, closed, take.Facts)
	if !body.AtHand(r.Creature(c.Id), b.Weapon) {
		return nil
	}
	b.Double = true
	b.Charge = true
	b.Strike(r)
	return nil
}

// offerSetting lets the one charged set a weapon, if its number is as good as
// the charger's and it has not acted. Both blows take effect together. It tells
// whether the weapon was set.
//
// basic.action.set-weapon, basic.initiative.set-equal-or-better, basic.damage.set-double
func offerSetting(r *rules.Resolution, id, charger string, facts *structpb.Struct) bool {
	const rule = cite.ActionSetWeapon
	t := r.Creature(id)
	if !mayAnswer(r.State(), t) || !body.Opposed(t, r.Creature(charger)) {
		return false
	}
	// One that held has a place further down, or none at all; it was faster.
	late := rules.BegunOf(t, body.BWaiting) == nil && rules.BegunOf(t, body.BDelayed) == nil && int64(order.PlaceOf(r.State(), t).Total) < r.Count("", body.CCount)
	braces := body.Armed(t, func(w *eventv1.BasicWeapon) bool { return w.Brace && w.Kind == "melee" })
	if late || len(braces) == 0 {
		return false
	}
	w, _ := order.Opening{Label: "set/" + id, Decision: body.DecSet, Foe: charger, Cause: r.Creature(charger).Name + " charges", Rule: rule, Weapons: braces}.Choose(r, t)
	if w == nil {
		return false
	}
	answerEarly(r, id, "set-weapon", w.Name, rule)
	r.Set(id, body.CMovement, 0, "braced", rule) // basic.action.list: no step while braced
	strike.Blow{Attacker: id, Target: charger, Weapon: w, Label: "set-weapon/" + id, Double: true, DoubleRule: cite.DamageSetDouble, Facts: order.Hidden(facts)}.Strike(r)
	return true
}
