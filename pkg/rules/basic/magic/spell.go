package magic

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SpellActions cast a spell.
func SpellActions() []*play.Action {
	return []*play.Action{
		{ID: "cast", Title: "Cast a spell", Rule: cite.ActionCastSpell, Group: play.GroupMagic, Traits: body.During(body.KindCast, body.KindHold), Costs: body.OneAction,
			Items: body.Of(body.SpellNames), Refuse: refuseSpell, RefuseTarget: refuseSpellTarget, Range: body.MagicTargets, Self: true, Do: doCast,
			Area: func(at *play.At) *eventv1.Area {
				return house.AreaOf(at.Content, body.SpellOf(at.Actor, at.Item()).GetUse())
			}},
	}
}

// refuseSpell: casting takes a free hand and speech. Whoever is silenced on the
// very number on which it casts still casts.
//
// basic.spell.hand-and-voice, basic.action.hold-silence
func refuseSpell(at *play.At) error {
	s, c, item := at.State, at.Actor, at.Item()
	return order.RefuseWords(s, c, item, body.FreeHands(c))
}

func refuseSpellTarget(at *play.At, t *eventv1.Creature) error {
	s, c, item, facts := at.State, at.Actor, at.Item(), at.Take.Facts
	sp := body.SpellOf(c, item)
	d, known := body.Gap(s, c, t, facts)
	switch {
	case body.Dead(t):
		return body.Refuse("NO_TARGET", cite.ActionCastSpell, "%s is dead", t.Name)
	case known && sp.RangeFeet > 0 && d > sp.RangeFeet:
		return body.Refuse("OUT_OF_RANGE", cite.ActionCastSpell, "%s is beyond %d feet", t.Name, sp.RangeFeet)
	}
	return nil
}

// doCast casts. While others act on the number it is open whether the spell is
// disturbed; a lone caster's spell goes off at once.
//
// basic.action.cast-spell, basic.spell.disruption
func doCast(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "cast", Targets: take.Targets, Item: take.Item}, cite.ActionCastSpell)
	body.Pay(r, at, cite.ActionCastSpell)
	r.Set(c.Id, body.CLeft+take.Item, r.Count(c.Id, body.CLeft+take.Item)-1, "cast", cite.ActionCastSpell)
	if r.Count("", body.CTogether) > 0 {
		t := body.PutDown(r, body.TaskSpell, c.Id, "cast "+take.Item)
		t.Targets, t.Item, t.Rule = take.Targets, take.Item, cite.ActionCastSpell
		r.Emit(event.Everyone(), &eventv1.TaskSet{Task: t}, cite.InitiativeTiesSimultaneous)
		return nil
	}
	if strike.Disrupted(r, c.Id) {
		return nil
	}
	for _, h := range SpellEffect(r, c.Id, take.Item, take.Targets) {
		h.Apply(r)
	}
	Cast(r, c.Id, take.Item, body.SpellOf(c, take.Item), take.Targets)
	return nil
}

// SpellEffect rolls what a spell does. It heals at once and returns the harm.
// A spell that was delayed until just before another's number disturbs the
// casters that it is aimed at.
//
// basic.spell.disrupt-by-delay
func SpellEffect(r *rules.Resolution, caster, name string, targets []string) []strike.Harm {
	return magic(r, caster, name, body.SpellOf(r.Creature(caster), name), targets, cite.ActionCastSpell)
}

