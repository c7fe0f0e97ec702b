package movement

import (
	"github.com/skaldrpg/skald/pkg/rules/play"
)

// TraitMoves is of actions that spend movement and need no action: whoever is
// merely incapacitated or terrified may still take them.
const TraitMoves play.Traits = 1
