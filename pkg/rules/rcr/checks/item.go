package checks

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseItemTarget says why a creature cannot be given what an item does: it
// is its user, or within 5 feet; and dead for what revives, as for the spell itself,
// alive for all else.
//
// rcr.healing.revival-spells
func RefuseItemTarget(c, target *eventv1.Creature, revives bool, take *eventv1.TakeAction) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case revives && !body.Dead(target):
		return body.Refuse("NOT_DEAD", cite.HealingRevivalSpells, "%s is not dead", target.Name)
	case !revives && body.Dead(target):
		return body.Refuse("TARGET_DEAD", frame, "%s is dead", target.Name)
	case target.Id != c.Id && FeetTo(c, target, take) > 5:
		return body.Refuse("OUT_OF_REACH", frame, "%s is not within 5 feet", target.Name)
	}
	return nil
}

// FeetTo is how far a creature is from another: as a command states it, else as the
// first knows it; 0 where nobody knows, which is in every reach and range.
func FeetTo(c, target *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if feet, said := spoken.Number(take.GetFacts(), "distance"); said {
		return feet
	}
	feet, _ := body.DistanceTo(c, target)
	return feet
}
