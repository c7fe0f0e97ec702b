package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// attackActions are the attacks of one's own turn.
func attackActions() []*play.Action {
	return []*play.Action{
		{ID: "attack", Title: "Attack", Rule: body.Fallback, Group: play.GroupAttack, Least: 1, Most: 1,
			Items: strike.AttackNames, CostOf: strike.AttackCost, Refuse: strike.RefuseAttack, RefuseTarget: strike.RefuseAttackOn, Optional: true, Fields: strike.AttackFields, Check: checkAttack, Do: doAttack},
		{ID: "off-hand-attack", Title: "Attack with the off hand", Rule: body.Fallback, Group: play.GroupAttack, Least: 1, Most: 1,
			CostOf: func(at *play.At) []play.Cost {
				if strike.OffHandFree(at.State, at.Actor) {
					return nil
				}
				return checks.OneBonus
			},
			Items: strike.OffHandNames, RefuseTarget: strike.RefuseAttackOn,
			Refuse: func(at *play.At) error {
				return strike.RefuseOffHand(at.State, at.Actor, checks.AttackOf(at.Actor, at.Item()))
			},
			Fields: func(at *play.At) []play.Field {
				return strike.StrikeFields(nil, at, checks.AttackOf(at.Actor, at.Item()))
			},
			Check: func(at *play.At) error { return planStrike(at, checks.AttackOf(at.Actor, at.Item())) }, Do: doOffHand},
	}
}

func checkAttack(at *play.At) error {
	c, a, wanted := at.Actor, strike.Wielded(at), spoken.Word(at.Take.Parameters, "multiattack")
	if wanted != "" && wanted != "none" && strike.WayWith(c, a.Name, wanted) == nil {
		return body.NoSuch("take.parameters.multiattack", wanted, "multiattack with "+a.Name, append(body.NamesOf(body.SheetOf(c).Multiattack), "none"))
	}
	if err := planStrike(at, a); err != nil {
		return err
	}
	return strike.RefuseReckless(at.State, c, planned(at).attack, at.Take)
}

// planStrike works out an attack with a weapon, for its deed.
func planStrike(at *play.At, a *eventv1.RcrAttack) error {
	p, err := strike.PlanAttack(at.State, at.Actor, at.Target(), a, at.Take)
	if err != nil {
		return err
	}
	if p.Damage, err = strike.PlanDamage(p, at.Take); err != nil {
		return err
	}
	planned(at).attack = p
	return body.RefuseInspired(at.Actor, at.Take)
}

func doAttack(r *rules.Resolution, at *play.At) error {
	strike.GoReckless(r, at.Actor.Id, at.Take)
	carryOut(r, at, func(c *eventv1.Creature, p *strike.AttackPlan) strike.AttackOpts {
		strike.PayAttack(r, c, p.Atk.Name, spoken.Word(at.Take.Parameters, "multiattack"))
		strike.BeginPair(r, c, p)
		return strike.AttackOpts{}
	})
	return nil
}

// carryOut makes an attack that is planned, after it has been paid for.
func carryOut(r *rules.Resolution, at *play.At, pay func(*eventv1.Creature, *strike.AttackPlan) strike.AttackOpts) {
	take, p, id := at.Take, planned(at).attack, checks.Target(at.Take)
	c := r.Creature(at.Actor.Id)
	edges, mods := body.StatedEdges(take.Circumstances, id)
	inspired := spoken.Truth(take.Parameters, "inspiration")
	if inspired {
		edges = append(edges, dice.Adv("inspiration", "inspiration", cite.BaseInspirationHeld))
	}
	o := pay(c, p)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: []string{id}, Item: p.Atk.Name,
		Notes: append(p.Notes, body.StatedNotes(take)...)})
	if inspired && !body.Has(r.Creature(id), body.CondHelpless) { // there is no roll to spend it on
		body.Spend(r, c.Id, body.CInspiration, "advantage on an attack", cite.BaseInspirationHeld)
	}
	strike.UseWeapon(r, c, p)
	damage, rule := flight.DiveDice(r.State(), r.Creature(c.Id), r.Creature(id), p.Atk, p.Kind.Melee, take, p.Damage)
	if rule != "" {
		o.Rules = append(o.Rules, rule)
	}
	o.Kind, o.Cover, o.Edges, o.Mods, o.Damage = p.Kind, p.Cover, append(o.Edges, edges...), append(o.Mods, mods...), damage
	o.Stated = spoken.Word(take.Parameters, "extra_damage") != ""
	if feet, ok := spoken.Number(take.Facts, "straight"); ok {
		o.Straight = &feet
	}
	o.Kinds, o.Facts = body.Renamed(take.Facts, "kinds"), body.BlowFacts(take)
	o.Threats = checks.StatedIDs(take.Facts, "threatened_by")
	o.Told = r.UsedFacts(take.Facts, p.Kind.Distance, p.Kind.Distance >= 0, c.Id, id)
	movement.MakeAttack(r, r.Creature(c.Id), r.Creature(id), p.Atk, o)
}

// doOffHand makes the attack of the off hand: a positive ability modifier is
// not added to its damage, but for the feat that says otherwise.
//
// rcr.feat.improved-dual-modifier, rcr.feat.improved-dual-extra-attack
func doOffHand(r *rules.Resolution, at *play.At) error {
	carryOut(r, at, func(c *eventv1.Creature, p *strike.AttackPlan) strike.AttackOpts {
		if strike.OffHandFree(r.State(), c) {
			r.Flag(c.Id, body.MOffHand, true, cite.FeatImprovedDualExtraAttack)
		} else {
			body.Spend(r, c.Id, body.CBonus, "attack of the off hand")
		}
		bonus := body.AbilityMod(c, "strength")
		if checks.Property(p.Atk, "finesse") {
			bonus = max(bonus, body.AbilityMod(c, "dexterity"))
		}
		if bonus <= 0 || body.HasTrait(c, body.TraitTwoWeapons) || body.Feat(r.State(), c, body.FeatImprovedDualWielder, cite.FeatImprovedDualModifier) {
			return strike.AttackOpts{}
		}
		return strike.AttackOpts{DamageMod: body.Mod(-bonus, "off hand", cite.BaseFifthEditionFallback)}
	})
	return nil
}
