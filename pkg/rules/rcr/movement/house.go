package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Happen carries out what content sets off.
func Happen(r *rules.Resolution, label string, c *eventv1.Creature, trigger string, env effects.Env) {
	if c == nil {
		return
	}
	env.State = r.State()
	for i, h := range r.Content().Triggered(c, trigger, env) {
		comes(r, label+"/"+trigger+"/"+body.Itoa(i+1), h)
	}
}

// comes carries out one thing. Nothing happens to the dead.
func comes(r *rules.Resolution, label string, h effects.Happening) {
	target, source := r.Creature(h.Creature), r.Creature(h.Bearer)
	if target == nil || body.Dead(target) {
		return
	}
	switch h.Kind {
	case effects.KindDamage:
		part := thestrike.RollDamage(r, label, h.Bearer, h.Title, &eventv1.RcrDamage{Dice: thestrike.DiceAnd(h.Dice, h.Amount), Type: h.Type}, false)
		strike(r, label, target, source, h, []*eventv1.DamagePart{part})
	case effects.KindSave:
		saveComes(r, label, target, source, h)
	case effects.KindHealing:
		healDeed(r, label, target, source, h.Title, answers.RolledOrFlat(r, label, h), map[string]string{"via": injuries.ViaAbility})
	case effects.KindTemporaryHitPoints:
		r.Harm(label, &eventv1.Harm{Deed: body.DeedTempHP, Target: target.Id, Source: h.Bearer, Cause: h.Title, Amount: answers.RolledOrFlat(r, label, h)})
	case effects.KindCondition:
		conditionComes(r, target, source, h)
	case effects.KindUse:
		r.Set(h.Bearer, body.CLeft+h.Resource, max(0, r.Count(h.Bearer, body.CLeft+h.Resource)-int64(h.Amount)), h.Title, body.Cited(h.Cite)...)
	}
}

// strike deals damage that content does, and says by what.
func strike(r *rules.Resolution, label string, target, source *eventv1.Creature, h effects.Happening, parts []*eventv1.DamagePart) {
	for _, p := range parts {
		p.Rule = h.Rule
	}
	DamageDeed(r, label+"/harm", target, source, h.Title, parts, false, map[string]string{"magical": rules.Yes, "no-critical-wound": rules.Yes})
}

// saveComes makes the saving throw and what comes of it. Of damage that stands
// under it, half is done on a success where the content says so.
func saveComes(r *rules.Resolution, label string, target, source *eventv1.Creature, h effects.Happening) {
	saved := thedice.RollSave(r, label+"/save", target, h.Save, h.DC, "", source, body.SaveOpts{Types: typesOf(h), Reason: h.Title + ": " + h.Save + " saving throw", Rules: body.Cited(h.Cite)}).Success()
	next := h.Failed
	if saved {
		next = h.Passed
		if h.Half {
			next = append(answers.HalvedOf(h.Failed), next...)
		}
	}
	for i, n := range next {
		if n.Kind == effects.KindDamage && saved {
			part := thestrike.RollDamage(r, label+"/"+body.Itoa(i+1), h.Bearer, n.Title, &eventv1.RcrDamage{Dice: thestrike.DiceAnd(n.Dice, n.Amount), Type: n.Type}, false)
			if h.Half && i < len(next)-len(h.Passed) {
				part.Rolled /= 2
			}
			if t := r.Creature(n.Creature); t != nil && !body.Dead(t) {
				strike(r, label+"/"+body.Itoa(i+1), t, source, n, []*eventv1.DamagePart{part})
			}
			continue
		}
		comes(r, label+"/"+body.Itoa(i+1), n)
	}
}

// typesOf are the types of damage that a saving throw of content is against.
func typesOf(h effects.Happening) []string {
	var out []string
	for _, f := range h.Failed {
		if f.Kind == effects.KindDamage {
			out = append(out, f.Type)
		}
	}
	return out
}

// conditionComes lays a condition on a creature, or takes it away.
func conditionComes(r *rules.Resolution, target, source *eventv1.Creature, h effects.Happening) {
	if h.Remove {
		for _, x := range slices.Clone(target.Conditions) {
			if x.Name == h.Condition {
				r.RemoveCondition(target.Id, x, h.Title, body.Cited(h.Cite)...)
			}
		}
		return
	}
	e := &eventv1.RcrEffect{Condition: h.Condition, Variant: h.Variant, Rounds: h.Rounds, SaveEnds: h.SaveEnds}
	var save *eventv1.RcrSave
	if h.SaveEnds {
		save = &eventv1.RcrSave{Ability: h.Save, Dc: h.DC}
	}
	if source == nil {
		source = target
	}
	LayEffect(r, source, target, h.Title, e, save)
}

// house lets what content adds to a spell befall its targets.
func (k *Casting) house() {
	for _, id := range k.targets {
		caster, target := k.R.Creature(k.Id), k.R.Creature(id)
		Happen(k.R, "cast/"+id, caster, effects.TriggerCast, effects.Env{Actor: caster, Target: target, Spell: k.Sp.Name, SpellUse: k.Sp.Use})
	}
}
