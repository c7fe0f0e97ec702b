package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ItemNames lists the names of the items on a sheet, used up or not.
func ItemNames(c *eventv1.Creature) []string {
	var names []string
	for _, it := range SheetOf(c).Items {
		names = append(names, it.Name)
	}
	return names
}
