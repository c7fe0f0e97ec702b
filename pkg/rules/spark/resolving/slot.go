package resolving

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
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

// Resolve applies all slots: the ranged pass with spells, then the melee pass,
// each by descending totals, a tie to the players; ties within a side are
// simultaneous, but an attack at the end of a contested move comes after it.
//
// spark.turn.ranged-before-melee, spark.turn.melee-order, spark.turn.tie-to-player
func (f *fray) Resolve() {
	side := func(sl *slot) bool { return body.OfPlayers(f.r.Creature(sl.by)) }
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
		for j < len(f.slots) && !before(f.slots[i], f.slots[j]) && side(f.slots[i]) == side(f.slots[j]) && !f.slots[j].late {
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
		f.applyTogether(able)
		i = j
	}
}

// applyTogether applies the slots of one moment: none is lost by what another
// creature does in it, but a creature's own deeds follow each other.
//
// spark.turn.tie-to-player, spark.turn.killed-first-fails, spark.action.bonus
func (f *fray) applyTogether(slots []*slot) {
	fell := map[[2]string]bool{} // by whom, who
	for _, sl := range slots {
		switch {
		case fell[[2]string{sl.by, sl.by}]:
			f.lose(sl, "put out before", cite.TurnKilledFirstFails)
			continue
		case sl.strike != nil && sl.fumble == nil && fell[[2]string{sl.by, sl.strike.Target}]:
			f.lose(sl, "the target is out", cite.TurnDeclare)
			continue
		}
		stood := f.living()
		f.apply(sl)
		for _, id := range stood {
			fell[[2]string{sl.by, id}] = f.gone(id)
		}
	}
}

// lost says why a waiting deed fails; empty when it does not.
//
// spark.turn.killed-first-fails, spark.turn.declare, spark.fumble.bump-nearest, spark.fumble.timing
func (f *fray) lost(sl *slot) (why, rule string) {
	switch {
	case f.gone(sl.by):
		return "put out before", cite.TurnKilledFirstFails
	case f.undone[sl.by] && sl.fumble == nil:
		return "its turn has ended", cite.FumbleAltSlipUp
	case f.ruined[sl.by] && sl.fumble == nil && (sl.strike != nil || sl.spell != nil):
		return "bumped into", cite.FumbleBumpNearest
	case sl.strike != nil && sl.fumble == nil && f.gone(sl.strike.Target):
		return "the target is out", cite.TurnDeclare
	case sl.strike != nil && sl.fumble == nil && sl.strike.Risk && f.r.Creature(sl.by).Marks[body.MWeapon+sl.weapon.Name] == body.Broken:
		return "the cracked weapon is broken", cite.ItemCracked
	case (sl.deed || sl.move) && sl.strike == nil && f.forestalled(sl):
		return "forestalled", cite.InitiativeOtherDeeds
	case sl.late && sl.fumble == nil && !f.walked[sl.by] && f.needsTheWay(sl):
		return "its way was barred", cite.InitiativeOtherDeeds
	case sl.late && sl.fumble == nil && beyondReach(f.r.Creature(sl.by), f.r.Creature(sl.strike.Target), sl.weapon, *sl.strike, f.decl[sl.by].Stated):
		return "out of reach", cite.TurnMovementFirst
	}
	return "", ""
}

// needsTheWay tells whether an attack stands and falls with the contested move
// before it: that of a charge, and in melee where no map shows who is in reach.
//
// spark.initiative.other-deeds, spark.action.charge
func (f *fray) needsTheWay(sl *slot) bool {
	_, known := body.Distance(f.r.Creature(sl.by), f.r.Creature(sl.strike.Target))
	return f.decl[sl.by].Kind != declaring.KindAttack || sl.melee && !known
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
			f.breakOff(sl.by)
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
	case sl.task != "":
		f.applyTask(sl)
	case sl.move:
		f.walk(sl.by, f.decl[sl.by])
		f.done[sl.by] = !f.gone(sl.by) && !f.ended[sl.by] // put out or fallen on its way it forestalls nobody
	default:
		d := f.decl[sl.by]
		f.done[sl.by] = true
		f.r.Note(event.Everyone(), sl.by, d.Text+" (done)", cite.InitiativeOtherDeeds)
		if d.Body != "" {
			f.deedCheck(sl.by, d)
		}
		if f.held(sl.by) {
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
		f.struck(sl.label, f.armed(sl.by, st.Target, w, st.Ranged, sl.facts), sl.outcome, sl.roll, 0)
		f.wearOut(sl)
		return
	}
	f.r.Emit(sl.audience, &eventv1.Attack{Attacker: sl.by, Target: st.Target, Weapon: w.Name, Outcome: sl.outcome,
		Roll: sl.told, Facts: f.told(sl.by, st.Target, sl.facts)}, strikeRule(sl))
	if st.Ranged {
		f.useMissile(sl.by, w, true)
	}
	taken := int32(0)
	if sl.outcome != "miss" {
		f.hit(sl.by, st.Target)
		if sl.deed {
			f.push(sl)
		} else {
			taken = f.strikeHarm(sl, st.Target, sl.outcome, st.Sneak)
		}
	}
	f.struck(sl.label, f.armed(sl.by, st.Target, w, st.Ranged, sl.facts), sl.outcome, sl.roll, taken)
	f.wearOut(sl)
}

