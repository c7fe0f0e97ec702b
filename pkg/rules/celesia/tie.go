package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of ropes, and of foes that are brought along.
const (
	ruleTieUp  = cite.ManeuverGrappleTieUp
	ruleHazard = cite.ManeuverGrappleMoveHazard
)

// variantRopes is pinned by ropes, whoever tied them; the value "dc" is what it
// takes to win free.
const variantRopes = "ropes"

// decHazard is whether a foe tries to free itself before it is put in danger.
const decHazard = "grapple-hazard"

// ropes lists the ropes that a creature has in hand.
func ropes(c *eventv1.Creature) []string {
	var out []string
	for _, th := range sheetOf(c).Things {
		if th.Kind == thingRope && inHand(where(c, th.Name)) {
			out = append(out, th.Name)
		}
	}
	return out
}

// tied is what ropes hold a creature; nil when none do.
func tied(c *eventv1.Creature) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == condPinned && x.Variant == variantRopes {
			return x
		}
	}
	return nil
}

// tieUp is a second grapple check, at -10 and without the bonus of keeping up (a
// reading): the ropes pin the foe until they are removed or it wins free.
//
// celesia.maneuver.grapple-tie-up
func tieUp(r *rules.Resolution, c, foe *eventv1.Creature, take *eventv1.TakeAction, rope string) {
	rolled := rollManeuverCheck(r, "tie-up", "grapple", c, foe, maneuverDefense(foe, false), take, ruleTieUp, mod(-10, "tying up", ruleTieUp))
	if !rolled.Success() {
		return
	}
	r.AddCondition(foe.Id, &eventv1.Condition{Name: condPinned, Variant: variantRopes, Cause: rope, Rule: ruleTieUp,
		Values: map[string]int32{"dc": 20 + maneuverBonus(c)}})
	shift(r, c.Id, rope, placeGone, "tied round "+foe.Name, ruleTieUp)
}

// escapeRopes is a maneuver check or Escape Artist against 20 and the binder's CMB.
//
// celesia.maneuver.grapple-tie-up, celesia.maneuver.escape-grapple
func escapeRopes(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, more []*eventv1.Modifier) {
	x := tied(c)
	dc := &eventv1.TargetNumber{Kind: "DC", Value: x.Values["dc"]}
	if escapes(r, c, nil, dc, take, spoken.Word(take.Parameters, "check"), more) {
		r.RemoveCondition(c.Id, x, "won free", ruleTieUp)
	}
}

// refuseUntie: somebody tied up and beside.
//
// celesia.maneuver.grapple-tie-up
func refuseUntie(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[target(take)]
	if has(c, condPinned) {
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	if t == nil {
		return nil
	}
	if tied(t) == nil {
		return refuse("NOT_TIED", ruleTieUp, "%s is not tied up", t.Name)
	}
	if feet, known := apart(take, c, t); known && feet > 5 {
		return outOfReach(ruleTieUp, t, feet)
	}
	return nil
}

func doUntie(r *rules.Resolution, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	r.RemoveCondition(target(take), tied(r.Creature(target(take))), "the ropes are removed", ruleTieUp)
	return nil
}

// bring puts a held foe in a space beside its holder: the one named, else the
// nearest to where the foe stands. Before it is put in danger it may try, with
// its reaction and at +4, to free itself.
//
// celesia.maneuver.grapple-move, celesia.maneuver.grapple-move-hazard
func bring(r *rules.Resolution, holder, foe string, take *eventv1.TakeAction) {
	if spoken.Truth(take.GetFacts(), "hazard") && freesItself(r, holder, foe, take) {
		return
	}
	h, f := r.Creature(holder), r.Creature(foe)
	if h == nil || f == nil || h.Position == nil || f.Position == nil || heldBy(f) != holder {
		return
	}
	at := placeNamed(take)
	if at == nil {
		if feet, _ := distance(h, f); feet == 5 {
			return
		}
		at = beside(r.State(), h, f)
	}
	if at != nil {
		r.Move(&eventv1.Moved{Creature: foe, To: at, Mode: "pull", Feet: grid.Steps(at, f.Position)}, cite.ManeuverGrappleMove)
		carried(r, foe)
	}
}

// placeNamed is the space in which a foe in hold is to be put; nil when none is
// named.
func placeNamed(take *eventv1.TakeAction) *eventv1.Position {
	x, okX := spoken.Number(take.GetParameters(), "foe_x")
	y, okY := spoken.Number(take.GetParameters(), "foe_y")
	z, _ := spoken.Number(take.GetParameters(), "foe_z")
	if !okX || !okY {
		return nil
	}
	return &eventv1.Position{X: x, Y: y, Z: z}
}

// freesItself asks a foe whether it tries to break free, and rolls.
//
// celesia.maneuver.grapple-move-hazard
func freesItself(r *rules.Resolution, holder, foe string, take *eventv1.TakeAction) bool {
	h, f := r.Creature(holder), r.Creature(foe)
	if h == nil || f == nil || heldBy(f) != holder || !mayReact(r.State(), f) {
		return false
	}
	d := &eventv1.Decision{Name: decHazard, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: foe, Cause: "about to be put in danger",
		Question: f.Name + " may try to break free, at +4", DefaultOption: "maneuver", Rule: ruleHazard,
		Options: []*eventv1.DecisionOption{{Id: "no", Text: "Let it happen"}, {Id: "maneuver", Text: "A maneuver check"}, {Id: "escape-artist", Text: "Escape Artist"}}}
	way := r.Ask("hazard", d).Option
	if way == "no" {
		return false
	}
	strained := disabled(f)
	r.Set(foe, cReactions, r.Count(foe, cReactions)-1, "breaking free", ruleHazard)
	free := escapes(r, f, h, maneuverDefense(h, false), &eventv1.TakeAction{Creature: foe}, way, []*eventv1.Modifier{mod(4, "in danger", ruleHazard)})
	if free {
		endGrapple(r, holder, "broke free", ruleHazard)
	}
	if strained {
		strain(r, foe, 1)
	}
	return free
}

// checkPlace judges the space for a foe in hold: free, and beside the holder's
// end of the way.
//
// celesia.maneuver.grapple-move
func checkPlace(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	at, foe := placeNamed(take), s.Creatures[holds(c)]
	if at == nil || foe == nil || c.Position == nil {
		return nil
	}
	end := &eventv1.Creature{Id: c.Id, Size: c.Size, Position: c.Position}
	if n := len(take.Path); n > 0 {
		end.Position = take.Path[n-1]
	}
	there := &eventv1.Creature{Id: foe.Id, Size: foe.Size, Position: at}
	others := func(o *eventv1.Creature) bool {
		return o.Id != c.Id && o.Id != foe.Id && !dead(o) && overlaps(there, at, o)
	}
	taken := slices.ContainsFunc(rules.SortedKeys(s.Creatures), func(id string) bool { return others(s.Creatures[id]) })
	if feet, _ := distance(end, there); feet != 5 || taken {
		return refuse("NO_PLACE", cite.ManeuverGrappleMove, "the foe is put in a free space beside %s", c.Name)
	}
	return nil
}
