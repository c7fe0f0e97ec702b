package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// maneuverActions are the combat maneuvers besides grappling.
func maneuverActions() []*action {
	return slices.Concat([]*action{
		{id: "trip", title: "Trip", rule: cite.ManeuverTrip, acts: 1, trigger: "maneuver", targeted: true, refuse: refuseTrip, do: doTrip},
		{id: "disarm", title: "Disarm", rule: cite.ManeuverDisarm, acts: 1, trigger: "maneuver", targeted: true, refuse: refuseDisarm, do: doDisarm},
	}, forceActions(), spoilActions(), feintActions())
}

// rollManeuverCheck makes a combat maneuver check against a number.
//
// celesia.maneuver.success, celesia.maneuver.cmb
func rollManeuverCheck(r *rules.Resolution, label, name string, c, t *eventv1.Creature, cmd *eventv1.TargetNumber, take *eventv1.TakeAction, rule string, more ...*eventv1.Modifier) rules.Rolled {
	edges, mods := stated(take.GetCircumstances(), t.GetId())
	edges = append(edgesOf(c, t, rollKind{roll: rollManeuver, name: name}), edges...)
	all := append(nonzero(append([]*eventv1.Modifier{mod(maneuverBonus(c), "CMB", cite.ManeuverCmb)}, more...)...), mods...)
	return d20{label: label, creature: c.Id, reason: name, modifiers: all, edges: edges, target: cmd,
		judge: func(_, total int32) (string, int32) {
			if total >= cmd.Value {
				return "success", degree(total-cmd.Value, 10)
			}
			return "failure", degree(total-cmd.Value, 10)
		}, rules: []string{rule}}.roll(r)
}

// maneuverDefense is CMD; against trips each leg beyond two adds 2.
//
// celesia.maneuver.extra-legs
func maneuverDefense(t *eventv1.Creature, legs bool) *eventv1.TargetNumber {
	n := &eventv1.TargetNumber{Kind: "CMD", Value: sheetOf(t).ManeuverDefense}
	if extra := 2 * (bodyOf(t).Legs - 2); legs && extra > 0 {
		n.Value += extra
		n.Modifiers = append(n.Modifiers, mod(extra, "extra legs", cite.ManeuverExtraLegs))
	}
	return n
}

// refuseManeuver says why a maneuver cannot reach a target: with the weapon
// named, else with bare limbs.
func refuseManeuver(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, rule string) error {
	t := s.Creatures[target(take)]
	if has(c, condPinned) {
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned and can only try to escape", c.Name)
	}
	near, far := int32(0), naturalReach(c)
	if take.Item != "" {
		w := weaponOf(c, take.Item)
		if w == nil {
			return nameless("take.item", "weapon", c.GetName(), take.Item, weaponNames(s, c))
		}
		if err := refuseWeapon(c, w, nil); err != nil {
			return err
		}
		if ranged(w) {
			return fault.Field("take.item", "a maneuver needs a melee weapon")
		}
		near, far = span(c, w)
	}
	if t == nil {
		return nil
	}
	if feet, known := apart(take, c, t); known && (feet < near || feet > far) {
		return outOfReach(rule, t, feet)
	}
	return nil
}

// refuseTrip: at most one size larger, and standing.
//
// celesia.maneuver.size-limit
func refuseTrip(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseManeuver(s, c, take, cite.ManeuverTrip); err != nil {
		return err
	}
	t := s.Creatures[target(take)]
	if err := tooLarge(c, t); t == nil || err != nil {
		return err
	}
	if has(t, condProne) {
		return refuse("PRONE", cite.ManeuverTrip, "%s is prone already", t.Name)
	}
	return nil
}

// doTrip knocks the target prone; a failure by 10 or more the attacker.
//
// celesia.maneuver.trip
func doTrip(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(target(take))
	rolled := rollManeuverCheck(r, "trip", "trip", c, t, maneuverDefense(t, true), take, cite.ManeuverTrip)
	switch {
	case rolled.Success():
		setProne(r, t.Id, "tripped", cite.ManeuverTrip)
		saddle(r, t.Id)
	case rolled.Degree <= -1:
		setProne(r, c.Id, "the trip failed badly", cite.ManeuverTrip)
	}
	return nil
}

func setProne(r *rules.Resolution, id, cause, rule string) {
	if !has(r.Creature(id), condProne) {
		r.AddCondition(id, &eventv1.Condition{Name: condProne, Cause: cause, Rule: rule})
	}
}

// inHands lists the things that a creature holds, as everyone can see.
func inHands(c *eventv1.Creature) []string {
	var out []string
	for _, name := range rules.SortedKeys(c.Items) {
		switch c.Items[name].Place {
		case placeMain, placeOff, placeBoth:
			out = append(out, name)
		}
	}
	return out
}

// refuseDisarm: the target must hold or carry something in sight. What it carries
// unseen or securely worn is not to be had this way (a reading).
func refuseDisarm(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseManeuver(s, c, take, cite.ManeuverDisarm); err != nil {
		return err
	}
	if t := s.Creatures[target(take)]; t != nil && len(openly(t)) == 0 {
		return refuse("EMPTY_HANDS", cite.ManeuverDisarm, "%s holds and carries nothing in sight", t.Name)
	}
	return nil
}

// doDisarm makes the target drop one thing of the attacker's choice, two with a
// margin of 10; a failure by 10 costs the attacker's own weapon.
//
// celesia.maneuver.disarm, celesia.maneuver.disarm-fumble
func doDisarm(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(target(take))
	rolled := rollManeuverCheck(r, "disarm", "disarm", c, t, maneuverDefense(t, false), take, cite.ManeuverDisarm)
	if !rolled.Success() {
		if w := weaponOf(c, take.Item); rolled.Degree <= -1 && w != nil && !bodyless(w) {
			dropThing(r, c.Id, take.Item, "disarm failed badly", cite.ManeuverDisarmFumble)
		}
		return nil
	}
	for n := int32(0); n <= min(1, rolled.Degree); n++ {
		things := openly(r.Creature(t.Id))
		if len(things) == 0 {
			break
		}
		thing := things[0]
		if len(things) > 1 {
			thing = r.Ask("disarm/"+itoa(n), thingDecision(c.Id, t.Name, things)).Option
		}
		dropThing(r, t.Id, thing, "disarmed", cite.ManeuverDisarm)
	}
	return nil
}

func thingDecision(id, whose string, things []string) *eventv1.Decision {
	d := &eventv1.Decision{Name: decDisarm, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: "disarm",
		Question: "What does " + whose + " drop?", DefaultOption: things[0], Rule: cite.ManeuverDisarm}
	for _, n := range things {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: n, Text: n})
	}
	return d
}

// dropThing lays a thing on the ground.
func dropThing(r *rules.Resolution, id, thing, cause, rule string) {
	lay(r, id, thing, r.Creature(id).Position, cause, rule)
}
