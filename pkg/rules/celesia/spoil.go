package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of maneuvers against what a foe has, and against its senses.
const (
	ruleSunder   = cite.ManeuverSunder
	ruleSteal    = cite.ManeuverSteal
	ruleFastened = cite.ManeuverStealFastened
	ruleTrick    = cite.ManeuverDirtyTrick
	ruleUntrick  = cite.ManeuverDirtyTrickRemove
)

// Decisions of these maneuvers.
const (
	decThing   = "which-thing"
	decDestroy = "sunder-destroy"
	decTrick   = "dirty-trick"
	decUntrick = "dirty-trick-remove"
)

// tricks are the conditions that a dirty trick can bring.
var tricks = []string{condBlind, "dazzled", "deafened", "entangled", condShaken, condSickened}

// spoilActions break, take and trick.
func spoilActions() []*action {
	return []*action{
		{id: "sunder", title: "Sunder", rule: ruleSunder, acts: 1, trigger: "maneuver", targeted: true, items: meleeNames,
			parameters: thingParameter, refuse: refuseSunder, check: checkThing(breakable, ruleSunder), do: doSunder},
		{id: "steal", title: "Steal", rule: ruleSteal, acts: 2, trigger: "maneuver", targeted: true,
			parameters: thingParameter, refuse: refuseSteal, check: checkThing(stealable, ruleSteal), do: doSteal},
		{id: "dirty-trick", title: "Dirty trick", rule: ruleTrick, acts: 2, trigger: "maneuver", targeted: true, refuse: refuseTrick, do: doTrick},
		{id: "remove-trick", title: "Undo a dirty trick", rule: ruleUntrick, acts: 1, targeted: true, self: true, refuse: refuseUntrick, do: doUntrick},
	}
}

func thingParameter(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{{Name: "thing", Type: "string", Text: "what of the foe's it is about; asked before the check when not given"}}
}

// breakable lists what of a foe's can be sundered: held or worn in sight, and
// with hit points of its own.
func breakable(t *eventv1.Creature) []string {
	var out []string
	for _, name := range rules.SortedKeys(t.GetItems()) {
		it := t.Items[name]
		if seen := inHand(it.Place) || it.Place == placeCarried || it.Place == placeWorn; seen && it.Values[valueHP] > 0 {
			out = append(out, name)
		}
	}
	return out
}

// stealable lists what can be taken from a foe: carried in sight. What it holds
// is a matter of disarming (a reading).
//
// celesia.maneuver.steal-fastened
func stealable(t *eventv1.Creature) []string {
	var out []string
	for _, name := range openly(t) {
		if t.Items[name].Place == placeCarried {
			out = append(out, name)
		}
	}
	return out
}

// checkThing judges the thing that is named.
func checkThing(list func(*eventv1.Creature) []string, rule string) func(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(s *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
		t, name := s.Creatures[target(take)], spoken.Word(take.Parameters, "thing")
		switch {
		case name == "" || t == nil || slices.Contains(list(t), name):
			return nil
		case t.Items[name].GetPlace() == placeWorn && rule == ruleSteal:
			return refuse("WORN", ruleFastened, "%s is securely worn", name)
		case t.Items[name] != nil && t.Items[name].Place != placeGone:
			return refuse("NOT_THERE", rule, "%s cannot be had so", name)
		}
		return nameless("take.parameters.thing", "thing", t.Name, name, list(t))
	}
}

// chosenThing is the thing named; asked of the attacker when there are several.
func chosenThing(r *rules.Resolution, c, t *eventv1.Creature, take *eventv1.TakeAction, things []string, rule string) string {
	if name := spoken.Word(take.Parameters, "thing"); name != "" {
		return name
	}
	if len(things) == 1 {
		return things[0]
	}
	d := &eventv1.Decision{Name: decThing, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: take.Action,
		Question: "Which thing of " + t.Name + "?", DefaultOption: things[0], Rule: rule}
	for _, n := range things {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: n, Text: n})
	}
	return r.Ask("thing", d).Option
}

