package strike

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
)

// Stirs notes that a creature stands still no more: it moves, or defends itself.
//
// original.defense.dex-denied-when-stationary
func Stirs(r *rules.Resolution, id string) {
	body.Lift(r, id, body.CondStationary, cite.DefenseDexDeniedWhenStationary)
}
