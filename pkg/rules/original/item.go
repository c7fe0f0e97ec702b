package original

import (
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// layOut puts the weapons of a sheet where all can see them: which there are,
// how many hands they take and whether they are for melee is plain.
func layOut(r *rules.Resolution, id string) {
	c := r.Creature(id)
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
			place = "main"
		}
		if have == nil || !proto.Equal(&eventv1.ItemState{Place: place, Values: values}, have) {
			r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: place, Values: values, Cause: "sheet"})
		}
	}
}

// itemInHand is the weapon that a creature is seen to fight with in melee and
// the hands it takes; empty when there is none.
func itemInHand(c *eventv1.Creature) (name string, hands int32) {
	first := int32(0)
	for _, item := range rules.SortedKeys(c.GetItems()) {
		x := c.Items[item]
		if x.Place == "main" && x.Values["melee"] == 1 && (first == 0 || x.Values["order"] < first) {
			name, hands, first = item, x.Values["hands"], x.Values["order"]
		}
	}
	return name, hands
}

// itemsHeld are the weapons that a creature is seen to hold.
func itemsHeld(c *eventv1.Creature) []string {
	var list []string
	for _, item := range rules.SortedKeys(c.GetItems()) {
		if c.Items[item].Place == "main" {
			list = append(list, item)
		}
	}
	return list
}

// drop takes a weapon out of a creature's hand; it lies at somebody's feet.
func drop(r *rules.Resolution, id, item, at, cause, rule string) {
	if r.Creature(id).GetItems()[item].GetPlace() == "dropped" {
		return
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: item, Place: "dropped", Values: r.Creature(id).GetItems()[item].GetValues(), Cause: cause}, rule)
	place := at
	if p := r.Creature(at).GetPosition(); p != nil {
		place += "@" + itoa(p.X) + "," + itoa(p.Y) + "," + itoa(p.Z)
	}
	r.Mark(id, mLies+item, place, rule)
}

func pickUpAction() *action {
	return &action{id: "pick-up", title: "Pick up a weapon", do: doPickUp, options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
		var list []*eventv1.Option
		for _, item := range rules.SortedKeys(c.GetItems()) {
			if c.Items[item].Place == "dropped" {
				list = append(list, option(item, pickUpRefused(s, c, item)))
			}
		}
		return list
	}}
}

// pickUpRefused says why a creature cannot pick up its weapon: like getting up
// it takes the movement of the round, and nobody takes it from a foe's feet.
//
// original.fumble.table, original.action.disarm-save, original.action.whip-outcome
func pickUpRefused(s *eventv1.State, c *eventv1.Creature, item string) error {
	const rule = cite.FumbleTable
	if c.Items[item].GetPlace() != "dropped" {
		return refuse("NOT_DROPPED", rule, "%s has dropped no %q%s", c.Name, item, rules.DidYouMean(item, rules.SortedKeys(c.GetItems())))
	}
	id, place, _ := strings.Cut(c.Marks[mLies+item], "@")
	at := s.Creatures[id]
	xyz := append(strings.Split(place, ","), "", "", "")
	switch {
	case at != nil && at.Side != c.Side && able(s, at):
		return refuse("GUARDED", cite.ActionWhipOutcome, "%s lies at the feet of %s", item, at.Name)
	case c.Counters[cMoved] > 0:
		return refuse("NO_MOVEMENT", rule, "%s has moved this round", c.Name)
	case place != "" && c.Position != nil && feetBetween(c.Position, &eventv1.Position{X: atoi(xyz[0]), Y: atoi(xyz[1]), Z: atoi(xyz[2])}) > meleeFeet:
		return refuse("TOO_FAR", rule, "%s lies too far away", item)
	}
	return nil
}

func doPickUp(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := pickUpRefused(r.State(), c, take.Item); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: take.Item}, cite.FumbleTable)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: take.Item, Place: "main", Values: c.Items[take.Item].Values, Cause: "picked up"}, cite.FumbleTable)
	r.Mark(c.Id, mLies+take.Item, "", cite.FumbleTable)
	r.Set(c.Id, cMoved, int64(max(1, fullMove(r.State(), c))), "picked up", cite.FumbleTable)
	return nil
}
