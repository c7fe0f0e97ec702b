package gear

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DoSunder damages a thing; at half its hit points or fewer it is broken, at 0
// the attacker destroys it or leaves it with 1.
//
// celesia.maneuver.sunder, celesia.maneuver.sunder-destroy
func DoSunder(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(body.Target(take))
	name := checks.ChosenThing(r, c, t, take, checks.Breakable(t), checks.RuleSunder)
	if !strike.RollManeuverCheck(r, "sunder", "sunder", c, t, checks.ManeuverDefense(t, false), take, checks.RuleSunder).Success() {
		return nil
	}
	hardness, full := checks.ThingNumbers(t, name)
	left := t.Items[name].Values[body.ValueHP]
	dealt := mending.PlainDamage(r, c, body.WeaponOf(c, take.Item), "sunder")
	left -= max(0, dealt-hardness)
	if left <= 0 {
		d := &eventv1.Decision{Name: checks.DecDestroy, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "sunder",
			Question: "Destroy " + name + ", or leave it with 1 hit point?", DefaultOption: "destroy", Rule: cite.ManeuverSunderDestroy,
			Options: []*eventv1.DecisionOption{{Id: "destroy", Text: "Destroy it"}, {Id: "spare", Text: "Leave it with 1 hit point"}}}
		left = 1
		if r.Ask("sunder", d).Option == "destroy" {
			r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: t.Id, Item: name, Place: body.PlaceGone, Values: map[string]int32{body.ValueHP: 0, body.ValueBroken: 1},
				Cause: "destroyed"}, cite.ManeuverSunderDestroy)
			return nil
		}
	}
	all := map[string]int32{}
	for k, v := range t.Items[name].Values { // order-free: a map is copied into a map
		all[k] = v
	}
	all[body.ValueHP] = left
	if 2*left <= full {
		all[body.ValueBroken] = 1
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: t.Id, Item: name, Place: t.Items[name].Place, Values: all, Cause: "sundered"}, checks.RuleSunder)
	return nil
}

// DoSteal takes the thing named; fastened things are harder to take, by what the
// sheet or the game master says, 5 at least.
//
// celesia.maneuver.steal, celesia.maneuver.steal-fastened
func DoSteal(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(body.Target(take))
	name := checks.ChosenThing(r, c, t, take, checks.Stealable(t), checks.RuleSteal)
	cmd := checks.ManeuverDefense(t, false)
	fast := body.ThingOf(t, name).GetFastened()
	if w := body.WeaponOf(t, name); w != nil {
		fast = w.Fastened
	}
	if n, ok := spoken.Number(take.Facts, "fastened"); ok {
		fast = n
	}
	if fast > 0 {
		cmd.Value += fast
		cmd.Modifiers = append(cmd.Modifiers, body.Mod(fast, "fastened", checks.RuleFastened))
	}
	if !strike.RollManeuverCheck(r, "steal", "steal", c, t, cmd, take, checks.RuleSteal).Success() {
		return nil
	}
	numbers := body.Values(t, name)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: t.Id, Item: name, Place: body.PlaceGone, Values: numbers, Cause: "stolen by " + c.Name}, checks.RuleSteal)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: name, Place: drawnPlace(c, name, false), Values: numbers, Cause: "stolen from " + t.Name}, checks.RuleSteal)
	return nil
}

// DoTrick brings one of six conditions of the attacker's choice, for a round and
// one more for each 5 of margin; a round ends as the attacker's turn begins (a
// reading).
//
// celesia.maneuver.dirty-trick
func DoTrick(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(body.Target(take))
	cmd := checks.ManeuverDefense(t, false)
	rolled := strike.RollManeuverCheck(r, "dirty-trick", "dirty-trick", c, t, cmd, take, checks.RuleTrick)
	if !rolled.Success() {
		return nil
	}
	d := &eventv1.Decision{Name: checks.DecTrick, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: "dirty trick",
		Question: "What does the trick do to " + t.Name + "?", DefaultOption: checks.Tricks[0], Rule: checks.RuleTrick}
	for _, n := range checks.Tricks {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: n, Text: n})
	}
	until := checks.UntilStart(c.Id)
	until.Turns = 1 + checks.Degree(rolled.Total-cmd.Value, 5)
	body.Inflict(r, t.Id, &eventv1.Condition{Name: r.Ask("dirty-trick", d).Option, Source: c.Id, Cause: "dirty trick", Until: until, Rule: checks.RuleTrick})
	return nil
}