func strikeRule(sl *slot) string {
	if sl.deed {
		return cite.ActionBullRush
	}
	return cite.AttackRoll
}

// strikeHarm deals the damage of a hit, and tells what was taken.
//
// spark.critical.multiplier, spark.fumble.sprain-wrist
func (f *fray) strikeHarm(sl *slot, target, outcome string, sneak bool) int32 {
	w, times := sl.weapon, int32(1)
	if outcome == "critical" {
		times = f.multiplier(sl.by, sl.label)
	}
	facts := sl.facts
	if target != sl.strike.Target { // a stray blow: what was said is about another
		facts = declaring.Stated{}
	}
	b := f.armed(sl.by, target, w, sl.strike.Ranged, facts)
	parts := f.rollHarm(b, sl.label, f.harmDice(sl.by, w, sneak), w.DamageBonus, w.DamageType, sl.wear)
	return f.hurt(target, sl.by, w.Name, scaled(parts, critical(times), sprained(sl.halved)), outcome == "critical")
}

// harmDice are the dice of a weapon's damage, with those of a sneak attack where
// they count.
func (f *fray) harmDice(id string, w *eventv1.SparkWeapon, sneak bool) string {
	extra := body.SheetOf(f.r.Creature(id)).SneakAttack
	switch {
	case !sneak || extra == "":
		return w.DamageDice
	case w.DamageDice == "":
		return extra
	}
	return w.DamageDice + "+" + extra
}

// hit notes that an attack has hit: nobody is shaken any longer who hits an opponent.
//
// spark.fumble.alt-hopeless-throw
func (f *fray) hit(id, target string) {
	if body.Hostile(f.r.Creature(id), f.r.Creature(target)) {
		body.EndConditions(f.r, id, body.CondShaken, "an opponent is hit", cite.FumbleAltHopelessThrow)
	}
}

// push settles a bull rush that succeeded: how far its target goes is the game
// master's ruling, straight away from the attacker.
//
// spark.action.bull-rush
func (f *fray) push(sl *slot) {
	const rule = cite.ActionBullRush
	r, c, t := f.r, f.r.Creature(sl.by), f.r.Creature(sl.strike.Target)
	feet := r.Ask("push/"+sl.by, &eventv1.Decision{Name: body.DecPush, Kind: eventv1.DecisionKind_DECISION_KIND_NUMBER, Creature: sl.by, GmOnly: true,
		Cause: c.Name + "'s bull rush succeeds", Question: "How many feet is " + t.Name + " pushed?", Minimum: 0, Maximum: maxPush, Rule: rule}).Number
	f.away(c, t, feet, "pushed "+body.Itoa(feet)+" ft by a bull rush", rule)
}

// maxPush bounds what a game master may rule, in feet.
const maxPush = 1000

// wearOut breaks a cracked weapon once it was used.
//
// spark.fumble.weapon-cracked, spark.item.cracked
func (f *fray) wearOut(sl *slot) {
	if sl.strike.Risk && body.IsCracked(f.r.Creature(sl.by), sl.weapon.Name) {
		body.SetWeapon(f.r, sl.by, sl.weapon.Name, body.Broken, cite.ItemCracked)
	}
}

// useMissile takes a missile: it lies on the ground, or is destroyed. It tells whether
// there was one to take.
//
// spark.fumble.missile-broken
func (f *fray) useMissile(id string, w *eventv1.SparkWeapon, whole bool) bool {
	if w.Missiles == nil || f.r.Count(id, body.CAmmunition+w.Name) < 1 {
		return false
	}
	f.r.Set(id, body.CAmmunition+w.Name, f.r.Count(id, body.CAmmunition+w.Name)-1, "shot or thrown", cite.FumbleMissileBroken)
	if whole {
		f.r.Set(id, body.CSpent+w.Name, f.r.Count(id, body.CSpent+w.Name)+1, "shot or thrown", cite.FumbleMissileBroken)
	}
	return true
}

// multiplier throws the second d20 of a critical hit.
//
// spark.critical.multiplier
func (f *fray) multiplier(id, label string) int32 {
	table := body.TablesOf(f.r.Content()).Multiplier
	rolled := f.r.Roll(rules.RollSpec{Label: label + "/multiplier", Creature: id, Expression: "1d20", Reason: "how often the damage counts",
		Judge: func(_, total int32) (string, int32) {
			return "times " + body.Itoa(body.Threshold(table, total)), 0
		}, Rules: []string{cite.CriticalMultiplier}})
	times, line := body.Row(table, rolled.Value)
	if rule := f.r.Content().TableCite(body.TableMultiplier, line); rule != "" {
		f.r.Note(rolled.Audience, id, "the damage counts "+body.Itoa(times)+" times", rule, cite.CriticalMultiplier)
	}
	return times
}

