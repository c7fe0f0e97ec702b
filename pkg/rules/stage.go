package rules

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// place puts a creature on the field: seen by everyone, or staged. Its coming is
// an event for the game master then, told again to those who know of it.
func (r *Resolution) place(c *eventv1.AddCreature) error {
	s := c.Sheet
	added := &eventv1.CreatureAdded{Creature: s.Id, Name: s.Name, Side: s.Side, Size: s.Size,
		Controllers: s.Controllers, Patient: s.Patient}
	if !c.Staged {
		if len(c.KnownTo) > 0 {
			return fault.Field("add.known_to", "is for a creature that is staged")
		}
		r.Emit(event.Everyone(), added)
		return nil
	}
	if err := r.knowers("add.known_to", s.Id, c.KnownTo); err != nil {
		return err
	}
	r.Emit(event.GM(), added)
	r.Emit(event.GM(), &eventv1.Staged{Creature: s.Id, Staged: true, KnownTo: c.KnownTo})
	if len(s.Controllers) > 0 || len(c.KnownTo) > 0 {
		r.Emit(event.Everyone(), added)
		r.Emit(event.Everyone(), &eventv1.Staged{Creature: s.Id, Staged: true, KnownTo: c.KnownTo})
	}
	return nil
}

// knowers checks the creatures whose controllers are to know of another.
func (r *Resolution) knowers(field, of string, ids []string) error {
	if n := len(ids); n > MaxCreatures {
		return fault.Limit(field, MaxCreatures, int64(n))
	}
	for i, id := range ids {
		at := field + "[" + itoa(i) + "]"
		if r.Creature(id) == nil {
			return r.unknownCreature(at, id)
		}
		if id == of || slices.Contains(ids[:i], id) {
			return fault.Field(at, "%q is named twice or is the creature itself", id)
		}
	}
	return nil
}

// reveal lets others know of a creature that is staged.
func reveal(r *Resolution, c *eventv1.RevealCreature) error {
	if err := notEnded(r); err != nil {
		return err
	}
	if err := present(r, "reveal.creature", c.Creature); err != nil {
		return err
	}
	if !r.Creature(c.Creature).Staged {
		return fault.Refuse("NOT_STAGED", "", "%q is not staged: everyone knows of it", c.Creature)
	}
	if err := r.knowers("reveal.to", c.Creature, c.To); err != nil {
		return err
	}
	r.Reveal(c.Creature, c.To...)
	return nil
}

// Reveal lets the controllers of creatures, or everyone, know of a creature that
// is staged, and tells them what they may see of it as it now stands. Nothing
// happens when it is not staged.
func (r *Resolution) Reveal(id string, to ...string) {
	c := r.Creature(id)
	if !c.GetStaged() {
		return
	}
	staged := &eventv1.Staged{Creature: id, Staged: len(to) > 0}
	if staged.Staged {
		staged.KnownTo = slices.Clone(c.KnownTo)
		for _, other := range to {
			if !slices.Contains(staged.KnownTo, other) {
				staged.KnownTo = append(staged.KnownTo, other)
			}
		}
	}
	r.Emit(event.GM(), staged)
	r.Emit(event.Everyone(), &eventv1.CreatureAdded{Creature: id, Name: c.Name, Side: c.Side, Size: c.Size,
		Controllers: c.Controllers, Patient: c.Patient})
	r.Emit(event.Everyone(), staged)
	if branch := "creature/" + id; r.state.Commitments[branch] != nil {
		r.Emit(event.Everyone(), &eventv1.DiceEpochOpened{Epoch: r.state.Epoch,
			Commitments: []*eventv1.Commitment{{Branch: branch, Commitment: r.state.Commitments[branch]}}})
	}
	r.tell(id)
	r.tellPlace(id)
}

// tellPlace says where a creature stands, in space and in the order, and what it
// has about it.
func (r *Resolution) tellPlace(id string) {
	c := r.Creature(id)
	if c.Life != eventv1.LifeStatus_LIFE_STATUS_ALIVE {
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: c.Life})
	}
	if c.Position != nil {
		r.Move(&eventv1.Moved{Creature: id, To: c.Position, Mode: "placed"})
	}
	for _, item := range SortedKeys(c.Items) {
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: item, Place: c.Items[item].Place, Values: c.Items[item].Values})
	}
	for _, in := range c.Initiative {
		r.Emit(event.Everyone(), &eventv1.InitiativeSet{Creature: id, Round: in.Round, Total: in.Total, Tiebreak: in.Tiebreak})
	}
	for _, decision := range SortedKeys(c.StandingOrders) {
		r.Emit(event.Controllers(id), &eventv1.StandingOrderSet{Creature: id, Decision: decision, Order: c.StandingOrders[decision]})
	}
	for _, o := range c.Orders {
		r.Emit(event.Controllers(id), &eventv1.OrderGiven{Order: o})
	}
	if slices.Contains(r.state.Active, id) {
		r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: slices.Clone(r.state.Active)})
	}
}
