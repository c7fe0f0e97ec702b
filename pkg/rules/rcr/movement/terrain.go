package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DangerousTerrain hurts a creature that has spent more than half the movement
// of its turn in dangerous terrain, once a turn, at the end of the movement.
// The terrain's damage type is the caller's to state, and a level in place of
// the creature's own.
//
// rcr.damage.dangerous-terrain
func DangerousTerrain(r *rules.Resolution, id, mode string, take *eventv1.TakeAction) {
	const rule = cite.DamageDangerousTerrain
	c := r.Creature(id)
	all := turnTotal(r.State(), c, mode)
	if body.Dead(c) || c.Marks[body.MScathed] != "" || 2*c.Counters[body.CDangerous] <= all {
		return
	}
	level := body.EffectiveLevel(c)
	if n, ok := spoken.Number(take.Facts, "level"); ok {
		level = n
	}
	r.Flag(id, body.MScathed, true, rule)
	dice, row := checks.TablesOf(r.Content()).TerrainDice(max(1, min(level, 20)))
	behind := append([]string{rule}, house.Cited(effects.Cite{Rule: r.Content().TableCite("terrain", row)})...)
	kind := spoken.Word(take.Facts, "terrain_damage")
	rolled := r.Roll(rules.RollSpec{Label: "terrain/damage", Creature: id, Expression: dice,
		Reason: "dangerous terrain", Rules: behind})
	DamageDeed(r, "terrain/harm/"+id, c, nil, "dangerous terrain",
		[]*eventv1.DamagePart{{Type: kind, Rolled: rolled.Total}}, false, body.WoundFacts(take))
}

// turnTotal is the movement of the turn by a mode, spent or not, in feet.
func turnTotal(s *eventv1.State, c *eventv1.Creature, mode string) int64 {
	if own, base := body.SpeedIn(s, c.Id, mode), body.BaseSpeed(s, c); own > 0 && own != base {
		return max(int64(own*times(s, c)), c.Counters[body.CMoved])
	}
	return c.Counters[body.CMovement] + c.Counters[body.CMoved]
}
