package basic

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// damage rolls what a hit does; a natural 20 rolls once more to see how well it
// hit.
//
// basic.critical.second-roll, basic.damage.roll
func (b blow) damage(r *rules.Resolution, mods []*eventv1.Modifier, natural20 bool) {
	if b.lit != "" {
		b.burst(r, mods, natural20)
		return
	}
	second := b.second(r, mods, natural20)
	a, t := r.Creature(b.attacker), r.Creature(b.target)
	amount := b.amount(r, a, second)
	effect := b.effect(r, second.Outcome)
	h := harm{target: b.target, source: b.attacker, cause: b.weapon.Name, amount: amount, effect: effect,
		nonlethal: b.subdual || brawling(b.weapon), critical: natural20}
	if brawling(b.weapon) && sheetOf(t).ArmorMaterial == "metal" && sheetOf(a).ArmorMaterial != "metal" {
		// basic.attack.brawl-metal-armor
		r.Note(event.Everyone(), b.attacker, "the blow against metal hurts the one who struck", cite.AttackBrawlMetalArmor)
		h.target, h.effect = b.attacker, ""
	}
	h.do(r, b.now)
}

// second makes the second roll of a natural 20; its outcome names the row.
//
// basic.critical.second-roll
func (b blow) second(r *rules.Resolution, mods []*eventv1.Modifier, natural20 bool) rules.Rolled {
	if !natural20 {
		return rules.Rolled{Outcome: "regular"}
	}
	return r.Roll(rules.RollSpec{Label: b.label + "/critical", Creature: b.roller(), Expression: "1d20", Reason: "natural 20",
		Modifiers: mods, Rules: []string{cite.CriticalSecondRoll},
		Judge: func(_, total int32) (string, int32) { return book.critical.at(total), 0 }})
}

// effect rolls on the chart of the last row; empty for the others.
//
// basic.critical.effect-chart
func (b blow) effect(r *rules.Resolution, result string) string {
	if result != "effect" {
		return ""
	}
	return r.Roll(rules.RollSpec{Label: b.label + "/effect", Creature: b.roller(), Expression: "1d4", Reason: "effect of the critical hit",
		Rules: []string{cite.CriticalEffectChart}, Judge: func(n, _ int32) (string, int32) { return book.effects.at(n), 0 }}).Outcome
}

// amount is the damage of a hit, in hit points.
//
// basic.critical.regular, basic.critical.maximum, basic.critical.damage, basic.damage.charge-double,
// basic.damage.set-double, basic.attack.subdual-flat
func (b blow) amount(r *rules.Resolution, a *eventv1.Creature, second rules.Rolled) int32 {
	result := second.Outcome
	count, sides, flat, _ := damageOf(b.weapon.Damage)
	mods := damageModifiers(a, b.weapon, b.ranged, flat)
	total := int32(0)
	if result == "maximum" {
		total = count * sides
		for _, m := range mods {
			total += m.Value
		}
		r.Note(second.Audience, b.attacker, "maximum damage: "+itoa(total), cite.CriticalMaximum)
	} else {
		if result != "regular" {
			mods = append(mods, &eventv1.Modifier{Value: count * sides, Source: "maximum of the dice", Rule: cite.CriticalDamage})
		}
		total = r.Roll(rules.RollSpec{Label: b.label + "/damage", Creature: b.roller(), Expression: itoa(count) + "d" + itoa(sides),
			Reason: "damage of " + b.weapon.Name, Modifiers: mods, Rules: []string{cite.DamageRoll}}).Total
	}
	total = max(1, total)
	if b.double {
		total *= 2
	}
	if b.subdual {
		total = max(1, total/2)
	}
	return total
}

// damageModifiers are what is added to damage dice. Strength adds to what is
// struck, thrown or slung, not to bows and crossbows.
//
// basic.damage.strength-melee, basic.damage.strength-thrown, basic.damage.strength-bows, basic.damage.strength-sling,
// basic.damage.magic-bonus
func damageModifiers(a *eventv1.Creature, w *eventv1.BasicWeapon, ranged bool, flat int32) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	add := func(value int32, source, rule string) {
		if value != 0 {
			out = append(out, &eventv1.Modifier{Value: value, Source: source, Rule: rule})
		}
	}
	add(flat, w.Name, cite.DamageRoll)
	add(w.MagicBonus, "magic", cite.DamageMagicBonus)
	switch {
	case !ranged:
		add(sheetOf(a).StrengthModifier, "Strength", cite.DamageStrengthMelee)
	case w.Kind == "sling":
		add(sheetOf(a).StrengthModifier, "Strength", cite.DamageStrengthSling)
	case thrown(w):
		add(sheetOf(a).StrengthModifier, "Strength", cite.DamageStrengthThrown)
	case w.Strength:
		add(sheetOf(a).StrengthModifier, "Strength", cite.DamageStrengthBows)
	}
	return out
}

// fumble settles a natural 1.
//
// basic.fumble.second-roll
func (b blow) fumble(r *rules.Resolution) {
	rolled := r.Roll(rules.RollSpec{Label: b.label + "/fumble", Creature: b.attacker, Expression: "1d20", Reason: "natural 1",
		Rules: []string{cite.FumbleSecondRoll}, Judge: func(n, _ int32) (string, int32) { return book.fumble.at(n), 0 }})
	switch rolled.Outcome {
	case "breaks": // basic.fumble.weapon-breaks
		b.lose(r, "gone", cite.FumbleWeaponBreaks)
		noAttack(r, b.attacker, cite.FumbleWeaponBreaks)
	case "stumble": // basic.fumble.stumble
		if !b.dexterityCheck(r, 20, cite.FumbleStumble) {
			b.stumble(r)
		}
	case "sloppy": // basic.fumble.sloppy
		if !b.dexterityCheck(r, 15, cite.FumbleSloppy) {
			b.freeAttack(r)
		}
	case "drops": // basic.fumble.drop-weapon
		b.lose(r, "dropped", cite.FumbleDropWeapon)
		noAttack(r, b.attacker, cite.FumbleDropWeapon)
	default: // basic.fumble.just-a-miss
	}
}