// rollHarm throws the damage of one blow, never less than 0: that of the weapon or
// spell, then what content adds of other types. A chip is inside what a critical
// multiplies, and so is what content adds.
//
// spark.fumble.weapon-chipped, spark.dice.rounding
func (f *fray) rollHarm(b blow, label, dice string, bonus int32, kind string, wear []*eventv1.Modifier) []*eventv1.DamagePart {
	adds, further := f.houseHarm(b, label, kind)
	own := &eventv1.DamagePart{Type: kind}
	parts := []*eventv1.DamagePart{own}
	if len(further) > 0 {
		parts = append(parts, further...)
	}
	if dice == "" && len(adds) == 0 {
		for _, m := range wear {
			bonus += m.Value
		}
		own.Rolled = max(0, bonus)
		return parts
	}
	var mods []*eventv1.Modifier
	if bonus != 0 {
		mods = append(mods, body.Mod(bonus, b.what, cite.AttackRoll))
	}
	mods = append(append(mods, wear...), adds...)
	dice, again := f.again(b, dice)
	rolled := f.r.Roll(rules.RollSpec{Label: label + "/damage", Creature: b.by, Expression: dice, Modifiers: mods, Reason: "damage of " + b.what,
		Rules: append([]string{cite.AttackRoll}, again...)})
	own.Rolled = max(0, rolled.Total)
	return parts
}

// change is a reason to multiply a damage, or to halve it.
type change struct {
	times int32 // 0 and 1 leave it
	half  bool
	why   string
	rule  string
}

// critical multiplies as a critical hit does.
func critical(times int32) change {
	return change{times: times, why: "critical hit", rule: cite.CriticalMultiplier}
}

// sprained halves as a sprained wrist does. Whoever is hit is told that the damage is
// halved, and not why: the injury is the attacker's own to know.
//
// spark.fumble.sprain-wrist
func sprained(half bool) change {
	return change{half: half, why: "halved", rule: cite.DiceRounding}
}

// scaled changes the parts of a damage, each as [Scale] has it, writes down how, and
// hands them back.
//
// spark.dice.rounding
func scaled(parts []*eventv1.DamagePart, changes ...change) []*eventv1.DamagePart {
	times, over, rule := int32(1), int32(1), ""
	var why []string
	for _, x := range changes {
		if x.times <= 1 && !x.half {
			continue
		}
		if x.half {
			over *= 2
		} else {
			times *= x.times
		}
		why, rule = append(why, x.why), cmp.Or(rule, x.rule)
	}
	for _, p := range parts {
		rules.Factor(p, times, over, 0, strings.Join(why, ", "), rule)
	}
	return parts
}

// told are the facts that an attack of one creature on another went by.
func (f *fray) told(by, target string, facts declaring.Stated) []*eventv1.UsedFact {
	if facts.Distance != nil {
		return []*eventv1.UsedFact{{Name: rules.FactDistance, Value: body.Itoa(*facts.Distance) + " feet", Stated: true}}
	}
	feet, known := body.Distance(f.r.Creature(by), f.r.Creature(target))
	return f.r.UsedFacts(nil, feet, known, by, target)
}

// oneMore are the parts of a damage again, for the next of several targets.
func oneMore(parts []*eventv1.DamagePart) []*eventv1.DamagePart {
	out := make([]*eventv1.DamagePart, len(parts))
	for i, p := range parts {
		out[i] = &eventv1.DamagePart{Type: p.Type, Rolled: p.Rolled, Rule: p.Rule, Factors: slices.Clone(p.Factors)}
	}
	return out
}

// Scale multiplies a damage and halves it for each reason, rounding down once
// at the end.
//
// spark.dice.rounding, spark.fumble.sprain-wrist
func Scale(amount, times int32, halves ...bool) int32 {
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
	if body.Left(r.Creature(b.Target)) {
		r.Note(event.Everyone(), sl.by, b.Item+" is kept: whom it was for is not there any more", cite.TurnDeclare)
		return
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: sl.by, Action: "bonus", Targets: []string{b.Target}, Item: b.Item, Notes: []string{b.Kind}},
		cite.ActionBonus)
	it := body.ItemOf(r.Creature(sl.by), b.Item)
	if b.Kind == "feat" || it == nil || r.Count(sl.by, body.CLeft+it.Name) < 1 {
		return
	}
	r.Set(sl.by, body.CLeft+it.Name, r.Count(sl.by, body.CLeft+it.Name)-1, b.Kind, cite.ActionBonus)
	if it.Healing != "" {
		f.healBy(sl.by, b.Target, it.Name, it.Healing, "item/"+sl.by)
	}
}

func (f *fray) healBy(by, target, what, dice, label string) {
	rolled := f.r.Roll(rules.RollSpec{Label: label + "/healing", Creature: by, Expression: dice, Reason: "healing of " + what,
		Rules: []string{cite.HealingTwoWays}})
	f.deed(&eventv1.Harm{Deed: body.DeedHeal, Target: target, Source: by, Cause: what, Amount: max(0, rolled.Total), Facts: map[string]string{"magical": rules.Yes}})
}
