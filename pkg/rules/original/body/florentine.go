package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// OneOfTwo tells whether a weapon can be one of two: one-handed, for melee, and
// its wielder trained.
//
// original.attack.florentine-advantage
func OneOfTwo(c *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	return w.Hands <= 1 && !Natural(w) && !Missile(w) && !w.Untrained && Usable(c, w)
}

// PairOf is the two weapons of one who fights florentine; nil for anyone else.
func PairOf(c *eventv1.Creature) (main, other *eventv1.OriginalWeapon) {
	if c.Marks[MMain] == "" || SheetOf(c).ShieldBonus > 0 {
		return nil, nil
	}
	for _, w := range Weapons(c) {
		switch {
		case !OneOfTwo(c, w):
		case w.Name == c.Marks[MMain]:
			main = w
		case w.Name == c.Marks[MOff]:
			other = w
		}
	}
	if main == nil || other == nil {
		return nil, nil
	}
	return main, other
}
