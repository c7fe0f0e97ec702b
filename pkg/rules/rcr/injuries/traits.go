package injuries

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// hardy tells whether a trait halves a type of damage.
//
// rcr.trait.resilience
func hardy(c *eventv1.Creature, kind string) bool {
	return strings.EqualFold(kind, "poison") && body.Resilient(c)
}

// shrugsOff tells whether a creature stays at 1 hit point by taking little enough
// damage, and spends that.
//
// rcr.trait.relentless
func shrugsOff(r *rules.Resolution, c *eventv1.Creature, taken int32) bool {
	const rule = cite.TraitRelentless
	f, left := body.Feature(c, body.TraitBoarRelentless), body.CLeft+body.TraitBoarRelentless
	if f == nil || taken > f.Number || r.Count(c.Id, left) < 1 {
		return false
	}
	r.Set(c.Id, left, r.Count(c.Id, left)-1, body.TraitBoarRelentless, rule)
	return true
}
