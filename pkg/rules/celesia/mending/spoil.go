package mending

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PlainDamage rolls the normal damage of a weapon, without degrees or critical
// hit, and adds up all of it.
func PlainDamage(r *rules.Resolution, c *eventv1.Creature, w *eventv1.CelesiaWeapon, label string) int32 {
	sum := r.Roll(rules.RollSpec{Label: label + "/damage", Creature: c.Id, Expression: checks.WeaponDice(c, w).Times(1), Reason: "damage of " + w.Name,
		Modifiers: DamageModifiers(c, w), Rules: []string{checks.RuleSunder}}).Total
	sum = max(0, sum)
	for _, x := range w.Extra {
		sum += r.Roll(rules.RollSpec{Label: label + "/damage/quality", Creature: c.Id, Expression: x.Dice, Reason: "quality damage", Rules: []string{checks.RuleSunder}}).Total
	}
	return sum
}
