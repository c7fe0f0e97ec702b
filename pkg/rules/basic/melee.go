package basic

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// strikers are the declarations that allow melee attacks.
var strikers = []string{kindAttack, kindMelee, kindHold, kindWithdraw}

func meleeActions() []*action {
	return []*action{
		{id: "attack", title: "Attack", rule: cite.ActionAttack, kinds: strikers, costs: true, items: meleeItems,
			refuse: refuseMelee, refuseTarget: refuseReach, least: 1, most: 1, do: doAttack},
		{id: "subdue", title: "Attack with the flat of the blade", rule: cite.AttackSubdualFlat, kinds: strikers, costs: true,
			items: ownMelee, refuse: refuseSubdual, refuseTarget: refuseReach, least: 1, most: 1, do: doSubdue},
		{id: "sneak-attack", title: "Attack by surprise from behind", rule: cite.AttackBehindNotWithSneak, kinds: strikers, costs: true,
			items: ownMelee, refuse: refuseSneak, refuseTarget: refuseReach, least: 1, most: 1, do: doSneak},
		{id: "routine", title: "Attack with everything", rule: cite.AttackRoutine, kinds: strikers, costs: true,
			refuse: refuseRoutine, refuseTarget: refuseSeriesReach, least: 1, most: 1, parameters: seriesParameters("routine"), do: doSeries},
		{id: "two-weapons", title: "Attack with two weapons", rule: cite.AttackTwoWeaponPenalty, kinds: strikers, costs: true,
			refuse: refuseTwo, refuseTarget: refuseSeriesReach, least: 1, most: 1, parameters: seriesParameters("two-weapons"), do: doSeries},
		{id: "attack-on", title: "Make the attacks that are left of the action", rule: cite.AttackRoutine, kinds: strikers,
			refuse: refuseOn, refuseTarget: refuseSeriesReach, least: 1, most: 1, parameters: onParameters, do: doOn},
	}
}

func ownMelee(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if w.Kind == "melee" {
			out = append(out, w.Name)
		}
	}
	return out
}

func meleeItems(s *eventv1.State, c *eventv1.Creature) []string {
	return append(ownMelee(s, c), punch, kick)
}

func refuseMelee(s *eventv1.State, c *eventv1.Creature, item string) error {
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

func refuseReach(s *eventv1.State, c *eventv1.Creature, item string, t *eventv1.Creature, facts *structpb.Struct) error {
	return refuseBlow(s, c, reach(weaponOf(c, item)), t, facts)
}

// refuseBlow says why a blow cannot reach. One who has backed away reaches only
// those who followed.
//
// basic.movement.fighting-withdrawal
func refuseBlow(s *eventv1.State, c *eventv1.Creature, feet int32, t *eventv1.Creature, facts *structpb.Struct) error {
	d, known := gap(s, c, t, facts)
	concealment, _ := spoken.Number(facts, "concealment")
	followed := slices.Contains(strings.Fields(c.Marks[mFollowed]), t.Id)
	switch {
	case t.Id == c.Id || dead(t):
		return refuse("NO_TARGET", cite.ActionAttack, "%s cannot be attacked", t.Name)
	case known && d > feet, !known && c.Marks[mDeclared] == kindWithdraw && c.Counters[cMoved] > 0 && !followed:
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

func doAttack(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	begin(r, c, take, cite.ActionAttack).strike(r)
	return nil
}

// refuseSubdual: what is edged on all sides has no flat, nor has a body.
//
// basic.attack.subdual-weapons
func refuseSubdual(s *eventv1.State, c *eventv1.Creature, item string) error {
	if err := refuseMelee(s, c, item); err != nil {
		return err
	}
	if !hasFlat(weaponOf(c, item)) {
		return refuse("ALL_EDGES", cite.AttackSubdualWeapons, "%s has no flat to strike with", item)
	}
	return nil
}

// hasFlat tells whether one can strike with the flat of a weapon.
//
// basic.attack.subdual-weapons
func hasFlat(w *eventv1.BasicWeapon) bool { return !w.AllEdges && !w.Natural }

func doSubdue(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	b := begin(r, c, take, cite.AttackSubdualFlat)
	b.subdual = true
	b.strike(r)
	return nil
}

func refuseSneak(s *eventv1.State, c *eventv1.Creature, item string) error {
	if err := refuseNoSneak(c); err != nil {
		return err
	}
	return refuseMelee(s, c, item)
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
func doSneak(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if !unnoticed(r, c, take) {
		return nil
	}
	b := begin(r, c, take, cite.AttackBehindNotWithSneak)
	b.sneak = true
	b.strike(r)
	return nil
}
