package maneuvers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
)

// BreakOff ends what a creature had going when it can no longer act: holds, a
// readied action and tasks. Who is down also loses its reactions and a delayed turn.
func BreakOff(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if strike.Able(c) {
		return
	}
	EndHolds(r, id, "can no longer act")
	mending.Forget(r, id, "can no longer act")
	answers.BreakTasks(r, id, "can no longer act")
	if !body.Dead(c) && !body.Down(c) {
		return
	}
	r.Set(id, body.CReactions, 0, "down", cite.DeathDyingUnconscious)
	r.EndBegun(id, body.BegunDelayed, "down")
}
