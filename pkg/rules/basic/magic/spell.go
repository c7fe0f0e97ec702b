package magic

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SpellActions cast a spell.
func SpellActions() []*play.Action {
	return []*play.Action{
		{ID: "cast", Title: "Cast a spell", Rule: cite.ActionCastSpell, Group: play.GroupMagic, Traits: body.During(body.KindCast, body.KindHold), Costs: body.OneAction,
			Items: body.Of(body.SpellNames), Refuse: refuseSpell, RefuseTarget: refuseSpellTarget, Range: body.MagicTargets, Self: true, Do: doCast},
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
	body.Spend(r, c.Id, "cast", cite.ActionCastSpell)
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
	amount := int32(0)
	if dice := sp.Damage + sp.Healing; dice != "" {
		count, sides, flat, _ := body.DamageOf(dice)
		amount = max(1, flat+r.Roll(rules.RollSpec{Label: "spell/" + caster, Creature: caster, Expression: body.Itoa(count) + "d" + body.Itoa(sides),
			Reason: name, Rules: []string{rule}}).Total)
	}
	var out []strike.Harm
	for _, id := range targets {
		t := r.Creature(id)
		if t == nil || body.Dead(t) {
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
		saved := sp.Save != "" && strike.Save(r, "spell/"+id, t, sp.Save, name, rule).Success()
		switch {
		case saved && sp.Half && sp.Damage != "":
			out = append(out, strike.Harm{Target: id, Source: caster, Cause: name, Amount: max(1, amount/2)})
		case !saved:
			out = append(out, strike.Harm{Target: id, Source: caster, Cause: name, Amount: amount, Effect: sp.Condition})
		}
	}
	return out
}
