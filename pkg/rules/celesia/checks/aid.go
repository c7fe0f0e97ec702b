package checks

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CondAided is on a friend who was aided against the creature that is its source.
const CondAided = "aided"

// AidSave is what is aided when it is a saving throw.
const AidSave = "save"

// UseAid takes up the aid that a creature has for an attack on or by another;
// it counts for the first such attack only. Aid of several creatures adds up.
//
// celesia.action.aid-another-expiry, celesia.action.aid-another-stack
func UseAid(r *rules.Resolution, id, variant, against string) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	for _, x := range r.Creature(id).Conditions {
		if x.Name == CondAided && x.Variant == variant && x.Source == against {
			out = append(out, body.Mod(x.Values["aid"], x.Cause, x.Rule))
			r.RemoveCondition(id, x, "used", cite.ActionAidAnotherExpiry)
		}
	}
	return out
}
