package strike

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PickUpAction picks up a weapon that the actor has dropped.
func PickUpAction() *play.Action {
	return &play.Action{ID: "pick-up", Title: "Pick up a weapon", Rule: cite.FumbleTable, Group: play.GroupItem, Items: body.DroppedItems, Refuse: refusePickUp, Do: body.Deed(doPickUp)}
}

// refusePickUp says why a creature cannot pick up its weapon: like getting up
// it takes the movement of the round, and nobody takes it from a foe's feet.
//
// original.fumble.table, original.action.disarm-save, original.action.whip-outcome
func refusePickUp(at *play.At) error {
	s, c, item := at.State, at.Actor, at.Item()
	const rule = cite.FumbleTable
	lies := c.Items[item]
	if lies.GetPlace() != body.PlaceDropped {
		return body.Refuse("NOT_DROPPED", rule, "%s has dropped no %q", c.Name, item)
	}
	by := s.Creatures[lies.At]
	switch {
	case by != nil && by.Side != c.Side && Able(s, by):
		return body.Refuse("GUARDED", cite.ActionWhipOutcome, "%s lies at the feet of %s", item, by.Name)
	case c.Counters[body.CMoved] > 0:
		return body.Refuse("NO_MOVEMENT", rule, "%s has moved this round", c.Name)
	case lies.Position != nil && c.Position != nil && body.FeetBetween(c.Position, lies.Position) > body.MeleeFeet:
		return body.Refuse("TOO_FAR", rule, "%s lies too far away", item)
	}
	return nil
}

func doPickUp(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: take.Item}, cite.FumbleTable)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: take.Item, Place: body.PlaceHand, Values: c.Items[take.Item].Values, Cause: "picked up"}, cite.FumbleTable)
	r.Set(c.Id, body.CMoved, int64(max(1, FullMove(r.State(), c))), "picked up", cite.FumbleTable)
	return nil
}
