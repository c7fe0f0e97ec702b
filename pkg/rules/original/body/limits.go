package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Kinds of rolls, as the rows of situations name them. The last two are no rolls: a
// row that counts denies the target what the kind names.
const (
	RollToHitKind    = "to-hit"
	RollArmour       = "armour"
	RollDexDenied    = "dex-denied"
	RollShieldDenied = "shield-denied"
)

// Unhorses tells whether a weapon makes up for not being on a horse.
//
// original.mount.polearm-cancels
func Unhorses(w *eventv1.OriginalWeapon) bool {
	return w.Kind == "polearm" || w.Kind == "long-spear" || w.Kind == "pike"
}
