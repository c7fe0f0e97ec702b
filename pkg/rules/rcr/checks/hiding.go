package checks

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// hide puts a creature out of sight: all know where it was seen last, its total
// and its moves from now on are its own.
//
// rcr.action.skill-action-hide
func hide(r *rules.Resolution, id string, total int32, rule string) {
	b := &eventv1.Begun{Kind: body.BegunHiding, Rule: rule}
	if p := r.Creature(id).Position; p != nil {
		b.Values = map[string]int32{"x": p.X, "y": p.Y, "z": p.Z}
	}
	r.Set(id, body.CStealth, int64(total), "Stealth", rule)
	r.Begin(id, b, rule)
	r.AddCondition(id, &eventv1.Condition{Name: body.CondHidden, Cause: "Stealth", Rule: rule})
}

// Unhide ends a creature's hiding and tells everyone where it is.
func Unhide(r *rules.Resolution, id, cause, rule string) {
	for _, x := range r.Creature(id).GetConditions() {
		if x.Name == body.CondHidden {
			r.RemoveCondition(id, x, cause, rule)
		}
	}
	tellPlace(r, id)
}

// TellAll brings what is told of places and holds in line with what is so.
func TellAll(r *rules.Resolution) {
	tellPlaces(r)
	body.TellHolds(r)
}

// tellPlaces brings what is told of places in line with who hides: by the game
// master's word somebody may have begun or ended it.
func tellPlaces(r *rules.Resolution) {
	for _, id := range r.CreatureIDs() {
		tellPlace(r, id)
	}
}

// tellPlace tells everyone the place of one that hides no more, and how much of
// its movement it has spent. One who hides without having been seen to has no
// place that others know.
func tellPlace(r *rules.Resolution, id string) {
	c := r.Creature(id)
	switch hidden := body.Has(c, body.CondHidden); {
	case hidden && rules.BegunOf(c, body.BegunHiding) == nil:
		r.Begin(id, &eventv1.Begun{Kind: body.BegunHiding})
	case !hidden && rules.BegunOf(c, body.BegunHiding) != nil:
		r.EndBegun(id, body.BegunHiding, "seen")
		r.Set(id, body.CStealth, 0, "seen")
		if c.Position != nil {
			r.Move(&eventv1.Moved{Creature: id, To: c.Position, Mode: "placed"})
		}
		for _, counter := range []string{body.CMovement, body.CMoved} {
			if n, counted := c.Counters[counter]; counted {
				r.Emit(r.Audience(rules.FactCounter, counter, id), &eventv1.CounterSet{Subject: id, Counter: counter, Value: n, Was: n, Cause: "seen"})
			}
		}
	}
}

// Elsewhere tells whether a hidden creature is not where an attack on it goes:
// the attack misses, and nobody is told why.
//
// rcr.base.fifth-edition-fallback
func Elsewhere(target *eventv1.Creature) bool {
	if target.Position == nil {
		return false
	}
	at := body.PlaceKnown(target)
	return at != nil && (at.X != target.Position.X || at.Y != target.Position.Y || at.Z != target.Position.Z)
}

// SeenMoving is who is told that a creature moves: everyone, unless it hides.
func SeenMoving(c *eventv1.Creature) *eventv1.Audience {
	if body.Has(c, body.CondHidden) {
		return event.Controllers(c.Id)
	}
	return event.Everyone()
}
