package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of maneuvers that move a foe.
const (
	ruleBullRush   = cite.ManeuverBullRush
	ruleOverrun    = cite.ManeuverOverrun
	ruleDrag       = cite.ManeuverDrag
	ruleReposition = cite.ManeuverReposition
	ruleSizeLimit  = cite.ManeuverSizeLimit
)

// decPass is whether a foe lets an overrunning creature through.
const decPass = "overrun-pass"

// forceActions are the maneuvers that move a foe, or oneself through it.
func forceActions() []*action {
	return []*action{
		{id: "bull-rush", title: "Bull rush", rule: ruleBullRush, acts: 1, trigger: "maneuver", targeted: true, refuse: refuseForce(ruleBullRush), do: doBullRush},
		{id: "overrun", title: "Overrun", rule: ruleOverrun, acts: 1, trigger: "move", targeted: true, refuse: refuseOverrun,
			check: checkOverrun, parameters: pathParameter, do: doOverrun},
		{id: "drag", title: "Drag", rule: ruleDrag, acts: 2, trigger: "maneuver", targeted: true, refuse: refuseDrag,
			check: checkDrag, parameters: dragParameters, do: doDrag},
		{id: "reposition", title: "Reposition", rule: ruleReposition, acts: 2, trigger: "maneuver", targeted: true,
			refuse: refuseForce(ruleReposition), check: checkReposition, parameters: repositionParameters, do: doReposition},
	}
}

// tooLarge: these maneuvers work on a foe at most one size larger.
//
// celesia.maneuver.size-limit
func tooLarge(c, t *eventv1.Creature) error {
	if t != nil && sizeOf(t) > sizeOf(c)+1 {
		return refuse("TOO_LARGE", ruleSizeLimit, "%s is too large", t.Name)
	}
	return nil
}

func refuseForce(rule string) func(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
		if err := refuseManeuver(s, c, take, rule); err != nil {
			return err
		}
		return tooLarge(c, s.Creatures[target(take)])
	}
}

// reachOfMargin is how far a maneuver moves a foe: 5 feet and 5 more for each
// full 5 of margin.
//
// celesia.maneuver.success
func reachOfMargin(total, cmd int32) int32 { return 5 + 5*degree(total-cmd, 5) }

// heading is the way from one space to another, one square a step.
func heading(from, to *eventv1.Position) *eventv1.Position {
	return &eventv1.Position{X: 5 * grid.Sign(to.X-from.X), Y: 5 * grid.Sign(to.Y-from.Y), Z: 5 * grid.Sign(to.Z-from.Z)}
}

func shifted(p, by *eventv1.Position) *eventv1.Position {
	return &eventv1.Position{X: p.X + by.X, Y: p.Y + by.Y, Z: p.Z + by.Z}
}

// away is the direction in which a creature is pushed: straight back from the
// middle of the one who pushes; where that is even, along the longer way.
func away(c, t *eventv1.Creature) *eventv1.Position {
	a, b := centre(c), centre(t)
	d := [3]int64{b[0] - a[0], b[1] - a[1], b[2] - a[2]}
	most := max(max(d[0], -d[0]), max(d[1], -d[1]), max(d[2], -d[2]))
	step := func(n int64) int32 {
		switch {
		case 2*n >= most && n > 0:
			return 5
		case -2*n >= most && n < 0:
			return -5
		}
		return 0
	}
	return &eventv1.Position{X: step(d[0]), Y: step(d[1]), Z: step(d[2])}
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
		carried(r, id)
		tornApart(r, id)
		return
	}
	var asked []string
	for _, at := range way {
		p := provocation{by: id, kind: "forced", provokes: true, except: asked, take: &eventv1.TakeAction{Creature: id, Action: "forced movement"}}
		for _, other := range order(r.State()) {
			if reactionsTo(r.State(), r.Creature(other), p) != nil {
				asked = append(asked, other)
			}
		}
		window(r, p)
		r.Move(&eventv1.Moved{Creature: id, To: at, Mode: "push", Feet: 5}, rule)
		carried(r, id)
	}
	tornApart(r, id)
}

// tornApart ends a hold between two who are no longer beside each other (a
// reading: nothing is said of a grapple that others pull apart).
func tornApart(r *rules.Resolution, id string) {
	for _, pair := range [][2]string{{id, holds(r.Creature(id))}, {heldBy(r.Creature(id)), id}} {
		holder, foe := r.Creature(pair[0]), r.Creature(pair[1])
		if holder == nil || foe == nil {
			continue
		}
		if feet, known := distance(holder, foe); known && feet > 5 {
			endGrapple(r, holder.Id, "torn apart", cite.ManeuverGrapplePull)
		}
	}
}

// forcedWithout tells of forced movement without a map: who threatens the foe is
// what the caller states.
func forcedWithout(r *rules.Resolution, id string, feet int32, provokes bool, take *eventv1.TakeAction, rule string) {
	if provokes {
		window(r, provocation{by: id, kind: "forced", provokes: true, take: &eventv1.TakeAction{Creature: id, Action: "forced movement", Facts: take.Facts}})
	}
	r.Move(&eventv1.Moved{Creature: id, Mode: "push", Feet: feet}, rule)
	carried(r, id)
}

// carried settles what being moved by others means for rider and mount: a mount
// takes its rider along, a rider is out of the saddle (readings).
//
// celesia.mount.horse-space
func carried(r *rules.Resolution, id string) {
	if riderOf(r.Creature(id)) != "" {
		takeRider(r, id)
		return
	}
	unseat(r, id, "moved out of the saddle", cite.MountMountDismount)
}

