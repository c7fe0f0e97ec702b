package original

import (
	"github.com/skaldrpg/skald/pkg/rules"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// doBackstab is an attack from behind with the thief's bonuses; the other
// attacks of the round are surprise attacks.
//
// original.attack.backstab-first-only
func doBackstab(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	b := thestrike.BlowOf(r.State(), c, take)
	if !thestrike.Unnoticed(r, c, b.Target, take) {
		return nil
	}
	b.Position, b.Backstab, b.Subdue = "behind", true, false
	deliver(r, b, take.Action, nil)
	return nil
}
