package rules

import eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"

// DiceOrderer is a system in which the dice of several that fall together, of
// initiative or of a round that all declared for, have another order than that of the
// creatures' ids.
type DiceOrderer interface {
	// DiceOrder lists whose dice come first, as far as the state tells.
	DiceOrder(s *eventv1.State) []string
}

// DiceOrder lists whose dice come first where those of several fall together: by the
// system's own order, or by the ids of the creatures.
func DiceOrder(sys System, s *eventv1.State) []string {
	if own, ok := sys.(DiceOrderer); ok {
		return own.DiceOrder(s)
	}
	return SortedKeys(s.Creatures)
}
