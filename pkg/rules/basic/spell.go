package basic

import (
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func spellActions() []*action {
	return []*action{{id: "cast", title: "Cast a spell", rule: cite.ActionCastSpell, kinds: []string{kindCast, kindHold}, costs: true,
		items: spellNames, refuse: refuseSpell, refuseTarget: refuseSpellTarget, least: 0, most: -1, do: doCast}}
}

func spellNames(_ *eventv1.State, c *eventv1.Creature) []string {
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
	for _, name := range spellNames(s, c) {
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
func refuseSpell(s *eventv1.State, c *eventv1.Creature, item string) error {
	return refuseWords(s, c, item, freeHands(c))
}

func refuseWords(s *eventv1.State, c *eventv1.Creature, item string, hands int) error {
	switch {
	case has(c, condGagged) || c.Marks[mSilenced] != "" && c.Marks[mSilenced] != numberKey(s):
		return refuse("NO_VOICE", cite.SpellHandAndVoice, "%s cannot speak", c.Name)
	case hands < 1:
		return refuse("NO_HAND", cite.SpellHandAndVoice, "%s has no free hand", c.Name)
	case c.Counters[cSpell+item] < 1:
		return refuse("SPELL_SPENT", cite.ActionCastSpell, "%s is spent", item)
	}
	return nil
}

func refuseSpellTarget(s *eventv1.State, c *eventv1.Creature, item string, t *eventv1.Creature, facts *structpb.Struct) error {
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
func doCast(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "cast", Targets: take.Targets, Item: take.Item}, cite.ActionCastSpell)
	spend(r, c.Id, "cast", cite.ActionCastSpell)
	r.Set(c.Id, cSpell+take.Item, r.Count(c.Id, cSpell+take.Item)-1, "cast", cite.ActionCastSpell)
	if r.Count("", cTogether) > 0 {
		t := putDown(r, taskSpell, c.Id, take.Item)
		for _, id := range take.Targets {
			t.Modifiers = append(t.Modifiers, &eventv1.Modifier{Source: id})
		}
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
	if c == nil || c.Marks[mAttackedOn] != numberKey(r.State()) {
		return false
	}
	saved := save(r, "disruption/"+caster, c, catSpells, "casting while attacked", cite.SpellDisruption)
	if saved.Success() {
		return false
	}
	r.Note(saved.Audience, caster, "the spell is disrupted and lost", cite.SpellDisruption)
	return true
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
	return r.Roll(rules.RollSpec{Label: "save/" + label, Creature: c.Id, Expression: "1d20", Reason: reason, Modifiers: checkModifiers(c, 0, ""),
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
			r.Mark(id, mAttackedOn, numberKey(r.State()), cite.SpellDisruptByDelay)
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
