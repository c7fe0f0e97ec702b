package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// refuseUnruled says why a rider can do nothing but see to its mount.
//
// celesia.mount.control-check
func refuseUnruled(s *eventv1.State, c *eventv1.Creature, a *Action) error {
	switch {
	case body.Has(c, manners.CondUnruled):
		return body.Refuse("OUT_OF_HAND", cite.MountControlCheck, "%s fights its mount until its next turn", c.Name)
	case answers.Unruly(s, c) && !a.Is(checks.Unruled):
		return body.Refuse("UNRULY", cite.MountControlCheck, "%s must first control its frightened mount or dismount", c.Name)
	}
	return nil
}
