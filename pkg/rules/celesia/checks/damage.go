package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// WeaponDice are the dice of a weapon as it is held.
//
// celesia.damage.two-hand-trait
func WeaponDice(c *eventv1.Creature, w *eventv1.CelesiaWeapon) body.DieSet {
	text := w.Dice
	if body.Place(c, w) == body.PlaceBoth && w.TwoHandDice != "" {
		text = w.TwoHandDice
	}
	d, _ := body.ParseDice(text) // CheckSheet has seen it
	return d
}
