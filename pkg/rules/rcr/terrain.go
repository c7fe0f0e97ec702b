package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// terrainDice is the damage of dangerous terrain by level.
//
// rcr.damage.dangerous-terrain
func terrainDice(level int32) string {
	return itoa((max(1, min(level, 20))+3)/4) + "d6"
}

// dangerousTerrain hurts a creature that has spent more than half the movement
// of its turn in dangerous terrain, once a turn, at the end of the movement.
// The terrain's damage type is the caller's to state, and a level in place of
// the creature's own.
//
// rcr.damage.dangerous-terrain
func dangerousTerrain(r *rules.Resolution, id, mode string, take *eventv1.TakeAction) {
	const rule = cite.DamageDangerousTerrain
	c := r.Creature(id)
	all := turnTotal(r.State(), c, mode)
	if dead(c) || c.Marks[mScathed] != "" || 2*c.Counters[cDangerous] <= all {
		return
	}
	level := effectiveLevel(c)
	if n, ok := spoken.Number(take.Facts, "level"); ok {
		level = n
	}
	r.Mark(id, mScathed, "yes", rule)
	kind := spoken.Word(take.Facts, "terrain_damage")
	rolled := r.Roll(rules.RollSpec{Label: "terrain/damage", Creature: id, Expression: terrainDice(level),
		Reason: "dangerous terrain", Rules: []string{rule}})
	damageDeed(r, "terrain/harm/"+id, c, nil, "dangerous terrain",
		[]*eventv1.DamagePart{{Type: kind, Rolled: rolled.Total}}, false, woundFacts(take))
}

// turnTotal is the movement of the turn by a mode, spent or not, in feet.
func turnTotal(s *eventv1.State, c *eventv1.Creature, mode string) int64 {
	if own, base := speedIn(s, c.Id, mode), baseSpeed(s, c); own > 0 && own != base {
		return max(int64(own*times(s, c)), c.Counters[cMoved])
	}
	return c.Counters[cMovement] + c.Counters[cMoved]
}
