package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// attackActions are the attacks of one's own turn.
func attackActions() []*play.Action {
	return []*play.Action{
		{ID: "attack", Title: "Attack", Rule: fallback, Group: play.GroupAttack, Least: 1, Most: 1,
			Items: attackNames, CostOf: attackCost, Refuse: refuseAttack, RefuseTarget: refuseAttackOn, Fields: attackFields, Check: checkAttack, Do: doAttack},
		{ID: "off-hand-attack", Title: "Attack with the off hand", Rule: fallback, Group: play.GroupAttack, Least: 1, Most: 1, Costs: oneBonus,
			Items: offHandNames, RefuseTarget: refuseAttackOn,
			Refuse: func(at *play.At) error { return refuseOffHand(at.State, at.Actor, attackOf(at.Actor, at.Item())) },
			Fields: func(at *play.At) []play.Field { return strikeFields(at, attackOf(at.Actor, at.Item())) },
			Check:  func(at *play.At) error { return planStrike(at, attackOf(at.Actor, at.Item())) }, Do: doOffHand},
	}
}

func attackNames(at *play.At) []string { return namesOf(sheetOf(at.Actor).Attacks) }

// offHandNames are the light weapons in the off hand.
func offHandNames(at *play.At) []string {
	if !at.Listing {
		return attackNames(at)
	}
	var out []string
	for _, a := range sheetOf(at.Actor).Attacks {
		if lightOffHand(at.Actor, a) {
			out = append(out, a.Name)
		}
	}
	return out
}

func attackCost(at *play.At) []play.Cost {
	if attackLeft(at.Actor, at.Item()) {
		return nil
	}
	return oneAction
}

func refuseAttack(at *play.At) error {
	if err := refuseAttackCost(at.Actor, at.Item()); err != nil {
		return err
	}
	return refuseWeapon(at.State, at.Actor, attackOf(at.Actor, at.Item()))
}

func refuseAttackOn(at *play.At, t *eventv1.Creature) error {
	return refuseStrike(at.Actor, t, attackOf(at.Actor, at.Item()), at.Take)
}

// strikeFields are the words of any attack with a weapon.
func strikeFields(at *play.At, a *eventv1.RcrAttack) []play.Field {
	out := throwField(nil, at, a)
	return inspirationField(append(out, play.Field{Name: "extra_damage"}), at)
}

// throwField says whether a weapon that can be thrown is. What can be reached is
// struck unless stated otherwise, and a way that holds for some targets only is not
// listed.
func throwField(out []play.Field, at *play.At, a *eventv1.RcrAttack) []play.Field {
	if !at.Listing || a.ReachFeet == 0 || a.RangeFeet == 0 {
		return offer(out, at, false, play.Field{Name: "throw"})
	}
	struck, thrown := true, true
	for _, id := range at.Creatures() {
		t := at.State.Creatures[id]
		if t.Id == at.Actor.Id || refuseStrike(at.Actor, t, a, at.Take) != nil {
			continue
		}
		feet, _ := distanceTo(at.Actor, t)
		struck = struck && feet <= a.ReachFeet
		thrown = thrown && feet <= max(a.LongRangeFeet, a.RangeFeet)
	}
	return offer(out, at, thrown, play.Field{Name: "throw", True: !struck})
}

func attackFields(at *play.At) []play.Field {
	c, a := at.Actor, attackOf(at.Actor, at.Item())
	out := offer(strikeFields(at, a), at, len(a.TwoHandedDamage) > 0 && refuseTwoHands(at.State, c, a) == nil, play.Field{Name: "hands"})
	if len(sheetOf(c).Multiattack) == 0 {
		return offer(out, at, false, play.Field{Name: "multiattack"})
	}
	var ways []string
	for _, way := range sheetOf(c).Multiattack {
		if wayWith(c, a.Name, way.Name) != nil {
			ways = append(ways, way.Name)
		}
	}
	return offer(out, at, len(ways) > 0 && !attackLeft(c, a.Name), play.Field{Name: "multiattack", Values: append(ways, "none")})
}

