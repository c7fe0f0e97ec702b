package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// strike rolls a blow and its damage; the wound takes effect when laid. It is
// nil after a miss.
//
// original.attack.resolution-order
func strike(r *rules.Resolution, b *thestrike.Blow) *thestrike.Wound {
	hit, critical, over, natural := rollToHit(r, b)
	thestrike.Met(r, b)
	if !hit {
		return nil
	}
	if !b.NoDamage {
		thestrike.WhichWeapon(r, b)
	}
	w := &thestrike.Wound{Attacker: b.Attacker.Id, Target: b.Target.Id, Weapon: b.Weapon.Name, Critical: critical, Parting: b.Parting}
	if !b.NoDamage && thestrike.Immune(b.Target, b.Weapon) {
		r.Note(event.Everyone(), b.Target.Id, b.Target.Name+" cannot be harmed by "+b.Weapon.Name, cite.CriticalWeaponImmunity)
		return w
	}
	if face := body.SheetOf(b.Attacker).SpecialFace; face > 0 && natural >= face && r.On(body.SetSpecial) && !b.NoDamage && !body.IsUnit(b.Attacker) { // original.mass.damage
		w.Effect, w.Rule = body.SheetOf(b.Attacker).SpecialEffect, body.SetSpecial
	}
	if !b.NoDamage {
		thestrike.RollDamage(r, b, w, over)
	}
	return w
}

// rollToHit rolls one attack: whether it hits, is critical, by how much the
// need exceeded 20, and the face that counts.
//
// original.attack.roll, original.fumble.natural-1-miss, original.critical.natural-20-hits
func rollToHit(r *rules.Resolution, b *thestrike.Blow) (hit, critical bool, over, natural int32) {
	s := r.State()
	thestrike.TakeShield(r, b)
	ac, parts := thestrike.ArmourClass(s, b.Target, b)
	ac0 := thestrike.HitAC0(b.Attacker)
	if b.Weapon.Untrained {
		ac0 = body.NormalManAC0 // original.attack.untrained-to-hit
	}
	need := ac0 - ac
	target := &eventv1.TargetNumber{Kind: "need", Value: need, Modifiers: []*eventv1.Modifier{body.Mod(ac0, "needed against AC 0", cite.AttackHitMatrixTable)}}
	for _, p := range parts {
		target.Modifiers = append(target.Modifiers, body.Mod(-p.Value, p.Source, p.Rule))
	}
	mods, edges := b.Modifiers(s), b.Edges(s)
	dieNeed, harmless := need-body.Sum(mods), b.Harmless()
	rolled := r.Roll(rules.RollSpec{Label: b.Label + "/to-hit", Creature: b.Attacker.Id, Expression: thestrike.ToHitDice(edges), Modifiers: mods, Edges: edges,
		Target: target, Reason: b.Attacker.Name + " attacks " + b.Target.Name + " with " + b.Weapon.Name,
		Judge: func(natural, total int32) (string, int32) {
			switch {
			case natural == 1 || harmless:
				return "failure", 0
			case natural == 20 && dieNeed <= 18 && !b.NoDamage && !body.IsUnit(b.Attacker):
				return "critical", 0 // original.critical.natural-20-critical
			case natural == 20 || total >= need:
				return "success", 0
			}
			return "failure", 0
		}, Rules: []string{cite.AttackRoll}})
	outcome, note, rule := "miss", "", cite.AttackRoll
	switch {
	case rolled.Outcome == "critical":
		outcome, rule = "critical", cite.CriticalNatural20Critical
	case rolled.Outcome == "success":
		outcome = "hit"
	case rolled.Natural == 1:
		rule = cite.FumbleNatural1Miss
		if thestrike.Fumbles(r, b) {
			outcome, rule = "fumble", cite.FumbleCriticalFumbleCheck
		}
	case harmless:
		note, rule = "cannot be harmed by "+b.Weapon.Name, cite.CriticalWeaponImmunity
	}
	r.Emit(rolled.Audience, &eventv1.Attack{Attacker: b.Attacker.Id, Target: b.Target.Id, Weapon: b.Weapon.Name, Outcome: outcome, Note: note}, rule)
	if outcome == "fumble" {
		fumble(r, b)
	}
	if rolled.Natural == 20 && dieNeed > 20 && !body.IsUnit(b.Attacker) {
		over = dieNeed - 20 // original.critical.needed-over-20
	}
	return rolled.Success(), rolled.Outcome == "critical", over, rolled.Natural
}

// lay has a wound take effect.
func lay(r *rules.Resolution, w *thestrike.Wound) {
	if w == nil || r.Creature(w.Target) == nil {
		return
	}
	if w.Actual+w.Temporary > 0 {
		source := w.Attacker
		if r.Creature(source) == nil {
			source = ""
		}
		done := r.Harm("harm/"+w.Target, w.Harm(source))
		if done.Taken > 0 {
			disturb(r, w)
		}
	}
	if w.Drops != "" {
		body.Drop(r, w.Target, w.Drops, w.At, w.Weapon, w.Rule)
	}
	if w.Unhorsed {
		body.Lift(r, w.Target, body.CondMounted, w.Rule)
	}
	if w.Effect != "" && !body.Out(r.Creature(w.Target)) && !body.Has(r.Creature(w.Target), w.Effect) {
		r.AddCondition(w.Target, &eventv1.Condition{Name: w.Effect, Source: w.Attacker, Cause: w.Weapon, Rule: w.Rule})
		if w.Effect == body.CondProne { // off its feet, and so off its horse
			body.Lift(r, w.Target, body.CondMounted, w.Rule)
		}
	}
}
