package spark

import (
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// seen is a creature as the d20s of the attack half find it: all are thrown
// together, so what one of them brings about does not bear on the others.
//
// spark.turn.all-roll-together
func (f *fray) seen(id string) *eventv1.Creature {
	if f.throwing && f.then != nil {
		if c := f.then.Creatures[id]; c != nil {
			return c
		}
	}
	return f.r.Creature(id)
}

// absent tells whether a creature is out where a d20 is thrown.
func (f *fray) absent(id string) bool {
	if f.throwing && f.then != nil {
		return f.goneThen[id]
	}
	return f.gone(id)
}

// armorOf is what an attack must reach: a Dexterity bonus is lost with a pulled leg.
//
// spark.fumble.alt-pulled-legs
func armorOf(c *eventv1.Creature) int32 {
	return sheetOf(c).ArmorClass - lostDexterity(c)
}

// initiativeOf is the initiative modifier.
func initiativeOf(c *eventv1.Creature) int32 { return sheetOf(c).Initiative - lostDexterity(c) }

// lostDexterity is the Dexterity bonus that a pulled leg takes; a negative
// modifier stays.
//
// spark.fumble.alt-pulled-legs
func lostDexterity(c *eventv1.Creature) int32 {
	if !hasInjury(c, injuryLegs) {
		return 0
	}
	return max(0, sheetOf(c).DexterityModifier)
}

// wearOf is what a weapon's damage has lost: chips, and teeth or claws snapped.
//
// spark.fumble.weapon-chipped, spark.fumble.alt-ouch
func wearOf(c *eventv1.Creature, weapon string) []*eventv1.Modifier {
	var wear []*eventv1.Modifier
	if n := int32(c.GetCounters()[cChip+weapon]); n > 0 {
		wear = append(wear, mod(-n, "chipped", cite.FumbleWeaponChipped))
	}
	for _, in := range c.GetInjuries() {
		if in.Kind == injurySnap && in.Side == weapon && in.Amount > 0 {
			wear = append(wear, mod(-in.Amount, "snapped", cite.FumbleAltOuch))
		}
	}
	return wear
}

// edges are the sources of advantage and disadvantage of an attack. Advantage
// for the next attack roll is used up by it.
//
// spark.condition.prone, spark.dice.advantage, spark.fumble.alt-pulled-arms,
// spark.fumble.alt-wild-swing, spark.fumble.alt-hopeless-throw, spark.condition.frightened
func (f *fray) edges(attacker, target *eventv1.Creature, melee bool, facts stated) []*eventv1.Edge {
	var edges []*eventv1.Edge
	if !f.r.On(ruleAdvantage) {
		return nil
	}
	add := func(advantage bool, kind, source, rule string) {
		edges = append(edges, &eventv1.Edge{Advantage: advantage, Kind: kind, Source: source, Rule: rule})
	}
	if melee && prone(f.r.State(), target) {
		add(true, condProne, "the target is prone", ruleProne)
	}
	if hasInjury(attacker, injuryArms) {
		add(false, injuryArms, "a pulled muscle", cite.FumbleAltPulledArms)
	}
	if attacker.GetCounters()[cShaken] > 0 {
		add(false, cShaken, "shaken by a hopeless throw", cite.FumbleAltHopelessThrow)
	}
	if has(attacker, condFrightened) && f.r.On(ruleFrightened) && f.r.Value(setFrightEffect) == "disadvantage" {
		add(false, condFrightened, "frightened", ruleFrightened)
	}
	if f.takeAdvantage(attacker.Id) {
		add(true, "wild-swing", "an opponent overreached", cite.FumbleAltWildSwing)
	}
	for _, e := range facts.Edges {
		if e.Target == "" || e.Target == target.Id {
			edges = append(edges, &eventv1.Edge{Advantage: e.Advantage, Source: e.Cause, Rule: ruleAdvantage, Stated: true})
		}
	}
	return edges
}

// grant gives a creature advantage on its next attack roll; it cannot be saved up.
//
// spark.fumble.alt-wild-swing
func (f *fray) grant(id string) {
	if f.throwing {
		f.granted[id] = true
	}
	f.r.Set(id, cAdvantage, 1, "an opponent overreached", cite.FumbleAltWildSwing)
}

// takeAdvantage uses up advantage on the next attack roll. What is granted
// while the d20s of a half are thrown together is for a later one.
//
// spark.fumble.alt-wild-swing, spark.turn.all-roll-together
func (f *fray) takeAdvantage(id string) bool {
	use := func() { f.r.Set(id, cAdvantage, 0, "used", cite.FumbleAltWildSwing) }
	if !f.throwing || f.then == nil {
		if f.r.Count(id, cAdvantage) == 0 {
			return false
		}
		f.used[id] = true
		use()
		return true
	}
	if f.then.Creatures[id].GetCounters()[cAdvantage] == 0 || f.used[id] {
		return false
	}
	f.used[id] = true
	if !f.granted[id] {
		use()
	}
	return true
}

// expression is the dice of a roll: any number of one kind means two dice,
// both kinds cancel to one.
//
// spark.dice.advantage
func expression(edges []*eventv1.Edge) string {
	up, down := false, false
	for _, e := range edges {
		up, down = up || e.Advantage, down || !e.Advantage
	}
	switch {
	case up == down:
		return "1d20"
	case up:
		return "2d20kh1"
	}
	return "2d20kl1"
}
