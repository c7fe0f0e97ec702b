package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Monster tells whether a creature is one of those who stand or break by groups.
func Monster(c *eventv1.Creature) bool { return c.Sheet != nil && !SheetOf(c).IsPc }

// Strength is how many of a group are there, and how many of them unseen.
func Strength(s *eventv1.State, group string) (all, staged int) {
	// order-free: they are counted
	for _, c := range s.Creatures {
		if c.Marks[MLeaving] == "" && Monster(c) && MoraleGroup(c) == group {
			if all++; c.Staged {
				staged++
			}
		}
	}
	return all, staged
}

// unseen tells whether all of a group that there are are there unseen.
func unseen(s *eventv1.State, group string) bool {
	all, staged := Strength(s, group)
	return staged > 0 && staged == all
}
