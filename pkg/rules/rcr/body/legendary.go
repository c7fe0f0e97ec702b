package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// MLegendary is on a creature that may take a legendary action now:
	// another's turn has ended and nothing has been done in the next.
	MLegendary = "legendary"
	// DecLegendaryResistance asks whether to succeed on a failed saving throw.
	DecLegendaryResistance = "legendary-resistance"
	// TraitLegendaryResistance is the trait, and the resource that it spends.
	TraitLegendaryResistance = "legendary resistance"
)

// others lists the creatures of a state but one.
func others(s *eventv1.State, but string) []string {
	return slices.DeleteFunc(rules.SortedKeys(s.Creatures), func(id string) bool { return id == but })
}
