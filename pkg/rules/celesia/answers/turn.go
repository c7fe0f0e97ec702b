package answers

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
)

// TookTurn notes that a creature has had its turn of the present round.
func TookTurn(r *rules.Resolution, id string) {
	if r.State().Round == 0 {
		r.Flag(id, body.MActed, true)
		return
	}
	r.Set(id, body.CTurn, int64(r.State().Round), "its turn")
}
