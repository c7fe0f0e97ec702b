package strike

import (
	"cmp"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Damage rolls what a hit does; a natural 20 rolls once more to see how well it
// hit.
//
// basic.critical.second-roll, basic.damage.roll
func (b Blow) Damage(r *rules.Resolution, mods []*eventv1.Modifier, natural20 bool) {
	if b.Lit != "" {
		b.burst(r, mods, natural20)
		return
	}
	second := b.second(r, mods, natural20)
	a, t := r.Creature(b.Attacker), r.Creature(b.Target)
	amount, steps, extra := b.amount(r, a, t, second)
	effect := b.effect(r, second.Outcome)
	h := Harm{Target: b.Target, Source: b.Attacker, Cause: b.Weapon.Name, Amount: amount, Factors: steps, extra: extra, Effect: effect,
		nonlethal: b.Subdual || body.Brawling(b.Weapon), critical: natural20}
	if body.Brawling(b.Weapon) && body.SheetOf(t).ArmorMaterial == "metal" && body.SheetOf(a).ArmorMaterial != "metal" {
		// basic.attack.brawl-metal-armor
		r.Note(event.Everyone(), b.Attacker, "the blow against metal hurts the one who struck", cite.AttackBrawlMetalArmor)
		h.Target, h.Effect = b.Attacker, ""
	}
	h.Do(r, b.Now)
}

// second makes the second roll of a natural 20; its outcome names the row.
//
// basic.critical.second-roll
func (b Blow) second(r *rules.Resolution, mods []*eventv1.Modifier, natural20 bool) rules.Rolled {
	if !natural20 {
		return rules.Rolled{Outcome: "regular"}
	}
	rows := body.BookOf(r.Content()).Critical
	return r.Roll(rules.RollSpec{Label: b.Label + "/critical", Creature: b.roller(), Expression: "1d20", Reason: "natural 20",
		Modifiers: mods, Rules: []string{cite.CriticalSecondRoll},
		Judge:  func(_, total int32) (string, int32) { return rows.At(total), 0 },
		RuleOf: func(_, total int32) string { return rows.By(total) }})
}

// effect rolls on the chart of the last row; empty for the others.
//
// basic.critical.effect-chart
func (b Blow) effect(r *rules.Resolution, result string) string {
	if result != "effect" {
		return ""
	}
	rows := body.BookOf(r.Content()).Effects
	return r.Roll(rules.RollSpec{Label: b.Label + "/effect", Creature: b.roller(), Expression: "1d4", Reason: "effect of the critical hit",
		Rules: []string{cite.CriticalEffectChart}, Judge: func(n, _ int32) (string, int32) { return rows.At(n), 0 },
		RuleOf: func(n, _ int32) string { return rows.By(n) }}).Outcome
}

// amount is the damage of a hit, in hit points, what became of it after the roll, and parts of a type of their own that
// content adds.
//
// basic.critical.regular, basic.critical.maximum, basic.critical.damage, basic.damage.charge-double,
// basic.damage.set-double, basic.attack.subdual-flat
func (b Blow) amount(r *rules.Resolution, a, t *eventv1.Creature, second rules.Rolled) (total int32, steps []*eventv1.Factor, extra []*eventv1.DamagePart) {
	result, env := second.Outcome, b.env(r, a, t)
	count, sides, flat, _ := body.DamageOf(b.Weapon.Damage)
	added, extra := b.houseDamage(r, a, env)
	mods := append(damageModifiers(a, b.Weapon, b.Ranged, flat), added...)
	if result == "maximum" {
		total = count * sides
		for _, m := range mods {
			total += m.Value
		}
		r.Note(second.Audience, b.Attacker, "maximum damage: "+body.Itoa(total), cite.CriticalMaximum)
	} else {
		if result != "regular" {
			mods = append(mods, &eventv1.Modifier{Value: count * sides, Source: "maximum of the dice", Rule: cite.CriticalDamage})
		}
		expression, again := house.Again(r, a, house.PointDamage+b.way(), env, body.Itoa(count)+"d"+body.Itoa(sides))
		total = r.Roll(rules.RollSpec{Label: b.Label + "/damage", Creature: b.roller(), Expression: expression,
			Reason: "damage of " + b.Weapon.Name, Modifiers: mods, Rules: append([]string{cite.DamageRoll}, again...)}).Total
	}
	whole := &eventv1.DamagePart{Rolled: total}
	atLeastOne(whole)
	for _, p := range append([]*eventv1.DamagePart{whole}, extra...) {
		if b.Double {
			rules.Factor(p, 2, 0, 0, b.doubledBy(), cmp.Or(b.DoubleRule, cite.DamageChargeDouble))
		}
		if b.Subdual {
			rules.Factor(p, 1, 2, 0, "with the flat", cite.AttackSubdualFlat)
		}
	}
	atLeastOne(whole)
	return whole.Rolled, whole.Factors, extra
}

// atLeastOne raises a damage to the least that a hit does.
func atLeastOne(p *eventv1.DamagePart) {
	if p.Rolled < 1 {
		rules.Factor(p, 1, 1, 1-p.Rolled, "a hit does 1 at least", cite.DamageRoll)
	}
}

// doubledBy says why the damage counts twice.
func (b Blow) doubledBy() string {
	if b.DoubleRule == cite.DamageSetDouble {
		return "weapon set against the charge"
	}
	return "charge"
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
		add(body.SheetOf(a).StrengthModifier, "Strength", cite.DamageStrengthMelee)
	case w.Kind == "sling":
		add(body.SheetOf(a).StrengthModifier, "Strength", cite.DamageStrengthSling)
	case body.Thrown(w):
		add(body.SheetOf(a).StrengthModifier, "Strength", cite.DamageStrengthThrown)
	case w.Strength:
		add(body.SheetOf(a).StrengthModifier, "Strength", cite.DamageStrengthBows)
	}
	return out
}

