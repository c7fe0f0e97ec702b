package autoplay

import (
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// square is the side of a square of the map, in feet.
const square = 5

// feet between two creatures, counting a diagonal as a straight step; 0 when
// either is nowhere on the map.
func feet(a, b *eventv1.Creature) int32 {
	if a.GetPosition() == nil || b.GetPosition() == nil {
		return 0
	}
	return max(abs(a.Position.X-b.Position.X), abs(a.Position.Y-b.Position.Y))
}

func abs(n int32) int32 {
	if n < 0 {
		return -n
	}
	return n
}

// byDistance orders creatures by how far they are, then by id.
func byDistance(s *eventv1.State, c *eventv1.Creature, ids []string) []string {
	out := slices.Sorted(slices.Values(ids))
	slices.SortStableFunc(out, func(a, b string) int { return int(feet(c, s.Creatures[a]) - feet(c, s.Creatures[b])) })
	return out
}

// nearestEnemy is the enemy still up that is nearest; nil when there is none.
func nearestEnemy(s *eventv1.State, c *eventv1.Creature) *eventv1.Creature {
	var ids []string
	for id, other := range s.Creatures {
		if other.Side != c.Side && up(other) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return s.Creatures[byDistance(s, c, ids)[0]]
}

// spot is a square of the map, by its corner.
type spot struct{ x, y int32 }

// reachFar bounds the search for a way, in feet from where it begins.
const reachFar = 150

// way is the shortest way round everybody to a square beside the enemy, as far
// as the feet left allow; nil when there is no step to take.
func way(s *eventv1.State, c, enemy *eventv1.Creature) []*eventv1.Position {
	if c.Position == nil || enemy.Position == nil {
		return nil
	}
	taken := map[spot]bool{}
	for _, other := range s.Creatures {
		if other.Position != nil && other.Id != c.Id && other.Life != eventv1.LifeStatus_LIFE_STATUS_DEAD {
			taken[spot{other.Position.X, other.Position.Y}] = true
		}
	}
	from, goal := spot{c.Position.X, c.Position.Y}, spot{enemy.Position.X, enemy.Position.Y}
	steps := search(from, goal, taken)
	left := walk(c) / square
	var out []*eventv1.Position
	for i := 0; i < len(steps) && int64(i) < left; i++ {
		out = append(out, &eventv1.Position{X: steps[i].x, Y: steps[i].y, Z: c.Position.Z})
	}
	return out
}

// search is breadth first; nil when the start is beside the goal already, or
// there is no way.
func search(from, goal spot, taken map[spot]bool) []spot {
	before := map[spot]spot{from: from}
	for queue := []spot{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if max(abs(goal.x-at.x), abs(goal.y-at.y)) <= square {
			var out []spot
			for ; at != from; at = before[at] {
				out = append([]spot{at}, out...)
			}
			return out
		}
		for _, d := range [...]spot{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
			next := spot{at.x + square*d.x, at.y + square*d.y}
			if _, seen := before[next]; seen || taken[next] || max(abs(next.x-from.x), abs(next.y-from.y)) > reachFar {
				continue
			}
			before[next] = at
			queue = append(queue, next)
		}
	}
	return nil
}

// walk is how far a creature can go, in feet: what is left of the turn's
// movement where that is counted, else its speed.
func walk(c *eventv1.Creature) int64 {
	if left, ok := c.Counters["movement"]; ok {
		return left
	}
	return int64(c.GetSheet().GetSpeeds()["walk"])
}
