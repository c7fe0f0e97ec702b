package basic

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func spellActions() []*play.Action {
	return []*play.Action{
		{ID: "cast", Title: "Cast a spell", Rule: cite.ActionCastSpell, Group: play.GroupMagic, Traits: during(kindCast, kindHold), Costs: oneAction,
			Items: of(spellNames), Refuse: refuseSpell, RefuseTarget: refuseSpellTarget, Range: magicTargets, Self: true, Do: doCast},
	}
}

// magicTargets is how many targets a spell or a magic item takes.
func magicTargets(at *play.At) (least, most int32) {
	if sp := spellOf(at.Actor, at.Item()); sp != nil {
		return 0, max(1, sp.Targets)
	}
	return 0, max(1, itemOf(at.Actor, at.Item()).GetEffect().GetTargets())
}

func spellNames(c *eventv1.Creature) []string {
	var out []string
	for _, sp := range sheetOf(c).Spells {
		out = append(out, sp.Name)
	}
	return out
}

// refuseAnySpell says why no spell can be cast in the round; hands that are full can be
// emptied before.
func refuseAnySpell(s *eventv1.State, c *eventv1.Creature) error {
	err := refuse("NO_SPELL", cite.ActionCastSpell, "%s has no spell", c.Name)
	for _, name := range spellNames(c) {
		if err = refuseWords(s, c, name, mostHands(c)); err == nil {
			return nil
		}
	}
	return err
}

// refuseSpell: casting takes a free hand and speech. Whoever is silenced on the
// very number on which it casts still casts.
//
// basic.spell.hand-and-voice, basic.action.hold-silence
func refuseSpell(at *play.At) error {
	s, c, item := at.State, at.Actor, at.Item()
	return refuseWords(s, c, item, freeHands(c))
}

func refuseWords(s *eventv1.State, c *eventv1.Creature, item string, hands int) error {
	switch {
	case barring(s, c, condition.BarsSpeech) != nil:
		return refuse("NO_VOICE", cite.SpellHandAndVoice, "%s cannot speak", c.Name)
	case hands < 1:
		return refuse("NO_HAND", cite.SpellHandAndVoice, "%s has no free hand", c.Name)
	case c.Counters[cLeft+item] < 1:
		return refuse("SPELL_SPENT", cite.ActionCastSpell, "%s is spent", item)
	}
	return nil
}

