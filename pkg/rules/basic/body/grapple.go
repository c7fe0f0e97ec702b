package body

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Grab is what a touch that grabs is made with.
var Grab = &eventv1.BasicWeapon{Name: "grapple", Damage: "1d3", Kind: "melee", Natural: true, AllEdges: true}

// Wrestlers are the kinds of declared actions in which a creature may wrestle.
var Wrestlers = []string{KindGrapple, KindHold}

// HeldBy finds the hold of one creature on another; nil when there is none.
func HeldBy(c *eventv1.Creature, holder string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == CondHeld && x.Source == holder {
			return x
		}
	}
	return nil
}

// RefuseNotHeld says why a target is out of the actor's grip: the actor does not hold
// it.
func RefuseNotHeld(at *play.At, t *eventv1.Creature) error {
	c := at.Actor
	if HeldBy(t, c.Id) == nil {
		if at.Unread() {
			return play.Refused
		}
		return Refuse("NOT_HELD", cite.DiceGrappleCheck, "%s does not hold %s", c.Name, t.Name)
	}
	return nil
}
