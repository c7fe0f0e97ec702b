package celesia

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// weaponDice are the dice of a weapon as it is held.
//
// celesia.damage.two-hand-trait
func weaponDice(c *eventv1.Creature, w *eventv1.CelesiaWeapon) dieSet {
	text := w.Dice
	if place(c, w) == placeBoth && w.TwoHandDice != "" {
		text = w.TwoHandDice
	}
	d, _ := parseDice(text) // CheckSheet has seen it
	return d
}

// abilityRule is the rule that adds abilities to the damage of a weapon.
//
// celesia.damage.melee-abilities, celesia.damage.projectile, celesia.damage.thrown, celesia.damage.natural-ranged
func abilityRule(w *eventv1.CelesiaWeapon) string {
	switch w.Kind {
	case kindProjectile:
		return cite.DamageProjectile
	case kindThrown:
		return cite.DamageThrown
	case kindNaturalRanged:
		return cite.DamageNaturalRanged
	}
	return cite.DamageMeleeAbilities
}

// damageModifiers is what is added to the weapon dice, once. In two hands and
// with natural weapons each ability bonus counts one and a half times, in the
// off hand half; penalties count in full.
//
// celesia.damage.melee-abilities, celesia.damage.two-handed, celesia.damage.off-hand,
// celesia.damage.light-two-hands, celesia.damage.natural-melee, celesia.damage.natural-ranged
func damageModifiers(c *eventv1.Creature, w *eventv1.CelesiaWeapon) []*eventv1.Modifier {
	natural := w.Kind == kindNatural || w.Kind == kindNaturalRanged
	where := place(c, w)
	var out []*eventv1.Modifier
	for _, a := range attackAbilities(w) {
		m, rule := modifier(c, a), abilityRule(w)
		switch {
		case m <= 0:
		case natural:
			m = m * 3 / 2
			if !ranged(w) {
				rule = cite.DamageNaturalMelee
			}
		case w.Kind == kindMelee && where == placeBoth && !w.Light && !w.Small:
			m, rule = m*3/2, cite.DamageTwoHanded
		case w.Kind == kindMelee && where == placeOff:
			m, rule = m/2, cite.DamageOffHand
		}
		out = append(out, mod(m, a, rule))
	}
	return nonzero(append(out, mod(w.DamageBonus, w.Name, ""))...)
}

