package basic

import (
	"maps"
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func handActions() []*play.Action {
	return []*play.Action{
		{ID: "pick-up", Title: "Pick up a weapon", Rule: cite.ConditionDisarmed, Group: play.GroupItem, Traits: during(kindMove, kindOther, kindHold), Costs: oneAction,
			Items: of(manufactured), Refuse: refusePickUp, Do: doTake},
		{ID: "draw", Title: "Draw a weapon", Rule: cite.ConditionDisarmed, Group: play.GroupItem, Items: of(manufactured), Refuse: refuseDraw, Do: doTake},
		{ID: "drop", Title: "Drop a weapon", Rule: cite.ConditionDisarmed, Group: play.GroupItem, Items: of(manufactured), Refuse: refuseDrop, Do: doDrop},
		{ID: "revive", Title: "Bring an unconscious creature round", Rule: cite.HealingSubdualRevive, Group: play.GroupAid, Traits: during(others...), Costs: oneAction,
			RefuseTarget: refuseRevive, Least: 1, Most: 1, Self: true, Do: doRevive},
	}
}

func manufactured(c *eventv1.Creature) []string {
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
func refusePickUp(at *play.At) error {
	c, item := at.Actor, at.Item()
	if err := refuseHands(c, weaponOf(c, item), "dropped"); err != nil {
		return err
	}
	v := c.Items[item].GetValues()
	if c.Position != nil && v[lies] > 0 && grid.Steps(c.Position, &eventv1.Position{X: v["x"], Y: v["y"], Z: v["z"]}) > engagedFeet {
		return refuse("OUT_OF_REACH", cite.ConditionDisarmed, "%s lies at %d, %d, out of reach", item, v["x"], v["y"])
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
func refuseDraw(at *play.At) error {
	c, item := at.Actor, at.Item()
	return refuseHands(c, weaponOf(c, item), "stowed")
}

// doTake takes a weapon to hand.
//
// basic.condition.disarmed
func doTake(r *rules.Resolution, at *play.At) error {
	c, item, how := at.Actor, at.Item(), at.Action.ID
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: how, Item: item}, cite.ConditionDisarmed)
	if at.Action.Cost(at, cAction) > 0 {
		spend(r, c.Id, how, cite.ConditionDisarmed)
	}
	where := "main"
	for _, name := range rules.SortedKeys(c.Items) {
		if c.Items[name].Place == "main" {
			where = "off"
		}
	}
	if weaponOf(c, item).TwoHanded {
		where = "both"
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: item, Place: where, Values: lifted(c.Items[item].GetValues()), Cause: how},
		cite.ConditionDisarmed)
	return nil
}

func refuseDrop(at *play.At) error {
	c, item := at.Actor, at.Item()
	if !slices.Contains([]string{"main", "off", "both"}, place(c, weaponOf(c, item))) {
		return refuse("NOT_IN_HAND", cite.ConditionDisarmed, "%s has no %s in hand", c.Name, item)
	}
	return nil
}

func doDrop(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "drop", Item: take.Item}, cite.ConditionDisarmed)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: take.Item, Place: "dropped", Values: fallen(c.Items[take.Item].GetValues(), c.Position), Cause: "dropped"},
		cite.ConditionDisarmed)
	return nil
}

func refuseRevive(at *play.At, t *eventv1.Creature) error {
	c, facts := at.Actor, at.Take.Facts
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
func doRevive(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	const rule = cite.HealingSubdualRevive
	t := take.Targets[0]
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "revive", Targets: take.Targets}, rule)
	spend(r, c.Id, "revive", rule)
	rounds := r.Roll(rules.RollSpec{Label: "revive/" + t, Creature: c.Id, Expression: "2d10", Reason: "rounds until awake", Rules: []string{rule}}).Total
	due := int64(r.State().Round) + int64(rounds)
	if wake := r.Count(t, cWake); wake == 0 || due < wake {
		r.Set(t, cWake, due, "being revived", rule)
	}
	return nil
}
