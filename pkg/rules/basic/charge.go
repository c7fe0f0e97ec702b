package basic

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// leastCharge is the shortest way of a charge, in feet.
const leastCharge = 10

func chargeActions() []*action {
	return []*action{{id: "charge", title: "Charge", rule: cite.ActionCharge, kinds: []string{kindCharge}, costs: true,
		items: chargers, refuse: refuseChargeWith, refuseTarget: refuseLane, least: 1, most: 1, do: doCharge}}
}

func chargers(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if w.Charge && w.Kind == "melee" {
			out = append(out, w.Name)
		}
	}
	return out
}

// refuseCharging says why a creature cannot charge at all, with a weapon that is ready.
//
// basic.action.charge-weapon, basic.condition.fatigued
func refuseCharging(s *eventv1.State, c *eventv1.Creature, ready func(*eventv1.Creature, *eventv1.BasicWeapon) bool) error {
	if err := refuseAttacking(s, c); err != nil {
		return err
	}
	if err := refuseRunning(c); err != nil {
		return err
	}
	for _, name := range chargers(s, c) {
		if ready(c, weaponOf(c, name)) {
			return nil
		}
	}
	return refuse("NO_CHARGE_WEAPON", cite.ActionChargeWeapon, "%s has no weapon fit for a charge in hand", c.Name)
}

func refuseChargeWith(s *eventv1.State, c *eventv1.Creature, item string) error {
	if err := refuseHand(c, weaponOf(c, item)); err != nil {
		return err
	}
	return refuseCharging(s, c, atHand)
}

// refuseLane says why a target cannot be charged: too near, too far, out of
// sight at the start, something in the way, or the game master's word.
//
// basic.action.charge-distance, basic.action.charge-straight-path, basic.action.charge-line-of-sight
func refuseLane(s *eventv1.State, c *eventv1.Creature, _ string, t *eventv1.Creature, facts *structpb.Struct) error {
	d, known := distance(c, t, facts)
	clear, cleared := told(facts, "path_clear")
	sight, seen := told(facts, "line_of_sight")
	allowed, ruled := told(facts, "allowed")
	way := d - engagedFeet
	if _, stated := spoken.Number(facts, "distance"); !stated && known {
		way = runUp(s, c, t)
	}
	switch {
	case t.Id == c.Id || dead(t):
		return refuse("NO_TARGET", cite.ActionCharge, "%s cannot be charged", t.Name)
	case ruled && !allowed:
		return refuse("NOT_ALLOWED", cite.ActionCharge, "the game master does not allow the charge")
	case seen && !sight:
		return refuse("NO_SIGHT", cite.ActionChargeLineOfSight, "%s is out of sight at the start", t.Name)
	case !known:
		return refuse("NO_DISTANCE", cite.ActionChargeDistance, "the distance to %s is not known: state it", t.Name)
	case way < leastCharge:
		return refuse("TOO_NEAR", cite.ActionChargeDistance, "%d feet are too few for a charge", max(0, way))
	case way > 2*walk(c):
		return refuse("TOO_FAR", cite.ActionChargeDistance, "%s is farther than a charge goes", t.Name)
	case cleared && !clear, !cleared && blocked(s, c, t):
		return refuse("PATH_BLOCKED", cite.ActionChargeStraightPath, "the way to %s is not clear", t.Name)
	}
	return nil
}

// runUp is how far a charger has to go, in feet. One that moved on the present number
// is charged where it stood before as well: two who charge each other on one number
// meet, and who leaves on it is not too far away.
//
// basic.action.charge-distance, basic.initiative.ties-simultaneous
func runUp(s *eventv1.State, c, t *eventv1.Creature) int32 {
	way := grid.Steps(c.Position, t.Position) - engagedFeet
	if fits := func(way int32) bool { return way >= leastCharge && way <= 2*walk(c) }; !fits(way) {
		if p := stoodAt(s, t); p != nil && fits(grid.Steps(c.Position, p)-engagedFeet) {
			return grid.Steps(c.Position, p) - engagedFeet
		}
	}
	return way
}

// lane is the way of a charge: straight at the target, to 5 feet from it, or from
// where it stood if it has gone too far since.
func lane(s *eventv1.State, c, t *eventv1.Creature) []*eventv1.Position {
	at := t.Position
	if p := stoodAt(s, t); p != nil && grid.Steps(c.Position, at)-engagedFeet > 2*walk(c) {
		at = p
	}
	points := steps(c.Position, []*eventv1.Position{at})
	return points[:max(1, len(points)-engagedFeet)]
}

