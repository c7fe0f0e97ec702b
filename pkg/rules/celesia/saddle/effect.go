package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/injury"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
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
	var after []func()
	targets = space.InArea(r.Content(), r.State(), c, sp.Use, targets)
	for _, id := range targets {
		if body.Dead(r.Creature(id)) {
			continue
		}
		shift := int32(0)
		if sp.Attack != "" {
			rolled := strike.Touch(r, c, sp, r.Creature(id), take)
			after = append(after, func() { touched(r, c.Id, id, sp, take, rolled) })
			if !rolled.Success() {
				continue
			}
			shift = rolled.Degree
		}
		if one, reached := resist(r, c, sp, id, shift, take); reached {
			all = append(all, one)
		}
	}
	workOn(r, c, sp, all, take)
	for _, happens := range after {
		happens()
	}
	castOn(r, c.Id, sp, targets, take)
}

// resist rolls the saving throw of a target, and lets happen what content says of
// it.
func resist(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, id string, shift int32, take *eventv1.TakeAction) (checks.Struck, bool) {
	one, reached := strike.Resist(r, c, sp, id, shift, take)
	if sp.Save != "" {
		saved(r, "save/"+id, r.Creature(id), c, sp.Save, one.Saved)
	}
	return one, reached
}

// touched lets happen what content says of the attack of a spell.
func touched(r *rules.Resolution, caster, id string, sp *eventv1.CelesiaSpell, take *eventv1.TakeAction, rolled rules.Rolled) {
	c := r.Creature(caster)
	env := checks.Thrown(checks.SpellEnv(r, sp, take, c, r.Creature(id)), house.PointAttack+checks.WaySpell, rolled)
	trigger := effects.TriggerMiss
	if rolled.Success() {
		trigger = effects.TriggerHit
	}
	Happen(r, "cast/"+id, c, trigger, env)
}

// castOn lets happen what content adds to a spell, on each of its targets.
func castOn(r *rules.Resolution, caster string, sp *eventv1.CelesiaSpell, targets []string, take *eventv1.TakeAction) {
	for _, id := range targets {
		Happen(r, "cast/"+id, r.Creature(caster), effects.TriggerCast, checks.SpellEnv(r, sp, take, r.Creature(caster), r.Creature(id)))
	}
}

// workOn does to those whom a spell reached what it does.
func workOn(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, all []checks.Struck, take *eventv1.TakeAction) {
	if sp.Healing != "" {
		for _, one := range all {
			healWith(r, "cast/harm", c.Id, one.Id, sp.Name, sp.Healing)
		}
	}
	if sp.Restores != "" {
		for _, one := range all {
			makeWhole(r, c.Id, sp, one.Id, spoken.Word(take.GetParameters(), "injury"))
		}
	}
	layOn(r, c, sp, all)
	for _, one := range all {
		mending.GoOn(r, c.Id, sp, one.Id)
	}
}

// makeWhole heals a crippling injury, the one named or else the one that the patient
// picks; it does nothing for one who has none by now.
//
// celesia.healing.crippling-restoration, celesia.healing.crippling-severed
func makeWhole(r *rules.Resolution, by string, sp *eventv1.CelesiaSpell, id, which string) {
	if err := injury.RefuseWhole(r.Content(), r.Creature(id), sp.Restores, which); err != nil {
		r.Note(event.Everyone(), id, sp.Name+" finds nothing to heal", injury.WholeRule(sp.Restores))
		return
	}
	Deed(r, "cast/"+sp.Restores, &eventv1.Harm{Deed: sp.Restores, Target: id, Source: by, Cause: sp.Name, Facts: map[string]string{"injury": which}})
}

// layOn deals the damage of a spell and puts on those whom it reached what it
// puts on them.
func layOn(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, all []checks.Struck) {
	spellDamage(r, c, sp, all)
	checks.LowerAbilities(r, c, sp, all)
	for _, one := range all {
		t := r.Creature(one.Id)
		if sp.Condition != "" && !one.Saved && !body.Dead(t) {
			x := &eventv1.Condition{Name: sp.Condition, Source: c.Id, Cause: sp.Name}
			if sp.Turns > 0 && body.SpellOf(c, sp.Name) == nil { // of a thing: nobody keeps count of the spell itself
				x.Until = checks.UntilStart(c.Id)
				x.Until.Turns = sp.Turns
			}
			if !laidAnew(r, t, x) {
				continue
			}
			body.Inflict(r, t.Id, x)
			AfterHarm(r, t.Id)
		}
	}
}

// laidAnew tells whether a condition is to be put on a creature: of one spell of one
// caster there is one, which begins anew where it counts its own turns. That of
// another caster is another, and outlives the first.
func laidAnew(r *rules.Resolution, t *eventv1.Creature, x *eventv1.Condition) bool {
	for _, was := range t.Conditions {
		if was.Name != x.Name || was.Source != x.Source || was.Cause != x.Cause {
			continue
		}
		if x.Until == nil {
			return false
		}
		r.RemoveCondition(t.Id, was, "again", x.Rule)
	}
	return true
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
	const point = house.PointDamage + checks.WaySpell
	dice, behind := house.Again(r, c, point, checks.SpellEnv(r, sp, nil, c, nil), d.Times(1))
	rolled := r.Roll(rules.RollSpec{Label: "cast/damage", Creature: c.Id, Expression: dice,
		Reason: sp.Name + " at caster level " + body.Itoa(best), Rules: append([]string{cite.SpellDegreesAttack}, behind...)})
	for _, one := range all {
		mine, _ := mending.DiceOf(sp, one.Level)
		sum := int32(0)
		for _, face := range rolled.Kept[:mine.Count] {
			sum += face
		}
		mods, more := mending.HouseDamage(r, "cast/damage/"+one.Id, c.Id, sp.Type, point, checks.SpellEnv(r, sp, nil, c, r.Creature(one.Id)), false)
		parts := append([]*eventv1.DamagePart{{Type: sp.Type, Rolled: max(0, sum+house.Sum(mods))}}, more...)
		if len(mods) > 0 {
			parts[0].Note, parts[0].Rule = mods[0].Source, mods[0].Rule
		}
		for _, p := range parts {
			if one.Saved {
				rules.Factor(p, 1, 2, 0, "saving throw made", cite.SpellDegreesSave)
			}
		}
		Deed(r, "cast/harm", &eventv1.Harm{Deed: body.DeedDamage, Target: one.Id, Source: c.Id, Cause: sp.Name, Parts: parts})
	}
}

// healWith rolls healing and has it done.
func healWith(r *rules.Resolution, label, by, id, what, text string) {
	amount := r.Roll(rules.RollSpec{Label: label + "/healing", Creature: by, Expression: text, Reason: what,
		Rules: []string{cite.HealingAnyCureStabilizes}}).Total
	Deed(r, label, &eventv1.Harm{Deed: body.DeedHeal, Target: id, Source: by, Cause: what, Amount: amount, Facts: map[string]string{"via": mending.ViaMagic}})
}
