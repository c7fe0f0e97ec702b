package checks

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AttackOf finds an attack of a creature by its name; nil when there is none.
func AttackOf(c *eventv1.Creature, name string) *eventv1.RcrAttack { return body.AttackNamed(c, name) }

// Property tells whether an attack has a property.
func Property(a *eventv1.RcrAttack, name string) bool {
	return slices.Contains(a.GetProperties(), name)
}
