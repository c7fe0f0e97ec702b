package resolving

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// pay takes the mana of a spell.
//
// spark.spell.countered-mana-lost
func (f *fray) pay(id string, sp *eventv1.SparkSpell) {
	f.r.Set(id, body.CMana, max(0, f.r.Count(id, body.CMana)-int64(f.mana(id, sp))), sp.Name, cite.SpellCounteredManaLost)
}

// breakOff ends the casting of a spell that takes rounds before its time; the
// round in which it breaks off is lost all the same.
func (f *fray) breakOff(id string) {
	b := rules.BegunOf(f.r.Creature(id), body.BegunCasting)
	if b == nil {
		return
	}
	f.r.Begin(id, &eventv1.Begun{Id: b.Id, Kind: b.Kind, Action: b.Action, Words: b.Words, Round: b.Round, Values: b.Values,
		Until: body.UntilRound(f.r.State().Round), Rule: b.Rule}, cite.ActionMultiRoundLock)
}

// applySpell settles a spell at its slot: counterspells in the round in which
// it was begun, then its effect in the round in which it ends.
//
// spark.turn.counterspell-announced-first-half, spark.spell.countered-mana-lost
func (f *fray) applySpell(sl *slot) {
	r, sp := f.r, sl.spell
	if r.Count(sl.by, body.CMana) < int64(f.mana(sl.by, sp)) {
		r.Note(event.Everyone(), sl.by, "not enough mana is left for "+sp.Name, cite.SpellCounteredManaLost)
		f.breakOff(sl.by)
		return
	}
	if f.countered(sl.by, sp) { // announced in the round in which it was begun
		f.pay(sl.by, sp)
		f.breakOff(sl.by)
		return
	}
	if !f.ends(sl.by) {
		return
	}
	f.pay(sl.by, sp)
	if sp.Concentration {
		body.Lay(r, sl.by, &eventv1.Condition{Id: body.CondConcentrating, Name: body.CondConcentrating, Variant: sp.Name, Rule: cite.ReactionConcentrationBars})
	}
	if sp.Text != "" {
		r.Note(event.Everyone(), sl.by, sp.Name+": "+sp.Text, cite.ActionSpellFillsRound)
	}
	f.effect(sl)
}

// Spoil ends the castings that a bump ruined between their first and last round,
// where a spell has no place in the order.
//
// spark.fumble.bump-nearest, spark.spell.countered-mana-lost
func (f *fray) Spoil() {
	for _, id := range f.Order {
		d, c := f.decl[id], f.r.Creature(id)
		sp := body.SpellOf(c, d.Spell)
		if sp == nil || f.begun(id) || f.ends(id) || !f.ruined[id] || f.gone(id) {
			continue
		}
		f.lose(&slot{by: id, spell: sp}, "bumped into", cite.FumbleBumpNearest)
	}
}

// countered rolls the counterspells announced against a spell in their order
// until one is higher than its DC. The mana staked is gone with the roll; those
// not rolled cost none, and whoever was bumped into rolls none: it is magic of
// this round.
//
// spark.fumble.bump-nearest, spark.spell.counterspell-result, spark.spell.counterspell-cost,
// spark.spell.counterspell-mana-table, spark.spell.counterspell-rank, spark.fumble.checks
func (f *fray) countered(caster string, sp *eventv1.SparkSpell) bool {
	const rule = cite.SpellCounterspellResult
	for _, k := range f.counters {
		c := f.r.Creature(k.by)
		if k.caster != caster || f.gone(k.by) {
			continue
		}
		if f.ruined[k.by] {
			f.r.Note(event.Everyone(), k.by, "its counterspell is lost: bumped into", cite.FumbleBumpNearest)
			continue
		}
		if c.Counters[body.CMana] < int64(k.mana) {
			f.r.Note(event.Everyone(), k.by, "its counterspell is lost: not enough mana is left", cite.SpellCounterspellDeclareMana)
			continue
		}
		f.r.Set(k.by, body.CMana, c.Counters[body.CMana]-int64(k.mana), "counterspell", cite.SpellCounterspellCost)
		gives, line := body.Row(body.TablesOf(f.r.Content()).Mana, k.mana)
		rolled := body.Tried(f.r, rules.RollSpec{Label: "counter/" + caster + "/" + k.by, Creature: k.by, Reason: "counter " + sp.Name,
			Modifiers: []*eventv1.Modifier{body.Mod(gives, body.Itoa(k.mana)+" mana", cite.SpellCounterspellManaTable),
				body.Mod(HalfRank(c, k.tree), "half the rank of "+k.tree, cite.SpellCounterspellRank)},
			Target: &eventv1.TargetNumber{Kind: "DC", Value: sp.Dc}, Judge: body.JudgeCheck(sp.Dc, true),
			Rules: body.Also(f.r.Content().TableCite(body.TableMana, line), rule)}, body.PointCounterspell, nil, nil)
		if rolled.Success() {
			f.r.Note(rolled.Audience, caster, sp.Name+" is countered", rule)
			return true
		}
	}
	return false
}

