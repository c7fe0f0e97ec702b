package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// featureDamage rolls the dice that the sheet gives a trait.
func featureDamage(r *rules.Resolution, label, id string, f *eventv1.RcrFeature, rule string) *eventv1.DamagePart {
	return thestrike.RollDamageBy(r, label, id, f.Name, &eventv1.RcrDamage{Dice: f.Dice, Type: f.Type}, false, []string{rule})
}

// nearby is how far a trait reaches: so many feet, 5 where the sheet gives none.
func nearby(feet int32) int32 {
	if feet < 1 {
		return 5
	}
	return feet
}

// near lists the creatures not dead that a trait of another reaches, in order.
func near(r *rules.Resolution, c *eventv1.Creature, feet int32) (out []string) {
	feet = nearby(feet)
	for _, id := range r.CreatureIDs() {
		other := r.Creature(id)
		if far, known := body.Distance(c, other); id != c.Id && known && far <= feet && !body.Dead(other) {
			out = append(out, id)
		}
	}
	return out
}

// bursting is the trait by which a creature is to explode now: it is dead and has not
// exploded; nil for none. One that cannot say by what numbers does not.
func bursting(c *eventv1.Creature) *eventv1.RcrFeature {
	if !body.Dead(c) || c.Marks[body.MOnce+body.MBurst] != "" {
		return nil
	}
	for _, name := range body.Bursts {
		if body.Lacks(c, name) == "" {
			return body.Feature(c, name)
		}
	}
	return nil
}

// Burst has those explode that have died, and those that die of it in turn.
//
// rcr.trait.death-burst
func Burst(r *rules.Resolution) {
	for again := true; again; {
		again = false
		for _, id := range r.CreatureIDs() {
			c := r.Creature(id)
			if !body.Dead(c) && c.Marks[body.MOnce+body.MBurst] != "" { // it lives again
				r.Flag(id, body.MOnce+body.MBurst, false, cite.TraitDeathBurst)
			}
			if f := bursting(c); f != nil {
				burst(r, c, f)
				again = true
			}
		}
	}
}

func burst(r *rules.Resolution, c *eventv1.Creature, f *eventv1.RcrFeature) {
	const rule = cite.TraitDeathBurst
	r.Flag(c.Id, body.MOnce+body.MBurst, true, rule)
	if c.Position == nil {
		r.Note(event.Everyone(), c.Id, c.Name+" explodes: "+f.Save.Ability+" saving throws, DC "+body.Itoa(f.Save.Dc)+", within "+body.Itoa(nearby(f.Feet))+" feet", rule)
		return
	}
	r.Note(event.Everyone(), c.Id, c.Name+" explodes", rule)
	victims := near(r, c, f.Feet)
	if len(victims) == 0 {
		return
	}
	label := "burst/" + c.Id
	whole := featureDamage(r, label+"/damage", c.Id, f, rule)
	for _, id := range victims {
		saved := dice.RollSave(r, label+"/save/"+id, r.Creature(id), f.Save.Ability, f.Save.Dc, "", r.Creature(c.Id),
			body.SaveOpts{Reason: f.Name, Types: []string{f.Type}, Rules: []string{rule}}).Success()
		if p := thestrike.AfterSave(r.Creature(id), whole, f.Save, saved); p.Rolled > 0 {
			DamageDeed(r, label+"/harm/"+id, r.Creature(id), r.Creature(c.Id), f.Name, []*eventv1.DamagePart{p}, false, map[string]string{})
		}
	}
}

// TurnTraits does what traits do as a turn begins: the stench of others, and the
// creature's own fire and barbs.
func TurnTraits(r *rules.Resolution, id string) {
	smells(r, id)
	c := r.Creature(id)
	if body.Dead(c) {
		return
	}
	if body.Lacks(c, body.TraitFireAura) == "" {
		f := body.Feature(c, body.TraitFireAura)
		if struck := near(r, c, f.Feet); len(struck) > 0 {
			p := featureDamage(r, "fire-aura/"+id+"/damage", id, f, cite.TraitFireAura)
			for _, other := range struck {
				DamageDeed(r, "fire-aura/"+id+"/harm/"+other, r.Creature(other), c, f.Name, []*eventv1.DamagePart{p}, false, map[string]string{})
			}
		}
	}
	if body.Lacks(c, body.TraitBarbedHide) != "" {
		return
	}
	f := body.Feature(c, body.TraitBarbedHide)
	for _, x := range c.Conditions {
		holder := r.Creature(x.Source)
		if x.Name != body.CondGrappled || body.Dead(holder) { // or is not there
			continue
		}
		label := "barbed-hide/" + id + "/" + holder.Id
		p := featureDamage(r, label+"/damage", id, f, cite.TraitBarbedHide)
		DamageDeed(r, label+"/harm", holder, r.Creature(id), f.Name, []*eventv1.DamagePart{p}, false, map[string]string{})
	}
}

