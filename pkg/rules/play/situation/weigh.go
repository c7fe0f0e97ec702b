package situation

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Declined is the kind of an edge that stands in a roll but does not count.
const Declined = "declined"

// Count is how many kinds of sources of advantage and of disadvantage there are:
// those of one kind count once on a side, one without a kind counts by itself.
func Count(edges []*eventv1.Edge) (advantage, disadvantage int32) {
	for i, e := range edges {
		if e.Kind == Declined || e.Kind != "" && repeated(edges[:i], e) {
			continue
		}
		if e.Advantage {
			advantage++
		} else {
			disadvantage++
		}
	}
	return advantage, disadvantage
}

// repeated tells whether a source of the same kind on the same side came before.
func repeated(before []*eventv1.Edge, e *eventv1.Edge) bool {
	for _, b := range before {
		if b.Kind == e.Kind && b.Advantage == e.Advantage {
			return true
		}
	}
	return false
}

// Stack cancels sources one for one: positive for what is left of advantage,
// negative for disadvantage.
func Stack(edges []*eventv1.Edge) int32 {
	advantage, disadvantage := Count(edges)
	return advantage - disadvantage
}

// Cancel is 1 for advantage, -1 for disadvantage, 0 for neither or both, however
// many sources there are.
func Cancel(edges []*eventv1.Edge) int32 {
	advantage, disadvantage := Count(edges)
	switch {
	case advantage > 0 && disadvantage == 0:
		return 1
	case disadvantage > 0 && advantage == 0:
		return -1
	}
	return 0
}
