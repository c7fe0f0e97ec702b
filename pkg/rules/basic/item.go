package basic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func itemActions() []*play.Action {
	return []*play.Action{
		{ID: "hold-use-item", Title: "Use a magic item in the hold", Rule: cite.ActionHoldMagicItem, Group: play.GroupItem, Traits: during(wrestlers...), Costs: oneAction,
			Items: of(carried), Refuse: refuseUse, RefuseTarget: refuseItemTarget, Range: magicTargets, Self: true, Do: doUse},
		{ID: "hold-take-item", Title: "Take something from the one held", Rule: cite.ActionHoldTakeItem, Group: play.GroupManeuver, Traits: during(wrestlers...), Costs: oneAction,
			Items: takeable, Refuse: refuseTake, RefuseTarget: refuseTakeFrom, Least: 1, Most: 1, Self: true, Do: doTakeItem},
		{ID: "hold-other", Title: "Do something else in the hold", Rule: cite.ActionHoldOther, Group: play.GroupOther, Traits: during(wrestlers...), Costs: oneAction,
			Refuse: refuseNoHold, Fields: openFields, Check: checkOpen, Do: doOpen},
	}
}

// itemOf finds a thing of a sheet by name; nil when there is none such.
func itemOf(c *eventv1.Creature, name string) *eventv1.BasicItem {
	for _, it := range sheetOf(c).Items {
		if it.Name == name {
			return it
		}
	}
	return nil
}

func carried(c *eventv1.Creature) []string {
	var out []string
	for _, it := range sheetOf(c).Items {
		out = append(out, it.Name)
	}
	return out
}

// refuseNoHold: it takes somebody held.
//
// basic.dice.grapple-check
func refuseNoHold(at *play.At) error {
	s, c := at.State, at.Actor
	if len(holds(s, c)) == 0 {
		return refuse("NOT_HELD", cite.DiceGrappleCheck, "%s holds nobody", c.Name)
	}
	return nil
}

// refuseUse says why a thing cannot be used in a hold.
//
// basic.action.hold-magic-item
func refuseUse(at *play.At) error {
	c, item := at.Actor, at.Item()
	const rule = cite.ActionHoldMagicItem
	if err := refuseNoHold(at); err != nil {
		return err
	}
	switch it := itemOf(c, item); {
	case c.Items[item].GetPlace() != "carried":
		return refuse("NOT_THERE", rule, "%s has no %s any more", c.Name, item)
	case it.Effect == nil:
		return refuse("NO_MAGIC", rule, "%s does nothing", item)
	case it.Effect.Uses > 0 && c.Counters[cLeft+item] < 1:
		return refuse("SPENT", rule, "%s is spent", item)
	}
	return nil
}

func refuseItemTarget(at *play.At, t *eventv1.Creature) error {
	s, c, item, facts := at.State, at.Actor, at.Item(), at.Take.Facts
	const rule = cite.ActionHoldMagicItem
	d, known := gap(s, c, t, facts)
	switch sp := itemOf(c, item).GetEffect(); {
	case dead(t):
		return refuse("NO_TARGET", rule, "%s is dead", t.Name)
	case known && sp.GetRangeFeet() > 0 && d > sp.GetRangeFeet():
		return refuse("OUT_OF_RANGE", rule, "%s is beyond %d feet", t.Name, sp.GetRangeFeet())
	}
	return nil
}

// doUse uses a thing: a simple one such as a ring freely, any other if the game
// master allows it. It is no casting: nothing disturbs it.
//
// basic.action.hold-magic-item
func doUse(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	const rule = cite.ActionHoldMagicItem
	it := itemOf(c, take.Item)
	if !it.Simple || truthStated(take) {
		if ok, err := approved(r, c, take, "uses "+take.Item, rule); !ok {
			return err
		}
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "hold-use-item", Targets: take.Targets, Item: take.Item}, rule)
	spend(r, c.Id, "hold-use-item", rule)
	if it.Effect.Uses > 0 {
		r.Set(c.Id, cLeft+take.Item, r.Count(c.Id, cLeft+take.Item)-1, "used", rule)
	}
	for _, h := range magic(r, c.Id, take.Item, it.Effect, take.Targets, rule) {
		h.do(r, false)
	}
	return nil
}

// holds lists whom a creature holds.
func holds(s *eventv1.State, c *eventv1.Creature) []*eventv1.Creature {
	var out []*eventv1.Creature
	for _, id := range living(s) {
		if heldBy(s.Creatures[id], c.Id) != nil {
			out = append(out, s.Creatures[id])
		}
	}
	return out
}

// belongings lists what can be taken from a creature: all that it holds or carries.
func belongings(c *eventv1.Creature) []string {
	var out []string
	for _, name := range rules.SortedKeys(c.Items) {
		if slices.Contains([]string{"main", "off", "both", "stowed", "carried"}, c.Items[name].Place) {
			out = append(out, name)
		}
	}
	return out
}

// takeable lists what can be taken from those held; of whom nothing can be taken,
// nothing in particular.
func takeable(at *play.At) []string {
	var out []string
	for _, t := range holds(at.State, at.Actor) {
		out = append(out, belongings(t)...)
	}
	if len(out) == 0 {
		return []string{""}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func refuseTake(at *play.At) error {
	s, c, item := at.State, at.Actor, at.Item()
	if err := refuseNoHold(at); err != nil {
		return err
	}
	if item == "" {
		return refuse("NOTHING", cite.ActionHoldTakeItem, "there is nothing to take")
	}
	return refuseAttacking(s, c)
}

func refuseTakeFrom(at *play.At, t *eventv1.Creature) error {
	item := at.Item()
	if err := refuseNotHeld(at, t); err != nil {
		return err
	}
	if !slices.Contains(belongings(t), item) {
		return refuse("NOT_THERE", cite.ActionHoldTakeItem, "%s has no %s", t.Name, item)
	}
	return nil
}

// doTakeItem tries to take a thing: an attack roll, reading: against the touch
// armour class, like the grab.
//
// basic.action.hold-take-item
func doTakeItem(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	const rule = cite.ActionHoldTakeItem
	ability := spoken.Word(take.Parameters, "ability")
	b := begin(r, c, take, rule)
	b.weapon, b.touch, b.ability = grab, true, ability
	if !b.strike(r) {
		return nil
	}
	if r.Count("", cTogether) == 0 {
		handOver(r, c.Id, b.target, take.Item)
		return nil
	}
	t := putDown(r, taskTake, c.Id, "take "+take.Item)
	t.Targets, t.Item, t.Rule = take.Targets, take.Item, rule
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: t}, cite.InitiativeTiesSimultaneous)
	return nil
}
