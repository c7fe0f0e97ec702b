package rcr

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// condReady holds an attack readied for a trigger: the variant is the attack,
// the cause the trigger in words.
const condReady = "ready"

// maxTrigger bounds the words of a trigger, in bytes.
const maxTrigger = 500

// reactions are what is done outside one's own turn: a readied attack, a power
// that costs the reaction. That the trigger has come is the caller's word.
func reactions() []*action {
	return []*action{
		{id: "ready", title: "Ready an attack", options: readyOptions, do: doReady},
		{id: "use-ready", title: "Make the readied attack", options: useReadyOptions, do: doUseReady, anytime: true},
		{id: "react", title: "Use a power as a reaction", options: reactOptions, do: doReact, anytime: true},
	}
}

func readyOptions(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for _, a := range sheetOf(c).Attacks {
		err := needAction(c)
		if err == nil {
			err = refuseWeapon(c, a)
		}
		o := option(a.Name, err, map[string]int32{cAction: 1})
		o.Parameters = []*eventv1.Parameter{{Name: "trigger", Type: "string", Required: true, Text: "What sets the attack off"}}
		out = append(out, o)
	}
	return out
}

// doReady spends the action on an attack to be made as a reaction, until the
// start of the next turn.
//
// rcr.base.fifth-edition-fallback, rcr.surprise.one-action
func doReady(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a := attackOf(c, take.Item)
	if a == nil {
		return fault.Field("take.item", "%q is no attack of %s", take.Item, c.Name)
	}
	if err := needAction(c); err != nil {
		return err
	}
	if err := refuseWeapon(c, a); err != nil {
		return err
	}
	trigger := word(take.Parameters, "trigger")
	if trigger == "" || len(trigger) > maxTrigger {
		return fault.Field("take.parameters.trigger", "must be 1 to %d bytes", maxTrigger)
	}
	spend(r, c.Id, cAction, "Ready")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "ready"})
	dropReady(r, c.Id, "readied anew")
	// What is readied, and for what, is its owner's secret until it happens.
	r.Emit(event.Controllers(c.Id), &eventv1.ConditionAdded{Creature: c.Id, Condition: &eventv1.Condition{Id: condReady, Name: condReady,
		Variant: a.Name, Cause: trigger, Until: &eventv1.Until{When: untilTurnStart, Creature: c.Id, Turns: 1}, Rule: "rcr.base.fifth-edition-fallback"}},
		"rcr.base.fifth-edition-fallback")
	return nil
}

func dropReady(r *rules.Resolution, id, cause string) {
	if x := condition(r.Creature(id), condReady); x != nil {
		r.RemoveCondition(id, x, cause, "rcr.base.fifth-edition-fallback")
	}
}

func refuseUseReady(s *eventv1.State, c *eventv1.Creature) error {
	x := condition(c, condReady)
	if x == nil {
		return refuse("NOT_READY", "rcr.base.fifth-edition-fallback", "%s has nothing readied", c.Name)
	}
	if err := needReaction(s, c); err != nil {
		return err
	}
	a := attackOf(c, x.Variant)
	if a == nil {
		return refuse("NOT_READY", "rcr.base.fifth-edition-fallback", "%s has no %s any more", c.Name, x.Variant)
	}
	return refuseWeapon(c, a)
}

func useReadyOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	x := condition(c, condReady)
	if x == nil {
		return nil
	}
	o := option(x.Variant, refuseUseReady(s, c), map[string]int32{cReaction: 1})
	if a := attackOf(c, x.Variant); a != nil {
		targetsOf(s, c, a, o)
	}
	return []*eventv1.Option{o}
}

func doUseReady(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseUseReady(r.State(), c); err != nil {
		return err
	}
	a := attackOf(c, condition(c, condReady).Variant)
	if take.Item != "" && take.Item != a.Name {
		return fault.Field("take.item", "%q is not what was readied", take.Item)
	}
	return carryOut(r, c, a, take, func(*attackPlan) attackOpts {
		spend(r, c.Id, cReaction, "readied attack")
		dropReady(r, c.Id, "used")
		return attackOpts{label: "ready/" + c.Id}
	})
}

func reactOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	return optionsOfPowers(s, c, func(p *eventv1.RcrPower) bool { return p.Cost == "reaction" })
}

func doReact(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if p := powerOf(c, take.Item); p == nil || p.Cost != "reaction" {
		return fault.Field("take.item", "%q is no power of %s that costs the reaction", take.Item, c.Name)
	}
	return usePower(r, c, take)
}
