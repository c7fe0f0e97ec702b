package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// takeEffect works a spell on its targets: each attack roll and saving throw
// moves the caster level by its degrees. The dice of damage are rolled once, as
// many as the highest level needs; each target counts the first of them that are
// its own (a reading).
//
// celesia.spell.degrees-attack, celesia.spell.degrees-save, celesia.spell.degrees-combined,
// celesia.spell.degrees-range-area
func takeEffect(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, targets []string, take *eventv1.TakeAction) {
	var all []checks.Struck
	for _, id := range targets {
		if body.Dead(r.Creature(id)) {
			continue
		}
		shift := int32(0)
		if sp.Attack != "" {
			hit, inc := strike.Touch(r, c, sp, r.Creature(id), take)
			if !hit {
				continue
			}
			shift = inc
		}
		if one, reached := strike.Resist(r, sp, id, shift, take); reached {
			all = append(all, one)
		}
	}
	workOn(r, c, sp, all)
}

// workOn does to those whom a spell reached what it does.
func workOn(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, all []checks.Struck) {
	if sp.Healing != "" {
		for _, one := range all {
			healWith(r, "cast/harm", c.Id, one.Id, sp.Name, sp.Healing)
		}
	}
	layOn(r, c, sp, all)
	for _, one := range all {
		mending.GoOn(r, c.Id, sp, one.Id)
	}
}

// layOn deals the damage of a spell and puts on those whom it reached what it
// puts on them.
func layOn(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, all []checks.Struck) {
	spellDamage(r, c, sp, all)
	checks.LowerAbilities(r, c, sp, all)
	for _, one := range all {
		t := r.Creature(one.Id)
		if sp.Condition != "" && !one.Saved && !body.Dead(t) && !body.Has(t, sp.Condition) {
			r.AddCondition(t.Id, &eventv1.Condition{Name: sp.Condition, Source: c.Id, Cause: sp.Name})
			AfterHarm(r, t.Id)
		}
	}
}

// spellDamage rolls and deals the damage of a spell.
func spellDamage(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, all []checks.Struck) {
	best := int32(0)
	for _, one := range all {
		best = max(best, one.Level)
	}
	d, ok := mending.DiceOf(sp, best)
	if !ok || best == 0 {
		return
	}
	rolled := r.Roll(rules.RollSpec{Label: "cast/damage", Creature: c.Id, Expression: d.Times(1),
		Reason: sp.Name + " at caster level " + body.Itoa(best), Rules: []string{cite.SpellDegreesAttack}})
	for _, one := range all {
		mine, _ := mending.DiceOf(sp, one.Level)
		sum := int32(0)
		for _, face := range rolled.Kept[:mine.Count] {
			sum += face
		}
		if one.Saved {
			sum /= 2
		}
		Deed(r, "cast/harm", &eventv1.Harm{Deed: body.DeedDamage, Target: one.Id, Source: c.Id, Cause: sp.Name,
			Parts: []*eventv1.DamagePart{{Type: sp.Type, Rolled: sum}}})
	}
}

// healWith rolls healing and has it done.
func healWith(r *rules.Resolution, label, by, id, what, text string) {
	amount := r.Roll(rules.RollSpec{Label: label + "/healing", Creature: by, Expression: text, Reason: what,
		Rules: []string{cite.HealingAnyCureStabilizes}}).Total
	Deed(r, label, &eventv1.Harm{Deed: body.DeedHeal, Target: id, Source: by, Cause: what, Amount: amount, Facts: map[string]string{"via": mending.ViaMagic}})
}
