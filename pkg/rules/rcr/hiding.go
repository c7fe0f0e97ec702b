package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// hide puts a creature out of sight: all know where it was seen last, its total
// and its moves from now on are its own.
//
// rcr.action.skill-action-hide
func hide(r *rules.Resolution, id string, total int32, rule string) {
	b := &eventv1.Begun{Kind: begunHiding, Rule: rule}
	if p := r.Creature(id).Position; p != nil {
		b.Values = map[string]int32{"x": p.X, "y": p.Y, "z": p.Z}
	}
	r.Set(id, cStealth, int64(total), "Stealth", rule)
	r.Begin(id, b, rule)
	r.AddCondition(id, &eventv1.Condition{Name: condHidden, Cause: "Stealth", Rule: rule})
}

// unhide ends a creature's hiding and tells everyone where it is.
func unhide(r *rules.Resolution, id, cause, rule string) {
	for _, x := range slices.Clone(r.Creature(id).GetConditions()) {
		if x.Name == condHidden {
			r.RemoveCondition(id, x, cause, rule)
		}
	}
	tellPlace(r, id)
}

// tellAll brings what is told of places and holds in line with what is so.
func tellAll(r *rules.Resolution) {
	tellPlaces(r)
	tellHolds(r)
}

// tellPlaces brings what is told of places in line with who hides: by the game
// master's word somebody may have begun or ended it.
func tellPlaces(r *rules.Resolution) {
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		tellPlace(r, id)
	}
}

// tellPlace tells everyone the place of one that hides no more, and how much of
// its movement it has spent. One who hides without having been seen to has no
// place that others know.
func tellPlace(r *rules.Resolution, id string) {
	c := r.Creature(id)
	switch hidden := has(c, condHidden); {
	case hidden && rules.BegunOf(c, begunHiding) == nil:
		r.Begin(id, &eventv1.Begun{Kind: begunHiding})
	case !hidden && rules.BegunOf(c, begunHiding) != nil:
		r.EndBegun(id, begunHiding, "seen")
		r.Set(id, cStealth, 0, "seen")
		if c.Position != nil {
			r.Move(&eventv1.Moved{Creature: id, To: c.Position, Mode: "placed"})
		}
		for _, counter := range []string{cMovement, cMoved} {
			if n, counted := c.Counters[counter]; counted {
				r.Emit(r.Audience(rules.FactCounter, counter, id), &eventv1.CounterSet{Subject: id, Counter: counter, Value: n, Was: n, Cause: "seen"})
			}
		}
	}
}

// placeKnown is where others take a creature to be: where it stands, or where it
// was seen last before it hid; nil when nobody knows.
func placeKnown(c *eventv1.Creature) *eventv1.Position {
	if !has(c, condHidden) {
		return c.GetPosition()
	}
	seen := rules.BegunOf(c, begunHiding).GetValues()
	if len(seen) == 0 {
		return nil
	}
	return &eventv1.Position{X: seen["x"], Y: seen["y"], Z: seen["z"]}
}

// distanceTo is the way from a creature to another as the first knows it: to one
// who hides, the way to where it was seen last. It is false when nobody knows.
func distanceTo(c, other *eventv1.Creature) (int32, bool) {
	at := placeKnown(other)
	if c.GetId() == other.GetId() {
		at = other.GetPosition()
	}
	if c.GetPosition() == nil || at == nil {
		return 0, false
	}
	return grid.Distance(c.Position, spaceFeet(c), at, spaceFeet(other)), true
}

// elsewhere tells whether a hidden creature is not where an attack on it goes:
// the attack misses, and nobody is told why.
//
// rcr.base.fifth-edition-fallback
func elsewhere(target *eventv1.Creature) bool {
	if !has(target, condHidden) || target.Position == nil {
		return false
	}
	at := placeKnown(target)
	return at != nil && (at.X != target.Position.X || at.Y != target.Position.Y || at.Z != target.Position.Z)
}

// seenMoving is who is told that a creature moves: everyone, unless it hides.
func seenMoving(c *eventv1.Creature) *eventv1.Audience {
	if has(c, condHidden) {
		return event.Controllers(c.Id)
	}
	return event.Everyone()
}
