package body

import (
	"maps"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// LayOut puts spells at hand, and the weapons of a sheet where all can see them: which there are,
// how many hands they take and whether they are for melee is plain.
func LayOut(r *rules.Resolution, id string) {
	c := r.Creature(id)
	for _, p := range SheetOf(c).Spells {
		if _, known := c.Counters[CLeft+p.Name]; !known && p.Prepared > 0 {
			r.Set(id, CLeft+p.Name, int64(p.Prepared), "sheet", cite.SpellMiscastTable)
		}
	}
	for i, w := range SheetOf(c).Weapons {
		if Natural(w) {
			continue
		}
		values := map[string]int32{"order": int32(i + 1), "hands": max(1, w.Hands), "melee": 1}
		if Missile(w) {
			values["melee"] = 0
		}
		have := c.GetItems()[w.Name]
		place := have.GetPlace()
		if place == "" {
			place = PlaceHand
		}
		if have.GetPlace() == "" || !maps.Equal(values, have.Values) {
			r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: place, Values: values, Cause: "sheet", At: have.GetAt(), Position: have.GetPosition()})
		}
	}
}

// ItemInHand is the weapon that a creature is seen to fight with in melee and
// the hands it takes; empty when there is none.
func ItemInHand(c *eventv1.Creature) (name string, hands int32) {
	first := int32(0)
	for _, item := range rules.SortedKeys(c.GetItems()) {
		x := c.Items[item]
		if x.Place == PlaceHand && x.Values["melee"] == 1 && (first == 0 || x.Values["order"] < first) {
			name, hands, first = item, x.Values["hands"], x.Values["order"]
		}
	}
	return name, hands
}

// ItemsHeld are the weapons that a creature is seen to hold.
func ItemsHeld(c *eventv1.Creature) []string {
	var list []string
	for _, item := range rules.SortedKeys(c.GetItems()) {
		if c.Items[item].Place == PlaceHand {
			list = append(list, item)
		}
	}
	return list
}

// Drop takes a weapon out of a creature's hand; it lies at somebody's feet.
func Drop(r *rules.Resolution, id, item, at, cause, rule string) {
	if r.Creature(id).GetItems()[item].GetPlace() == PlaceDropped {
		return
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: item, Place: PlaceDropped, Values: r.Creature(id).GetItems()[item].GetValues(), Cause: cause,
		At: at, Position: r.Creature(at).GetPosition()}, rule)
}

// DroppedItems are the weapons that a creature has dropped.
func DroppedItems(at *play.At) []string {
	var list []string
	for _, item := range rules.SortedKeys(at.Actor.GetItems()) {
		if !at.Listing || at.Actor.Items[item].Place == PlaceDropped {
			list = append(list, item)
		}
	}
	return list
}
