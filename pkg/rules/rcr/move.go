package rcr

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// cDashes counts the Dashes of the turn: each brings the speed once more.
const cDashes = "dashes"

// turnMarks end with the turn.
var turnMarks = []string{mStarted, mEntered, mThrough, mScathed, mCast}

// moveActions are the actions that spend movement, and what makes movement
// possible.
func moveActions() []*action {
	return []*action{
		{id: "move", title: "Move", do: doMove,
			options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option { return travelOptions(s, c, false) }},
		{id: "crawl", title: "Crawl", do: doCrawl,
			options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option { return travelOptions(s, c, true) }},
		{id: "stand", title: "Stand up", options: standOptions, do: doStand},
		{id: "crouch", title: "Crouch", options: crouchOptions, do: doCrouch},
		{id: "drop-prone", title: "Drop prone", options: dropProneOptions, do: doDropProne},
		{id: "blind-walk", title: "Walk blind without slowing down", options: blindWalkOptions, do: doBlindWalk},
		passage("tumble", "Tumble through an enemy's space", "acrobatics"),
		passage("overrun", "Overrun an enemy", "athletics"),
	}
}

// modes of movement that a creature may choose from.
var modes = []string{"walk", "climb", "swim", "fly", "burrow"}

// speedZeroRule is the rule that holds a speed at 0.
func speedZeroRule(c *eventv1.Creature) string {
	switch {
	case has(c, condGrappled):
		return cite.ConditionGrappledSpeed
	case has(c, condRestrained):
		return cite.ConditionRestrainedSpeed
	case has(c, condHelpless):
		return cite.ConditionHelplessIncapacitated
	case has(c, condParalyzed):
		return cite.ConditionParalyzedCommon
	case c.GetCounters()[cExhaustion] > 1:
		return cite.ConditionExhaustionSpeed
	}
	return cite.BaseFifthEditionFallback
}

// refuseSpeed says why a creature cannot spend movement at all.
func refuseSpeed(s *eventv1.State, c *eventv1.Creature) error {
	if baseSpeed(s, c) == 0 {
		return refuse("SPEED_ZERO", speedZeroRule(c), "%s has a speed of 0", c.Name)
	}
	return nil
}

// baseSpeed is the speed that the movement of the turn is counted by: walking,
// or the best for one that does not walk.
func baseSpeed(s *eventv1.State, c *eventv1.Creature) int32 {
	if feet := speedIn(s, c.Id, "walk"); feet > 0 {
		return feet
	}
	feet := int32(0)
	// order-free: the largest is taken
	for mode := range c.GetSheet().GetSpeeds() {
		feet = max(feet, speedIn(s, c.Id, mode))
	}
	return feet
}

// times is how often the speed may be spent this turn.
//
// rcr.surprise.one-action
func times(s *eventv1.State, c *eventv1.Creature) int32 {
	n := int32(c.Counters[cDashes])
	if !bareAction(s, c) {
		n++
	}
	return n
}

// movementLeft is what a creature may still spend by a mode, in feet. From the
// speed of another mode comes off what was spent already, as in the fifth
// edition.
func movementLeft(s *eventv1.State, c *eventv1.Creature, mode string) int32 {
	base := baseSpeed(s, c)
	if base == 0 {
		return 0
	}
	if own := speedIn(s, c.Id, mode); own > 0 && own != base {
		return max(0, own*times(s, c)-int32(c.Counters[cMoved]))
	}
	return int32(c.Counters[cMovement])
}

// surcharge is the extra feet of movement that each foot costs whatever the
// ground. Surcharges add up.
//
// rcr.base.movement-cost-additive, rcr.condition.prone-crawl, rcr.condition.blinded-movement
func surcharge(s *eventv1.State, c *eventv1.Creature, mode string, crawling bool) int32 {
	extra := int32(0)
	if crawling {
		extra++
	}
	if has(c, condBlinded) && c.Marks[mSteady] != "yes" {
		extra++
	}
	if (mode == "climb" || mode == "swim") && speedIn(s, c.Id, mode) == 0 {
		extra++ // without a speed of its own, as in the fifth edition
	}
	return extra
}