// refuseSunder: with a melee weapon in reach, against something that can break.
func refuseSunder(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if w := weaponOf(c, take.Item); w == nil || ranged(w) {
		return nameless("take.item", "melee weapon", c.GetName(), take.Item, meleeNames(s, c))
	}
	if err := refuseManeuver(s, c, take, ruleSunder); err != nil {
		return err
	}
	if t := s.Creatures[target(take)]; t != nil && len(breakable(t)) == 0 {
		return refuse("NOTHING_TO_BREAK", ruleSunder, "%s has nothing in sight that could be broken", t.Name)
	}
	return nil
}

// thingNumbers are hardness and full hit points of a weapon or thing.
func thingNumbers(t *eventv1.Creature, name string) (hardness, hitPoints int32) {
	if w := weaponOf(t, name); w != nil {
		return w.Hardness, w.HitPoints
	}
	th := thingOf(t, name)
	return th.GetHardness(), th.GetHitPoints()
}

// doSunder damages a thing; at half its hit points or fewer it is broken, at 0
// the attacker destroys it or leaves it with 1.
//
// celesia.maneuver.sunder, celesia.maneuver.sunder-destroy
func doSunder(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(target(take))
	name := chosenThing(r, c, t, take, breakable(t), ruleSunder)
	if !rollManeuverCheck(r, "sunder", "sunder", c, t, maneuverDefense(t, false), take, ruleSunder).Success() {
		return nil
	}
	hardness, full := thingNumbers(t, name)
	left := t.Items[name].Values[valueHP]
	dealt := plainDamage(r, c, weaponOf(c, take.Item), "sunder")
	left -= max(0, dealt-hardness)
	if left <= 0 {
		d := &eventv1.Decision{Name: decDestroy, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "sunder",
			Question: "Destroy " + name + ", or leave it with 1 hit point?", DefaultOption: "destroy", Rule: cite.ManeuverSunderDestroy,
			Options: []*eventv1.DecisionOption{{Id: "destroy", Text: "Destroy it"}, {Id: "spare", Text: "Leave it with 1 hit point"}}}
		left = 1
		if r.Ask("sunder", d).Option == "destroy" {
			r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: t.Id, Item: name, Place: placeGone, Values: map[string]int32{valueHP: 0, valueBroken: 1},
				Cause: "destroyed"}, cite.ManeuverSunderDestroy)
			return nil
		}
	}
	all := map[string]int32{}
	for k, v := range t.Items[name].Values { // order-free: a map is copied into a map
		all[k] = v
	}
	all[valueHP] = left
	if 2*left <= full {
		all[valueBroken] = 1
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: t.Id, Item: name, Place: t.Items[name].Place, Values: all, Cause: "sundered"}, ruleSunder)
	return nil
}

// plainDamage rolls the normal damage of a weapon, without degrees or critical
// hit, and adds up all of it.
func plainDamage(r *rules.Resolution, c *eventv1.Creature, w *eventv1.CelesiaWeapon, label string) int32 {
	sum := r.Roll(rules.RollSpec{Label: label + "/damage", Creature: c.Id, Expression: weaponDice(c, w).times(1), Reason: "damage of " + w.Name,
		Modifiers: damageModifiers(c, w), Rules: []string{ruleSunder}}).Total
	sum = max(0, sum)
	for _, x := range w.Extra {
		sum += r.Roll(rules.RollSpec{Label: label + "/damage/quality", Creature: c.Id, Expression: x.Dice, Reason: "quality damage", Rules: []string{ruleSunder}}).Total
	}
	return sum
}

// refuseSteal: with a free hand, in natural reach, from one that carries something.
//
// celesia.maneuver.steal
func refuseSteal(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	take = &eventv1.TakeAction{Creature: take.Creature, Targets: take.Targets, Facts: take.Facts} // the reach of weapons does not count
	if err := refuseManeuver(s, c, take, ruleSteal); err != nil {
		return err
	}
	if freeHands(c) < 1 {
		return refuse("NO_FREE_HAND", ruleSteal, "%s has no free hand", c.Name)
	}
	if t := s.Creatures[target(take)]; t != nil && len(stealable(t)) == 0 {
		return refuse("NOTHING_TO_STEAL", ruleSteal, "%s carries nothing in sight", t.Name)
	}
	return nil
}

