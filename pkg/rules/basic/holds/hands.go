package holds

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// HandActions pick up, draw and drop weapons, and bring the unconscious round.
func HandActions() []*play.Action {
	return []*play.Action{
		{ID: "pick-up", Title: "Pick up a weapon", Rule: cite.ConditionDisarmed, Group: play.GroupItem, Traits: body.During(body.KindMove, body.KindOther, body.KindHold), Costs: body.OneAction,
			Items: body.Of(Manufactured), Refuse: refusePickUp, Do: doTake},
		{ID: "draw", Title: "Draw a weapon", Rule: cite.ConditionDisarmed, Group: play.GroupItem, Items: body.Of(Manufactured), Refuse: refuseDraw, Do: doTake},
		{ID: "drop", Title: "Drop a weapon", Rule: cite.ConditionDisarmed, Group: play.GroupItem, Items: body.Of(Manufactured), Refuse: refuseDrop, Do: doDrop},
		{ID: "revive", Title: "Bring an unconscious creature round", Rule: cite.HealingSubdualRevive, Group: play.GroupAid, Traits: body.During(order.Others...), Costs: body.OneAction,
			RefuseTarget: refuseRevive, Least: 1, Most: 1, Self: true, Do: doRevive},
	}
}

// Manufactured lists the names of the weapons that are not natural, wherever they are.
func Manufactured(c *eventv1.Creature) []string {
	var out []string
	for _, w := range body.SheetOf(c).Weapons {
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
	case body.Place(c, w) != from:
		return body.Refuse("NOT_THERE", cite.ConditionDisarmed, "%s is not %s", w.Name, from)
	case body.FreeHands(c) < need:
		return body.Refuse("NO_HAND", cite.ConditionDisarmed, "%s has no free hand for %s", c.Name, w.Name)
	}
	return nil
}

// refusePickUp: reading, picking a weapon up takes the action. It lies where it fell.
//
// basic.condition.disarmed
func refusePickUp(at *play.At) error {
	c, item := at.Actor, at.Item()
	if err := refuseHands(c, body.WeaponOf(c, item), "dropped"); err != nil {
		return err
	}
	v := c.Items[item].GetValues()
	if c.Position != nil && v[strike.Lies] > 0 && grid.Steps(c.Position, &eventv1.Position{X: v["x"], Y: v["y"], Z: v["z"]}) > body.EngagedFeet {
		return body.Refuse("OUT_OF_REACH", cite.ConditionDisarmed, "%s lies at %d, %d, out of reach", item, v["x"], v["y"])
	}
	return nil
}

// refuseDraw: reading, drawing a weapon takes nothing, once it is one's number.
func refuseDraw(at *play.At) error {
	c, item := at.Actor, at.Item()
	return refuseHands(c, body.WeaponOf(c, item), "stowed")
}

// doTake takes a weapon to hand.
//
// basic.condition.disarmed
func doTake(r *rules.Resolution, at *play.At) error {
	c, item, how := at.Actor, at.Item(), at.Action.ID
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: how, Item: item}, cite.ConditionDisarmed)
	if at.Action.Cost(at, body.CAction) > 0 {
		body.Pay(r, at, cite.ConditionDisarmed)
	}
	where := "main"
	for _, name := range rules.SortedKeys(c.Items) {
		if c.Items[name].Place == "main" {
			where = "off"
		}
	}
	if body.WeaponOf(c, item).TwoHanded {
		where = "both"
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: item, Place: where, Values: strike.Lifted(c.Items[item].GetValues()), Cause: how},
		cite.ConditionDisarmed)
	return nil
}

func refuseDrop(at *play.At) error {
	c, item := at.Actor, at.Item()
	if !slices.Contains([]string{"main", "off", "both"}, body.Place(c, body.WeaponOf(c, item))) {
		return body.Refuse("NOT_IN_HAND", cite.ConditionDisarmed, "%s has no %s in hand", c.Name, item)
	}
	return nil
}

func doDrop(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "drop", Item: take.Item}, cite.ConditionDisarmed)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: take.Item, Place: "dropped", Values: strike.Fallen(c.Items[take.Item].GetValues(), c.Position), Cause: "dropped"},
		cite.ConditionDisarmed)
	return nil
}

func refuseRevive(at *play.At, t *eventv1.Creature) error {
	c, facts := at.Actor, at.Take.Facts
	d, _ := body.Distance(c, t, facts)
	switch {
	case !body.Unconscious(t):
		return body.Refuse("NOT_UNCONSCIOUS", cite.HealingSubdualRevive, "%s is not unconscious", t.Name)
	case d > body.EngagedFeet:
		return body.Refuse("OUT_OF_REACH", cite.HealingSubdualRevive, "%s is out of reach", t.Name)
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
	body.Pay(r, at, rule)
	rounds := r.Roll(rules.RollSpec{Label: "revive/" + t, Creature: c.Id, Expression: "2d10", Reason: "rounds until awake", Rules: []string{rule}}).Total
	due := int64(r.State().Round) + int64(rounds)
	if wake := r.Count(t, body.CWake); wake == 0 || due < wake {
		r.Set(t, body.CWake, due, "being revived", rule)
	}
	return nil
}