// fumble settles a natural 1.
//
// basic.fumble.second-roll
func (b Blow) fumble(r *rules.Resolution) {
	rows := body.BookOf(r.Content()).Fumble
	rolled := r.Roll(rules.RollSpec{Label: b.Label + "/fumble", Creature: b.Attacker, Expression: "1d20", Reason: "natural 1",
		Rules: []string{cite.FumbleSecondRoll}, Judge: func(n, _ int32) (string, int32) { return rows.At(n), 0 },
		RuleOf: func(n, _ int32) string { return rows.By(n) }})
	switch rolled.Outcome {
	case "breaks": // basic.fumble.weapon-breaks
		b.lose(r, "gone", cite.FumbleWeaponBreaks)
		noAttack(r, b.Attacker, cite.FumbleWeaponBreaks)
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
		noAttack(r, b.Attacker, cite.FumbleDropWeapon)
	default: // basic.fumble.just-a-miss
	}
}

// lose takes the weapon out of the hand; reading: nothing happens to a body.
func (b Blow) lose(r *rules.Resolution, where, rule string) {
	if b.Weapon.Natural {
		return
	}
	c := r.Creature(b.Attacker)
	values := c.Items[b.Weapon.Name].GetValues()
	if where == "dropped" {
		values = Fallen(values, c.Position)
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: b.Attacker, Item: b.Weapon.Name, Place: where, Values: values, Cause: "critical miss"}, rule)
}

func noAttack(r *rules.Resolution, id, rule string) {
	from := r.State().Round + 1
	if x := body.ConditionOf(r.Creature(id), body.CondStumbled); x != nil && x.Values["from"] == from {
		return
	}
	body.Inflict(r, id, &eventv1.Condition{Name: body.CondStumbled, Cause: "critical miss", Rule: rule,
		Until: &eventv1.Until{When: "round", Round: from}, Values: map[string]int32{"from": from}})
}

// stumble lays the penalty for one or two full rounds, from the next on.
func (b Blow) stumble(r *rules.Resolution) {
	n := r.Roll(rules.RollSpec{Label: b.Label + "/stumble", Creature: b.Attacker, Expression: "1d2", Reason: "rounds of stumbling",
		Rules: []string{cite.FumbleStumble}}).Total
	from, until := r.State().Round+1, r.State().Round+n
	if x := body.ConditionOf(r.Creature(b.Attacker), body.CondStumbling); x != nil {
		from, until = min(from, x.Values["from"]), max(until, x.Until.GetRound())
		r.RemoveCondition(b.Attacker, x, "stumbles anew", cite.FumbleStumble)
	}
	body.Inflict(r, b.Attacker, &eventv1.Condition{Name: body.CondStumbling, Cause: "critical miss", Rule: cite.FumbleStumble,
		Until: &eventv1.Until{When: "round", Round: until}, Values: map[string]int32{"from": from}})
}