// refuseTravel says why a creature cannot move by walking or crawling.
func refuseTravel(s *eventv1.State, c *eventv1.Creature, crawling bool) error {
	switch {
	case crawling && !has(c, condProne):
		return refuse("NOT_PRONE", cite.ConditionProneCrawl, "%s is not prone", c.Name)
	case !crawling && has(c, condProne):
		return refuse("PRONE", cite.ConditionProneCrawl, "%s is prone: crawl, or stand up first", c.Name)
	}
	if err := refuseSpeed(s, c); err != nil {
		return err
	}
	if most(s, c, crawling) < 1 {
		rule := cite.BaseFifthEditionFallback
		if bareAction(s, c) {
			rule = cite.SurpriseOneAction
		}
		return refuse("NO_MOVEMENT", rule, "%s has no movement left", c.Name)
	}
	return nil
}

// most is how many feet a creature can go on open ground by its best mode.
func most(s *eventv1.State, c *eventv1.Creature, crawling bool) int32 {
	best := int32(0)
	for _, mode := range modesOf(s, c, crawling) {
		best = max(best, movementLeft(s, c, mode)/(1+surcharge(s, c, mode, crawling)))
	}
	return best
}

func modesOf(s *eventv1.State, c *eventv1.Creature, crawling bool) []string {
	if crawling {
		return []string{"walk"}
	}
	var out []string
	for _, mode := range modes {
		if speedIn(s, c.Id, mode) > 0 || (mode == "climb" || mode == "swim") && speedIn(s, c.Id, "walk") > 0 {
			out = append(out, mode)
		}
	}
	return out
}

// openModes lists the modes that so much movement takes a creature a foot by.
func openModes(s *eventv1.State, c *eventv1.Creature, crawling bool, left func(mode string) int32) []string {
	return slices.DeleteFunc(modesOf(s, c, crawling), func(mode string) bool { return left(mode) <= surcharge(s, c, mode, crawling) })
}

func travelOptions(s *eventv1.State, c *eventv1.Creature, crawling bool) []*eventv1.Option {
	o := option("", refuseTravel(s, c, crawling), map[string]int32{cMovement: 1 + surcharge(s, c, "walk", crawling)})
	feet := &eventv1.Parameter{Name: "feet", Type: "number", Text: "Feet to go, without positions; at most " + itoa(most(s, c, crawling))}
	o.Parameters = []*eventv1.Parameter{feet, {Name: "path", Type: "path", Text: "Way to go, with positions"}}
	usual := usualMode(s, c, crawling)
	foot := 1 + surcharge(s, c, usual, crawling)
	held := slices.DeleteFunc(grappling(s, c), func(id string) bool {
		return movementLeft(s, c, usual) < foot*burden(s, c, []string{id})
	})
	if len(held) > 0 {
		whom := choiceOf("drag", "Whom it drags along; its speed is halved then", false, held...)
		whom.Type = rules.TypeCreatures
		o.Parameters = append(o.Parameters, whom)
	}
	if going := openModes(s, c, crawling, func(mode string) int32 { return movementLeft(s, c, mode) }); !crawling && len(going) > 0 {
		o.Parameters = append(o.Parameters, choiceOf("mode", "How it moves", false, going...))
	}
	return []*eventv1.Option{o}
}

func doMove(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	return travel(r, c, take, false)
}

func doCrawl(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	return travel(r, c, take, true)
}

// leg is one piece of a way.
type leg struct {
	// to is where it ends; nil when nobody has positions.
	to *eventv1.Position
	// feet of it; slow feet of it are difficult or dangerous, dangerous feet
	// dangerous.
	feet, slow, dangerous int32
}

// cost of a leg in feet of movement, and the part of it in dangerous terrain.
//
// rcr.base.movement-cost-additive, rcr.movement.dangerous-as-difficult
func (l leg) cost(extra int32) (all, dangerous int32) {
	return l.feet*(1+extra) + l.slow, l.dangerous * (2 + extra)
}

// way is a movement as it was asked for.
type way struct {
	mode     string
	crawling bool
	legs     []leg
	notes    []string
}

