package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const ruleShield = cite.EquipmentShield

// shieldActions strap a shield on or let it fall; at a base attack bonus of 1
// either goes with a Move for nothing.
func shieldActions() []*action {
	return []*action{
		{id: "ready-shield", title: "Ready a shield", rule: ruleShield, acts: 1, provoke: always, trigger: "other",
			items: shields, refuse: refuseReadyShield, do: doShield},
		{id: "drop-shield", title: "Drop a shield", rule: ruleShield, acts: 1, provoke: always, trigger: "other",
			items: shields, refuse: refuseDropShield, do: doShield},
	}
}

func shields(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, th := range sheetOf(c).Things {
		if th.Kind == thingShield {
			out = append(out, th.Name)
		}
	}
	return out
}

// shielded tells whether a shield is on the arm.
func shielded(c *eventv1.Creature, name string) bool { return inHand(where(c, name)) }

// refuseReadyShield: it must be there and find a free hand.
func refuseReadyShield(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseThing(c, take); err != nil {
		return err
	}
	switch where(c, take.Item) {
	case placeCarried, placeStowed, placePack:
	case placeDropped:
		return refuse("NOT_THERE", ruleShield, "%s has to be picked up first", take.Item)
	default:
		return refuse("NOT_THERE", ruleShield, "%s is not there to be readied", take.Item)
	}
	return needHands(c, take.Item)
}

func refuseDropShield(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseThing(c, take); err != nil {
		return err
	}
	if !shielded(c, take.Item) {
		return refuse("NOT_THERE", ruleShield, "%s is not on the arm", take.Item)
	}
	return nil
}

// refuseShieldOnMove: with a Move it is free at a base attack bonus of 1, else
// it is an action of its own.
func refuseShieldOnMove(s *eventv1.State, c *eventv1.Creature, name string) error {
	take := &eventv1.TakeAction{Creature: c.Id, Item: name}
	if thingOf(c, name).GetKind() != thingShield {
		return refuse("NO_SHIELD", ruleShield, "%s has no shield %q%s", c.Name, name, rules.DidYouMean(name, shields(s, c)))
	}
	if sheetOf(c).BaseAttack < 1 {
		return refuse("NOT_FREE", ruleShield, "a shield on the move takes a base attack bonus of 1")
	}
	if shielded(c, name) {
		return refuseDropShield(s, c, take)
	}
	return refuseReadyShield(s, c, take)
}

func doShield(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	turnShield(r, c.Id, take.Item)
	return nil
}

// turnShield straps a shield on, or unstraps it and lets it fall.
func turnShield(r *rules.Resolution, id, name string) {
	c := r.Creature(id)
	if shielded(c, name) {
		lay(r, id, name, c.Position, "unstrapped and dropped", ruleShield)
		return
	}
	shift(r, id, name, drawnPlace(c, name, false), "strapped on", ruleShield)
}

// shieldBonus is what shields on the arm add to DV; a broken one still does.
func shieldBonus(c *eventv1.Creature) int32 {
	best := int32(0)
	for _, th := range sheetOf(c).Things {
		if th.Kind == thingShield && shielded(c, th.Name) {
			best = max(best, th.ShieldBonus)
		}
	}
	return best
}
