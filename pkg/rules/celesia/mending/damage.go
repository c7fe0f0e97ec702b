package mending

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// abilityRule is the rule that adds abilities to the damage of a weapon.
//
// celesia.damage.melee-abilities, celesia.damage.projectile, celesia.damage.thrown, celesia.damage.natural-ranged
func abilityRule(w *eventv1.CelesiaWeapon) string {
	switch w.Kind {
	case body.KindProjectile:
		return cite.DamageProjectile
	case body.KindThrown:
		return cite.DamageThrown
	case body.KindNaturalRanged:
		return cite.DamageNaturalRanged
	}
	return cite.DamageMeleeAbilities
}

// DamageModifiers is what is added to the weapon dice, once. In two hands and
// with natural weapons each ability bonus counts one and a half times, in the
// off hand half; penalties count in full.
//
// celesia.damage.melee-abilities, celesia.damage.two-handed, celesia.damage.off-hand,
// celesia.damage.light-two-hands, celesia.damage.natural-melee, celesia.damage.natural-ranged
func DamageModifiers(c *eventv1.Creature, w *eventv1.CelesiaWeapon) []*eventv1.Modifier {
	natural := w.Kind == body.KindNatural || w.Kind == body.KindNaturalRanged
	where := body.Place(c, w)
	var out []*eventv1.Modifier
	for _, a := range attackAbilities(w) {
		m, rule := body.Modifier(c, a), abilityRule(w)
		source := a
		switch {
		case m <= 0:
		case natural:
			m, source = m*3/2, written(m, a, "x 3/2")
			if !body.Ranged(w) {
				rule = cite.DamageNaturalMelee
			}
		case w.Kind == body.KindMelee && where == body.PlaceBoth && !w.Light && !w.Small:
			m, source, rule = m*3/2, written(m, a, "x 3/2"), cite.DamageTwoHanded
		case w.Kind == body.KindMelee && where == body.PlaceOff:
			m, source, rule = m/2, written(m, a, "/ 2"), cite.DamageOffHand
		}
		out = append(out, body.Mod(m, source, rule))
	}
	return body.Nonzero(append(out, body.Mod(w.DamageBonus, w.Name, cite.DamageDegreesWeapon))...)
}

// ExtraPart is damage of dice that no critical hit multiplies.
func ExtraPart(r *rules.Resolution, a body.Attack, text, kind, why string, critical bool) *eventv1.DamagePart {
	d, _ := body.ParseDice(text) // CheckSheet has seen it
	if critical {
		return &eventv1.DamagePart{Type: kind, Rolled: d.Maximum(), Note: why + " at its maximum", Rule: cite.CriticalExtrasMaximised}
	}
	rolled := r.Roll(rules.RollSpec{Label: a.Label + "/damage/" + why, Creature: a.By, Expression: text, Reason: why + " damage",
		Rules: []string{cite.DamageDegreesWeapon}})
	return &eventv1.DamagePart{Type: kind, Rolled: rolled.Total, Note: why}
}

// DoAim adds 4 to the next shot, if it is the very next act.
//
// celesia.attack.steady-aim
func DoAim(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Set(c.Id, body.CAim, r.Count(c.Id, body.CAim)+4, "steady aim", cite.AttackSteadyAim)
	return nil
}

// written is where a part of a bonus comes from, with the sum that made it.
func written(whole int32, source, how string) string {
	return source + ", " + body.Itoa(whole) + " " + how
}