// doBullRush pushes the foe straight back; a wall, which the caller states, or
// anybody in the way ends the push (a reading). Following is a Move or Step of
// its own.
//
// celesia.maneuver.bull-rush, celesia.maneuver.bull-rush-follow
func doBullRush(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(target(take))
	cmd := maneuverDefense(t, false)
	rolled := rollManeuverCheck(r, "bull-rush", "bull-rush", c, t, cmd, take, ruleBullRush)
	if !rolled.Success() {
		return nil
	}
	feet := reachOfMargin(rolled.Total, cmd.Value)
	if wall, ok := spoken.Number(take.Facts, "obstacle_feet"); ok {
		feet = min(feet, max(0, wall)/5*5)
	}
	if c.Position == nil || t.Position == nil {
		forcedWithout(r, t.Id, feet, feature(c, featBullRush), take, ruleBullRush)
		return nil
	}
	var way []*eventv1.Position
	by, at := away(c, t), t.Position
	for n := int32(0); n < feet/5; n++ {
		at = shifted(at, by)
		if blocked(r.State(), t, at, "") {
			break
		}
		way = append(way, at)
	}
	forced(r, t.Id, way, feature(c, featBullRush), ruleBullRush)
	return nil
}

func dragParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{{Name: "path", Type: "path", Text: "a point to drag towards and no farther; straight away from the foe when not given"}}
}

func refuseDrag(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch {
	case has(c, condProne):
		return refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	case has(c, condGrappled):
		return refuse("GRAPPLED", cite.ManeuverGrapple, "%s is in a grapple", c.Name)
	case mountOf(c) != "":
		return refuse("MOUNTED", cite.MountSharedInitiative, "%s moves with its mount", c.Name)
	}
	return refuseForce(ruleDrag)(s, c, take)
}

func checkDrag(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if len(take.Path) > 1 {
		return fault.Field("take.path", "one point, not %d", len(take.Path))
	}
	_, err := pathLength(c, take)
	return err
}

// doDrag moves in a straight line with the foe, which stays beside; never
// farther than one's speed.
//
// celesia.maneuver.drag
func doDrag(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(target(take))
	cmd := maneuverDefense(t, false)
	rolled := rollManeuverCheck(r, "drag", "drag", c, t, cmd, take, ruleDrag)
	if !rolled.Success() {
		return nil
	}
	feet := min(reachOfMargin(rolled.Total, cmd.Value), speed(c, "walk")/5*5)
	if c.Position == nil || t.Position == nil {
		forcedWithout(r, t.Id, feet, feature(c, featDrag), take, ruleDrag)
		return nil
	}
	by := away(t, c)
	if len(take.Path) == 1 {
		by, feet = heading(c.Position, take.Path[0]), min(feet, grid.Steps(c.Position, take.Path[0])/5*5)
	}
	own, foe := c.Position, t.Position
	var mine, theirs []*eventv1.Position
	for n := int32(0); n < feet/5; n++ {
		own, foe = shifted(own, by), shifted(foe, by)
		if blocked(r.State(), c, own, t.Id) || blocked(r.State(), t, foe, c.Id) {
			break
		}
		mine, theirs = append(mine, own), append(theirs, foe)
	}
	if len(mine) == 0 {
		return nil
	}
	to := mine[len(mine)-1]
	r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: "drag", Feet: grid.Steps(c.Position, to)}, ruleDrag)
	takeRider(r, c.Id)
	forced(r, t.Id, theirs, feature(c, featDrag), ruleDrag)
	return nil
}

func repositionParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{{Name: "path", Type: "path", Text: "the foe's way square by square; as much of it is gone as the check allows"}}
}

// threatFeet is the nearest and farthest at which a creature threatens.
func threatFeet(c *eventv1.Creature) (near, far int32) {
	near = 1 << 20
	for _, w := range sheetOf(c).Weapons {
		if strikes(c, w) && wieldable(c, w) {
			n, f := span(c, w)
			near, far = min(near, n), max(far, f)
		}
	}
	if far == 0 {
		return 0, naturalReach(c)
	}
	return near, far
}

// checkReposition judges the way: free squares inside the threatened area; only
// the last may lie beside that area.
//
// celesia.maneuver.reposition
func checkReposition(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[target(take)]
	if len(take.Path) == 0 || t == nil {
		return nil
	}
	if c.Position == nil || t.Position == nil {
		return fault.Field("take.path", "nobody stands on the map")
	}
	near, far := threatFeet(c)
	at := t.Position
	for i, p := range take.Path {
		if grid.Steps(at, p) != 5 {
			return fault.Field("take.path", "goes square by square")
		}
		feet, _ := distance(c, &eventv1.Creature{Size: t.Size, Position: p})
		last := i == len(take.Path)-1
		switch {
		case blocked(s, t, p, ""):
			return refuse("OCCUPIED", ruleReposition, "somebody stands there")
		case !last && (feet < near || feet > far), last && feet > far+5:
			return refuse("OUT_OF_REACH", ruleReposition, "the way leaves the area that %s threatens", c.Name)
		}
		at = p
	}
	return nil
}

// doReposition makes the foe go a way of the attacker's choice. It does not
// provoke (a reading).
//
// celesia.maneuver.reposition
func doReposition(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(target(take))
	cmd := maneuverDefense(t, false)
	rolled := rollManeuverCheck(r, "reposition", "reposition", c, t, cmd, take, ruleReposition)
	if !rolled.Success() {
		return nil
	}
	feet := reachOfMargin(rolled.Total, cmd.Value)
	if c.Position == nil || t.Position == nil {
		forcedWithout(r, t.Id, feet, false, take, ruleReposition)
		return nil
	}
	forced(r, t.Id, take.Path[:min(len(take.Path), int(feet/5))], false, ruleReposition)
	return nil
}
