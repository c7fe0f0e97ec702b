package declaring

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// unread refuses facts that a declaration without attacks would pass over.
func (d *Declaration) unread(take *eventv1.TakeAction) error {
	if attacks(d.Kind) || d.Kind == KindCast || d.Bonus.Is("off-hand") {
		return nil
	}
	for _, key := range body.OfAttacks {
		if take.GetFacts().GetFields()[key] != nil {
			return fault.Field("take.facts."+key, "a %s without an off-hand attack has no use for it", d.Kind)
		}
	}
	return nil
}
