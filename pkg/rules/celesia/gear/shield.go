package gear

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// shieldActions strap a shield on or let it fall; at a base attack bonus of 1
// either goes with a Move for nothing.
func shieldActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "ready-shield", Title: "Ready a shield", Rule: items.RuleShield, Group: play.GroupItem, Trigger: "other", Costs: body.Acts(1), Items: body.Ways(items.Shields),
			Refuse: body.Bars(refuseReadyShield), Do: body.Done(doShield)}, Provoke: checks.Always},
		{Action: play.Action{ID: "drop-shield", Title: "Drop a shield", Rule: items.RuleShield, Group: play.GroupItem, Trigger: "other", Costs: body.Acts(1), Items: body.Ways(items.Shields),
			Refuse: body.Bars(items.RefuseDropShield), Do: body.Done(doShield)}, Provoke: checks.Always},
	}
}

// refuseReadyShield: it must be there and find a free hand.
func refuseReadyShield(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := items.RefuseThing(c, take); err != nil {
		return err
	}
	switch body.Where(c, take.Item) {
	case body.PlaceCarried, body.PlaceStowed, body.PlacePack:
	case body.PlaceDropped:
		return body.Refuse("NOT_THERE", items.RuleShield, "%s has to be picked up first", take.Item)
	default:
		return body.Refuse("NOT_THERE", items.RuleShield, "%s is not there to be readied", take.Item)
	}
	return needHands(c, take.Item)
}

// RefuseShieldOnMove: with a Move it is free at a base attack bonus of 1, else
// it is an action of its own.
func RefuseShieldOnMove(s *eventv1.State, c *eventv1.Creature, name string) error {
	take := &eventv1.TakeAction{Creature: c.Id, Item: name}
	if body.ThingOf(c, name).GetKind() != body.ThingShield {
		return body.Refuse("NO_SHIELD", items.RuleShield, "%s has no shield %q%s", c.Name, name, rules.DidYouMean(name, items.Shields(s, c)))
	}
	if body.SheetOf(c).BaseAttack < 1 {
		return body.Refuse("NOT_FREE", items.RuleShield, "a shield on the move takes a base attack bonus of 1")
	}
	if items.Shielded(c, name) {
		return items.RefuseDropShield(s, c, take)
	}
	return refuseReadyShield(s, c, take)
}

func doShield(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	TurnShield(r, c.Id, take.Item)
	return nil
}

// TurnShield straps a shield on, or unstraps it and lets it fall.
func TurnShield(r *rules.Resolution, id, name string) {
	c := r.Creature(id)
	if items.Shielded(c, name) {
		body.Lay(r, id, name, c.Position, "unstrapped and dropped", items.RuleShield)
		return
	}
	body.Shift(r, id, name, drawnPlace(c, name, false), "strapped on", items.RuleShield)
}
