package strike

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Fireproof creatures take nothing from burning oil.
//
// basic.item.oil-fire-immunity
func Fireproof(c *eventv1.Creature) bool {
	return body.Tagged(c, "fire-resistant") || body.Tagged(c, "fire-based")
}

// catchFire makes a creature burn on in the following round.
//
// basic.item.oil-second-round, basic.item.oil-two-rounds
func catchFire(r *rules.Resolution, id, source string) {
	if c := r.Creature(id); body.Dead(c) || Fireproof(c) {
		return
	}
	body.Inflict(r, id, &eventv1.Condition{Name: body.CondBurning, Source: source, Cause: "burning oil", Rule: cite.ItemOilSecondRound,
		Values: map[string]int32{"due": r.State().Round + 1}})
}

// RefuseNoFlask says why a flask cannot be used: its ammunition is used up.
func RefuseNoFlask(c *eventv1.Creature, w *eventv1.BasicWeapon) error {
	if w.Ammunition != "" && c.Counters[body.CAmmunition+w.Ammunition] < 1 {
		return body.Refuse("NO_AMMUNITION", cite.AttackGrenadeDirectHit, "%s has no %s left", c.Name, w.Ammunition)
	}
	return nil
}
