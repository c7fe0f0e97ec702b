package basic

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// strikers are the declarations that allow melee attacks.
var strikers = []string{kindAttack, kindMelee, kindHold, kindWithdraw}

func meleeActions() []*action {
	return []*action{
		{id: "attack", title: "Attack", rule: "basic.action.attack", kinds: strikers, costs: true, items: meleeItems,
			refuse: refuseMelee, refuseTarget: refuseReach, least: 1, most: 1, do: doAttack},
		{id: "subdue", title: "Attack with the flat of the blade", rule: "basic.attack.subdual-flat", kinds: strikers, costs: true,
			items: ownMelee, refuse: refuseSubdual, refuseTarget: refuseReach, least: 1, most: 1, do: doSubdue},
		{id: "sneak-attack", title: "Attack by surprise from behind", rule: "basic.attack.behind-not-with-sneak", kinds: strikers, costs: true,
			items: ownMelee, refuse: refuseSneak, refuseTarget: refuseReach, least: 1, most: 1, do: doSneak},
		{id: "routine", title: "Attack with everything", rule: "basic.attack.routine", kinds: strikers, costs: true,
			refuse: refuseRoutine, refuseTarget: refuseRoutineReach, least: 1, most: 1, do: doRoutine},
		{id: "two-weapons", title: "Attack with two weapons", rule: "basic.attack.two-weapon-penalty", kinds: strikers, costs: true,
			refuse: refuseTwo, refuseTarget: refuseTwoReach, least: 1, most: 1, do: doTwo},
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
		return refuse("NOT_IN_HAND", "basic.condition.disarmed", "%s has no %s in hand", c.Name, w.Name)
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
		return refuse("NO_TARGET", "basic.action.attack", "%s cannot be attacked", t.Name)
	case known && d > feet, !known && c.Marks[mDeclared] == kindWithdraw && c.Counters[cMoved] > 0 && !followed:
		return refuse("OUT_OF_REACH", "basic.movement.engaged", "%s is out of reach", t.Name)
	case concealment >= 100:
		return refuse("HIDDEN", "basic.attack.cover-table", "%s is wholly hidden", t.Name)
	}
	return nil
}

// begin announces an attack action and spends it.
func begin(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, ruleID string) blow {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Item: take.Item}, ruleID)
	spend(r, c.Id, take.Action, "basic.action.list")
	return blow{attacker: c.Id, target: take.Targets[0], weapon: weaponOf(c, take.Item), label: "attack/1",
		facts: take.Facts, circumstances: take.Circumstances}
}

func doAttack(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	begin(r, c, take, "basic.action.attack").strike(r)
	return nil
}

// refuseSubdual: what is edged on all sides has no flat, nor has a body.
//
// basic.attack.subdual-weapons
func refuseSubdual(s *eventv1.State, c *eventv1.Creature, item string) error {
	if err := refuseMelee(s, c, item); err != nil {
		return err
	}
	if w := weaponOf(c, item); w.AllEdges || w.Natural {
		return refuse("ALL_EDGES", "basic.attack.subdual-weapons", "%s has no flat to strike with", item)
	}
	return nil
}

func doSubdue(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	b := begin(r, c, take, "basic.attack.subdual-flat")
	b.subdual = true
	b.strike(r)
	return nil
}

func refuseSneak(s *eventv1.State, c *eventv1.Creature, item string) error {
	if sheetOf(c).SneakAttackBonus == 0 {
		return refuse("NO_ABILITY", "basic.attack.behind-not-with-sneak", "%s has no sneak attack", c.Name)
	}
	return refuseMelee(s, c, item)
}

func doSneak(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	b := begin(r, c, take, "basic.attack.behind-not-with-sneak")
	b.sneak = true
	b.strike(r)
	return nil
}

func refuseRoutine(s *eventv1.State, c *eventv1.Creature, _ string) error {
	if len(sheetOf(c).Routine) == 0 {
		return refuse("NO_ROUTINE", "basic.attack.routine", "%s has no attack routine", c.Name)
	}
	for _, name := range sheetOf(c).Routine {
		if err := refuseMelee(s, c, name); err != nil {
			return err
		}
	}
	return nil
}

func refuseRoutineReach(s *eventv1.State, c *eventv1.Creature, _ string, t *eventv1.Creature, facts *structpb.Struct) error {
	return refuseBlow(s, c, engagedFeet, t, facts)
}

// doRoutine makes every attack of the routine, each with its own roll; it ends
// when the target or the attacker falls, or when nothing is left to strike with.
//
// basic.attack.routine
func doRoutine(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	b := begin(r, c, take, "basic.attack.routine")
	for i, name := range sheetOf(c).Routine {
		b.weapon, b.label = weaponOf(c, name), "attack/"+itoa(i+1)
		if dead(r.Creature(b.target)) || !up(r.Creature(c.Id)) {
			break
		}
		if atHand(r.Creature(c.Id), b.weapon) {
			b.strike(r)
		}
	}
	return nil
}

// pair finds the weapons of the two hands.
func pair(c *eventv1.Creature) (main, off *eventv1.BasicWeapon) {
	for _, w := range sheetOf(c).Weapons {
		switch {
		case w.Kind != "melee":
		case place(c, w) == "main":
			main = w
		case place(c, w) == "off":
			off = w
		}
	}
	return main, off
}

// refuseTwo: one of the two must be a small weapon.
//
// basic.attack.two-weapon-size
func refuseTwo(s *eventv1.State, c *eventv1.Creature, _ string) error {
	if err := refuseAttacking(s, c); err != nil {
		return err
	}
	main, off := pair(c)
	if main == nil || off == nil || !main.Small && !off.Small {
		return refuse("NO_PAIR", "basic.attack.two-weapon-size", "two weapons are needed, one of them a small one")
	}
	return nil
}

func refuseTwoReach(s *eventv1.State, c *eventv1.Creature, _ string, t *eventv1.Creature, facts *structpb.Struct) error {
	return refuseBlow(s, c, engagedFeet, t, facts)
}

// doTwo strikes once with each hand.
//
// basic.attack.two-weapon-penalty
func doTwo(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	main, off := pair(c)
	b := begin(r, c, take, "basic.attack.two-weapon-penalty")
	for i, w := range []*eventv1.BasicWeapon{main, off} {
		if dead(r.Creature(b.target)) || !up(r.Creature(c.Id)) || !atHand(r.Creature(c.Id), w) {
			continue
		}
		b.weapon, b.label = w, "attack/"+itoa(i+1)
		b.extra = []*eventv1.Modifier{{Value: []int32{-2, -5}[i], Source: []string{"first of two weapons", "second of two weapons"}[i],
			Rule: "basic.attack.two-weapon-penalty"}}
		b.strike(r)
	}
	return nil
}
