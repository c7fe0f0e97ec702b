package saddle

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// forceActions are the maneuvers that move a foe, or oneself through it.
func forceActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "bull-rush", Title: "Bull rush", Rule: answers.RuleBullRush, Group: play.GroupManeuver, Trigger: "maneuver", Costs: body.Acts(1), Items: body.Ways(checks.Bare), Least: 1, Most: 1,
			Refuse: body.Bars(maneuvers.RefuseForce(answers.RuleBullRush)), RefuseTarget: answers.Aimed(maneuvers.RefuseForce(answers.RuleBullRush)), Do: body.Done(doBullRush)}},
		{Action: play.Action{ID: "overrun", Title: "Overrun", Rule: answers.RuleOverrun, Group: play.GroupManeuver, Trigger: "move", Costs: body.Acts(1), Least: 1, Most: 1,
			Refuse: body.Bars(answers.RefuseOverrun), RefuseTarget: answers.Aimed(answers.RefuseOverrun), Check: checks.Judged(maneuvers.CheckOverrun),
			Do: body.Done(doOverrun)}},
		{Action: play.Action{ID: "drag", Title: "Drag", Rule: answers.RuleDrag, Group: play.GroupManeuver, Trigger: "maneuver", Costs: body.Acts(2), Items: body.Ways(checks.Bare), Least: 1, Most: 1,
			Refuse: body.Bars(maneuvers.RefuseDrag), RefuseTarget: answers.Aimed(maneuvers.RefuseDrag), Check: checks.Judged(answers.CheckDrag), Do: body.Done(doDrag)}},
		{Action: play.Action{ID: "reposition", Title: "Reposition", Rule: answers.RuleReposition, Group: play.GroupManeuver, Trigger: "maneuver", Costs: body.Acts(2), Items: body.Ways(checks.Bare), Least: 1,
			Most: 1, Refuse: body.Bars(maneuvers.RefuseForce(answers.RuleReposition)), RefuseTarget: answers.Aimed(maneuvers.RefuseReposition),
			Check: checks.Judged(strike.CheckReposition), Do: body.Done(doReposition)}},
	}
}

// forced moves a creature along a way, square by square, as others make it. When
// that provokes, each enemy who threatens a square that it leaves may attack,
// once.
//
// celesia.maneuver.bull-rush-provoke, celesia.maneuver.drag-provoke
func forced(r *rules.Resolution, id string, way []*eventv1.Position, provokes bool, rule string) {
	if len(way) == 0 {
		return
	}
	if !provokes {
		from, to := r.Creature(id).Position, way[len(way)-1]
		r.Move(&eventv1.Moved{Creature: id, To: to, Mode: "push", Feet: grid.Steps(from, to)}, rule)
		answers.Carried(r, id)
		answers.TornApart(r, id)
		return
	}
	var asked []string
	for _, at := range way {
		p := checks.Provocation{By: id, Kind: "forced", Provokes: true, Except: asked, Take: &eventv1.TakeAction{Creature: id, Action: "forced movement"}}
		for _, other := range answers.Order(r.State()) {
			if strike.ReactionsTo(r.State(), r.Creature(other), p) != nil {
				asked = append(asked, other)
			}
		}
		window(r, p)
		r.Move(&eventv1.Moved{Creature: id, To: at, Mode: "push", Feet: 5}, rule)
		answers.Carried(r, id)
	}
	answers.TornApart(r, id)
}

// forcedWithout tells of forced movement without a map: who threatens the foe is
// what the caller states. A foe that alone has a place stays there, since nobody
// knows the direction.
func forcedWithout(r *rules.Resolution, id string, feet int32, provokes bool, take *eventv1.TakeAction, rule string) {
	if provokes {
		window(r, checks.Provocation{By: id, Kind: "forced", Provokes: true, Take: &eventv1.TakeAction{Creature: id, Action: "forced movement", Facts: take.Facts}})
	}
	r.Move(&eventv1.Moved{Creature: id, To: r.Creature(id).Position, Mode: "push", Feet: feet}, rule)
	answers.Carried(r, id)
}