// HalfRank is half the rank of a mana tree, at least 1.
//
// spark.spell.counterspell-rank, spark.dice.rounding
func HalfRank(c *eventv1.Creature, tree string) int32 {
	for _, t := range body.SheetOf(c).ManaTrees {
		if t.Name == tree {
			return max(1, t.Rank/2)
		}
	}
	return 1
}

// effect is what a spell does to its targets.
func (f *fray) effect(sl *slot) {
	r, sp := f.r, sl.spell
	targets := f.decl[sl.by].Targets
	if len(targets) == 0 && sp.Delivery == "other" {
		targets = []string{sl.by}
	}
	targets = f.inArea(sl, targets)
	times := int32(1)
	if sp.Attack && len(targets) > 0 && f.misses(targets[0], sp, sl.astray) {
		r.Emit(event.Everyone(), &eventv1.Attack{Attacker: sl.by, Target: targets[0], Weapon: sp.Name, Outcome: "lost", Note: "nobody to strike"}, cite.TurnDeclare)
		return
	}
	if sl.outcome != "" {
		r.Emit(sl.audience, &eventv1.Attack{Attacker: sl.by, Target: targets[0], Weapon: sp.Name, Outcome: sl.outcome,
			Roll: sl.told, Facts: f.told(sl.by, targets[0], sl.facts)}, cite.AttackRoll)
		switch sl.outcome {
		case "miss":
			f.struck(sl.label, f.conjured(sl.by, targets[0], sp, sl.facts), sl.outcome, sl.roll, 0)
			return
		case "critical":
			times = f.multiplier(sl.by, sl.label)
		}
		f.hit(sl.by, targets[0])
	}
	var parts []*eventv1.DamagePart
	taken := int32(0)
	for _, id := range targets {
		t := r.Creature(id)
		if f.misses(id, sp, sl.astray) {
			continue
		}
		if sp.Healing != "" {
			f.healBy(sl.by, id, sp.Name, sp.Healing, "spell/"+sl.by)
		}
		saved := sp.Save != "" && f.saves(t.Id, sl.by, sp.Save, sp.Dc, "save/"+sl.by+"/"+id, sp.Save+" save against "+sp.Name)
		if sp.DamageDice == "" || saved && !sp.HalfOnSave {
			continue
		}
		if parts == nil {
			parts = f.rollHarm(f.conjured(sl.by, id, sp, sl.facts), "spell/"+sl.by, sp.DamageDice, sp.DamageBonus, sp.DamageType, nil)
		}
		taken = f.hurt(id, sl.by, sp.Name, scaled(oneMore(parts), critical(times), change{half: saved, why: "saving throw made", rule: cite.DiceRounding}), sl.outcome == "critical")
	}
	if sl.outcome != "" {
		f.struck(sl.label, f.conjured(sl.by, targets[0], sp, sl.facts), sl.outcome, sl.roll, taken)
	}
	f.cast(sl, targets)
}

// misses tells whether a spell finds nobody: its target has left, is astray of
// its range, or is put out and past harm.
//
// spark.turn.declare
func (f *fray) misses(target string, sp *eventv1.SparkSpell, astray []string) bool {
	return body.Left(f.r.Creature(target)) || sp.Healing == "" && f.gone(target) || slices.Contains(astray, target)
}

// beyond lists the targets that are out of a spell's range, measured like that
// of every attack from the places reached in the first half.
//
// spark.turn.movement-first
func (f *fray) beyond(by string, d *declaring.Declaration, sp *eventv1.SparkSpell) []string {
	limit := sp.RangeFeet
	if limit == 0 && sp.Delivery == "melee-touch" {
		limit = 5
	}
	var list []string
	for _, id := range d.Targets {
		feet, known := body.Distance(f.r.Creature(by), f.r.Creature(id))
		if d.Stated.Distance != nil {
			feet, known = *d.Stated.Distance, true
		}
		if id != by && known && limit > 0 && feet > limit {
			list = append(list, id)
		}
	}
	return list
}