func refuseSpellTarget(at *play.At, t *eventv1.Creature) error {
	s, c, item, facts := at.State, at.Actor, at.Item(), at.Take.Facts
	sp := spellOf(c, item)
	d, known := gap(s, c, t, facts)
	switch {
	case dead(t):
		return refuse("NO_TARGET", cite.ActionCastSpell, "%s is dead", t.Name)
	case known && sp.RangeFeet > 0 && d > sp.RangeFeet:
		return refuse("OUT_OF_RANGE", cite.ActionCastSpell, "%s is beyond %d feet", t.Name, sp.RangeFeet)
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
	spend(r, c.Id, "cast", cite.ActionCastSpell)
	r.Set(c.Id, cLeft+take.Item, r.Count(c.Id, cLeft+take.Item)-1, "cast", cite.ActionCastSpell)
	if r.Count("", cTogether) > 0 {
		t := putDown(r, taskSpell, c.Id, "cast "+take.Item)
		t.Targets, t.Item, t.Rule = take.Targets, take.Item, cite.ActionCastSpell
		r.Emit(event.Everyone(), &eventv1.TaskSet{Task: t}, cite.InitiativeTiesSimultaneous)
		return nil
	}
	if disrupted(r, c.Id) {
		return nil
	}
	for _, h := range spellEffect(r, c.Id, take.Item, take.Targets) {
		h.apply(r)
	}
	return nil
}

// disrupted makes the one saving throw of a caster who was attacked on the
// number on which it casts. The source names no category: reading, spells.
// Spells of the same number disturb none.
//
// basic.spell.disruption, basic.spell.same-number-casters
func disrupted(r *rules.Resolution, caster string) bool {
	c := r.Creature(caster)
	if c == nil || !attacked(r.State(), caster) {
		return false
	}
	saved := save(r, "disruption/"+caster, c, catSpells, "casting while attacked", cite.SpellDisruption)
	if saved.Success() {
		return false
	}
	r.Note(saved.Audience, caster, "the spell is disrupted and lost", cite.SpellDisruption)
	return true
}

// attacks notes that a creature attacks another, on the number that the count stands
// at, in a way that disturbs casting.
//
// basic.spell.disruption, basic.spell.disrupt-by-delay
func attacks(r *rules.Resolution, id, target, rule string) {
	s := r.State()
	n := int32(s.Counters[cCount])
	if rel := rules.RelationTo(r.Creature(id), relAttacks, target); rel != nil && rel.Round == s.Round && rel.Values["number"] == n {
		return
	}
	r.Relate(id, &eventv1.Relation{Kind: relAttacks, To: target, Round: s.Round, Values: map[string]int32{"number": n}, Rule: rule}, rule)
}

// attacked tells whether anybody attacked a creature on the number that the count
// stands at.
func attacked(s *eventv1.State, id string) bool {
	// order-free: whether there is one
	for _, c := range s.Creatures {
		if rel := rules.RelationTo(c, relAttacks, id); rel != nil && rel.Round == s.Round && int64(rel.Values["number"]) == s.Counters[cCount] {
			return true
		}
	}
	return false
}

// noSave is the number of a category that a sheet does not name: out of reach.
const noSave = 21

// save is d20 against the creature's own number of the category.
//
// basic.dice.saving-throw
func save(r *rules.Resolution, label string, c *eventv1.Creature, category, reason, ruleID string) rules.Rolled {
	target := int32(noSave)
	if n, ok := sheetOf(c).Saves[category]; ok {
		target = n
	}
	return r.Roll(rules.RollSpec{Label: "save/" + label, Creature: c.Id, Expression: "1d20", Reason: reason, Modifiers: hampered(r.State(), c, rollSave),
		Target: &eventv1.TargetNumber{Kind: category, Value: target}, Rules: []string{ruleID, cite.DiceSavingThrow}})
}

// spellEffect rolls what a spell does. It heals at once and returns the harm.
// A spell that was delayed until just before another's number disturbs the
// casters that it is aimed at.
//
// basic.spell.disrupt-by-delay
func spellEffect(r *rules.Resolution, caster, name string, targets []string) []harm {
	return magic(r, caster, name, spellOf(r.Creature(caster), name), targets, cite.ActionCastSpell)
}

// magic rolls what a spell or a magic item does; it heals at once and returns the
// harm.
//
// basic.action.cast-spell, basic.action.hold-magic-item
func magic(r *rules.Resolution, caster, name string, sp *eventv1.BasicSpell, targets []string, rule string) []harm {
	if sp == nil || len(targets) == 0 {
		return nil
	}
	amount := int32(0)
	if dice := sp.Damage + sp.Healing; dice != "" {
		count, sides, flat, _ := damageOf(dice)
		amount = max(1, flat+r.Roll(rules.RollSpec{Label: "spell/" + caster, Creature: caster, Expression: itoa(count) + "d" + itoa(sides),
			Reason: name, Rules: []string{rule}}).Total)
	}
	var out []harm
	for _, id := range targets {
		t := r.Creature(id)
		if t == nil || dead(t) {
			continue
		}
		if sp.Healing != "" {
			r.Deed("heal/"+id, &eventv1.Harm{Deed: deedHeal, Target: id, Source: caster, Cause: name, Amount: amount})
			continue
		}
		if !hostile(sp) {
			continue
		}
		if r.Count("", cTie) > 0 {
			attacks(r, caster, id, cite.SpellDisruptByDelay)
		}
		saved := sp.Save != "" && save(r, "spell/"+id, t, sp.Save, name, rule).Success()
		switch {
		case saved && sp.Half && sp.Damage != "":
			out = append(out, harm{target: id, source: caster, cause: name, amount: max(1, amount/2)})
		case !saved:
			out = append(out, harm{target: id, source: caster, cause: name, amount: amount, effect: sp.Condition})
		}
	}
	return out
}
