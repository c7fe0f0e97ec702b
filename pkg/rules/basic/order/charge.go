package order

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Chargers lists the names of the melee weapons that the sheet marks as fit for a
// charge.
func Chargers(c *eventv1.Creature) []string {
	var out []string
	for _, w := range body.SheetOf(c).Weapons {
		if w.Charge && w.Kind == "melee" {
			out = append(out, w.Name)
		}
	}
	return out
}

// RefuseCharging says why a creature cannot charge at all, with a weapon that is ready.
//
// basic.action.charge-weapon, basic.condition.fatigued
func RefuseCharging(s *eventv1.State, c *eventv1.Creature, ready func(*eventv1.Creature, *eventv1.BasicWeapon) bool) error {
	if err := body.RefuseAttacking(s, c); err != nil {
		return err
	}
	if err := RefuseRunning(c); err != nil {
		return err
	}
	for _, name := range Chargers(c) {
		if ready(c, body.WeaponOf(c, name)) {
			return nil
		}
	}
	return body.Refuse("NO_CHARGE_WEAPON", cite.ActionChargeWeapon, "%s has no weapon fit for a charge in hand", c.Name)
}

// BeginCharge takes the charger's armour class down as its number comes, so that all
// who act on the number find it so, whoever is first.
//
// basic.condition.charge-ac, basic.initiative.ties-simultaneous
func BeginCharge(r *rules.Resolution, id string) {
	if c := r.Creature(id); DeclaredBy(c) == body.KindCharge && RefuseCharging(r.State(), c, body.CanReady) == nil {
		UntilRoundEnds(r, id, body.CondCharging, cite.ConditionChargeAc)
	}
}
