package strike

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// strikers are the declarations that allow melee attacks.
var strikers = []string{body.KindAttack, body.KindMelee, body.KindHold, body.KindWithdraw}

// attackers are those that allow a plain melee attack: a set weapon counts as a held
// action, which nobody's charge may have used.
//
// basic.action.set-weapon, basic.action.hold
var attackers = append([]string{body.KindSet}, strikers...)

// MeleeActions strike with one weapon, with two, or with all of a routine.
func MeleeActions() []*play.Action {
	return []*play.Action{
		{ID: "attack", Title: "Attack", Rule: cite.ActionAttack, Group: play.GroupAttack, Traits: body.During(attackers...), Costs: body.OneAction,
			Items: meleeItems, Refuse: refuseMelee, RefuseTarget: refuseReach, Least: 1, Most: 1, Self: true, Do: doAttack},
		{ID: "subdue", Title: "Attack with the flat of the blade", Rule: cite.AttackSubdualFlat, Group: play.GroupAttack, Traits: body.During(strikers...), Costs: body.OneAction,
			Items: body.Of(ownMelee), Refuse: refuseSubdual, RefuseTarget: refuseReach, Least: 1, Most: 1, Self: true, Do: doSubdue},
		{ID: "sneak-attack", Title: "Attack by surprise from behind", Rule: cite.AttackBehindNotWithSneak, Group: play.GroupAttack, Traits: body.During(strikers...), Costs: body.OneAction,
			Items: body.Of(ownMelee), Refuse: refuseSneak, RefuseTarget: refuseReach, Least: 1, Most: 1, Self: true, Do: doSneak},
		{ID: "routine", Title: "Attack with everything", Rule: cite.AttackRoutine, Group: play.GroupAttack, Traits: body.During(strikers...), Costs: body.OneAction,
			Refuse: refuseRoutine, RefuseTarget: refuseSeriesReach, Least: 1, Most: 1, Self: true, Fields: seriesFields, Do: doSeries},
		{ID: "two-weapons", Title: "Attack with two weapons", Rule: cite.AttackTwoWeaponPenalty, Group: play.GroupAttack, Traits: body.During(strikers...), Costs: body.OneAction,
			Refuse: refuseTwo, RefuseTarget: refuseSeriesReach, Least: 1, Most: 1, Self: true, Fields: seriesFields, Do: doSeries},
		{ID: "attack-on", Title: "Make the attacks that are left of the action", Rule: cite.AttackRoutine, Group: play.GroupAttack, Traits: body.During(strikers...),
			Refuse: refuseOn, RefuseTarget: refuseSeriesReach, Least: 1, Most: 1, Self: true, Fields: onFields, Do: doOn},
	}
}

func ownMelee(c *eventv1.Creature) []string {
	var out []string
	for _, w := range body.SheetOf(c).Weapons {
		if w.Kind == "melee" {
			out = append(out, w.Name)
		}
	}
	return out
}

func meleeItems(at *play.At) []string { return append(ownMelee(at.Actor), body.Punch, body.Kick) }

func refuseMelee(at *play.At) error { return refuseMeleeWith(at.State, at.Actor, at.Item()) }

func refuseMeleeWith(s *eventv1.State, c *eventv1.Creature, item string) error {
	if err := body.RefuseAttacking(s, c); err != nil {
		return err
	}
	return RefuseHand(c, body.WeaponOf(c, item))
}

// RefuseHand says why a weapon cannot be used: it is not at hand.
func RefuseHand(c *eventv1.Creature, w *eventv1.BasicWeapon) error {
	if !body.AtHand(c, w) {
		return body.Refuse("NOT_IN_HAND", cite.ConditionDisarmed, "%s has no %s in hand", c.Name, w.Name)
	}
	return nil
}

func refuseReach(at *play.At, t *eventv1.Creature) error {
	s, c, item, facts := at.State, at.Actor, at.Item(), at.Take.Facts
	return RefuseBlow(s, c, body.Reach(body.WeaponOf(c, item)), t, facts)
}

// RefuseBlow says why a blow cannot reach. One who has backed away reaches only
// those who followed.
//
// basic.movement.fighting-withdrawal
func RefuseBlow(s *eventv1.State, c *eventv1.Creature, feet int32, t *eventv1.Creature, facts *structpb.Struct) error {
	d, known := body.Gap(s, c, t, facts)
	concealment, _ := spoken.Number(facts, "concealment")
	followed := rules.RelationTo(t, body.RelFollows, c.Id).GetRound() == s.Round
	switch {
	case t.Id == c.Id || body.Dead(t):
		return body.Refuse("NO_TARGET", cite.ActionAttack, "%s cannot be attacked", t.Name)
	case d > feet, !known && order.DeclaredBy(c) == body.KindWithdraw && c.Counters[body.CMoved] > 0 && !followed:
		return body.Refuse("OUT_OF_REACH", cite.MovementEngaged, "%s is out of reach", t.Name)
	case concealment >= 100:
		return body.Refuse("HIDDEN", cite.AttackCoverTable, "%s is wholly hidden", t.Name)
	}
	return nil
}

// Begin announces an attack action and spends it.
func Begin(r *rules.Resolution, at *play.At, ruleID string) Blow {
	c, take := at.Actor, at.Take
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Item: take.Item}, ruleID)
	body.Pay(r, at, cite.ActionList)
	return Blow{Attacker: c.Id, Target: take.Targets[0], Weapon: body.WeaponOf(c, take.Item), Label: "attack/1",
		Facts: take.Facts, circumstances: take.Circumstances}
}

func doAttack(r *rules.Resolution, at *play.At) error {
	Begin(r, at, cite.ActionAttack).Strike(r)
	return nil
}

// refuseSubdual: what is edged on all sides has no flat, nor has a body.
//
// basic.attack.subdual-weapons
func refuseSubdual(at *play.At) error {
	if err := refuseMelee(at); err != nil {
		return err
	}
	if !order.HasFlat(body.WeaponOf(at.Actor, at.Item())) {
		return body.Refuse("ALL_EDGES", cite.AttackSubdualWeapons, "%s has no flat to strike with", at.Item())
	}
	return nil
}

func doSubdue(r *rules.Resolution, at *play.At) error {
	b := Begin(r, at, cite.AttackSubdualFlat)
	b.Subdual = true
	b.Strike(r)
	return nil
}

func refuseSneak(at *play.At) error {
	if err := refuseNoSneak(at.Actor); err != nil {
		return err
	}
	return refuseMelee(at)
}

func refuseNoSneak(c *eventv1.Creature) error {
	if body.SheetOf(c).SneakAttackBonus == 0 {
		return body.Refuse("NO_ABILITY", cite.AttackBehindNotWithSneak, "%s has no sneak attack", c.Name)
	}
	return nil
}

// doSneak attacks by surprise from behind.
//
// basic.attack.behind-not-with-sneak
func doSneak(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	if !body.Unnoticed(r, c, take) {
		return nil
	}
	b := Begin(r, at, cite.AttackBehindNotWithSneak)
	b.sneak = true
	b.Strike(r)
	return nil
}
