package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// attack is one attack with a weapon.
type attack struct {
	// by and target are creature ids.
	by, target string
	weapon     *eventv1.CelesiaWeapon
	// label of its rolls.
	label string
	// take holds what was stated: facts, parameters, circumstances.
	take *eventv1.TakeAction
	// more goes on the attack roll.
	more []*eventv1.Modifier
	// hand of one of several attacks: main or off; empty for a lone one.
	hand string
}

// attackActions are attacks of all kinds.
func attackActions() []*action {
	return slices.Concat([]*action{
		{id: "attack", title: "Attack", rule: cite.AttackMeleeReach, acts: 1, trigger: "attack", targeted: true, aims: true,
			items: weaponNames, provoke: attackProvokes, refuse: refuseAttack, check: checkAttack, parameters: attackParameters, do: doAttack},
		{id: "steady-aim", title: "Steady aim", rule: cite.AttackSteadyAim, acts: 1, trigger: "other", aims: true,
			provoke: always, refuse: refuseAim, do: doAim},
	}, multiActions())
}

func weaponNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		out = append(out, w.Name)
	}
	return out
}

func attackParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return append([]*eventv1.Parameter{choice("damage", "lethal or nonlethal, before the roll", false, "lethal", "nonlethal"),
		{Name: "degrees", Type: "number", Text: "most extra rolls of the weapon dice to use"}}, tradeOffParameters()...)
}

func checkAttack(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := checkNature(s, c, take); err != nil {
		return err
	}
	return checkTradeOffs(s, c, take)
}

// checkNature judges whether the damage may be of the nature asked for.
func checkNature(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	// celesia.attack.nonlethal-with-lethal-weapon
	if w := weaponOf(c, take.Item); spoken.Word(take.Parameters, "damage") == natureNonlethal && !w.Nonlethal && ranged(w) {
		return refuse("MELEE_ONLY", cite.AttackNonlethalWithLethalWeapon, "only melee weapons can be turned to nonlethal damage")
	}
	return nil
}

func doAttack(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := weaponOf(c, take.Item)
	useLimbs(r, c, w)
	declare(r, c.Id, take)
	if makeAttack(r, attack{by: c.Id, target: target(take), weapon: w, label: "attack/1", take: take}) {
		cleave(r, c.Id, w, take, target(take))
	}
	r.Set(c.Id, cAim, 0, "the attack is made", cite.AttackSteadyAim)
	return nil
}

// makeAttack rolls an attack and has its damage done. It tells whether it hit.
//
// celesia.critical.threat, celesia.damage.degrees-weapon
func makeAttack(r *rules.Resolution, a attack) bool {
	c, t, w := r.Creature(a.by), r.Creature(a.target), a.weapon
	noteAttack(r, c.Id, w)
	feet, known := apart(a.take, c, t)
	mods := append(append(attackModifiers(c, w, feet, known), tradedRoll(c, a)...), a.more...)
	mods = append(mods, mountedRoll(r.State(), c, t, w)...)
	if aim := int32(c.Counters[cAim]); ranged(w) && aim > 0 && a.label == "attack/1" {
		mods = append(mods, mod(aim, "steady aim", cite.AttackSteadyAim))
	}
	if turned(a, c) && w.Kind == kindUnarmed && r.Value(setLethalUnarmed) == "penalty" {
		mods = append(mods, mod(-4, "lethal unarmed strike", cite.DamageUnarmedLethal))
	}
	edges, more := stated(a.take.GetCircumstances(), t.Id)
	mods = append(mods, useAid(r, c.Id, "attack", t.Id)...)
	dv := defenseAgainst(r, c, t, w.Touch)
	rolled := d20{label: a.label + "/to-hit", creature: c.Id, reason: w.Name + " against " + t.Name,
		modifiers: append(mods, more...), edges: append(attackEdges(r, a, c, t), edges...), target: dv,
		judge: judgeAttack(r.On(setNaturalFaces), dv.Value, threatOf(w), !immune(t, immuneCritical)),
		rules: []string{cite.AttackMeleeBonus, cite.DamageDegreesWeapon}}.roll(r)
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: c.Id, Target: t.Id, Weapon: w.Name, Outcome: outcomeWord(rolled)})
	discharge(r, c.Id, w)
	hit, ends := false, t.Position
	switch {
	case mishap(r, a, rolled):
	case rolled.Success():
		hit = true
		inc := rolled.Degree
		if most, ok := spoken.Number(a.take.GetParameters(), "degrees"); ok {
			inc = max(0, min(inc, most))
		}
		harm(r, a, inc, rolled.Outcome == "critical", "")
	case ranged(w):
		ends = stray(r, a, rolled)
	}
	if w.Kind == kindThrown {
		lay(r, c.Id, w.Name, ends, "thrown", cite.AttackRangedTarget)
	}
	return hit
}

// judgeAttack names the outcome of an attack roll: the face that is kept
// threatens only when the attack hits.
func judgeAttack(naturals bool, dv, threat int32, vulnerable bool) func(natural, total int32) (string, int32) {
	return func(natural, total int32) (string, int32) {
		hit := total >= dv
		if naturals && natural == 20 {
			hit = true
		}
		if naturals && natural == 1 {
			hit = false
		}
		inc := max(0, degree(total-dv, 10))
		switch {
		case !hit:
			return "failure", 0
		case natural >= threat && vulnerable:
			return "critical", inc
		}
		return "success", inc
	}
}

func outcomeWord(rolled rules.Rolled) string {
	switch rolled.Outcome {
	case "critical":
		return "critical"
	case "success":
		return "hit"
	}
	return "miss"
}