// blocked tells whether somebody stands in the lane: within 2 feet of it, so
// that a neighbouring square does not count.
func blocked(s *eventv1.State, c, t *eventv1.Creature) bool {
	if c.Position == nil || t.Position == nil {
		return false
	}
	points := lane(s, c, t)
	for _, id := range living(s) {
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

// beginCharge takes the charger's armour class down as its number comes, so that all
// who act on the number find it so, whoever is first.
//
// basic.condition.charge-ac, basic.initiative.ties-simultaneous
func beginCharge(r *rules.Resolution, id string) {
	if c := r.Creature(id); c.Marks[mDeclared] == kindCharge && refuseCharging(r.State(), c, canReady) == nil {
		untilRoundEnds(r, id, condCharging, cite.ConditionChargeAc)
	}
}

// endCharge ends that of one who did not charge after all.
func endCharge(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if x := condition(c, condCharging); x != nil && c.Marks[mDeclared] == kindCharge && c.Counters[cAction] > 0 {
		r.RemoveCondition(id, x, "it does not charge", cite.ConditionChargeAc)
	}
}

// doCharge runs straight at the target and attacks it; the target may set a
// weapon, and those with long ones may strike as it closes in.
//
// basic.action.charge, basic.attack.charge-bonus, basic.damage.charge-double, basic.condition.charge-ac
func doCharge(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.ActionCharge
	target := take.Targets[0]
	if r.Value(setCharge) == "ask" {
		d := rules.YesNo(decCharge, c.Id, c.Name+" charges", "Is the charge possible?", decideYes, rule)
		d.GmOnly = true
		if r.Ask("allow-charge", d).GetOption() != decideYes {
			r.Note(event.Everyone(), c.Id, "the game master does not allow the charge", rule)
			return nil
		}
	}
	b := begin(r, c, take, rule)
	ran(r, c.Id)
	before := engagedWith(r.State(), c)
	if t := r.Creature(target); c.Position != nil && t.Position != nil {
		points := lane(r.State(), c, t)
		if along(r, c.Id, way{points: points, mode: "charge", turning: true, facts: take.Facts}) < int32(len(points)-1) || !up(r.Creature(c.Id)) {
			return nil
		}
	}
	closed := []string{}
	for _, id := range engagedWith(r.State(), r.Creature(c.Id)) {
		if id != target && !slices.Contains(before, id) {
			closed = append(closed, id)
		}
	}
	if !offerSetting(r, target, c.Id, take.Facts) {
		closed = append([]string{target}, closed...)
	}
	offerClosing(r, c.Id, closed, take.Facts)
	if !up(r.Creature(c.Id)) || !atHand(r.Creature(c.Id), b.weapon) {
		return nil
	}
	b.double = true
	b.extra = []*eventv1.Modifier{{Value: 2, Source: "charge", Rule: cite.AttackChargeBonus}}
	b.strike(r)
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
	if !mayAnswer(r.State(), t) || !opposed(t, r.Creature(charger)) || unseen(facts) {
		return false
	}
	// One that held has a place further down, or none at all; it was faster.
	late := t.Marks[mHold] == "" && !held(r.State(), t) && int64(placeOf(r.State(), t).Total) < r.Count("", cCount)
	braces := armed(t, func(w *eventv1.BasicWeapon) bool { return w.Brace && w.Kind == "melee" })
	if late || len(braces) == 0 {
		return false
	}
	w, _ := opening{label: "set/" + id, decision: decSet, cause: r.Creature(charger).Name + " charges", rule: rule, weapons: braces}.choose(r, t)
	if w == nil {
		return false
	}
	answerEarly(r, id, "set-weapon", w.Name, rule)
	r.Set(id, cMovement, 0, "braced", rule) // basic.action.list: no step while braced
	blow{attacker: id, target: charger, weapon: w, label: "set-weapon/" + id, double: true, facts: hidden(facts)}.strike(r)
	return true
}

// held tells whether a creature put its action off to a later number of its own
// choice this round.
func held(s *eventv1.State, c *eventv1.Creature) bool { return c.Marks[mPutOff] == itoa(s.Round) }
