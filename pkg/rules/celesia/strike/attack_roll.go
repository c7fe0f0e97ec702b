package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Defense is the DV of a creature against an attacker. A flat-footed creature
// and one that pins have no Dexterity bonus in it.
//
// celesia.condition.flat-footed, celesia.maneuver.grapple-pin, celesia.action.total-defense,
// celesia.action.total-defense-combine, celesia.attack.fighting-defensively-combines
func Defense(t *eventv1.Creature, touch bool) *eventv1.TargetNumber {
	s := body.SheetOf(t)
	out := ownDefense(t, touch)
	add := func(m *eventv1.Modifier) {
		if m.Value != 0 {
			out.Modifiers = append(out.Modifiers, m)
			out.Value += m.Value
		}
	}
	switch {
	case body.Has(t, body.CondFlatFooted):
		add(body.Mod(-s.DefenseDexterity, "flat-footed", cite.ConditionFlatFooted))
	case body.Has(t, body.CondPinning):
		add(body.Mod(-s.DefenseDexterity, "pins a foe", cite.ManeuverGrapplePin))
	case body.Has(t, CondRunning):
		add(body.Mod(-s.DefenseDexterity, "running", cite.MovementRunLosesDexterity))
	}
	if !touch {
		add(body.Mod(items.ShieldBonus(t), "shield", items.RuleShield))
	}
	for _, x := range t.Conditions {
		add(body.Mod(x.Values["defense"], x.Name, x.Rule))
		if !unbalanced(t) {
			add(body.Mod(x.Values["dodge"], x.Name, x.Rule))
		}
	}
	return out
}

// ownDefense is what the sheet says, with its parts: the Dexterity bonus, which may be
// lost, and the armour, which counts against no touch, apart from the rest.
// The rule is the one by which an attack's total is held against it, in melee and from
// afar.
//
// celesia.damage.degrees-weapon
func ownDefense(t *eventv1.Creature, touch bool) *eventv1.TargetNumber {
	s := body.SheetOf(t)
	kind, number, value := "DV", rules.NumberArmor, s.Defense
	if touch {
		kind, number, value = "touch DV", rules.NumberTouch, s.TouchDefense
	}
	const whole, rule = "defense on the sheet", cite.DamageDegreesWeapon
	parts := rules.SheetParts(t.GetSheet(), number, value, whole, rule)
	if len(parts) == 1 {
		rest := value - s.DefenseDexterity
		parts = []*eventv1.Modifier{body.Mod(rest, whole, rule)}
		if armour := s.Defense - s.TouchDefense; !touch && s.TouchDefense > 0 && armour > 0 {
			parts = []*eventv1.Modifier{body.Mod(rest-armour, "without armour", rule), body.Mod(armour, "armour", rule)}
		}
		parts = append(parts, body.Nonzero(body.Mod(s.DefenseDexterity, "Dexterity", rule))...)
	}
	return &eventv1.TargetNumber{Kind: kind, Value: value, Modifiers: parts}
}

// toldOf are the facts that an act of one creature against another goes by.
func toldOf(r *rules.Resolution, take *eventv1.TakeAction, c, t *eventv1.Creature) []*eventv1.UsedFact {
	feet, known := body.Apart(take, c, t)
	return r.UsedFacts(take.GetFacts(), feet, known, c.Id, t.Id)
}

// DefenseBy is the DV of a creature against an attacker as content has it: what it
// sets takes the place of the number of the sheet.
func DefenseBy(r *rules.Resolution, c, t *eventv1.Creature, touch bool) *eventv1.TargetNumber {
	dv := Defense(t, touch)
	base, point := body.SheetOf(t).Defense, house.PointArmor+body.PartFull
	if touch {
		base, point = body.SheetOf(t).TouchDefense, house.PointArmor+body.PartTouch
	}
	n, mods := house.Number(r, "defense/"+t.Id, t, nil, point, base, effects.Env{Actor: c, Target: t})
	dv.Value, dv.Modifiers = dv.Value+n-base, append(dv.Modifiers, mods...)
	return dv
}

// DefenseAgainst is the DV that an attack of one creature on another meets; aid
// against the attacker is used up.
func DefenseAgainst(r *rules.Resolution, c, t *eventv1.Creature, touch bool) *eventv1.TargetNumber {
	dv := DefenseBy(r, c, t, touch)
	if m := useFeint(r, c, t); m != nil {
		dv.Value += m.Value
		dv.Modifiers = append(dv.Modifiers, m)
	}
	for _, m := range checks.UseAid(r, t.Id, "defense", c.Id) {
		dv.Value += m.Value
		dv.Modifiers = append(dv.Modifiers, m)
	}
	return dv
}

// AttackEdges are the sources of advantage and disadvantage on an attack.
//
// celesia.attack.into-melee, celesia.feat.precise-shot, celesia.attack.fighting-defensively
func AttackEdges(r *rules.Resolution, a body.Attack, c, t *eventv1.Creature) []*eventv1.Edge {
	broken := c.Items[a.Weapon.Name].GetValues()["broken"] > 0
	edges := EdgesOf(r.Content(), c, t, body.RollKind{Roll: checks.RollAttack, Ranged: body.Ranged(a.Weapon), Broken: broken, Attack: &a, State: r.State()})
	if spoken.Truth(a.Take.GetFacts(), "flanked") && !body.Has(t, body.CondFlanked) {
		edges = append(edges, &eventv1.Edge{Advantage: true, Kind: cite.DiceAdvTargetFlanked, Source: t.Name + " flanked", Rule: cite.DiceAdvTargetFlanked, Stated: true})
	}
	return edges
}
