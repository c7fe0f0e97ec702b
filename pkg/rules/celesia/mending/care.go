package mending

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Dying tells whether a creature bleeds out.
func Dying(c *eventv1.Creature) bool { return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_DYING }