// dexterityCheck is d20 and the modifier against the DC; 1 and 20 mean nothing.
//
// basic.dice.dc-check
func (b Blow) dexterityCheck(r *rules.Resolution, dc int32, rule string) bool {
	c := r.Creature(b.Attacker)
	added, expression, again := house.Check(r, b.Label+"/dexterity", c.Id, house.PointCheck+"/dexterity", "1d20")
	return r.Roll(rules.RollSpec{Label: b.Label + "/dexterity", Creature: c.Id, Expression: expression, Reason: "Dexterity check",
		Modifiers: append(CheckModifiers(r, c, body.RollCheck, body.SheetOf(c).DexterityModifier, "Dexterity"), added...), Target: &eventv1.TargetNumber{Kind: "DC", Value: dc},
		Rules: append([]string{rule, cite.DiceDcCheck}, again...)}).Success()
}

// CheckModifiers are those of a check or save: what it is made with, and what its
// conditions add.
//
// basic.condition.shaken
func CheckModifiers(r *rules.Resolution, c *eventv1.Creature, kind string, value int32, source string) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	if value != 0 {
		out = append(out, &eventv1.Modifier{Value: value, Source: source, Rule: cite.DiceDcCheck})
	}
	return append(out, Hampered(r, c, kind)...)
}

// freeAttack gives the one attacked a blow at once; when it cannot reach the
// attacker the game master may give it to an engaged enemy.
//
// basic.fumble.sloppy
func (b Blow) freeAttack(r *rules.Resolution) {
	const rule = cite.FumbleSloppy
	s := r.State()
	a, by := r.Creature(b.Attacker), b.Target
	inReach := func(c *eventv1.Creature) []*eventv1.BasicWeapon {
		d, known := body.Measured(c, a) // 0 when not known
		if !OutOfTurn(s, c) || !known && b.Ranged {
			return nil
		}
		list := body.Armed(c, func(w *eventv1.BasicWeapon) bool { return w.Kind == "melee" && d <= body.Reach(w) })
		if d <= body.EngagedFeet {
			list = append(list, body.Brawls...)
		}
		return list
	}
	if !body.Opposed(a, r.Creature(by)) || len(inReach(r.Creature(by))) == 0 {
		d := &eventv1.Decision{Name: body.DecFreeTo, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, GmOnly: true, Rule: rule, DefaultOption: body.NoStray,
			Cause: a.Name + " attacks sloppily", Question: "Which engaged enemy gets a free attack?"}
		for _, id := range body.EngagedWith(s, a) {
			if len(inReach(r.Creature(id))) > 0 {
				d.Options = append(d.Options, &eventv1.DecisionOption{Id: id, Text: r.Creature(id).Name})
			}
		}
		if len(d.Options) == 0 {
			return
		}
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: body.NoStray, Text: "Nobody"})
		by = r.Ask("free-attack-to/"+b.Attacker, d).GetOption()
		if by == body.NoStray {
			return
		}
	}
	w, flat := order.Opening{Label: "free-attack/" + by, Decision: body.DecFree, Foe: b.Attacker, Cause: a.Name + " attacks sloppily", Rule: rule,
		Weapons: inReach(r.Creature(by)), Flat: true}.Choose(r, r.Creature(by))
	if w != nil {
		Blow{Attacker: by, Target: b.Attacker, Weapon: w, Label: "free-attack/" + by, Now: b.Now, Subdual: flat}.Strike(r)
	}
}

// disarm knocks the primary weapon out of the hand, be it the only one and in the
// off hand; reading: who fights with its body loses nothing.
//
// basic.condition.disarmed
func disarm(r *rules.Resolution, id string) { disarmBy(r, id, "critical hit", cite.ConditionDisarmed) }

func disarmBy(r *rules.Resolution, id, cause, rule string) {
	c := r.Creature(id)
	for _, hand := range []string{"main", "both", "off"} {
		for _, w := range body.SheetOf(c).Weapons {
			if body.Place(c, w) != hand {
				continue
			}
			r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: "dropped", Values: Fallen(c.Items[w.Name].GetValues(), c.Position),
				Cause: cause}, rule)
			return
		}
	}
}