// harm rolls the damage of a hit and has it done as one deed. On a critical hit
// the weapon's own dice are their maximum times the multiplier, the dice of
// qualities and of precision their maximum once; the extra rolls of degrees are
// rolled and added.
//
// celesia.damage.degrees-weapon, celesia.critical.damage, celesia.critical.extras-maximised,
// celesia.critical.degree-dice
func harm(r *rules.Resolution, a attack, increments int32, critical bool, kind string) {
	c, w := r.Creature(a.by), a.weapon
	increments = fewerDegrees(r, a, increments)
	d, mods := weaponDice(c, w), damageModifiers(c, w)
	if a.hand != "" {
		mods = handModifiers(c, w, a.hand)
	}
	mods = append(mods, tradedDamage(c, a)...)
	mods = append(mods, heldBack(r, a, mods)...)
	rolls := 1 + increments
	sum := int32(0)
	switch {
	case critical && r.On(optDeck) && spoken.Word(a.take.GetFacts(), "deck") == "normal":
		// celesia.critical.deck-normal: the whole attack at its maximum, degree dice as well.
		mods = append([]*eventv1.Modifier{mod(d.maximum()*rolls, "maximum", optDeck)}, mods...)
		rolls = 0
	case critical:
		rolls--
		maximum := mod(d.maximum()*multiplierOf(w), "maximum times "+itoa(multiplierOf(w)), cite.CriticalDamage)
		mods = append([]*eventv1.Modifier{maximum}, mods...)
	}
	if rolls > 0 {
		sum = r.Roll(rules.RollSpec{Label: a.label + "/damage", Creature: c.Id, Expression: d.times(rolls), Reason: "damage of " + w.Name,
			Modifiers: mods, Rules: []string{cite.DamageDegreesWeapon}}).Total
	} else {
		for _, m := range mods {
			sum += m.Value
		}
		r.Note(event.Everyone(), c.Id, w.Name+": no dice, the maximum counts", cite.CriticalDamage)
	}
	parts := []*eventv1.DamagePart{{Type: w.Type, Rolled: max(0, sum)}}
	for _, x := range w.Extra {
		parts = append(parts, extraPart(r, a, x.Dice, x.Type, "quality", critical))
	}
	t := r.Creature(a.target)
	// celesia.attack.coup-sneak-attack: a coup de grace always has its precision damage.
	precise := spoken.Truth(a.take.GetFacts(), "precision") || kind == deedCoup
	if precise && sheetOf(c).PrecisionDice != "" && !immune(t, immuneCritical) {
		parts = append(parts, extraPart(r, a, sheetOf(c).PrecisionDice, w.Type, "precision", critical))
	}
	if lanceCharge(c, a) {
		for _, p := range parts {
			p.Rolled, p.Note, p.Rule = 2*p.Rolled, strings.TrimSpace(p.Note+" doubled by the charge"), cite.MountLanceCharge
		}
	}
	if kind == "" {
		kind = deedDamage
	}
	deed(r, a.label+"/harm", &eventv1.Harm{Deed: kind, Target: a.target, Source: a.by, Cause: w.Name, Parts: parts,
		Critical: critical, Nature: nature(a)})
}

// extraPart is damage of dice that no critical hit multiplies.
func extraPart(r *rules.Resolution, a attack, text, kind, why string, critical bool) *eventv1.DamagePart {
	d, _ := parseDice(text) // CheckSheet has seen it
	if critical {
		return &eventv1.DamagePart{Type: kind, Rolled: d.maximum(), Note: why + " at its maximum", Rule: cite.CriticalExtrasMaximised}
	}
	rolled := r.Roll(rules.RollSpec{Label: a.label + "/damage/" + why, Creature: a.by, Expression: text, Reason: why + " damage",
		Rules: []string{cite.DamageDegreesWeapon}})
	return &eventv1.DamagePart{Type: kind, Rolled: rolled.Total, Note: why}
}

// deed has something done by medicine and settles what it means for the fight.
func deed(r *rules.Resolution, label string, h *eventv1.Harm) map[string]int32 {
	res := r.Deed(label, h)
	afterHarm(r, h.Target)
	return res
}

// afterHarm settles what harm means beyond the harmed body: who can no longer
// act lets go, forgets what was readied and breaks off what was under way.
//
// celesia.death.dying-unconscious
func afterHarm(r *rules.Resolution, id string) {
	breakOff(r, id)
	saddle(r, id)
}

func breakOff(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if c == nil || able(c) {
		return
	}
	endHolds(r, id, "can no longer act")
	forget(r, id, "can no longer act")
	breakTasks(r, id, "can no longer act")
	if !dead(c) && !down(c) {
		return
	}
	r.Set(id, cReactions, 0, "down", cite.DeathDyingUnconscious)
	r.Mark(id, mDelaying, "")
}

// refuseAim: somebody must have something to shoot or throw.
func refuseAim(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	for _, w := range sheetOf(c).Weapons {
		if ranged(w) && wieldable(c, w) {
			return nil
		}
	}
	return refuse("NO_RANGED_WEAPON", cite.AttackSteadyAim, "%s has no ranged weapon in hand", c.Name)
}

// doAim adds 4 to the next shot, if it is the very next act.
//
// celesia.attack.steady-aim
func doAim(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Set(c.Id, cAim, r.Count(c.Id, cAim)+4, "steady aim", cite.AttackSteadyAim)
	return nil
}
