package spark

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// before tells whether a slot comes up before another by pass and total alone.
//
// spark.turn.ranged-before-melee, spark.turn.melee-order
func before(a, b *slot) bool {
	if a.melee != b.melee {
		return b.melee
	}
	return a.total > b.total
}

// resolve applies all slots: the ranged pass with spells, then the melee pass,
// each by descending totals, a tie to the players; ties within a side are
// simultaneous.
//
// spark.turn.ranged-before-melee, spark.turn.melee-order, spark.turn.tie-to-player
func (f *fray) resolve() {
	side := func(sl *slot) bool { return ofPlayers(f.r.Creature(sl.by)) }
	slices.SortStableFunc(f.slots, func(a, b *slot) int {
		switch {
		case before(a, b):
			return -1
		case before(b, a):
			return 1
		case side(a) && !side(b):
			return -1
		case side(b) && !side(a):
			return 1
		case a.order != b.order:
			return a.order - b.order
		}
		return a.seq - b.seq
	})
	for i := 0; i < len(f.slots); {
		j := i + 1
		for j < len(f.slots) && !before(f.slots[i], f.slots[j]) && side(f.slots[i]) == side(f.slots[j]) {
			j++
		}
		var able []*slot
		for _, sl := range f.slots[i:j] {
			if why, rule := f.lost(sl); why != "" {
				f.lose(sl, why, rule)
				continue
			}
			able = append(able, sl)
		}
		for _, sl := range able {
			f.apply(sl)
		}
		i = j
	}
}

// lost says why a waiting deed fails; empty when it does not.
//
// spark.turn.killed-first-fails, spark.turn.declare, spark.fumble.bump-nearest, spark.fumble.timing
func (f *fray) lost(sl *slot) (why, rule string) {
	switch {
	case f.gone(sl.by):
		return "put out before", "spark.turn.killed-first-fails"
	case f.ruined[sl.by] && sl.fumble == nil && (sl.strike != nil || sl.spell != nil):
		return "bumped into", "spark.fumble.bump-nearest"
	case sl.strike != nil && sl.fumble == nil && f.gone(sl.strike.Target):
		return "the target is out", "spark.turn.declare"
	case sl.strike != nil && sl.strike.Risk && f.r.Creature(sl.by).Marks[mWeapon+sl.weapon.Name] == broken:
		return "the cracked weapon is broken", "spark.item.cracked"
	case sl.deed && sl.strike == nil && f.decl[sl.by].Rival != "" && f.done[f.decl[sl.by].Rival]:
		return "forestalled", "spark.initiative.other-deeds"
	}
	return "", ""
}

// lose tells that a deed is lost. A spell that a bump ruined costs its mana.
//
// spark.spell.countered-mana-lost
func (f *fray) lose(sl *slot, why, rule string) {
	switch {
	case sl.strike != nil && sl.fumble == nil:
		f.r.Emit(event.Everyone(), &eventv1.Attack{Attacker: sl.by, Target: sl.strike.Target, Weapon: sl.weapon.Name, Outcome: "lost", Note: why}, rule)
	case sl.spell != nil:
		f.r.Note(event.Everyone(), sl.by, sl.spell.Name+" is lost: "+why, rule)
		if f.ruined[sl.by] && !f.gone(sl.by) {
			f.pay(sl.by, sl.spell)
			f.breakOff(sl.by, sl.spell)
		}
	default:
		f.r.Note(event.Everyone(), sl.by, "lost: "+why, rule)
	}
}

// apply carries out a slot.
func (f *fray) apply(sl *slot) {
	switch {
	case sl.strike != nil:
		f.applyStrike(sl)
	case sl.spell != nil:
		f.applySpell(sl)
	case sl.bonus != nil:
		f.applyBonus(sl)
	default:
		d := f.decl[sl.by]
		f.done[sl.by] = true
		f.r.Note(event.Everyone(), sl.by, d.Text+" (done)", "spark.initiative.other-deeds")
		if d.Held {
			f.walk(sl.by, d)
		}
	}
}

// applyStrike applies an attack: a fumble's damage, or a hit's.
//
// spark.attack.roll, spark.critical.auto-hit, spark.action.bull-rush
func (f *fray) applyStrike(sl *slot) {
	st, w := sl.strike, sl.weapon
	if sl.fumble != nil {
		f.hurtByFumble(sl.fumble)
		f.wearOut(sl)
		return
	}
	note := ""
	if sl.deed {
		note = "bull rush: how far is the game master's ruling"
	}
	f.r.Emit(event.Everyone(), &eventv1.Attack{Attacker: sl.by, Target: st.Target, Weapon: w.Name, Outcome: sl.outcome, Note: note}, "spark.attack.roll")
	if st.Ranged {
		f.useMissile(sl.by, w, true)
	}
	if sl.outcome != "miss" && !sl.deed {
		times := int32(1)
		if sl.outcome == "critical" {
			times = f.multiplier(sl.by, sl.label)
		}
		amount := f.rollHarm(sl.by, w.Name, sl.label, w.DamageDice, w.DamageBonus, sl.chip)
		f.hurt(st.Target, sl.by, w.Name, w.DamageType, scale(amount, times, sl.halved, false), sl.outcome == "critical")
	}
	f.wearOut(sl)
}

