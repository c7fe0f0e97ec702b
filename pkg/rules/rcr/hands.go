package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Triggers of opportunity attacks of hands at work.
const (
	onStow     trigger = "stows a weapon"
	onInteract trigger = "has the hands busy with an object"
	onReload   trigger = "reloads"
)

// held tells whether a thing is in a hand.
func held(c *eventv1.Creature, item string) bool {
	return slices.Contains([]string{"main", "off", "both"}, c.GetItems()[item].GetPlace())
}

// interactionCost is the counter that an object interaction spends: the free
// one of the turn, else the action.
//
// rcr.surprise.one-action
func interactionCost(c *eventv1.Creature) (counter string, err error) {
	if c.Counters[cInteraction] > 0 {
		return cInteraction, nil
	}
	return cAction, needAction(c)
}

// busy carries out an act of the hands: it is paid, the enemies get their
// window, and it takes effect if its doer still can.
//
// rcr.base.opportunity-frame
func busy(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, cost string, why trigger, rule string, effect func()) error {
	stated := statedIDs(take.Facts, "threatened_by")
	if cost != "" {
		spend(r, c.Id, cost, take.Action)
	}
	notes := statedNotes(take)
	if what := spoken.Word(take.Parameters, "object"); what != "" {
		notes = append(notes, what)
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: take.Item, Notes: notes})
	if rule != "" {
		offerOpportunity(r, c.Id, why, rule, threateners(r.State(), c.Id, stated), take)
		if incapacitated(r.Creature(c.Id)) {
			r.Note(event.Everyone(), c.Id, take.Action+": it does not come to that", cite.BaseOpportunityFrame)
			return nil
		}
	}
	effect()
	return nil
}

// moveItem puts a thing somewhere else. What is put away only its owner knows
// of; that it left the hand all see.
func moveItem(r *rules.Resolution, c *eventv1.Creature, item, place, cause string) {
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: item, Place: place, Values: r.Creature(c.Id).Items[item].GetValues(), Cause: cause})
}

// handsTaken counts the hands that are full: by weapons (one in both hands can
// be held with one for a while), by a full shield, by those held in a grapple.
func handsTaken(s *eventv1.State, c *eventv1.Creature) int {
	main, off, n := false, sheetOf(c).Shield == eventv1.RcrSheet_SHIELD_SHIELD, 0
	// order-free: hands are only ever filled
	for _, it := range c.GetItems() {
		main = main || it.Place == "main" || it.Place == "both"
		off = off || it.Place == "off"
	}
	for _, full := range []bool{main, off} {
		if full {
			n++
		}
	}
	for _, id := range grappling(s, c) {
		if grappledBy(s.Creatures[id], c.Id).Cause == "grapple" {
			n++
		}
	}
	return n
}

// freeHand finds the place for a weapon: both hands, or the one wanted, or the
// first that is free; empty when there is none. A full shield takes the off hand.
func freeHand(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack, wanted string) string {
	main, off := true, sheetOf(c).Shield != eventv1.RcrSheet_SHIELD_SHIELD
	// order-free: hands are only ever taken
	for _, it := range c.Items {
		main = main && it.Place != "main" && it.Place != "both"
		off = off && it.Place != "off" && it.Place != "both"
	}
	taken := handsTaken(s, c)
	switch {
	case taken > 1:
	case property(a, "two-handed"):
		if main && off && taken == 0 {
			return "both"
		}
	case main && wanted != "off":
		return "main"
	case off && wanted != "main":
		return "off"
	}
	return ""
}

// freeHands are the hands that could take a one-handed weapon.
func freeHands(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) []string {
	return slices.DeleteFunc([]string{"main", "off"}, func(hand string) bool { return freeHand(s, c, a, hand) != hand })
}

// refuseDraw says why a weapon cannot be taken in hand. Bound hands wield only
// what has the property one-handed or versatile.
//
// rcr.condition.shackled-weapons
func refuseDraw(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack, hand string) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case held(c, a.Name):
		return refuse("IN_HAND", frame, "%s is in hand", a.Name)
	case c.Items[a.Name].Place == "gone":
		return refuse("GONE", frame, "%s is gone", a.Name)
	case has(c, condShackled) && !property(a, "one-handed") && !property(a, "versatile"):
		return refuse("SHACKLED", cite.ConditionShackledWeapons, "bound hands cannot wield %s", a.Name)
	case freeHand(s, c, a, hand) == "":
		return refuse("NO_FREE_HAND", frame, "there is no hand free for %s", a.Name)
	}
	_, err := interactionCost(c)
	return err
}

// refuseEmpty says that a weapon is not in hand.
func refuseEmpty(c *eventv1.Creature, item string) error {
	if !held(c, item) {
		return refuse("NOT_IN_HAND", cite.BaseFifthEditionFallback, "%s is not in hand", item)
	}
	return nil
}

func refuseStow(c *eventv1.Creature, item string) error {
	if err := refuseEmpty(c, item); err != nil {
		return err
	}
	_, err := interactionCost(c)
	return err
}

func busyWithObject(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, cost string) error {
	what := spoken.Word(take.Parameters, "object")
	if what == "" {
		what = "an object"
	}
	return busy(r, c, take, cost, onInteract, cite.OpportunityObjectInteraction, func() {
		r.Note(event.Everyone(), c.Id, "done: "+what, cite.OpportunityObjectInteraction)
	})
}

// reloadCost is what a reload costs: nothing when it is free, an interaction
// otherwise (a reading: the property's own text is in another supplement), the
// action with bound hands, free or not.
//
// rcr.condition.shackled-reload
func reloadCost(c *eventv1.Creature, a *eventv1.RcrAttack) (counter string, err error) {
	switch {
	case has(c, condShackled):
		if err := needAction(c); err != nil {
			return cAction, refuse("NO_ACTION", cite.ConditionShackledReload, "bound hands need an action to reload")
		}
		return cAction, nil
	case a.ReloadFree:
		return "", nil
	}
	return interactionCost(c)
}

func refuseReload(c *eventv1.Creature, a *eventv1.RcrAttack) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case !property(a, "reload"):
		return refuse("NO_RELOAD", frame, "%s needs no reloading", a.Name)
	case !held(c, a.Name):
		return refuse("NOT_IN_HAND", frame, "%s is not in hand", a.Name)
	case c.Items[a.Name].Values["loaded"] > 0:
		return refuse("LOADED", frame, "%s is loaded", a.Name)
	}
	_, err := reloadCost(c, a)
	return err
}
