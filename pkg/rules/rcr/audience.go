package rcr

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Audience says who may see a fact: hit points and wounds are their owner's
// secret, the tally of death saves is the game master's, the place of one who
// hides is its own.
func (System) Audience(s *eventv1.State, kind rules.FactKind, name, creature string) *eventv1.Audience {
	switch kind {
	case rules.FactSheet, rules.FactHitPoints, rules.FactInjury:
		return event.Controllers(creature) // rcr.hp.secret-totals
	case rules.FactPosition:
		if has(s.Creatures[creature], condHidden) {
			return event.Controllers(creature)
		}
	case rules.FactRelation:
		if name == relStarted || name == relEntered {
			return event.GM()
		}
	case rules.FactBegun:
		if name == begunReadied {
			return event.Controllers(creature) // what is readied, and for what, is its owner's secret until it happens
		}
	case rules.FactCounter:
		return counterAudience(s, name, creature)
	}
	return event.Everyone()
}

func counterAudience(s *eventv1.State, name, creature string) *eventv1.Audience {
	switch {
	case creature == "" || strings.HasPrefix(creature, event.SidePrefix):
		return event.Everyone()
	case strings.HasPrefix(name, cDeath):
		return event.GM() // rcr.death.secret-saves
	case name == cStableHours && stableInSecret(s.Creatures[creature]):
		return event.GM() // rcr.death.secret-saves: only the stable have such hours
	case name == cExhaustion && down(s.Creatures[creature]):
		// rcr.death.secret-saves: exhaustion gained by a failed save would betray it.
		return event.GM()
	case (name == cMovement || name == cMoved) && has(s.Creatures[creature], condHidden):
		return event.Controllers(creature) // how far it has gone would tell where it is
	case name == cAction || name == cBonus || name == cReaction || name == cMovement || name == cMoved || name == cAttacks || name == cInteraction || name == cTurn:
		return event.Everyone()
	}
	return event.Controllers(creature)
}

// down tells whether a creature lies at 0 hit points, dying or stable.
func down(c *eventv1.Creature) bool {
	return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_DYING || c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_STABLE
}

func dead(c *eventv1.Creature) bool {
	return c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD
}
