package original

import (
	"maps"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// layOut puts spells at hand, and the weapons of a sheet where all can see them: which there are,
// how many hands they take and whether they are for melee is plain.
func layOut(r *rules.Resolution, id string) {
	c := r.Creature(id)
	for _, p := range sheetOf(c).Spells {
		if _, known := c.Counters[cLeft+p.Name]; !known && p.Prepared > 0 {
			r.Set(id, cLeft+p.Name, int64(p.Prepared), "sheet", cite.SpellMiscastTable)
		}
	}
	for i, w := range sheetOf(c).Weapons {
		if natural(w) {
			continue
		}
		values := map[string]int32{"order": int32(i + 1), "hands": max(1, w.Hands), "melee": 1}
		if missile(w) {
			values["melee"] = 0
		}
		have := c.GetItems()[w.Name]
		place := have.GetPlace()
		if place == "" {
			place = placeHand
		}
		if have == nil || have.Place == "" || !maps.Equal(values, have.Values) {
			r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: place, Values: values, Cause: "sheet", At: have.GetAt(), Position: have.GetPosition()})
		}
	}
}

// itemInHand is the weapon that a creature is seen to fight with in melee and
// the hands it takes; empty when there is none.
func itemInHand(c *eventv1.Creature) (name string, hands int32) {
	first := int32(0)
	for _, item := range rules.SortedKeys(c.GetItems()) {
		x := c.Items[item]
		if x.Place == placeHand && x.Values["melee"] == 1 && (first == 0 || x.Values["order"] < first) {
			name, hands, first = item, x.Values["hands"], x.Values["order"]
		}
	}
	return name, hands
}

// itemsHeld are the weapons that a creature is seen to hold.
func itemsHeld(c *eventv1.Creature) []string {
	var list []string
	for _, item := range rules.SortedKeys(c.GetItems()) {
		if c.Items[item].Place == placeHand {
			list = append(list, item)
		}
	}
	return list
}

// drop takes a weapon out of a creature's hand; it lies at somebody's feet.
func drop(r *rules.Resolution, id, item, at, cause, rule string) {
	if r.Creature(id).GetItems()[item].GetPlace() == placeDropped {
		return
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: item, Place: placeDropped, Values: r.Creature(id).GetItems()[item].GetValues(), Cause: cause,
		At: at, Position: r.Creature(at).GetPosition()}, rule)
}

func pickUpAction() *play.Action {
	return &play.Action{ID: "pick-up", Title: "Pick up a weapon", Rule: cite.FumbleTable, Group: play.GroupItem, Items: droppedItems, Refuse: refusePickUp, Do: deed(doPickUp)}
}

// droppedItems are the weapons that a creature has dropped.
func droppedItems(at *play.At) []string {
	var list []string
	for _, item := range rules.SortedKeys(at.Actor.GetItems()) {
		if !at.Listing || at.Actor.Items[item].Place == placeDropped {
			list = append(list, item)
		}
	}
	return list
}

// refusePickUp says why a creature cannot pick up its weapon: like getting up
// it takes the movement of the round, and nobody takes it from a foe's feet.
//
// original.fumble.table, original.action.disarm-save, original.action.whip-outcome
func refusePickUp(at *play.At) error {
	s, c, item := at.State, at.Actor, at.Item()
	const rule = cite.FumbleTable
	lies := c.Items[item]
	if lies.GetPlace() != placeDropped {
		return refuse("NOT_DROPPED", rule, "%s has dropped no %q", c.Name, item)
	}
	by := s.Creatures[lies.At]
	switch {
	case by != nil && by.Side != c.Side && able(s, by):
		return refuse("GUARDED", cite.ActionWhipOutcome, "%s lies at the feet of %s", item, by.Name)
	case c.Counters[cMoved] > 0:
		return refuse("NO_MOVEMENT", rule, "%s has moved this round", c.Name)
	case lies.Position != nil && c.Position != nil && feetBetween(c.Position, lies.Position) > meleeFeet:
		return refuse("TOO_FAR", rule, "%s lies too far away", item)
	}
	return nil
}

func doPickUp(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: take.Item}, cite.FumbleTable)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: take.Item, Place: placeHand, Values: c.Items[take.Item].Values, Cause: "picked up"}, cite.FumbleTable)
	r.Set(c.Id, cMoved, int64(max(1, fullMove(r.State(), c))), "picked up", cite.FumbleTable)
	return nil
}
