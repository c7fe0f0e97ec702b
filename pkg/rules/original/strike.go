package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// strike rolls a blow and its damage; the wound takes effect when laid. It is
// nil after a miss.
//
// original.attack.resolution-order
func strike(r *rules.Resolution, b *thestrike.Blow) *thestrike.Wound {
	b.By(r.Content())
	env := b.Env(r)
	hit, critical, over, rolled := rollToHit(r, b, env)
	natural := rolled.Natural
	thestrike.Met(r, b)
	if !hit {
		env.Roll.Natural, env.Roll.Total = natural, rolled.Total
		thestrike.Missed(r, b, env)
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
	if r.Content() != nil {
		w.SetsOff(b, env, natural, rolled.Total)
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
func rollToHit(r *rules.Resolution, b *thestrike.Blow, env effects.Env) (hit, critical bool, over int32, rolled rules.Rolled) {
	s := r.State()
	thestrike.TakeShield(r, b)
	ac, parts := thestrike.ArmourClass(s, b.Target, b)
	k := thestrike.TablesOf(r.Content())
	ac0 := k.HitAC0(b.Attacker)
	if b.Weapon.Untrained {
		ac0 = body.NormalManAC0 // original.attack.untrained-to-hit
	}
	need := ac0 - ac
	target := &eventv1.TargetNumber{Kind: "need", Value: need, Modifiers: []*eventv1.Modifier{body.Mod(ac0, "needed against AC 0", k.HitRule(b.Attacker))}}
	for _, p := range parts {
		target.Modifiers = append(target.Modifiers, body.Mod(-p.Value, p.Source, p.Rule))
	}
	mods, edges := append(b.Modifiers(s), b.Against(r, env)...), append(b.Edges(s), b.HouseEdges(r, env)...)
	from := r.Content().CriticalFrom(b.Attacker, 20, env)
	expression, again := b.Again(r, env, thestrike.ToHitDice(edges))
	dieNeed, harmless := need-body.Sum(mods), b.Harmless()
	rolled = r.Roll(rules.RollSpec{Label: b.Label + "/to-hit", Creature: b.Attacker.Id, Expression: expression, Modifiers: mods, Edges: edges,
		Target: target, Reason: b.Attacker.Name + " attacks " + b.Target.Name + " with " + b.Weapon.Name,
		Judge: func(natural, total int32) (string, int32) {
			switch {
			case natural == 1 || harmless:
				return "failure", 0
			case (natural == 20 || natural >= from.Value && total >= need) && dieNeed <= 18 && !b.NoDamage && !body.IsUnit(b.Attacker):
				return "critical", 0 // original.critical.natural-20-critical
			case natural == 20 || total >= need:
				return "success", 0
			}
			return "failure", 0
		}, Rules: slices.Concat([]string{cite.AttackRoll}, house.Cited(from.Cites...), again)})
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
	r.Emit(rolled.Audience, &eventv1.Attack{Attacker: b.Attacker.Id, Target: b.Target.Id, Weapon: b.Weapon.Name, Outcome: outcome, Note: note,
		Roll: rolled.Told(rolled.Audience), Facts: b.Told(r)}, rule)
	if outcome == "fumble" {
		fumble(r, b)
	}
	if rolled.Natural == 20 && dieNeed > 20 && !body.IsUnit(b.Attacker) {
		over = dieNeed - 20 // original.critical.needed-over-20
	}
	return rolled.Success(), rolled.Outcome == "critical", over, rolled
}

// lay has a wound take effect.
func lay(r *rules.Resolution, w *thestrike.Wound) {
	if w == nil || r.Creature(w.Target) == nil {
		return
	}
	if w.Hurts() {
		if done := w.Lay(r); done.Taken > 0 {
			disturb(r, w)
		}
	}
	if w.Drops != "" {
		body.Drop(r, w.Target, w.Drops, w.At, w.Weapon, w.Rule)
	}
	if w.Unhorsed {
		body.Lift(r, w.Target, body.CondMounted, w.Rule)
	}
	if w.Effect != "" && !body.Out(r.Creature(w.Target)) && !body.Has(r.Creature(w.Target), w.Effect) && !house.KeepsOff(r, r.Creature(w.Target), w.Effect) {
		x := &eventv1.Condition{Name: w.Effect, Source: w.Attacker, Cause: w.Weapon, Rule: w.Rule}
		r.AddCondition(w.Target, x)
		house.Brings(r, w.Target, x)
		if w.Effect == body.CondProne { // off its feet, and so off its horse
			body.Lift(r, w.Target, body.CondMounted, w.Rule)
		}
	}
	w.Then(r, true)
}
