package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
)

// keepPace brings the movement left of a running turn in line with a speed that
// has changed in it: what is gained or lost of the speed is so at once. What
// something holds fast keeps its movement until it is let go; then the speed
// counts less what was spent.
//
// rcr.injury.row2-crippled-speed, rcr.condition.exhaustion-speed,
// rcr.condition.grappled-speed, rcr.base.fifth-edition-fallback
func keepPace(r *rules.Resolution, id string) {
	const why = "its speed has changed"
	houseSpeed(r, id)
	s, c := r.State(), r.Creature(id)
	if !slices.Contains(s.Active, id) || dead(c) || down(c) {
		return
	}
	was, now := int32(c.Counters[cPace]), standingBase(s, c)
	if was == now {
		return
	}
	r.Set(id, cPace, int64(now), why)
	if now == 0 {
		return
	}
	half := func(feet int32) int32 {
		if has(c, condCrouching) {
			return feet / 2
		}
		return feet
	}
	left := c.Counters[cMovement] + int64((half(now)-half(was))*times(s, c))
	if was == 0 {
		left = int64(half(now)*times(s, c)) - c.Counters[cMoved]
	}
	r.Set(id, cMovement, max(0, left), why)
}
