package basic

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func itemActions() []*action {
	return []*action{
		{id: "hold-use-item", title: "Use a magic item in the hold", rule: cite.ActionHoldMagicItem, kinds: wrestlers, costs: true,
			items: carried, refuse: refuseUse, refuseTarget: refuseItemTarget, least: 0, most: -1, do: doUse},
		{id: "hold-take-item", title: "Take something from the one held", rule: cite.ActionHoldTakeItem, kinds: wrestlers, costs: true,
			items: takeable, refuse: refuseTake, refuseTarget: refuseTakeFrom, least: 1, most: 1, parameters: takeParameters, do: doTakeItem},
		{id: "hold-other", title: "Do something else in the hold", rule: cite.ActionHoldOther, kinds: wrestlers, costs: true,
			refuse: refuseNoHold, parameters: openParameters, do: doOpen},
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

func carried(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, it := range sheetOf(c).Items {
		out = append(out, it.Name)
	}
	return out
}

// refuseNoHold: it takes somebody held.
//
// basic.dice.grapple-check
func refuseNoHold(s *eventv1.State, c *eventv1.Creature, _ string) error {
	if len(holds(s, c)) == 0 {
		return refuse("NOT_HELD", cite.DiceGrappleCheck, "%s holds nobody", c.Name)
	}
	return nil
}

// refuseUse says why a thing cannot be used in a hold.
//
// basic.action.hold-magic-item
func refuseUse(s *eventv1.State, c *eventv1.Creature, item string) error {
	const rule = cite.ActionHoldMagicItem
	if err := refuseNoHold(s, c, item); err != nil {
		return err
	}
	switch it := itemOf(c, item); {
	case c.Items[item].GetPlace() != "carried":
		return refuse("NOT_THERE", rule, "%s has no %s any more", c.Name, item)
	case it.Effect == nil:
		return refuse("NO_MAGIC", rule, "%s does nothing", item)
	case it.Effect.Uses > 0 && c.Counters[cItem+item] < 1:
		return refuse("SPENT", rule, "%s is spent", item)
	}
	return nil
}

func refuseItemTarget(s *eventv1.State, c *eventv1.Creature, item string, t *eventv1.Creature, facts *structpb.Struct) error {
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
func doUse(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
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
		r.Set(c.Id, cItem+take.Item, r.Count(c.Id, cItem+take.Item)-1, "used", rule)
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
func takeable(s *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, t := range holds(s, c) {
		out = append(out, belongings(t)...)
	}
	if len(out) == 0 {
		return []string{""}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func refuseTake(s *eventv1.State, c *eventv1.Creature, item string) error {
	if err := refuseNoHold(s, c, item); err != nil {
		return err
	}
	if item == "" {
		return refuse("NOTHING", cite.ActionHoldTakeItem, "there is nothing to take")
	}
	return refuseAttacking(s, c)
}

func refuseTakeFrom(s *eventv1.State, c *eventv1.Creature, item string, t *eventv1.Creature, facts *structpb.Struct) error {
	if err := refuseNotHeld(s, c, item, t, facts); err != nil {
		return err
	}
	if !slices.Contains(belongings(t), item) {
		return refuse("NOT_THERE", cite.ActionHoldTakeItem, "%s has no %s", t.Name, item)
	}
	return nil
}

func takeParameters(*eventv1.State, *eventv1.Creature, string) []*eventv1.Parameter {
	p := &eventv1.Parameter{Name: "ability", Type: "string", Text: "Ability of the attack roll; strength if nothing is said"}
	for _, a := range abilityItems(nil, nil) {
		p.Values = append(p.Values, structpb.NewStringValue(a))
	}
	return []*eventv1.Parameter{p}
}

// doTakeItem tries to take a thing: an attack roll, reading: against the touch
// armour class, like the grab.
//
// basic.action.hold-take-item
func doTakeItem(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
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
	t := putDown(r, taskTake, c.Id, take.Item)
	t.Modifiers = []*eventv1.Modifier{{Source: b.target}}
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: t}, cite.InitiativeTiesSimultaneous)
	return nil
}
