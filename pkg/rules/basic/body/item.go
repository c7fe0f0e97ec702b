package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ItemOf finds a thing of a sheet by name; nil when there is none such.
func ItemOf(c *eventv1.Creature, name string) *eventv1.BasicItem {
	for _, it := range SheetOf(c).Items {
		if it.Name == name {
			return it
		}
	}
	return nil
}

// Carried lists the names of the things on a sheet beside weapons, carried still or
// not.
func Carried(c *eventv1.Creature) []string {
	var out []string
	for _, it := range SheetOf(c).Items {
		out = append(out, it.Name)
	}
	return out
}

// RefuseNoHold: it takes somebody held.
//
// basic.dice.grapple-check
func RefuseNoHold(at *play.At) error {
	s, c := at.State, at.Actor
	if len(holds(s, c)) == 0 {
		return Refuse("NOT_HELD", cite.DiceGrappleCheck, "%s holds nobody", c.Name)
	}
	return nil
}

// RefuseUse says why a thing cannot be used in a hold.
//
// basic.action.hold-magic-item
func RefuseUse(at *play.At) error {
	c, item := at.Actor, at.Item()
	const rule = cite.ActionHoldMagicItem
	if err := RefuseNoHold(at); err != nil {
		return err
	}
	switch it := ItemOf(c, item); {
	case c.Items[item].GetPlace() != "carried":
		return Refuse("NOT_THERE", rule, "%s has no %s any more", c.Name, item)
	case it.Effect == nil:
		return Refuse("NO_MAGIC", rule, "%s does nothing", item)
	case it.Effect.Uses > 0 && c.Counters[CLeft+item] < 1:
		return Refuse("SPENT", rule, "%s is spent", item)
	}
	return nil
}

// RefuseItemTarget says why a magic item cannot be used on a target: it is dead, or
// known to be beyond the range of the effect.
func RefuseItemTarget(at *play.At, t *eventv1.Creature) error {
	s, c, item, facts := at.State, at.Actor, at.Item(), at.Take.Facts
	const rule = cite.ActionHoldMagicItem
	d, _ := Gap(s, c, t, facts)
	switch sp := ItemOf(c, item).GetEffect(); {
	case Dead(t):
		return Refuse("NO_TARGET", rule, "%s is dead", t.Name)
	case sp.GetRangeFeet() > 0 && d > sp.GetRangeFeet():
		return Refuse("OUT_OF_RANGE", rule, "%s is beyond %d feet", t.Name, sp.GetRangeFeet())
	}
	return nil
}

// holds lists whom a creature holds.
func holds(s *eventv1.State, c *eventv1.Creature) []*eventv1.Creature {
	var out []*eventv1.Creature
	for _, id := range Living(s) {
		if HeldBy(s.Creatures[id], c.Id) != nil {
			out = append(out, s.Creatures[id])
		}
	}
	return out
}

// Belongings lists what can be taken from a creature: all that it holds or carries.
func Belongings(c *eventv1.Creature) []string {
	var out []string
	for _, name := range rules.SortedKeys(c.Items) {
		if slices.Contains([]string{"main", "off", "both", "stowed", "carried"}, c.Items[name].Place) {
			out = append(out, name)
		}
	}
	return out
}

// Takeable lists what can be taken from those held; of whom nothing can be taken,
// nothing in particular.
func Takeable(at *play.At) []string {
	var out []string
	for _, t := range holds(at.State, at.Actor) {
		out = append(out, Belongings(t)...)
	}
	if len(out) == 0 {
		return []string{""}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// RefuseTake says why the actor takes nothing: it holds nobody, names no item, or may
// not attack.
func RefuseTake(at *play.At) error {
	s, c, item := at.State, at.Actor, at.Item()
	if err := RefuseNoHold(at); err != nil {
		return err
	}
	if item == "" {
		return Refuse("NOTHING", cite.ActionHoldTakeItem, "there is nothing to take")
	}
	return RefuseAttacking(s, c)
}

// RefuseTakeFrom says why the item cannot be taken from a target: it is not held, or
// has no such item.
func RefuseTakeFrom(at *play.At, t *eventv1.Creature) error {
	item := at.Item()
	if err := RefuseNotHeld(at, t); err != nil {
		return err
	}
	if !slices.Contains(Belongings(t), item) {
		return Refuse("NOT_THERE", cite.ActionHoldTakeItem, "%s has no %s", t.Name, item)
	}
	return nil
}