// doSteal takes the thing named; fastened things are harder to take, by what the
// sheet or the game master says, 5 at least.
//
// celesia.maneuver.steal, celesia.maneuver.steal-fastened
func doSteal(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(target(take))
	name := chosenThing(r, c, t, take, stealable(t), ruleSteal)
	cmd := maneuverDefense(t, false)
	fast := thingOf(t, name).GetFastened()
	if w := weaponOf(t, name); w != nil {
		fast = w.Fastened
	}
	if n, ok := spoken.Number(take.Facts, "fastened"); ok {
		fast = n
	}
	if fast > 0 {
		cmd.Value += fast
		cmd.Modifiers = append(cmd.Modifiers, mod(fast, "fastened", ruleFastened))
	}
	if !rollManeuverCheck(r, "steal", "steal", c, t, cmd, take, ruleSteal).Success() {
		return nil
	}
	numbers := values(t, name)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: t.Id, Item: name, Place: placeGone, Values: numbers, Cause: "stolen by " + c.Name}, ruleSteal)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: name, Place: drawnPlace(c, name, false), Values: numbers, Cause: "stolen from " + t.Name}, ruleSteal)
	return nil
}

func refuseTrick(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	return refuseManeuver(s, c, take, ruleTrick)
}

// doTrick brings one of six conditions of the attacker's choice, for a round and
// one more for each 5 of margin; a round ends as the attacker's turn begins (a
// reading).
//
// celesia.maneuver.dirty-trick
func doTrick(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(target(take))
	cmd := maneuverDefense(t, false)
	rolled := rollManeuverCheck(r, "dirty-trick", "dirty-trick", c, t, cmd, take, ruleTrick)
	if !rolled.Success() {
		return nil
	}
	d := &eventv1.Decision{Name: decTrick, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "dirty trick",
		Question: "What does the trick do to " + t.Name + "?", DefaultOption: tricks[0], Rule: ruleTrick}
	for _, n := range tricks {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: n, Text: n})
	}
	until := untilStart(c.Id)
	until.Turns = 1 + degree(rolled.Total-cmd.Value, 5)
	r.AddCondition(t.Id, &eventv1.Condition{Name: r.Ask("dirty-trick", d).Option, Source: c.Id, Cause: "dirty trick", Until: until, Rule: ruleTrick})
	return nil
}

// tricked lists the conditions that dirty tricks put on a creature.
func tricked(c *eventv1.Creature) []*eventv1.Condition {
	var out []*eventv1.Condition
	for _, x := range c.GetConditions() {
		if x.Rule == ruleTrick {
			out = append(out, x)
		}
	}
	return out
}

// refuseUntrick: the victim itself, or an ally beside it.
//
// celesia.maneuver.dirty-trick-remove
func refuseUntrick(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[target(take)]
	if t == nil {
		return nil
	}
	if len(tricked(t)) == 0 {
		return refuse("NO_TRICK", ruleUntrick, "no dirty trick was played on %s", t.Name)
	}
	if t.Id == c.Id {
		return nil
	}
	if t.Side != c.Side {
		return refuse("NO_ALLY", ruleUntrick, "%s is no ally", t.Name)
	}
	if feet, known := apart(take, c, t); known && feet > 5 {
		return outOfReach(ruleUntrick, t, feet)
	}
	return nil
}

func doUntrick(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	all := tricked(r.Creature(target(take)))
	gone := all[0]
	if len(all) > 1 {
		d := &eventv1.Decision{Name: decUntrick, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "undoing a dirty trick",
			Question: "Which one?", DefaultOption: all[0].Id, Rule: ruleUntrick}
		for _, x := range all {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: x.Id, Text: x.Name})
		}
		id := r.Ask("untrick", d).Option
		gone = all[slices.IndexFunc(all, func(x *eventv1.Condition) bool { return x.Id == id })]
	}
	r.RemoveCondition(target(take), gone, "undone", ruleUntrick)
	return nil
}
