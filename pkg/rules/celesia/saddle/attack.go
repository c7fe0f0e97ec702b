package saddle

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AttackActions are attacks of all kinds.
func AttackActions() []*strike.Action {
	return slices.Concat([]*strike.Action{
		{Action: play.Action{ID: "attack", Title: "Attack", Rule: cite.AttackMeleeReach, Group: play.GroupAttack, Trigger: "attack", Costs: body.Acts(1),
			Items: body.Ways(manners.WeaponNames), Least: 1, Most: 1, Traits: checks.Aims, Refuse: body.Bars(strike.RefuseAttack), RefuseTarget: answers.Aimed(manners.RefuseReach),
			Fields: strike.AttackFields, Check: checks.Judged(manners.CheckAttack), Do: body.Done(doAttack)}, Provoke: strike.AttackProvokes},
		{Action: play.Action{ID: "steady-aim", Title: "Steady aim", Rule: cite.AttackSteadyAim, Group: play.GroupAttack, Trigger: "other", Costs: body.Acts(1), Traits: checks.Aims,
			Refuse: body.Bars(strike.RefuseAim), Do: body.Done(mending.DoAim)}, Provoke: checks.Always},
	}, multiActions())
}

func doAttack(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := body.WeaponOf(c, take.Item)
	manners.UseLimbs(r, c, w)
	declare(r, c.Id, take)
	if makeAttack(r, body.Attack{By: c.Id, Target: body.Target(take), Weapon: w, Label: "attack/1", Take: take}) {
		cleave(r, c.Id, w, take, body.Target(take))
	}
	loseAim(r, c.Id, "the attack is made")
	return nil
}

// makeAttack rolls an attack and has its damage done. It tells whether it hit.
//
// celesia.critical.threat, celesia.damage.degrees-weapon
func makeAttack(r *rules.Resolution, a body.Attack) bool {
	c, t, w := r.Creature(a.By), r.Creature(a.Target), a.Weapon
	manners.NoteAttack(r, c.Id, w)
	feet, known := body.Apart(a.Take, c, t)
	mods := append(append(mending.AttackModifiers(c, w, feet, known), manners.TradedRoll(r.Content(), c, a)...), a.More...)
	mods = append(mods, strike.MountedRoll(r.State(), c, t, w)...)
	if aim := int32(c.Counters[body.CAim]); body.Ranged(w) && aim > 0 {
		mods = append(mods, body.Mod(aim, "steady aim", cite.AttackSteadyAim))
	}
	if checks.Turned(a, c) && w.Kind == body.KindUnarmed && r.Value(body.SetLethalUnarmed) == "penalty" {
		mods = append(mods, body.Mod(-4, "lethal unarmed strike", cite.DamageUnarmedLethal))
	}
	edges, more := checks.Stated(a.Take.GetCircumstances(), t.Id)
	mods = append(mods, checks.UseAid(r, c.Id, "attack", t.Id)...)
	env, way := checks.BlowEnv(r, a, c, t), checks.Way(w)
	edges = append(edges, house.Edges(r, t, house.PointAttacked+way, env)...)
	threat := r.Content().CriticalFrom(c, body.ThreatOf(w), env)
	dv := strike.DefenseAgainst(r, c, t, w.Touch)
	rolled := checks.D20{Label: a.Label + "/to-hit", Creature: c.Id, Reason: w.Name + " against " + t.Name,
		Modifiers: append(mods, more...), Edges: append(strike.AttackEdges(r, a, c, t), edges...), Target: dv,
		Judge: mending.JudgeAttack(r.On(body.SetNaturalFaces), dv.Value, threat.Value, !body.Immune(t, body.ImmuneCritical)),
		Rules: slices.Concat([]string{mending.BonusRule(w), cite.DamageDegreesWeapon}, house.Cited(threat.Cites...)), Point: house.PointAttack + way, Env: env}.Roll(r)
	word, near, rule := mending.OutcomeWord(rolled), []string(nil), gone(a, rolled)
	if rule != "" {
		near = strike.Bystanders(r.State(), a)
	}
	if len(near) > 0 {
		word = "miss" // whatever it would have come to, it strikes another
	}
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: c.Id, Target: t.Id, Weapon: w.Name, Outcome: word,
		Roll: rolled.Told(event.Everyone()), Facts: r.UsedFacts(a.Take.GetFacts(), feet, known, c.Id, t.Id)}, mending.BonusRule(w), cite.DamageDegreesWeapon)
	body.Discharge(r, c.Id, w)
	hit, ends := false, t.Position
	switch {
	case len(near) > 0:
		mishap(r, a, near, rule, rolled)
	case rolled.Success():
		hit = true
		inc := rolled.Degree
		if most, ok := spoken.Number(a.Take.GetParameters(), "degrees"); ok {
			inc = max(0, min(inc, most))
		}
		harm(r, a, inc, rolled.Outcome == "critical", "")
	case body.Ranged(w):
		ends = stray(r, a, rolled)
	}
	struck(r, a, hit, house.PointAttack+way, rolled)
	if w.Kind == body.KindThrown {
		body.Lay(r, c.Id, w.Name, ends, "thrown", cite.AttackRangedTarget)
	}
	return hit
}
