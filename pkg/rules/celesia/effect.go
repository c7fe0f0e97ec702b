package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// struck is what a spell comes to for one target.
type struck struct {
	id string
	// level is the caster level that counts against it.
	level int32
	// saved tells whether its saving throw was made.
	saved bool
}

// takeEffect works a spell on its targets: each attack roll and saving throw
// moves the caster level by its degrees. The dice of damage are rolled once, as
// many as the highest level needs; each target counts the first of them that are
// its own (a reading).
//
// celesia.spell.degrees-attack, celesia.spell.degrees-save, celesia.spell.degrees-combined,
// celesia.spell.degrees-range-area
func takeEffect(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, targets []string, take *eventv1.TakeAction) {
	var all []struck
	for _, id := range targets {
		if dead(r.Creature(id)) {
			continue
		}
		shift := int32(0)
		if sp.Attack != "" {
			hit, inc := touch(r, c, sp, r.Creature(id), take)
			if !hit {
				continue
			}
			shift = inc
		}
		if one, reached := resist(r, sp, id, shift, take); reached {
			all = append(all, one)
		}
	}
	workOn(r, c, sp, all)
}

// resist rolls the saving throw of a target and says at what level the spell
// works on it, if it does. The level does not fall below 1 (a reading); what is
// supernatural is no spell and has no degrees (a reading).
func resist(r *rules.Resolution, sp *eventv1.CelesiaSpell, id string, shift int32, take *eventv1.TakeAction) (struck, bool) {
	one := struck{id: id}
	if sp.Save != "" {
		rolled := rollSaving(r, "save/"+id, r.Creature(id), sp.Save, sp.SaveDc, sp.Name, take.GetCircumstances(), cite.SpellDegreesSave)
		one.saved = rolled.Success()
		shift -= rolled.Degree
	}
	if sp.Supernatural {
		shift = 0
	}
	one.level = max(1, sp.CasterLevel+shift)
	return one, !one.saved || sp.SaveEffect == "half"
}

// workOn does to those whom a spell reached what it does.
func workOn(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, all []struck) {
	if sp.Healing != "" {
		for _, one := range all {
			healWith(r, "cast/harm", c.Id, one.id, sp.Name, sp.Healing)
		}
	}
	layOn(r, c, sp, all)
	for _, one := range all {
		goOn(r, c.Id, sp, one.id)
	}
}

// layOn deals the damage of a spell and puts on those whom it reached what it
// puts on them.
func layOn(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, all []struck) {
	spellDamage(r, c, sp, all)
	lowerAbilities(r, c, sp, all)
	for _, one := range all {
		t := r.Creature(one.id)
		if sp.Condition != "" && !one.saved && !dead(t) && !has(t, sp.Condition) {
			r.AddCondition(t.Id, &eventv1.Condition{Name: sp.Condition, Source: c.Id, Cause: sp.Name})
			afterHarm(r, t.Id)
		}
	}
}

// diceOf are the damage dice of a spell at a caster level; its own limit holds
// whatever moved the level (a reading).
//
// celesia.spell.degrees-attack
func diceOf(sp *eventv1.CelesiaSpell, level int32) (dieSet, bool) {
	if d, ok := parseDice(sp.DicePerLevel); ok {
		if sp.MaximumLevels > 0 {
			level = min(level, sp.MaximumLevels)
		}
		d.count *= level
		return d, true
	}
	return parseDice(sp.Dice)
}

// spellDamage rolls and deals the damage of a spell.
func spellDamage(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, all []struck) {
	best := int32(0)
	for _, one := range all {
		best = max(best, one.level)
	}
	d, ok := diceOf(sp, best)
	if !ok || best == 0 {
		return
	}
	rolled := r.Roll(rules.RollSpec{Label: "cast/damage", Creature: c.Id, Expression: d.times(1),
		Reason: sp.Name + " at caster level " + itoa(best), Rules: []string{cite.SpellDegreesAttack}})
	for _, one := range all {
		mine, _ := diceOf(sp, one.level)
		sum := int32(0)
		for _, face := range rolled.Kept[:mine.count] {
			sum += face
		}
		if one.saved {
			sum /= 2
		}
		deed(r, "cast/harm", &eventv1.Harm{Deed: deedDamage, Target: one.id, Source: c.Id, Cause: sp.Name,
			Parts: []*eventv1.DamagePart{{Type: sp.Type, Rolled: sum}}})
	}
}

// touch rolls a spell's attack against the touch DV. Spells have no weapon dice
// for a critical hit to multiply (a reading). What trade-offs in force take off
// attack rolls they take off this one.
//
// celesia.spell.degrees-attack, celesia.attack.power-attack, celesia.attack.martial-power
func touch(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, t *eventv1.Creature, take *eventv1.TakeAction) (bool, int32) {
	far := sp.Attack == "ranged-touch"
	like := &eventv1.CelesiaWeapon{Name: sp.Name, Kind: kindMelee}
	if far {
		like.Kind = kindProjectile
	}
	edges, mods := stated(take.GetCircumstances(), t.Id)
	edges = append(attackEdges(r, attack{by: c.Id, target: t.Id, weapon: like, take: take}, c, t), edges...)
	mods = append(mods, useAid(r, c.Id, "attack", t.Id)...)
	dv := defenseAgainst(r, c, t, true)
	rolled := d20{label: "cast/to-hit", creature: c.Id, reason: sp.Name + " against " + t.Name,
		modifiers: append(append(attackModifiers(c, like, 0, false), tradedRoll(c, attack{weapon: like})...), mods...), edges: edges, target: dv,
		judge: judgeAttack(r.On(setNaturalFaces), dv.Value, 21, false), rules: []string{cite.SpellDegreesAttack}}.roll(r)
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: c.Id, Target: t.Id, Weapon: sp.Name, Outcome: outcomeWord(rolled)})
	return rolled.Success(), rolled.Degree
}

// healWith rolls healing and has it done.
func healWith(r *rules.Resolution, label, by, id, what, text string) {
	amount := r.Roll(rules.RollSpec{Label: label + "/healing", Creature: by, Expression: text, Reason: what,
		Rules: []string{cite.HealingAnyCureStabilizes}}).Total
	deed(r, label, &eventv1.Harm{Deed: deedHeal, Target: id, Source: by, Cause: what, Amount: amount, Facts: map[string]string{"via": viaMagic}})
}
