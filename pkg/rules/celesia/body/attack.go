package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Attack is one attack with a weapon.
type Attack struct {
	// By and target are creature ids.
	By, Target string
	Weapon     *eventv1.CelesiaWeapon
	// Label of its rolls.
	Label string
	// Take holds what was stated: facts, parameters, circumstances.
	Take *eventv1.TakeAction
	// More goes on the attack roll.
	More []*eventv1.Modifier
	// Hand of one of several attacks: main or off; empty for a lone one.
	Hand string
}
