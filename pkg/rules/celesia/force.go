package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of maneuvers that move a foe.
const (
	ruleBullRush   = "celesia.maneuver.bull-rush"
	ruleOverrun    = "celesia.maneuver.overrun"
	ruleDrag       = "celesia.maneuver.drag"
	ruleReposition = "celesia.maneuver.reposition"
	ruleSizeLimit  = "celesia.maneuver.size-limit"
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
	sign := func(n int32) int32 {
		switch {
		case n > 0:
			return 5
		case n < 0:
			return -5
		}
		return 0
	}
	return &eventv1.Position{X: sign(to.X - from.X), Y: sign(to.Y - from.Y), Z: sign(to.Z - from.Z)}
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
		r.Emit(event.Everyone(), &eventv1.Moved{Creature: id, To: to, Mode: "push", Feet: steps(from, to)}, rule)
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
		r.Emit(event.Everyone(), &eventv1.Moved{Creature: id, To: at, Mode: "push", Feet: 5}, rule)
	}
}

// forcedWithout tells of forced movement without a map: who threatens the foe is
// what the caller states.
func forcedWithout(r *rules.Resolution, id string, feet int32, provokes bool, take *eventv1.TakeAction, rule string) {
	if provokes {
		window(r, provocation{by: id, kind: "forced", provokes: true, take: &eventv1.TakeAction{Creature: id, Action: "forced movement", Facts: take.Facts}})
	}
	r.Emit(event.Everyone(), &eventv1.Moved{Creature: id, Mode: "push", Feet: feet}, rule)
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
	if wall, ok := number(take.Facts, "obstacle_feet"); ok {
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

// squares expands a way into squares of 5 feet.
func squares(from *eventv1.Position, path []*eventv1.Position) []*eventv1.Position {
	var out []*eventv1.Position
	for _, to := range path {
		n := steps(from, to) / 5
		for k := int32(1); k <= n; k++ {
			out = append(out, &eventv1.Position{X: along(from.X, to.X, k, n), Y: along(from.Y, to.Y, k, n), Z: along(from.Z, to.Z, k, n)})
		}
		from = to
	}
	return out
}

// overlaps tells whether a creature standing somewhere would be in another's space.
func overlaps(c *eventv1.Creature, at *eventv1.Position, other *eventv1.Creature) bool {
	feet, known := distance(&eventv1.Creature{Size: c.Size, Position: at}, other)
	return known && feet == 0
}

// inTheFoe finds the first foe through whose space a way leads, other than one
// that is being overrun or held.
//
// celesia.maneuver.overrun
func inTheFoe(s *eventv1.State, c *eventv1.Creature, path []*eventv1.Position, passing string) *eventv1.Creature {
	for _, at := range squares(c.Position, path) {
		for _, id := range rules.SortedKeys(s.Creatures) {
			other := s.Creatures[id]
			if id == c.Id || id == passing || other.Side == c.Side || dead(other) || helpless(other) || other.Position == nil {
				continue
			}
			if overlaps(c, at, other) && !overlaps(c, c.Position, other) {
				return other
			}
		}
	}
	return nil
}

func refuseOverrun(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch {
	case has(c, condProne):
		return refuse("PRONE", "celesia.movement.stand-up", "%s is prone", c.Name)
	case legless(c):
		return refuse("NO_LEGS", "celesia.injury.leg-all-lost", "%s can only crawl", c.Name)
	}
	if err := bound(c); err != nil {
		return err
	}
	t := s.Creatures[target(take)]
	if err := tooLarge(c, t); t == nil || err != nil {
		return err
	}
	if feet, known := apart(take, c, t); known && feet > speed(c, "walk") {
		return refuse("TOO_FAR", ruleOverrun, "%s is %d feet away, %s moves %d", t.Name, feet, c.Name, speed(c, "walk"))
	}
	return nil
}

// checkOverrun judges the way: through the foe, no longer than the speed, to a
// free space.
func checkOverrun(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[target(take)]
	feet, err := pathLength(c, take)
	if err != nil {
		return err
	}
	if most := speed(c, "walk"); feet > most {
		return refuse("TOO_FAR", ruleOverrun, "the way is %d feet, %s moves %d", feet, c.Name, most)
	}
	if t == nil || c.Position == nil || t.Position == nil || len(take.Path) == 0 {
		return nil
	}
	if !slices.ContainsFunc(squares(c.Position, take.Path), func(at *eventv1.Position) bool { return overlaps(c, at, t) }) {
		return refuse("NOT_THROUGH", ruleOverrun, "the way does not lead through the space of %s", t.Name)
	}
	if other := inTheFoe(s, c, take.Path, t.Id); other != nil {
		return refuse("FOE_IN_THE_WAY", ruleOverrun, "the way leads through %s as well", other.Name)
	}
	return freeEnd(s, c, take)
}

// doOverrun runs through the foe: it may make way; else success passes, a margin
// of 5 knocks it prone as well, failure stops the movement in front of it.
//
// celesia.maneuver.overrun, celesia.maneuver.extra-legs
func doOverrun(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(target(take))
	path := take.Path
	if len(path) == 0 && c.Position != nil && t.Position != nil {
		path = beyondFoe(r.State(), c, t)
	}
	if able(t) && r.Ask("overrun", rules.YesNo(decPass, t.Id, c.Name+" overruns", "Let "+c.Name+" pass?", "no", ruleOverrun)).Option == "yes" {
		runThrough(r, c, take, path)
		return nil
	}
	cmd := maneuverDefense(t, true)
	rolled := rollManeuverCheck(r, "overrun", "overrun", c, t, cmd, take, ruleOverrun)
	if rolled.Success() {
		if rolled.Total-cmd.Value >= 5 {
			setProne(r, t.Id, "overrun", ruleOverrun)
			saddle(r, t.Id)
		}
		runThrough(r, c, take, path)
		return nil
	}
	var way []*eventv1.Position
	if c.Position != nil {
		for _, at := range squares(c.Position, path) {
			if overlaps(c, at, t) {
				break
			}
			way = append(way, at)
		}
	}
	runThrough(r, c, take, way)
	return nil
}

// beyondFoe is a way straight through a foe to the first free space behind it
// within one's speed; only up to it when there is none.
func beyondFoe(s *eventv1.State, c, t *eventv1.Creature) []*eventv1.Position {
	by, at, through := away(c, t), c.Position, false
	for n := int32(1); n <= speed(c, "walk")/5; n++ {
		at = shifted(at, by)
		inside := overlaps(c, at, t)
		through = through || inside
		if through && !inside && !blocked(s, c, at, "") {
			return []*eventv1.Position{at}
		}
	}
	return nil
}

// runThrough ends an overrun at the end of a way and lets those react whom the
// creature came near.
func runThrough(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, way []*eventv1.Position) {
	to, feet := c.Position, int32(0)
	if n := len(way); n > 0 {
		to, feet = way[n-1], steps(c.Position, way[n-1])
	} else if c.Position == nil {
		feet, _ = number(take.Facts, "feet")
	}
	r.Emit(event.Everyone(), &eventv1.Moved{Creature: c.Id, To: to, Mode: "overrun", Feet: feet}, ruleOverrun)
	window(r, provocation{by: c.Id, kind: "approach", take: take})
}

func dragParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{{Name: "path", Type: "path", Text: "a point to drag towards and no farther; straight away from the foe when not given"}}
}

func refuseDrag(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch {
	case has(c, condProne):
		return refuse("PRONE", "celesia.movement.stand-up", "%s is prone", c.Name)
	case has(c, condGrappled):
		return refuse("GRAPPLED", "celesia.maneuver.grapple", "%s is in a grapple", c.Name)
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
		by, feet = heading(c.Position, take.Path[0]), min(feet, steps(c.Position, take.Path[0])/5*5)
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
	r.Emit(event.Everyone(), &eventv1.Moved{Creature: c.Id, To: to, Mode: "drag", Feet: steps(c.Position, to)}, ruleDrag)
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
		if abs(p.GetX()) > 100000 || abs(p.GetY()) > 100000 || abs(p.GetZ()) > 100000 || steps(at, p) != 5 {
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
