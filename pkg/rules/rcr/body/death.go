package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// OpenExhaustion is the exhaustion of a creature as the table knows it: of one
// that is down, what it came down with. All rolls and numbers that others see
// go by it, lest they tell how the death saves came out.
//
// rcr.death.secret-saves
func OpenExhaustion(c *eventv1.Creature) int64 {
	if known := c.GetCounters()[CDeathExhaustion]; known > 0 && Down(c) {
		return known - 1
	}
	return c.GetCounters()[CExhaustion]
}

// StableInSecret tells whether a creature is stable and only the game master
// knows.
//
// rcr.death.secret-saves
func StableInSecret(c *eventv1.Creature) bool {
	return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_STABLE && c.Counters[CDeathStable] > 0
}
