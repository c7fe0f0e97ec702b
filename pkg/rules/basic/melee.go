package basic

import (
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// strikers are the declarations that allow melee attacks.
var strikers = []string{kindAttack, kindMelee, kindHold, kindWithdraw}

func meleeActions() []*play.Action {
	return []*play.Action{
		{ID: "attack", Title: "Attack", Rule: cite.ActionAttack, Group: play.GroupAttack, Traits: during(strikers...), Costs: oneAction,
			Items: meleeItems, Refuse: refuseMelee, RefuseTarget: refuseReach, Least: 1, Most: 1, Self: true, Do: doAttack},
		{ID: "subdue", Title: "Attack with the flat of the blade", Rule: cite.AttackSubdualFlat, Group: play.GroupAttack, Traits: during(strikers...), Costs: oneAction,
			Items: of(ownMelee), Refuse: refuseSubdual, RefuseTarget: refuseReach, Least: 1, Most: 1, Self: true, Do: doSubdue},
		{ID: "sneak-attack", Title: "Attack by surprise from behind", Rule: cite.AttackBehindNotWithSneak, Group: play.GroupAttack, Traits: during(strikers...), Costs: oneAction,
			Items: of(ownMelee), Refuse: refuseSneak, RefuseTarget: refuseReach, Least: 1, Most: 1, Self: true, Do: doSneak},
		{ID: "routine", Title: "Attack with everything", Rule: cite.AttackRoutine, Group: play.GroupAttack, Traits: during(strikers...), Costs: oneAction,
			Refuse: refuseRoutine, RefuseTarget: refuseSeriesReach, Least: 1, Most: 1, Self: true, Fields: seriesFields, Do: doSeries},
		{ID: "two-weapons", Title: "Attack with two weapons", Rule: cite.AttackTwoWeaponPenalty, Group: play.GroupAttack, Traits: during(strikers...), Costs: oneAction,
			Refuse: refuseTwo, RefuseTarget: refuseSeriesReach, Least: 1, Most: 1, Self: true, Fields: seriesFields, Do: doSeries},
		{ID: "attack-on", Title: "Make the attacks that are left of the action", Rule: cite.AttackRoutine, Group: play.GroupAttack, Traits: during(strikers...),
			Refuse: refuseOn, RefuseTarget: refuseSeriesReach, Least: 1, Most: 1, Self: true, Fields: onFields, Do: doOn},
	}
}

func ownMelee(c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if w.Kind == "melee" {
			out = append(out, w.Name)
		}
	}
	return out
}

func meleeItems(at *play.At) []string { return append(ownMelee(at.Actor), punch, kick) }

func refuseMelee(at *play.At) error { return refuseMeleeWith(at.State, at.Actor, at.Item()) }

func refuseMeleeWith(s *eventv1.State, c *eventv1.Creature, item string) error {
	if err := refuseAttacking(s, c); err != nil {
		return err
	}
	return refuseHand(c, weaponOf(c, item))
}

func refuseHand(c *eventv1.Creature, w *eventv1.BasicWeapon) error {
	if !atHand(c, w) {
		return refuse("NOT_IN_HAND", cite.ConditionDisarmed, "%s has no %s in hand", c.Name, w.Name)
	}
	return nil
}

func refuseReach(at *play.At, t *eventv1.Creature) error {
	s, c, item, facts := at.State, at.Actor, at.Item(), at.Take.Facts
	return refuseBlow(s, c, reach(weaponOf(c, item)), t, facts)
}

// refuseBlow says why a blow cannot reach. One who has backed away reaches only
// those who followed.
//
// basic.movement.fighting-withdrawal
func refuseBlow(s *eventv1.State, c *eventv1.Creature, feet int32, t *eventv1.Creature, facts *structpb.Struct) error {
	d, known := gap(s, c, t, facts)
	concealment, _ := spoken.Number(facts, "concealment")
	followed := rules.RelationTo(t, relFollows, c.Id).GetRound() == s.Round
	switch {
	case t.Id == c.Id || dead(t):
		return refuse("NO_TARGET", cite.ActionAttack, "%s cannot be attacked", t.Name)
	case known && d > feet, !known && declaredBy(c) == kindWithdraw && c.Counters[cMoved] > 0 && !followed:
		return refuse("OUT_OF_REACH", cite.MovementEngaged, "%s is out of reach", t.Name)
	case concealment >= 100:
		return refuse("HIDDEN", cite.AttackCoverTable, "%s is wholly hidden", t.Name)
	}
	return nil
}

// begin announces an attack action and spends it.
func begin(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, ruleID string) blow {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Item: take.Item}, ruleID)
	spend(r, c.Id, take.Action, cite.ActionList)
	return blow{attacker: c.Id, target: take.Targets[0], weapon: weaponOf(c, take.Item), label: "attack/1",
		facts: take.Facts, circumstances: take.Circumstances}
}

func doAttack(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	begin(r, c, take, cite.ActionAttack).strike(r)
	return nil
}

// refuseSubdual: what is edged on all sides has no flat, nor has a body.
//
// basic.attack.subdual-weapons
func refuseSubdual(at *play.At) error {
	if err := refuseMelee(at); err != nil {
		return err
	}
	if !hasFlat(weaponOf(at.Actor, at.Item())) {
		return refuse("ALL_EDGES", cite.AttackSubdualWeapons, "%s has no flat to strike with", at.Item())
	}
	return nil
}

// hasFlat tells whether one can strike with the flat of a weapon.
//
// basic.attack.subdual-weapons
func hasFlat(w *eventv1.BasicWeapon) bool { return !w.AllEdges && !w.Natural }

func doSubdue(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	b := begin(r, c, take, cite.AttackSubdualFlat)
	b.subdual = true
	b.strike(r)
	return nil
}

func refuseSneak(at *play.At) error {
	if err := refuseNoSneak(at.Actor); err != nil {
		return err
	}
	return refuseMelee(at)
}

func refuseNoSneak(c *eventv1.Creature) error {
	if sheetOf(c).SneakAttackBonus == 0 {
		return refuse("NO_ABILITY", cite.AttackBehindNotWithSneak, "%s has no sneak attack", c.Name)
	}
	return nil
}

// doSneak attacks by surprise from behind.
//
// basic.attack.behind-not-with-sneak
func doSneak(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	if !unnoticed(r, c, take) {
		return nil
	}
	b := begin(r, c, take, cite.AttackBehindNotWithSneak)
	b.sneak = true
	b.strike(r)
	return nil
}
