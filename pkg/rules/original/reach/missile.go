package reach

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RunRule is the rule by which a creature shoots on the run.
func RunRule(c *eventv1.Creature) string {
	if body.OfRace(c, "hobbit") {
		return cite.MovementHobbitSlingOnTheRun
	}
	return cite.MovementElfFireOnTheRun
}

// ShootsSafely tells whether a shot into melee cannot go astray.
//
// original.attack.elf-fire-into-melee, original.movement.hobbit-sling-on-the-run
func ShootsSafely(c *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	return body.OfRace(c, "elf") || w.Kind == "sling" && body.OfRace(c, "hobbit")
}