// wearOut breaks a cracked weapon once it was used.
//
// spark.fumble.weapon-cracked, spark.item.cracked
func (f *fray) wearOut(sl *slot) {
	if sl.strike.Risk && f.r.Creature(sl.by).Marks[mWeapon+sl.weapon.Name] == cracked {
		setWeapon(f.r, sl.by, sl.weapon.Name, broken, "spark.item.cracked")
	}
}

// useMissile takes a missile: it lies on the ground, or is destroyed.
//
// spark.fumble.missile-broken
func (f *fray) useMissile(id string, w *eventv1.SparkWeapon, whole bool) {
	if w.Missiles == nil || f.r.Count(id, cMissiles+w.Name) < 1 {
		return
	}
	f.r.Set(id, cMissiles+w.Name, f.r.Count(id, cMissiles+w.Name)-1, "shot or thrown", "spark.fumble.missile-broken")
	if whole {
		f.r.Set(id, cSpent+w.Name, f.r.Count(id, cSpent+w.Name)+1, "shot or thrown", "spark.fumble.missile-broken")
	}
}

// multiplier throws the second d20 of a critical hit.
//
// spark.critical.multiplier
func (f *fray) multiplier(id, label string) int32 {
	rolled := f.r.Roll(rules.RollSpec{Label: label + "/multiplier", Creature: id, Expression: "1d20", Reason: "how often the damage counts",
		Rules: []string{"spark.critical.multiplier"}})
	return threshold(book.multiplier, rolled.Value)
}

// rollHarm throws the damage of one blow, never less than 0. A chip is inside
// what a critical multiplies.
//
// spark.fumble.weapon-chipped, spark.dice.rounding
func (f *fray) rollHarm(id, what, label, dice string, bonus, chip int32) int32 {
	if dice == "" {
		return max(0, bonus-chip)
	}
	var mods []*eventv1.Modifier
	if bonus != 0 {
		mods = append(mods, mod(bonus, what, ""))
	}
	if chip != 0 {
		mods = append(mods, mod(-chip, "chipped", "spark.fumble.weapon-chipped"))
	}
	rolled := f.r.Roll(rules.RollSpec{Label: label + "/damage", Creature: id, Expression: dice, Modifiers: mods, Reason: "damage of " + what,
		Rules: []string{"spark.attack.roll"}})
	return max(0, rolled.Total)
}

// scale multiplies a damage and halves it for each reason, rounding down once
// at the end.
//
// spark.dice.rounding, spark.fumble.sprain-wrist
func scale(amount, times int32, halves ...bool) int32 {
	amount *= times
	by := int32(1)
	for _, h := range halves {
		if h {
			by *= 2
		}
	}
	return amount / by
}

// applyBonus carries out a bonus action.
//
// spark.action.drink-potion, spark.action.activate-item, spark.action.feat-bonus
func (f *fray) applyBonus(sl *slot) {
	r, b := f.r, sl.bonus
	if b.Kind == kindRestring {
		f.restring(sl.by, b.Item)
		return
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: sl.by, Action: "bonus", Targets: []string{b.Target}, Item: b.Item, Notes: []string{b.Kind}},
		"spark.action.bonus")
	it := itemOf(r.Creature(sl.by), b.Item)
	if b.Kind == "feat" || it == nil || r.Count(sl.by, cUses+it.Name) < 1 {
		return
	}
	r.Set(sl.by, cUses+it.Name, r.Count(sl.by, cUses+it.Name)-1, b.Kind, "spark.action.bonus")
	if it.Healing != "" {
		f.healBy(sl.by, b.Target, it.Name, it.Healing, "item/"+sl.by)
	}
}

func (f *fray) healBy(by, target, what, dice, label string) {
	rolled := f.r.Roll(rules.RollSpec{Label: label + "/healing", Creature: by, Expression: dice, Reason: "healing of " + what,
		Rules: []string{"spark.healing.two-ways"}})
	f.deed(&eventv1.Harm{Deed: deedHeal, Target: target, Source: by, Cause: what, Amount: max(0, rolled.Total), Facts: map[string]string{"magical": "yes"}})
}

// restringRounds is the minute that a new string takes.
const restringRounds = 10

// restring works a round at a new string; other use of a round suspends the work.
//
// spark.fumble.string-breaks
func (f *fray) restring(id, weapon string) {
	const rule = "spark.fumble.string-breaks"
	r := f.r
	n := r.Count(id, cRestring+weapon) + 1
	if n < restringRounds {
		r.Set(id, cRestring+weapon, n, "restringing", rule)
		return
	}
	r.Set(id, cRestring+weapon, 0, "restrung", rule)
	r.Set(id, cSpareStrings, max(0, r.Count(id, cSpareStrings)-1), "restrung", rule)
	r.Mark(id, mString+weapon, "", rule)
}
