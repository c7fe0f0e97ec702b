package answers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
)

// Abandon clears what was settled about an action that is never begun.
func Abandon(r *rules.Resolution, id string) {
	r.Mark(id, body.MLost, "")
	body.Lift(r, id, items.CondCountered, "never cast", cite.ReactionCounterspell)
}
