package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MakeAttack rolls an attack, deals its damage and lays its effects; then those who
// guard others have their say.
func MakeAttack(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, o thestrike.AttackOpts) bool {
	hit := makeAttack(r, attacker, target, atk, o)
	guard(r, attacker.Id, target.Id, o.Threats)
	return hit
}

// makeAttack is the attack itself.
//
// rcr.base.attack-and-critical
func makeAttack(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, o thestrike.AttackOpts) bool {
	if o.Label == "" {
		o.Label = "attack/1"
	}
	body.CountStrike(r, attacker.Id)
	if o.Told == nil {
		o.Told = r.UsedFacts(nil, o.Kind.Distance, o.Kind.Distance >= 0, attacker.Id, target.Id)
	}
	outcome, note, made := "critical", "no roll: target helpless", rules.Rolled{}
	lost := body.LostInWater(r.State(), attacker, target, o.Kind)
	switch {
	case !body.Has(target, body.CondHelpless):
		o.Net = new(int32)
		outcome, note, o.Halved, made = magic.RollToHit(r, attacker, target, atk, o)
	case checks.Elsewhere(target), lost:
		outcome = "miss"
	}
	if outcome == "hit" && body.HasTrait(attacker, body.TraitAssassinate) && body.Has(target, body.CondSurprised) {
		outcome, note, o.Rules = "critical", "the target is surprised", append(o.Rules[:len(o.Rules):len(o.Rules)], cite.TraitAssassinate)
	}
	behind := append([]string{cite.BaseAttackAndCritical}, o.Rules...)
	if body.Has(target, body.CondHelpless) {
		behind = append([]string{cite.ConditionHelplessAttacks}, o.Rules...)
	}
	if lost {
		note, behind = "under water nothing goes beyond its normal range", append(behind, cite.UnderwaterRangedBeyondNormal)
	}
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: attacker.Id, Target: target.Id, Weapon: atk.Name, Outcome: outcome, Note: note,
		Roll: made.Told(event.Everyone()), Facts: o.Told}, behind...)
	struck(r, r.Creature(attacker.Id), target)
	thestrike.Reveal(r, attacker, target, atk, o.Kind.Melee, outcome == "miss")
	thedice.UseUp(r, attacker.Id, body.ChAttack)
	thedice.UseUp(r, target.Id, body.ChAttacked, body.ChArmor)
	env := thestrike.BlowEnv(r.State(), attacker, target, atk, o.Kind)
	if outcome == "miss" {
		body.Happen(r, o.Label, attacker, effects.TriggerMiss, env)
		return false
	}
	run, stood := runUp(r.State(), r.Creature(attacker.Id), atk, o), stillUp(r.Creature(target.Id))
	dealHit(r, attacker, target, atk, o, outcome == "critical")
	if run != nil {
		ranDown(r, r.Creature(attacker.Id), r.Creature(target.Id), run, o.Label)
	}
	burnt(r, attacker.Id, target.Id, atk, o)
	felled(r, r.Creature(attacker.Id), target.Id, o.Kind.Melee, stood)
	shift(r, attacker.Id, target.Id, atk, o)
	if unarmed(atk) && body.Feat(r.State(), r.Creature(attacker.Id), body.FeatTavernBrawler, cite.FeatTavernBrawlerGrapple) {
		r.Mark(attacker.Id, body.MBrawled, target.Id, cite.FeatTavernBrawlerGrapple)
	}
	body.Happen(r, o.Label, attacker, effects.TriggerHit, env)
	if outcome == "critical" {
		body.Happen(r, o.Label, attacker, effects.TriggerCritical, env)
	}
	return true
}

// dealHit rolls the damage of a hit, the saving throw that goes with it, and
// deals all of it as one source.
func dealHit(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, o thestrike.AttackOpts, critical bool) {
	dmg := o.Damage
	if dmg == nil {
		dmg = atk.Damage
	}
	plus, more := thedice.ChangedDamage(r.Creature(attacker.Id), atk, o.Kind.Melee)
	if o.DamageMod != nil {
		plus = append(plus, o.DamageMod)
	}
	env := thestrike.BlowEnv(r.State(), attacker, target, atk, o.Kind)
	housePlus, houseMore, by := thestrike.HouseDamage(r, o.Label+"/damage", attacker, atk, o.Kind.Melee, env)
	plus = append(plus, housePlus...)
	dmg = slices.Concat(dmg, more, houseMore)
	extras := traitDamage(r, r.Creature(attacker.Id), r.Creature(target.Id), atk, o, critical)
	var parts []*eventv1.DamagePart
	odd := int32(0) // the damage of an attack is halved as a whole, and rounded down once
	for i, part := range dmg {
		var mods []*eventv1.Modifier
		if i == 0 {
			mods = plus
		}
		part, behind := thestrike.Rerolled(r, attacker, atk, o.Kind.Melee, env, part)
		if own := len(dmg) - len(houseMore); i >= own {
			behind = append(behind, by[i-own])
		}
		parts = append(parts, thestrike.RollDamageFor(r, o.Label+"/damage", attacker.Id, atk.Name, part, critical, o.Empower, behind, mods...))
		if o.Halved {
			odd = halve(parts[i], odd)
		}
	}
	for _, x := range extras {
		p := thestrike.RollDamageBy(r, o.Label+"/damage", attacker.Id, atk.Name, x.part, critical && !x.plain, []string{x.rule})
		if o.Halved {
			odd = halve(p, odd)
		}
		parts = append(parts, p)
	}
	saved, save := false, thestrike.AttackSave(attacker, atk)
	if save != nil {
		purpose := thestrike.EffectPurpose(atk.Effects)
		saved = thedice.RollSave(r, o.Label+"/save", r.Creature(target.Id), save.Ability, body.EffectDC(attacker, save.Dc), purpose,
			r.Creature(attacker.Id), body.SaveOpts{Types: body.TypesOf(atk.SaveDamage), Against: body.Laid(atk.Effects), Magic: atk.Spell, About: body.AboutTrap(o.Facts), Water: o.Kind.Water, Modifiers: body.CoverMods(r.State(), target, save.Ability, o.Cover)}).Success()
	}
	for _, part := range atk.SaveDamage {
		p := thestrike.RollDamage(r, o.Label+"/save-damage", attacker.Id, atk.Name, part, false)
		if p = thestrike.AfterSave(r.Creature(target.Id), p, save, saved); p.Rolled > 0 || save.GetHalfOnSuccess() {
			parts = append(parts, p)
		}
	}
	if len(parts) > 0 || critical { // rcr.injury.wound-on-critical: the blow wounds, not its damage
		DamageDeed(r, o.Label+"/harm", r.Creature(target.Id), r.Creature(attacker.Id), atk.Name, parts, critical,
			body.Sparing(r.State(), r.Creature(attacker.Id), o.Kind.Melee, body.Also(thestrike.WeaponFacts(r.Creature(attacker.Id), atk), o.Facts)))
	}
	if !saved {
		layEffects(r, attacker, target, atk.Name, atk.Effects, save)
	}
}

// halve halves a part of the damage of an attack by a reaction of its target; odd is what
// halving the parts before it has left over, and it gives what is left over now.
//
// rcr.base.fifth-edition-fallback
func halve(p *eventv1.DamagePart, odd int32) int32 {
	left := odd + p.Rolled%2
	rules.Factor(p, 1, 2, 0, "halved by the target's reaction", cite.BaseFifthEditionFallback)
	if left == 2 {
		rules.Factor(p, 1, 1, 1, "what halving the parts before left over", cite.BaseFifthEditionFallback)
	}
	return left % 2
}