// doBullRush pushes the foe straight back; a wall, which the caller states, or
// anybody in the way ends the push (a reading). Following is a Move or Step of
// its own.
//
// celesia.maneuver.bull-rush, celesia.maneuver.bull-rush-follow
func doBullRush(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(body.Target(take))
	cmd := checks.ManeuverDefense(t, false)
	rolled := strike.RollManeuverCheck(r, "bull-rush", "bull-rush", c, t, cmd, take, answers.RuleBullRush)
	if !rolled.Success() {
		return nil
	}
	feet := answers.ReachOfMargin(rolled.Total, cmd.Value)
	if wall, ok := spoken.Number(take.Facts, "obstacle_feet"); ok {
		feet = min(feet, max(0, wall)/5*5)
	}
	if c.Position == nil || t.Position == nil {
		forcedWithout(r, t.Id, feet, body.Feature(c, body.FeatBullRush), take, answers.RuleBullRush)
		return nil
	}
	var way []*eventv1.Position
	by, at := answers.Away(c, t), t.Position
	for n := int32(0); n < feet/5; n++ {
		at = answers.Shifted(at, by)
		if body.Blocked(r.State(), t, at, "") {
			break
		}
		way = append(way, at)
	}
	forced(r, t.Id, way, body.Feature(c, body.FeatBullRush), answers.RuleBullRush)
	return nil
}

// doDrag moves in a straight line with the foe, which stays beside; never
// farther than one's speed.
//
// celesia.maneuver.drag
func doDrag(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(body.Target(take))
	cmd := checks.ManeuverDefense(t, false)
	rolled := strike.RollManeuverCheck(r, "drag", "drag", c, t, cmd, take, answers.RuleDrag)
	if !rolled.Success() {
		return nil
	}
	feet := min(answers.ReachOfMargin(rolled.Total, cmd.Value), body.Speed(c, "walk")/5*5)
	if c.Position == nil || t.Position == nil {
		forcedWithout(r, t.Id, feet, body.Feature(c, body.FeatDrag), take, answers.RuleDrag)
		return nil
	}
	apart := &eventv1.Position{X: t.Position.X - c.Position.X, Y: t.Position.Y - c.Position.Y, Z: t.Position.Z - c.Position.Z}
	var mine, theirs []*eventv1.Position
	for _, own := range dragWay(c, t, take, feet) {
		foe := answers.Shifted(own, apart)
		if body.Blocked(r.State(), c, own, t.Id) || body.Blocked(r.State(), t, foe, c.Id) {
			break
		}
		mine, theirs = append(mine, own), append(theirs, foe)
	}
	if len(mine) == 0 {
		return nil
	}
	to := mine[len(mine)-1]
	r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: "drag", Feet: grid.Steps(c.Position, to)}, answers.RuleDrag)
	answers.TakeRider(r, c.Id)
	forced(r, t.Id, theirs, body.Feature(c, body.FeatDrag), answers.RuleDrag)
	return nil
}

// dragWay are the squares of a straight line to the point named, else straight back
// from the foe, of so many feet at most.
//
// celesia.maneuver.drag
func dragWay(c, t *eventv1.Creature, take *eventv1.TakeAction, feet int32) []*eventv1.Position {
	if len(take.Path) == 1 {
		way := maneuvers.Squares(c.Position, take.Path)
		return way[:min(len(way), int(feet/grid.Square))]
	}
	by, at, out := answers.Away(t, c), c.Position, []*eventv1.Position(nil)
	for range feet / grid.Square {
		at = answers.Shifted(at, by)
		out = append(out, at)
	}
	return out
}

// doReposition makes the foe go a way of the attacker's choice, who is asked for the
// space where no way was named. It does not provoke (a reading).
//
// celesia.maneuver.reposition
func doReposition(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(body.Target(take))
	cmd := checks.ManeuverDefense(t, false)
	rolled := strike.RollManeuverCheck(r, "reposition", "reposition", c, t, cmd, take, answers.RuleReposition)
	if !rolled.Success() {
		return nil
	}
	feet := answers.ReachOfMargin(rolled.Total, cmd.Value)
	if c.Position == nil || t.Position == nil {
		forcedWithout(r, t.Id, feet, false, take, answers.RuleReposition)
		return nil
	}
	way := take.Path
	if len(way) == 0 {
		way = askPush(r, c, t, feet)
	}
	forced(r, t.Id, way[:min(len(way), int(feet/5))], false, answers.RuleReposition)
	return nil
}

// askPush asks the attacker where the foe goes.
//
// celesia.maneuver.reposition
func askPush(r *rules.Resolution, c, t *eventv1.Creature, feet int32) []*eventv1.Position {
	ways := strike.Pushes(r.State(), c, t, feet)
	if len(ways) == 0 {
		return nil // who stood beside has come in between
	}
	d := &eventv1.Decision{Name: answers.DecPush, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "reposition",
		Question: "Where does " + t.Name + " go?", Rule: answers.RuleReposition}
	for _, way := range ways {
		end := way[len(way)-1]
		name := body.Itoa(end.X) + "," + body.Itoa(end.Y)
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: name, Text: name})
	}
	d.DefaultOption = d.Options[0].Id
	chosen := r.Ask("reposition/"+c.Id, d).Option
	return ways[slices.IndexFunc(d.Options, func(o *eventv1.DecisionOption) bool { return o.Id == chosen })]
}
