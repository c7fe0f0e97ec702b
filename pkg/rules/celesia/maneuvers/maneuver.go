package maneuvers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// refuseManeuver says why a maneuver cannot reach a target: with the weapon
// named, else with bare limbs.
func refuseManeuver(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, rule string) error {
	t := s.Creatures[body.Target(take)]
	if body.Has(c, body.CondPinned) {
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned and can only try to escape", c.Name)
	}
	near, far := int32(0), body.NaturalReach(c)
	if take.Item != "" {
		w := body.WeaponOf(c, take.Item)
		if w == nil {
			return body.Nameless("take.item", "weapon", c.GetName(), take.Item, manners.WeaponNames(s, c))
		}
		if err := strike.RefuseWeapon(c, w, nil); err != nil {
			return err
		}
		if body.Ranged(w) {
			return fault.Field("take.item", "a maneuver needs a melee weapon")
		}
		near, far = body.Span(c, w)
	}
	if t == nil {
		return nil
	}
	if feet, known := body.Apart(take, c, t); known && (feet < near || feet > far) {
		return body.OutOfReach(rule, t, feet)
	}
	return nil
}

// RefuseTrip: at most one size larger, and standing.
//
// celesia.maneuver.size-limit
func RefuseTrip(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseManeuver(s, c, take, cite.ManeuverTrip); err != nil {
		return err
	}
	t := s.Creatures[body.Target(take)]
	if err := answers.TooLarge(c, t); t == nil || err != nil {
		return err
	}
	if body.Has(t, body.CondProne) {
		return body.Refuse("PRONE", cite.ManeuverTrip, "%s is prone already", t.Name)
	}
	return nil
}

// RefuseDisarm: the target must hold or carry something in sight. What it carries
// unseen or securely worn is not to be had this way (a reading).
func RefuseDisarm(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseManeuver(s, c, take, cite.ManeuverDisarm); err != nil {
		return err
	}
	if t := s.Creatures[body.Target(take)]; t != nil && len(body.Openly(t)) == 0 {
		return body.Refuse("EMPTY_HANDS", cite.ManeuverDisarm, "%s holds and carries nothing in sight", t.Name)
	}
	return nil
}

// DoDisarm makes the target drop one thing of the attacker's choice, two with a
// margin of 10; a failure by 10 costs the attacker's own weapon.
//
// celesia.maneuver.disarm, celesia.maneuver.disarm-fumble
func DoDisarm(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(body.Target(take))
	rolled := strike.RollManeuverCheck(r, "disarm", "disarm", c, t, checks.ManeuverDefense(t, false), take, cite.ManeuverDisarm)
	if !rolled.Success() {
		if w := body.WeaponOf(c, take.Item); rolled.Degree <= -1 && w != nil && !body.Bodyless(w) {
			body.DropThing(r, c.Id, take.Item, "disarm failed badly", cite.ManeuverDisarmFumble)
		}
		return nil
	}
	for n := int32(0); n <= min(1, rolled.Degree); n++ {
		things := body.Openly(r.Creature(t.Id))
		if len(things) == 0 {
			break
		}
		thing := things[0]
		if len(things) > 1 {
			thing = r.Ask("disarm/"+body.Itoa(n), thingDecision(c.Id, t.Name, things)).Option
		}
		body.DropThing(r, t.Id, thing, "disarmed", cite.ManeuverDisarm)
	}
	return nil
}

func thingDecision(id, whose string, things []string) *eventv1.Decision {
	d := &eventv1.Decision{Name: body.DecDisarm, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: "disarm",
		Question: "What does " + whose + " drop?", DefaultOption: things[0], Rule: cite.ManeuverDisarm}
	for _, n := range things {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: n, Text: n})
	}
	return d
}
