package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CoverMods is what the best cover adds to a saving throw: to one of Dexterity
// alone.
//
// rcr.base.half-cover, rcr.condition.crouching-shield
func CoverMods(s *eventv1.State, target *eventv1.Creature, ability, cover string) []*eventv1.Modifier {
	if ability != "dexterity" {
		return nil
	}
	bonus, source, rule := CoverBonus(s, target, cover)
	if bonus == 0 {
		return nil
	}
	return []*eventv1.Modifier{Mod(bonus, source, rule)}
}
