package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
)

// KeepPace brings the movement left of a running turn in line with a speed that
// has changed in it: what is gained or lost of the speed is so at once. What
// something holds fast keeps its movement until it is let go; then the speed
// counts less what was spent.
//
// rcr.injury.row2-crippled-speed, rcr.condition.exhaustion-speed,
// rcr.condition.grappled-speed, rcr.base.fifth-edition-fallback
func KeepPace(r *rules.Resolution, id string) {
	const why = "its speed has changed"
	answers.HouseSpeed(r, id)
	body.Befall(r, body.OnPace, id, why, 0)
	s, c := r.State(), r.Creature(id)
	if !slices.Contains(s.Active, id) || body.Dead(c) || body.Down(c) {
		return
	}
	was, now := int32(c.Counters[body.CPace]), StandingBase(s, c)
	if was == now {
		return
	}
	r.Set(id, body.CPace, int64(now), why)
	if now == 0 {
		return
	}
	half := func(feet int32) int32 {
		if body.Has(c, body.CondCrouching) {
			return feet / 2
		}
		return feet
	}
	left := c.Counters[body.CMovement] + int64((half(now)-half(was))*times(s, c))
	if was == 0 {
		left = int64(half(now)*times(s, c)) - c.Counters[body.CMoved]
	}
	r.Set(id, body.CMovement, max(0, left), why)
}
