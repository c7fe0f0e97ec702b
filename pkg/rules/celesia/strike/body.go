package strike

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	definitions "github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Usable tells whether a hand can hold anything: neither it nor its arm is lost,
// and the hands are not bound, by whatever means.
//
// celesia.injury.hand, celesia.injury.arm, celesia.attack.unarmed-basics
func Usable(c *eventv1.Creature, side string) bool {
	return !body.Lost(c, "hand", side) && !body.Lost(c, "arm", side) && !Barred(c, definitions.BarsHands)
}

// UsableHands counts the hands that can hold anything.
func UsableHands(c *eventv1.Creature) int32 {
	n := int32(0)
	for _, side := range body.Sides(body.Parts(c, "hand")) {
		if Usable(c, side) {
			n++
		}
	}
	return n
}

// Helpless tells whether a creature cannot defend itself at all.
func Helpless(c *eventv1.Creature) bool { return Conditions.Has(c, body.CondHelpless) }

// Barred tells whether a condition keeps a creature from something.
func Barred(c *eventv1.Creature, what string) bool {
	x, _ := Conditions.Barring(c, what)
	return x != nil
}

// Able tells whether a creature can act at all. What the conditions do is the
// parent game's; the source only names them.
func Able(c *eventv1.Creature) bool {
	return !body.Dead(c) && !body.Down(c) && !Barred(c, definitions.BarsActing)
}
