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
	feet, known := body.DistanceTo(c, target)
	if n, ok := spoken.Number(take.GetFacts(), "distance"); ok {
		feet, known = n, true
	}
	switch {
	case revives && !body.Dead(target):
		return body.Refuse("NOT_DEAD", cite.HealingRevivalSpells, "%s is not dead", target.Name)
	case !revives && body.Dead(target):
		return body.Refuse("TARGET_DEAD", frame, "%s is dead", target.Name)
	case target.Id != c.Id && known && feet > 5:
		return body.Refuse("OUT_OF_REACH", frame, "%s is not within 5 feet", target.Name)
	}
	return nil
}
