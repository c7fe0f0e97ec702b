package strike

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Fumbles checks whether a natural 1 is a critical fumble: a second d20 above
// the attacker's level.
//
// original.fumble.critical-fumble-check
func Fumbles(r *rules.Resolution, b *Blow) bool {
	if !r.On(body.SetFumble) || body.IsUnit(b.Attacker) {
		return false
	}
	level := body.LevelOf(b.Attacker)
	return r.Roll(rules.RollSpec{Label: b.Label + "/fumble-check", Creature: b.Attacker.Id, Expression: "1d20", Reason: "critical fumble?",
		Judge: func(_, total int32) (string, int32) {
			if total > level {
				return "fumble", 0
			}
			return "success", 0
		}, Rules: []string{cite.FumbleCriticalFumbleCheck}}).Outcome == "fumble"
}

// NearestFriend is the nearest friend within 10 feet; empty when there is none.
func NearestFriend(s *eventv1.State, c *eventv1.Creature) string {
	best, near := "", int32(body.MeleeFeet+1)
	for _, id := range body.Present(s) {
		other := s.Creatures[id]
		if id == c.Id || other.Side != c.Side || body.Dead(other) {
			continue
		}
		if d := body.Distance(c, other); d >= 0 && d < near {
			best, near = id, d
		}
	}
	return best
}
