package checks

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Triggers of opportunity attacks of hands at work.
const (
	OnStow     Trigger = "stows a weapon"
	OnInteract Trigger = "has the hands busy with an object"
	OnReload   Trigger = "reloads"
)

// Held tells whether a thing is in a hand.
func Held(c *eventv1.Creature, item string) bool {
	return slices.Contains([]string{"main", "off", "both"}, c.GetItems()[item].GetPlace())
}

// InteractionCost is the counter that an object interaction spends: the free
// one of the turn, else the action.
//
// rcr.surprise.one-action
func InteractionCost(c *eventv1.Creature) (counter string, err error) {
	if c.Counters[body.CInteraction] > 0 {
		return body.CInteraction, nil
	}
	return body.CAction, NeedAction(c)
}

// MoveItem puts a thing somewhere else. What is put away only its owner knows
// of; that it left the hand all see.
func MoveItem(r *rules.Resolution, c *eventv1.Creature, item, place, cause string, ruleIDs ...string) {
	LetImprovised(r, c.Id, item) // of what has left the hand by itself
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: item, Place: place, Values: r.Creature(c.Id).Items[item].GetValues(), Cause: cause}, ruleIDs...)
	LetImprovised(r, c.Id, item)
}

// FreeHand finds the place for a weapon: both hands, or the one wanted, or the
// first that is free; empty when there is none. A full shield takes the off hand.
func FreeHand(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack, wanted string) string {
	main, off := true, body.SheetOf(c).Shield != eventv1.RcrSheet_SHIELD_SHIELD
	// order-free: hands are only ever taken
	for _, it := range c.Items {
		main = main && it.Place != "main" && it.Place != "both"
		off = off && it.Place != "off" && it.Place != "both"
	}
	taken := body.HandsTaken(s, c)
	switch {
	case taken > 1:
	case Property(a, "two-handed"):
		if taken == 0 {
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
	return slices.DeleteFunc([]string{"main", "off"}, func(hand string) bool { return FreeHand(s, c, a, hand) != hand })
}

// RefuseDraw says why a weapon cannot be taken in hand. Bound hands wield only
// what has the property one-handed or versatile.
//
// rcr.condition.shackled-weapons
func RefuseDraw(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack, hand string) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case Held(c, a.Name):
		return body.Refuse("IN_HAND", frame, "%s is in hand", a.Name)
	case c.Items[a.Name].Place == "gone":
		return body.Refuse("GONE", frame, "%s is gone", a.Name)
	case body.Has(c, body.CondShackled) && !Property(a, "one-handed") && !Property(a, "versatile"):
		return body.Refuse("SHACKLED", cite.ConditionShackledWeapons, "bound hands cannot wield %s", a.Name)
	case FreeHand(s, c, a, hand) == "":
		return body.Refuse("NO_FREE_HAND", frame, "there is no hand free for %s", a.Name)
	}
	_, err := InteractionCost(c)
	return err
}

// RefuseEmpty says that a weapon is not in hand.
func RefuseEmpty(c *eventv1.Creature, item string) error {
	if !Held(c, item) {
		return body.Refuse("NOT_IN_HAND", cite.BaseFifthEditionFallback, "%s is not in hand", item)
	}
	return nil
}

// RefuseStow says why what is held cannot be put away: it is not in hand, or there
// is no time for it.
func RefuseStow(s *eventv1.State, c *eventv1.Creature, item string) error {
	if err := RefuseEmpty(c, item); err != nil || StowsTwo(s, c, item) {
		return err
	}
	_, err := InteractionCost(c)
	return err
}

// ReloadCost is what a reload costs: nothing when it is free, an interaction
// otherwise (a reading: the property's own text is in another supplement), the
// action with bound hands, free or not.
//
// rcr.condition.shackled-reload
func ReloadCost(c *eventv1.Creature, a *eventv1.RcrAttack) (counter string, err error) {
	switch {
	case body.Has(c, body.CondShackled):
		if err := NeedAction(c); err != nil {
			return body.CAction, body.Refuse("NO_ACTION", cite.ConditionShackledReload, "bound hands need an action to reload")
		}
		return body.CAction, nil
	case a.ReloadFree:
		return "", nil
	}
	return InteractionCost(c)
}

// RefuseReload says why a weapon cannot be reloaded: it needs none, is not in hand,
// is loaded, or there is no time for it.
func RefuseReload(c *eventv1.Creature, a *eventv1.RcrAttack) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case !Property(a, "reload"):
		return body.Refuse("NO_RELOAD", frame, "%s needs no reloading", a.Name)
	case !Held(c, a.Name):
		return body.Refuse("NOT_IN_HAND", frame, "%s is not in hand", a.Name)
	case c.Items[a.Name].Values["loaded"] > 0:
		return body.Refuse("LOADED", frame, "%s is loaded", a.Name)
	}
	_, err := ReloadCost(c, a)
	return err
}

// StowingTwo are the rules by which one interaction puts two one-handed weapons away.
//
// rcr.feat.dual-wielder-stow, rcr.feat.improved-dual-stow
func StowingTwo(s *eventv1.State, c *eventv1.Creature) (by []string) {
	if body.Feat(s, c, body.FeatDualWielder, cite.FeatDualWielderStow) {
		by = append(by, cite.FeatDualWielderStow)
	}
	if body.Feat(s, c, body.FeatImprovedDualWielder, cite.FeatImprovedDualStow) {
		by = append(by, cite.FeatImprovedDualStow)
	}
	return by
}

// StowsWithAnother tells whether another weapon may be put away with that one.
func StowsWithAnother(s *eventv1.State, c *eventv1.Creature, item string) bool {
	a := AttackOf(c, item)
	return Property(a, "one-handed") && len(StowingTwo(s, c)) > 0
}

// StowsTwo tells whether a weapon is the second that one interaction puts away.
func StowsTwo(s *eventv1.State, c *eventv1.Creature, item string) bool {
	return c.GetMarks()[body.MStowed] != "" && StowsWithAnother(s, c, item)
}
