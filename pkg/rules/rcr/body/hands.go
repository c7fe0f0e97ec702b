package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// HandsTaken counts the hands that are full: by weapons (one in both hands can
// be held with one for a while), by a full shield, by those held in a grapple.
func HandsTaken(s *eventv1.State, c *eventv1.Creature) int {
	main, off, n := false, SheetOf(c).Shield == eventv1.RcrSheet_SHIELD_SHIELD, 0
	// order-free: hands are only ever filled
	for _, it := range c.GetItems() {
		main = main || it.Place == "main" || it.Place == "both"
		off = off || it.Place == "off"
	}
	for _, full := range []bool{main, off} {
		if full {
			n++
		}
	}
	for _, id := range Grappling(s, c) {
		if GrappledBy(s.Creatures[id], c.Id).Cause == "grapple" {
			n++
		}
	}
	return n
}

// ArmedTwice tells whether a creature holds a weapon in each hand.
func ArmedTwice(c *eventv1.Creature) bool {
	main, off := false, false
	// order-free: hands are only ever filled
	for _, it := range c.GetItems() {
		main = main || it.Place == "main"
		off = off || it.Place == "off"
	}
	return main && off
}