// magic rolls what a spell or a magic item does; it heals at once and returns the
// harm.
//
// basic.action.cast-spell, basic.action.hold-magic-item
func magic(r *rules.Resolution, caster, name string, sp *eventv1.BasicSpell, targets []string, rule string) []strike.Harm {
	if sp == nil || len(targets) == 0 {
		return nil
	}
	targets = inArea(r, caster, sp, targets)
	amount, extra := strength(r, caster, name, sp, targets, rule)
	var out []strike.Harm
	for _, id := range targets {
		t := r.Creature(id)
		if body.Dead(t) {
			continue
		}
		if sp.Healing != "" {
			r.Harm("heal/"+id, &eventv1.Harm{Deed: body.DeedHeal, Target: id, Source: caster, Cause: name, Amount: amount})
			continue
		}
		if !body.Hostile(sp) {
			continue
		}
		if r.Count("", body.CTie) > 0 {
			strike.Attacks(r, caster, id, cite.SpellDisruptByDelay)
		}
		saved := sp.Save != "" && strike.Save(r, "spell/"+id, t, r.Creature(caster), sp.Save, name, rule).Success()
		h := strike.Harm{Target: id, Source: caster, Cause: name, Magic: r.Content() != nil}
		switch {
		case saved && sp.Half && sp.Damage != "":
			part := &eventv1.DamagePart{Rolled: amount}
			rules.Factor(part, 1, 2, max(0, 1-amount/2), "saving throw made", rule)
			h.Amount, h.Factors = part.Rolled, part.Factors
			out = append(out, h.With(halved(extra)))
		case !saved:
			h.Amount, h.Effect = amount, sp.Condition
			out = append(out, h.With(extra))
		}
	}
	return out
}

// inArea are those whom a spell with an area reaches beside its targets.
func inArea(r *rules.Resolution, caster string, sp *eventv1.BasicSpell, targets []string) []string {
	m := house.Space{Out: body.Dead, Feet: func(a, b *eventv1.Creature) int32 { d, _ := body.Measured(a, b); return d }}
	return m.InArea(r.Content(), r.State(), r.Creature(caster), sp.GetUse(), targets)
}

// strength rolls the hit points that a spell or a magic item does or gives, and parts
// of a type of their own that content adds to damage. The dice are the same for all
// targets: content sees the first.
func strength(r *rules.Resolution, caster, name string, sp *eventv1.BasicSpell, targets []string, rule string) (amount int32, extra []*eventv1.DamagePart) {
	dice := sp.Damage + sp.Healing
	if dice == "" {
		return 0, nil
	}
	count, sides, flat, _ := body.DamageOf(dice)
	label, expression := "spell/"+caster, body.Itoa(count)+"d"+body.Itoa(sides)
	var mods []*eventv1.Modifier
	behind := []string{rule}
	if sp.Damage != "" && r.Content() != nil {
		c, env := r.Creature(caster), castEnv(r, caster, targets[0], name, sp)
		var again []string
		mods, extra = house.Added(r, label, c, house.PointDamage+"/spell", env)
		expression, again = house.Again(r, c, house.PointDamage+"/spell", env, expression)
		behind = append(behind, again...)
	}
	return max(1, flat+r.Roll(rules.RollSpec{Label: label, Creature: caster, Expression: expression, Reason: name, Modifiers: mods, Rules: behind}).Total), extra
}

// castEnv is a spell, or the magic of an item, as content sees it.
func castEnv(r *rules.Resolution, caster, target, name string, sp *eventv1.BasicSpell) effects.Env {
	return effects.Env{State: r.State(), Actor: r.Creature(caster), Target: r.Creature(target), Spell: name, SpellUse: sp.GetUse()}
}

// halved are parts of a damage of which a saving throw left half.
func halved(parts []*eventv1.DamagePart) []*eventv1.DamagePart {
	var out []*eventv1.DamagePart
	for _, p := range parts {
		half := &eventv1.DamagePart{Type: p.Type, Rolled: p.Rolled, Rule: p.Rule}
		rules.Factor(half, 1, 2, 0, "saving throw made", p.Rule)
		out = append(out, half)
	}
	return out
}

// Cast lets what content adds to a spell, or to the magic of an item, befall its
// targets, after all else that it did.
func Cast(r *rules.Resolution, caster, name string, sp *eventv1.BasicSpell, targets []string) {
	for _, id := range inArea(r, caster, sp, targets) {
		strike.Happen(r, "cast/"+id, caster, effects.TriggerCast, castEnv(r, caster, id, name, sp))
	}
}
