package strike

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
)

// SettleBody brings the tally of damage and life in line with hit points set
// by the game master.
func SettleBody(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if c.Hp == nil {
		return
	}
	maximum, hp := c.GetHpMax(), max(0, c.GetHp())
	temporary := min(max(0, body.Nonlethal(c)), maximum-hp)
	r.Set(id, body.CTemporary, int64(temporary), "game master")
	r.Set(id, body.CActual, int64(maximum-hp-temporary), "game master")
	r.SetHitPoints(id, hp, maximum, c.GetHpTemp())
	settleLife(r, id, "game master")
}