// lose takes the weapon out of the hand; reading: nothing happens to a body.
func (b blow) lose(r *rules.Resolution, where, rule string) {
	if b.weapon.Natural {
		return
	}
	c := r.Creature(b.attacker)
	values := c.Items[b.weapon.Name].GetValues()
	if where == "dropped" {
		values = fallen(values, c.Position)
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: b.attacker, Item: b.weapon.Name, Place: where, Values: values, Cause: "critical miss"}, rule)
}

func noAttack(r *rules.Resolution, id, rule string) {
	r.Set(id, cNoAttack, int64(r.State().Round)+1, "critical miss", rule)
}

// stumble lays the penalty for one or two full rounds, from the next on.
func (b blow) stumble(r *rules.Resolution) {
	n := r.Roll(rules.RollSpec{Label: b.label + "/stumble", Creature: b.attacker, Expression: "1d2", Reason: "rounds of stumbling",
		Rules: []string{cite.FumbleStumble}}).Total
	from, until := r.State().Round+1, r.State().Round+n
	if x := condition(r.Creature(b.attacker), condStumbling); x != nil {
		from, until = min(from, x.Values["from"]), max(until, x.Until.GetRound())
		r.RemoveCondition(b.attacker, x, "stumbles anew", cite.FumbleStumble)
	}
	r.AddCondition(b.attacker, &eventv1.Condition{Name: condStumbling, Cause: "critical miss", Rule: cite.FumbleStumble,
		Until: &eventv1.Until{When: "round", Round: until}, Values: map[string]int32{"from": from}})
}

// dexterityCheck is d20 and the modifier against the DC; 1 and 20 mean nothing.
//
// basic.dice.dc-check
func (b blow) dexterityCheck(r *rules.Resolution, dc int32, rule string) bool {
	c := r.Creature(b.attacker)
	return r.Roll(rules.RollSpec{Label: b.label + "/dexterity", Creature: c.Id, Expression: "1d20", Reason: "Dexterity check",
		Modifiers: checkModifiers(c, sheetOf(c).DexterityModifier, "Dexterity"), Target: &eventv1.TargetNumber{Kind: "DC", Value: dc},
		Rules: []string{rule, cite.DiceDcCheck}}).Success()
}

// checkModifiers are those of a check or save: what it is made with, and being
// shaken.
//
// basic.condition.shaken
func checkModifiers(c *eventv1.Creature, value int32, source string) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	if value != 0 {
		out = append(out, &eventv1.Modifier{Value: value, Source: source, Rule: cite.DiceDcCheck})
	}
	if has(c, condShaken) {
		out = append(out, &eventv1.Modifier{Value: -2, Source: condShaken, Rule: cite.ConditionShaken})
	}
	return out
}

// freeAttack gives the one attacked a blow at once; when it cannot reach the
// attacker the game master may give it to an engaged enemy.
//
// basic.fumble.sloppy
func (b blow) freeAttack(r *rules.Resolution) {
	const rule = cite.FumbleSloppy
	s := r.State()
	a, by := r.Creature(b.attacker), b.target
	inReach := func(c *eventv1.Creature) []*eventv1.BasicWeapon {
		d, known := measured(c, a)
		if !outOfTurn(s, c) || !known && b.ranged {
			return nil
		}
		list := armed(c, func(w *eventv1.BasicWeapon) bool { return w.Kind == "melee" && (!known || d <= reach(w)) })
		if !known || d <= engagedFeet {
			list = append(list, brawls...)
		}
		return list
	}
	if !opposed(a, r.Creature(by)) || len(inReach(r.Creature(by))) == 0 {
		d := &eventv1.Decision{Name: decFreeTo, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, GmOnly: true, Rule: rule, DefaultOption: noStray,
			Cause: a.Name + " attacks sloppily", Question: "Which engaged enemy gets a free attack?"}
		for _, id := range engagedWith(s, a) {
			if id != b.target && len(inReach(r.Creature(id))) > 0 {
				d.Options = append(d.Options, &eventv1.DecisionOption{Id: id, Text: r.Creature(id).Name})
			}
		}
		if len(d.Options) == 0 {
			return
		}
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: noStray, Text: "Nobody"})
		by = r.Ask("free-attack-to/"+b.attacker, d).GetOption()
		if by == noStray {
			return
		}
	}
	w, flat := opening{label: "free-attack/" + by, decision: decFree, cause: a.Name + " attacks sloppily", rule: rule,
		weapons: inReach(r.Creature(by)), flat: true}.choose(r, r.Creature(by))
	if w != nil {
		blow{attacker: by, target: b.attacker, weapon: w, label: "free-attack/" + by, now: b.now, subdual: flat}.strike(r)
	}
}

// disarm knocks the primary weapon out of the hand, be it the only one and in the
// off hand; reading: who fights with its body loses nothing.
//
// basic.condition.disarmed
func disarm(r *rules.Resolution, id string) {
	c := r.Creature(id)
	for _, hand := range []string{"main", "both", "off"} {
		for _, w := range sheetOf(c).Weapons {
			if w.Natural || place(c, w) != hand {
				continue
			}
			r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: "dropped", Values: fallen(c.Items[w.Name].GetValues(), c.Position),
				Cause: "critical hit"}, cite.ConditionDisarmed)
			return
		}
	}
}