// planWay reads the way out of a command. Either a path, measured from where
// the creature stands, or a number of feet with what is stated about them.
func planWay(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, crawling bool) (*way, error) {
	w := &way{mode: spoken.Word(take.Parameters, "mode"), crawling: crawling, notes: statedNotes(take)}
	if w.mode == "" {
		w.mode = usualMode(s, c, crawling)
	}
	if !slices.Contains(modesOf(s, c, crawling), w.mode) {
		return nil, fault.Field("take.parameters.mode", "%s does not %s", c.Name, w.mode)
	}
	feet, given := spoken.Number(take.Parameters, "feet")
	switch {
	case len(take.Path) > 0 && c.Position == nil:
		return nil, fault.Field("take.path", "%s stands nowhere: give the parameter feet", c.Name)
	case len(take.Path) > 0 && given:
		return nil, fault.Field("take.parameters.feet", "the path says how far")
	case len(take.Path) > 0:
		w.legs = legsOf(c.Position, take.Path)
	case !given:
		return nil, fault.Field("take.parameters.feet", "a path or a number from 1 is needed")
	default:
		w.legs = []leg{{feet: feet}}
	}
	if len(w.legs) == 0 {
		return nil, fault.Field("take.path", "it leads nowhere")
	}
	if err := w.ground(take); err != nil {
		return nil, err
	}
	return w, refuseWay(s, c, w, take)
}

// usualMode is the first mode that a creature can still move by, walking before
// all others.
func usualMode(s *eventv1.State, c *eventv1.Creature, crawling bool) string {
	if open := openModes(s, c, crawling, func(mode string) int32 { return movementLeft(s, c, mode) }); len(open) > 0 {
		return open[0]
	}
	return "walk"
}

// legsOf cuts a path into steps of at most 5 feet.
func legsOf(from *eventv1.Position, path []*eventv1.Position) []leg {
	var out []leg
	at := from
	for _, p := range path {
		for (at.X != p.X || at.Y != p.Y || at.Z != p.Z) && len(out) < 4000 {
			next := &eventv1.Position{X: toward(at.X, p.X), Y: toward(at.Y, p.Y), Z: toward(at.Z, p.Z)}
			out = append(out, leg{to: next, feet: grid.Steps(at, next)})
			at = next
		}
	}
	return out
}

func toward(from, to int32) int32 { return from + max(-5, min(5, to-from)) }

func abs(n int32) int32 { return max(n, -n) }

// ground lays the stated feet of difficult and dangerous ground on the way,
// from its start on. What is both counts once.
//
// rcr.base.movement-cost-additive
func (w *way) ground(take *eventv1.TakeAction) error {
	var stated [3]int32
	for i, key := range []string{"difficult", "dangerous", "overlap"} {
		n, ok := spoken.Number(take.Facts, key)
		if stated[i] = n; ok {
			w.notes = append(w.notes, key+" "+itoa(n)+" feet (stated)")
		}
	}
	dangerous, plain := stated[1], max(0, stated[0]-stated[2])
	for i := range w.legs {
		l := &w.legs[i]
		l.dangerous = min(l.feet, dangerous)
		dangerous -= l.dangerous
		more := min(l.feet-l.dangerous, plain)
		plain -= more
		l.slow = l.dangerous + more
	}
	return nil
}

// refuseWay says why a way cannot be gone: into the space of an enemy of about
// the same size without a tumble or an overrun, to an end in another's space, or
// nearer to what the creature fears.
//
// rcr.condition.terrified
func refuseWay(s *eventv1.State, c *eventv1.Creature, w *way, take *eventv1.TakeAction) error {
	const frame = cite.BaseFifthEditionFallback
	if near, _ := spoken.Words(take.Facts, "approaches"); len(near) > 0 {
		for _, id := range near {
			if feared(s, c, id) {
				return refuse("AFRAID", fearRule(c), "%s will not go nearer to %s", c.Name, id)
			}
		}
	}
	spaces, stated := spoken.Words(take.Facts, "enters_space_of")
	along, err := dragged(s, c, take)
	if err != nil {
		return err
	}
	at := c.Position
	for i, l := range w.legs {
		if l.to == nil {
			return nil
		}
		for _, id := range rules.SortedKeys(s.Creatures) {
			o := s.Creatures[id]
			if id == c.Id || o.Position == nil || dead(o) || has(o, condHidden) || slices.Contains(along, id) {
				continue // who hides is in nobody's way: to be stopped would tell
			}
			before, after := grid.Distance(at, spaceFeet(c), o.Position, spaceFeet(o)), grid.Distance(l.to, spaceFeet(c), o.Position, spaceFeet(o))
			switch {
			case feared(s, c, id) && after < before:
				return refuse("AFRAID", fearRule(c), "%s will not go nearer to %s", c.Name, o.Name)
			case after > 0 || stated && slices.Contains(spaces, id):
			case i == len(w.legs)-1:
				return refuse("SPACE_TAKEN", frame, "%s stands there", o.Name)
			case !mayPass(c, o):
				return refuse("SPACE_HELD", frame, "%s holds its space: tumble or overrun", o.Name)
			default:
				w.legs[i].slow = w.legs[i].feet // another's space is difficult ground
			}
		}
		at = l.to
	}
	return nil
}