// smells has a creature whose turn begins meet the stench of those about it.
//
// rcr.trait.stench
func smells(r *rules.Resolution, id string) {
	const rule = cite.TraitStench
	for _, other := range r.CreatureIDs() {
		c, from := r.Creature(id), r.Creature(other)
		f := body.Feature(from, body.TraitStench)
		if f.GetSave() == nil || other == id || body.Dead(from) || body.Dead(c) || body.HasTrait(c, body.TraitStench) {
			continue
		}
		used := body.MOnce + body.TraitStench + "/" + other
		immune := body.Named(body.SheetOf(c).ConditionImmunities, body.CondPoisoned) || c.Marks[used] != ""
		if immune {
			continue
		}
		if _, known := body.Distance(from, c); !known {
			r.Note(event.GM(), id, f.Name+" of "+from.Name+", whose distance is not known: "+f.Save.Ability+" saving throw, DC "+
				body.Itoa(body.EffectDC(from, f.Save.Dc))+", within "+body.Itoa(nearby(f.Feet))+" feet", rule)
			continue
		}
		if !slices.Contains(near(r, from, f.Feet), id) {
			continue
		}
		save := dice.RollSave(r, "stench/"+id+"/"+other, c, f.Save.Ability, body.EffectDC(from, f.Save.Dc), "", from,
			body.SaveOpts{Reason: f.Name, Against: []string{body.CondPoisoned}, Types: []string{"poison"}, Rules: []string{rule}})
		if save.Success() {
			r.Flag(id, used, true, rule)
			continue
		}
		AddCondition(r, id, &eventv1.Condition{Name: body.CondPoisoned, Source: other, Cause: f.Name, Rule: rule,
			Until: &eventv1.Until{When: body.UntilTurnStart, Creature: id, Turns: 1}})
	}
}

// burnt hurts whoever has hit a creature in melee from within 5 feet whose body or
// fire is hot.
//
// rcr.trait.heated-body, rcr.trait.fire-aura
func burnt(r *rules.Resolution, attacker, target string, atk *eventv1.RcrAttack, o thestrike.AttackOpts) {
	within := o.Kind.Distance >= 0 && o.Kind.Distance <= 5 || o.Kind.Distance < 0 && atk.ReachFeet <= 5
	if !o.Kind.Melee || !within {
		return
	}
	for _, x := range []struct{ trait, rule string }{{body.TraitHeatedBody, cite.TraitHeatedBody}, {body.TraitFireAura, cite.TraitFireAura}} {
		c := r.Creature(target)
		if body.Lacks(c, x.trait) != "" || body.Dead(r.Creature(attacker)) {
			continue
		}
		f := body.Feature(c, x.trait)
		p := featureDamage(r, o.Label+"/burnt/damage", target, f, x.rule)
		DamageDeed(r, o.Label+"/burnt/harm", r.Creature(attacker), c, f.Name, []*eventv1.DamagePart{p}, false, map[string]string{})
	}
}

// moreDamage is what the traits of classes add to a hit with a weapon: those that come
// by themselves.
//
// rcr.trait.brutal-critical, rcr.trait.colossus-slayer, rcr.trait.improved-divine-smite
func moreDamage(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, o thestrike.AttackOpts, critical bool) (out []extra) {
	if !weapon(atk) {
		return nil
	}
	kind := atk.Damage[0].Type
	if d := firstDie.FindString(atk.Damage[0].Dice); critical && d != "" && o.Kind.Melee && body.BrutalDice(attacker) > 0 {
		out = append(out, extra{part: &eventv1.RcrDamage{Dice: body.Itoa(body.BrutalDice(attacker)) + d, Type: kind}, rule: cite.TraitBrutalCritical, plain: true})
	}
	hurt := target.GetHp() < target.GetHpMax()
	if hurt && body.HasTrait(attacker, body.TraitColossus) && body.OnceATurn(r.State(), attacker, body.TraitColossus) {
		body.Came(r, attacker.Id, body.TraitColossus, cite.TraitColossusSlayer)
		out = append(out, extra{part: &eventv1.RcrDamage{Dice: body.TraitDice(attacker, body.TraitColossus, "1d8"), Type: kind}, rule: cite.TraitColossusSlayer})
	}
	if o.Kind.Melee && body.HasTrait(attacker, body.TraitImprovedSmite) {
		out = append(out, extra{part: &eventv1.RcrDamage{Dice: body.TraitDice(attacker, body.TraitImprovedSmite, "1d8"), Type: "radiant"}, rule: cite.TraitImprovedDivineSmite})
	}
	return out
}
