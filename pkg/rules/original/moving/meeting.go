package moving

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/morale"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// intelligent tells whether a creature has a mind of its own.
func intelligent(c *eventv1.Creature) bool {
	s := body.SheetOf(c)
	if s.Intelligent != nil {
		return *s.Intelligent
	}
	return s.Class != "" || s.Level > 0 || slices.ContainsFunc(s.Weapons, func(w *eventv1.OriginalWeapon) bool { return !body.Natural(w) })
}

// IntelligentGroup tells whether anybody in a group of monsters is intelligent.
func IntelligentGroup(s *eventv1.State, group string) bool {
	return body.Any(s, func(c *eventv1.Creature) bool { return morale.Member(c, group) && intelligent(c) })
}
