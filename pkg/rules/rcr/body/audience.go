package body

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CounterAudience is who sees a change of a creature's counter: everyone for the
// budget of a turn and for sides, the game master for what is secret, else its
// controllers.
func CounterAudience(s *eventv1.State, name, creature string) *eventv1.Audience {
	switch {
	case creature == "" || strings.HasPrefix(creature, event.SidePrefix):
		return event.Everyone()
	case strings.HasPrefix(name, CDeath):
		return event.GM() // rcr.death.secret-saves
	case name == CStableHours && StableInSecret(s.Creatures[creature]):
		return event.GM() // rcr.death.secret-saves: only the stable have such hours
	case name == CExhaustion && Down(s.Creatures[creature]):
		// rcr.death.secret-saves: exhaustion gained by a failed save would betray it.
		return event.GM()
	case name == CAltitude || name == CFacing || name == CGround || name == CTravelled:
		if Has(s.Creatures[creature], CondHidden) {
			return event.Controllers(creature)
		}
		return event.Everyone() // where a flyer is everybody sees
	case (name == CMovement || name == CMoved) && Has(s.Creatures[creature], CondHidden):
		return event.Controllers(creature) // how far it has gone would tell where it is
	case name == CAction || name == CBonus || name == CReaction || name == CMovement || name == CMoved || name == CAttacks || name == CInteraction || name == CTurn:
		return event.Everyone()
	}
	return event.Controllers(creature)
}

// Down tells whether a creature lies at 0 hit points, dying or stable.
func Down(c *eventv1.Creature) bool {
	return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_DYING || c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_STABLE
}

// Dead tells whether a creature is dead; one that is not there counts as dead.
func Dead(c *eventv1.Creature) bool {
	return c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD
}
