package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MagusSpellsLeft lists those of them that can be cast now.
func MagusSpellsLeft(c *eventv1.Creature, touch bool) []string {
	return slices.DeleteFunc(answers.MagusSpells(c, touch), func(name string) bool { return RefuseSpell(c, body.SpellOf(c, name)) != nil })
}
