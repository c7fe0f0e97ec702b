package basic

import (
	"maps"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func handActions() []*action {
	return []*action{
		{id: "pick-up", title: "Pick up a weapon", rule: cite.ConditionDisarmed, kinds: []string{kindMove, kindOther, kindHold}, costs: true,
			items: manufactured, refuse: refusePickUp, do: doTake("pick-up", true)},
		{id: "draw", title: "Draw a weapon", rule: cite.ConditionDisarmed, kinds: nil, items: manufactured, refuse: refuseDraw, do: doTake("draw", false)},
		{id: "drop", title: "Drop a weapon", rule: cite.ConditionDisarmed, kinds: nil, items: manufactured, refuse: refuseDrop, do: doDrop},
		{id: "revive", title: "Bring an unconscious creature round", rule: cite.HealingSubdualRevive, kinds: others, costs: true,
			refuseTarget: refuseRevive, least: 1, most: 1, do: doRevive},
	}
}

func manufactured(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if !w.Natural {
			out = append(out, w.Name)
		}
	}
	return out
}

func refuseHands(c *eventv1.Creature, w *eventv1.BasicWeapon, from string) error {
	need := 1
	if w.TwoHanded {
		need = 2
	}
	switch {
	case place(c, w) != from:
		return refuse("NOT_THERE", cite.ConditionDisarmed, "%s is not %s", w.Name, from)
	case freeHands(c) < need:
		return refuse("NO_HAND", cite.ConditionDisarmed, "%s has no free hand for %s", c.Name, w.Name)
	}
	return nil
}

// refusePickUp: reading, picking a weapon up takes the action. It lies where it fell.
//
// basic.condition.disarmed
func refusePickUp(_ *eventv1.State, c *eventv1.Creature, item string) error {
	if err := refuseHands(c, weaponOf(c, item), "dropped"); err != nil {
		return err
	}
	at := c.Items[item].GetValues()
	if c.Position != nil && at[lies] > 0 && grid.Steps(c.Position, &eventv1.Position{X: at["x"], Y: at["y"], Z: at["z"]}) > engagedFeet {
		return refuse("OUT_OF_REACH", cite.ConditionDisarmed, "%s lies at %d, %d, out of reach", item, at["x"], at["y"])
	}
	return nil
}

// lies is the value of a thing that is 1 when it lies at its values x, y and z.
const lies = "lies"

// fallen are the values of a thing that falls to the ground: where somebody stands, if
// that one is on the map.
func fallen(values map[string]int32, at *eventv1.Position) map[string]int32 {
	out := lifted(values)
	if at != nil {
		out[lies], out["x"], out["y"], out["z"] = 1, at.X, at.Y, at.Z
	}
	return out
}

// lifted are the values of a thing that lies nowhere.
func lifted(values map[string]int32) map[string]int32 {
	out := map[string]int32{}
	maps.Copy(out, values)
	for _, key := range []string{lies, "x", "y", "z"} {
		delete(out, key)
	}
	return out
}

// refuseDraw: reading, drawing a weapon takes nothing, once it is one's number.
func refuseDraw(_ *eventv1.State, c *eventv1.Creature, item string) error {
	return refuseHands(c, weaponOf(c, item), "stowed")
}

// doTake takes a weapon to hand.
//
// basic.condition.disarmed
func doTake(how string, costs bool) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: how, Item: take.Item}, cite.ConditionDisarmed)
		if costs {
			spend(r, c.Id, how, cite.ConditionDisarmed)
		}
		where := "main"
		for _, name := range rules.SortedKeys(c.Items) {
			if c.Items[name].Place == "main" {
				where = "off"
			}
		}
		if weaponOf(c, take.Item).TwoHanded {
			where = "both"
		}
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: take.Item, Place: where, Values: lifted(c.Items[take.Item].GetValues()), Cause: how},
			cite.ConditionDisarmed)
		return nil
	}
}

func refuseDrop(_ *eventv1.State, c *eventv1.Creature, item string) error {
	if !slices.Contains([]string{"main", "off", "both"}, place(c, weaponOf(c, item))) {
		return refuse("NOT_IN_HAND", cite.ConditionDisarmed, "%s has no %s in hand", c.Name, item)
	}
	return nil
}

func doDrop(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "drop", Item: take.Item}, cite.ConditionDisarmed)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: take.Item, Place: "dropped", Values: fallen(c.Items[take.Item].GetValues(), c.Position), Cause: "dropped"},
		cite.ConditionDisarmed)
	return nil
}

func refuseRevive(_ *eventv1.State, c *eventv1.Creature, _ string, t *eventv1.Creature, facts *structpb.Struct) error {
	d, known := distance(c, t, facts)
	switch {
	case !unconscious(t):
		return refuse("NOT_UNCONSCIOUS", cite.HealingSubdualRevive, "%s is not unconscious", t.Name)
	case known && d > engagedFeet:
		return refuse("OUT_OF_REACH", cite.HealingSubdualRevive, "%s is out of reach", t.Name)
	}
	return nil
}

// doRevive begins to bring somebody round; whichever of waking and reviving
// comes first counts.
//
// basic.healing.subdual-revive
func doRevive(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.HealingSubdualRevive
	t := take.Targets[0]
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "revive", Targets: take.Targets}, rule)
	spend(r, c.Id, "revive", rule)
	rounds := r.Roll(rules.RollSpec{Label: "revive/" + t, Creature: c.Id, Expression: "2d10", Reason: "rounds until awake", Rules: []string{rule}}).Total
	at := int64(r.State().Round) + int64(rounds)
	if wake := r.Count(t, cWake); wake == 0 || at < wake {
		r.Set(t, cWake, at, "being revived", rule)
	}
	return nil
}
