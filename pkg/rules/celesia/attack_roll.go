package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// attackModifiers is what goes on the attack roll.
//
// celesia.attack.melee-bonus, celesia.attack.ranged-bonus, celesia.attack.natural-reach
func attackModifiers(c *eventv1.Creature, w *eventv1.CelesiaWeapon, feet int32, known bool) []*eventv1.Modifier {
	s := sheetOf(c)
	out := []*eventv1.Modifier{mod(s.BaseAttack, "base attack", cite.AttackBabSource)}
	for _, a := range attackAbilities(w) {
		out = append(out, mod(modifier(c, a), a, cite.AttackMeleeBonus))
	}
	out = append(out, mod(s.SizeModifier, "size", ""), mod(w.AttackBonus, w.Name, ""))
	if ranged(w) && known && w.RangeFeet > 0 && feet > 0 {
		out = append(out, mod(-w.RangePenalty*((feet-1)/w.RangeFeet), "range", cite.AttackRangedBonus))
	}
	return nonzero(out...)
}

// attackAbilities are the abilities of attack rolls and damage.
//
// celesia.damage.melee-abilities, celesia.damage.projectile, celesia.damage.thrown, celesia.damage.natural-ranged
func attackAbilities(w *eventv1.CelesiaWeapon) []string {
	switch w.Kind {
	case kindProjectile:
		return []string{"dexterity", "wisdom"}
	case kindThrown, kindNaturalRanged:
		return []string{"strength", "dexterity", "wisdom"}
	}
	return []string{"strength", "dexterity"}
}

// defense is the DV of a creature against an attacker. A flat-footed creature
// and one that pins have no Dexterity bonus in it.
//
// celesia.condition.flat-footed, celesia.maneuver.grapple-pin, celesia.action.total-defense,
// celesia.action.total-defense-combine, celesia.attack.fighting-defensively-combines
func defense(t *eventv1.Creature, touch bool) *eventv1.TargetNumber {
	s := sheetOf(t)
	out := &eventv1.TargetNumber{Kind: "DV", Value: s.Defense}
	if touch {
		out = &eventv1.TargetNumber{Kind: "touch DV", Value: s.TouchDefense}
	}
	add := func(m *eventv1.Modifier) {
		if m.Value != 0 {
			out.Modifiers = append(out.Modifiers, m)
			out.Value += m.Value
		}
	}
	switch {
	case has(t, condFlatFooted):
		add(mod(-s.DefenseDexterity, "flat-footed", cite.ConditionFlatFooted))
	case has(t, condPinning):
		add(mod(-s.DefenseDexterity, "pins a foe", cite.ManeuverGrapplePin))
	case has(t, condRunning):
		add(mod(-s.DefenseDexterity, "running", cite.MovementRunLosesDexterity))
	}
	if !touch {
		add(mod(shieldBonus(t), "shield", ruleShield))
	}
	for _, x := range t.Conditions {
		add(mod(x.Values["defense"], x.Name, x.Rule))
		if !unbalanced(t) {
			add(mod(x.Values["dodge"], x.Name, x.Rule))
		}
	}
	return out
}

// defenseAgainst is the DV that an attack of one creature on another meets; aid
// against the attacker is used up.
func defenseAgainst(r *rules.Resolution, c, t *eventv1.Creature, touch bool) *eventv1.TargetNumber {
	dv := defense(t, touch)
	if m := useFeint(r, c, t); m != nil && m.Value != 0 {
		dv.Value += m.Value
		dv.Modifiers = append(dv.Modifiers, m)
	}
	for _, m := range useAid(r, t.Id, "defense", c.Id) {
		dv.Value += m.Value
		dv.Modifiers = append(dv.Modifiers, m)
	}
	return dv
}

// attackEdges are the sources of advantage and disadvantage on an attack.
//
// celesia.attack.into-melee, celesia.feat.precise-shot
func attackEdges(r *rules.Resolution, a attack, c, t *eventv1.Creature) []*eventv1.Edge {
	w := a.weapon
	broken := c.Items[w.Name].GetValues()["broken"] > 0
	edges := edgesOf(c, t, rollKind{roll: rollAttack, ranged: ranged(w), broken: broken})
	if spoken.Truth(a.take.GetFacts(), "flanked") && !has(t, condFlanked) {
		edges = append(edges, &eventv1.Edge{Advantage: true, Kind: cite.DiceAdvTargetFlanked, Source: t.Name + " flanked", Rule: cite.DiceAdvTargetFlanked, Stated: true})
	}
	if has(c, condDefensive) {
		edges = append(edges, defensiveEdge())
	}
	if ranged(w) && !feature(c, featPreciseShot) && intoMelee(r.State(), a.take, c, t) {
		edges = append(edges, &eventv1.Edge{Kind: "into-melee", Source: "shooting into a melee", Rule: cite.AttackIntoMelee})
	}
	if e := natureEdge(r, a, c); e != nil {
		edges = append(edges, e)
	}
	return edges
}

// defensiveEdge is what fighting defensively costs every attack roll.
//
// celesia.attack.fighting-defensively
func defensiveEdge() *eventv1.Edge {
	return &eventv1.Edge{Kind: condDefensive, Source: "fighting defensively", Rule: cite.AttackFightingDefensively}
}

// nature is the nature of an attack's damage: as the weapon's, or as declared.
//
// celesia.damage.unarmed
func nature(a attack) string {
	declared := spoken.Word(a.take.GetParameters(), "damage")
	if declared == "nonlethal" || declared == "" && a.weapon.Nonlethal {
		return natureNonlethal
	}
	return ""
}

// turned tells whether the damage is not of the weapon's own nature, which
// hampers the attack; Improved Unarmed Strike lifts that for unarmed strikes.
//
// celesia.attack.nonlethal-with-lethal-weapon, celesia.attack.lethal-with-nonlethal-weapon,
// celesia.damage.unarmed-lethal
func turned(a attack, c *eventv1.Creature) bool {
	if (nature(a) == natureNonlethal) == a.weapon.Nonlethal {
		return false
	}
	return !(a.weapon.Kind == kindUnarmed && feature(c, featImprovedUnarmed))
}

func natureEdge(r *rules.Resolution, a attack, c *eventv1.Creature) *eventv1.Edge {
	if !turned(a, c) || a.weapon.Kind == kindUnarmed && r.Value(setLethalUnarmed) == "penalty" {
		return nil
	}
	rule := cite.AttackNonlethalWithLethalWeapon
	if a.weapon.Nonlethal {
		rule = cite.AttackLethalWithNonlethalWeapon
	}
	return &eventv1.Edge{Kind: "nature", Source: "not the weapon's own kind of damage", Rule: rule}
}