func checkAttack(at *play.At) error {
	c, a, wanted := at.Actor, attackOf(at.Actor, at.Item()), spoken.Word(at.Take.Parameters, "multiattack")
	if wanted != "" && wanted != "none" && wayWith(c, a.Name, wanted) == nil {
		return noSuch("take.parameters.multiattack", wanted, "multiattack with "+a.Name, append(namesOf(sheetOf(c).Multiattack), "none"))
	}
	return planStrike(at, a)
}

// planStrike works out an attack with a weapon, for its deed.
func planStrike(at *play.At, a *eventv1.RcrAttack) error {
	p, err := planAttack(at.State, at.Actor, at.Target(), a, at.Take)
	if err != nil {
		return err
	}
	if p.damage, err = planDamage(p, at.Take); err != nil {
		return err
	}
	planned(at).attack = p
	return refuseInspired(at.Actor, at.Take)
}

// refuseInspired says that there is no inspiration to make a roll with.
//
// rcr.base.inspiration-held
func refuseInspired(c *eventv1.Creature, take *eventv1.TakeAction) error {
	if c.Counters[cInspiration] < 1 && spoken.Truth(take.GetParameters(), "inspiration") {
		return refuse("NO_INSPIRATION", cite.BaseInspirationHeld, "%s has no inspiration", c.Name)
	}
	return nil
}

func doAttack(r *rules.Resolution, at *play.At) error {
	carryOut(r, at, func(c *eventv1.Creature, p *attackPlan) attackOpts {
		payAttack(r, c, p.atk.Name, spoken.Word(at.Take.Parameters, "multiattack"))
		if p.kind.melee && property(p.atk, "light") {
			r.Mark(c.Id, mAttacked, p.atk.Name)
		}
		return attackOpts{}
	})
	return nil
}

// carryOut makes an attack that is planned, after it has been paid for.
func carryOut(r *rules.Resolution, at *play.At, pay func(*eventv1.Creature, *attackPlan) attackOpts) {
	take, p, id := at.Take, planned(at).attack, target(at.Take)
	c := r.Creature(at.Actor.Id)
	edges, mods := statedEdges(take.Circumstances, id)
	inspired := spoken.Truth(take.Parameters, "inspiration")
	if inspired {
		edges = append(edges, adv("inspiration", "inspiration", cite.BaseInspirationHeld))
	}
	o := pay(c, p)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: []string{id}, Item: p.atk.Name,
		Notes: append(p.notes, statedNotes(take)...)})
	if inspired && !has(r.Creature(id), condHelpless) { // there is no roll to spend it on
		spend(r, c.Id, cInspiration, "advantage on an attack", cite.BaseInspirationHeld)
	}
	useWeapon(r, c, p)
	o.kind, o.cover, o.edges, o.mods, o.damage = p.kind, p.cover, append(o.edges, edges...), append(o.mods, mods...), p.damage
	o.kinds, o.facts = renamed(take.Facts, "kinds"), woundFacts(take)
	makeAttack(r, r.Creature(c.Id), r.Creature(id), p.atk, o)
}

// doOffHand makes the attack of the off hand: a positive ability modifier is
// not added to its damage.
func doOffHand(r *rules.Resolution, at *play.At) error {
	carryOut(r, at, func(c *eventv1.Creature, p *attackPlan) attackOpts {
		spend(r, c.Id, cBonus, "attack of the off hand")
		bonus := abilityMod(c, "strength")
		if property(p.atk, "finesse") {
			bonus = max(bonus, abilityMod(c, "dexterity"))
		}
		if bonus <= 0 {
			return attackOpts{}
		}
		return attackOpts{damageMod: mod(-bonus, "off hand", cite.BaseFifthEditionFallback)}
	})
	return nil
}
