package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// LevelsAbove is +1 for every 3 full levels by which one is above another.
//
// original.action.disarm-save, original.mount.dismount-save
func LevelsAbove(c, over *eventv1.Creature, rule string) *eventv1.Modifier {
	return Mod(max(0, LevelOf(c)-LevelOf(over))/3, "levels above", rule)
}