// mayPass tells whether a creature may go through the space of another.
func mayPass(c, o *eventv1.Creature) bool {
	return !hostile(c, o) || incapacitated(o) || sizesApart(c, o) >= 2 || slices.Contains(marked(c, mThrough), o.Id)
}

var sizes = []string{"tiny", "small", "medium", "large", "huge", "gargantuan"}

// sizesApart is the number of size categories between two creatures.
//
// rcr.opportunity.enter-space
func sizesApart(a, b *eventv1.Creature) int32 {
	rank := func(c *eventv1.Creature) int32 {
		if i := slices.Index(sizes, c.GetSize()); i >= 0 {
			return int32(i)
		}
		return 2
	}
	return abs(rank(a) - rank(b))
}

// feared tells whether a creature fears another that it can see.
func feared(s *eventv1.State, c *eventv1.Creature, id string) bool {
	if !afraid(s, c) {
		return false
	}
	return slices.ContainsFunc(c.Conditions, func(x *eventv1.Condition) bool {
		return (x.Name == condFrightened || x.Name == condTerrified) && x.Source == id
	})
}

// travel carries a movement out.
func travel(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, crawling bool) error {
	s := r.State()
	if err := refuseTravel(s, c, crawling); err != nil {
		return err
	}
	w, err := planWay(s, c, take, crawling)
	if err != nil {
		return err
	}
	wk := newWalk(r, c, w, take, surcharge(s, c, w.mode, crawling))
	if wk.drags, err = dragged(s, c, take); err != nil {
		return err
	}
	wk.times = burden(s, c, wk.drags)
	total := int32(0)
	for _, l := range w.legs {
		cost, _ := l.cost(wk.extra)
		total += cost * wk.times
	}
	if left := movementLeft(s, c, w.mode); total > left {
		return refuse("NO_MOVEMENT", cite.BaseMovementCostAdditive, "%s has %d feet of movement left, this takes %d", c.Name, left, total)
	}
	if err := wk.refuseDrag(s); err != nil {
		return err
	}
	if len(wk.drags) > 0 {
		w.notes = append(w.notes, "drags "+strings.Join(wk.drags, ", "))
	}
	r.Emit(seenMoving(c), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: w.notes})
	wk.run()
	wk.pull()
	endDistantGrapples(r, c.Id)
	dangerousTerrain(r, c.Id, w.mode, take)
	return nil
}

// statedIDs reads a list of creatures out of the stated facts; nil when nothing
// is stated, empty when it is stated that there are none.
func statedIDs(facts *structpb.Struct, key string) []string {
	list, _ := spoken.Words(facts, key)
	return list
}

// endDistantGrapples ends the grapples that a movement has pulled apart.
//
// rcr.condition.replace-base
func endDistantGrapples(r *rules.Resolution, id string) {
	for _, other := range rules.SortedKeys(r.State().Creatures) {
		for _, x := range slices.Clone(r.Creature(other).Conditions) {
			if x.Name != condGrappled || x.Source != id && other != id {
				continue
			}
			grappler := r.Creature(x.Source)
			if feet, known := distance(grappler, r.Creature(other)); known && feet > max(5, reachOf(grappler)) {
				r.RemoveCondition(other, x, "out of reach", cite.ConditionReplaceBase)
			}
		}
	}
}
