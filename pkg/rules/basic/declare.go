package basic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// declarable are the kinds of actions that can be declared.
//
// basic.action.list, basic.action.perform-feat, basic.action.other
var declarable = []string{kindMove, kindAttack, kindMelee, kindRanged, kindCast, kindDodge, kindFeat, kindHold, kindRun, kindCharge, kindSet,
	kindWithdraw, kindGrapple, kindReload, kindSmother, kindOther}

// fighters are the kinds that leave a creature free to answer a charge or one
// who closes in, as long as it has not acted.
//
// basic.turn.declare
var fighters = []string{kindAttack, kindMelee, kindRanged, kindHold, kindSet}

func declareActions() []*action {
	return []*action{{id: "declare", title: "Declare the action of the round", rule: cite.TurnDeclare, declaring: true,
		items:  func(*eventv1.State, *eventv1.Creature) []string { return declarable },
		refuse: refuseDeclaring, do: doDeclare}}
}

func mayDeclare(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case s.Phase != phaseDeclare:
		return refuse("NOT_DECLARING", cite.TurnSequence, "declarations come before initiative")
	case c.Marks[mDeclared] != "":
		return refuse("DECLARED", cite.TurnDeclare, "%s has declared %s", c.Name, c.Marks[mDeclared])
	}
	return nil
}

func doDeclare(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "declare", Item: take.Item}, cite.TurnDeclare)
	r.Mark(c.Id, mDeclared, take.Item, cite.TurnDeclare)
	if take.Item == kindDodge {
		untilRoundEnds(r, c.Id, condDodging, cite.ActionDodge)
	}
	return nil
}

func untilRoundEnds(r *rules.Resolution, id, name, rule string) {
	r.AddCondition(id, &eventv1.Condition{Name: name, Cause: name, Rule: rule, Until: &eventv1.Until{When: "round", Round: r.State().Round}})
}

// outOfTurn tells whether a creature could make an attack that is not its
// action. Who runs may not attack, and reloading leaves room for nothing else.
//
// basic.action.run, basic.attack.rate-light-crossbow, basic.item.oil-extinguish
func outOfTurn(s *eventv1.State, c *eventv1.Creature) bool {
	return able(c) && !struckDown(s, c) && refuseAttacking(s, c) == nil && !slices.Contains([]string{kindRun, kindReload, kindSmother}, c.Marks[mDeclared])
}

// refuseDeclaring says why a kind of action cannot be declared.
func refuseDeclaring(s *eventv1.State, c *eventv1.Creature, kind string) error {
	switch kind {
	case kindAttack, kindMelee, kindGrapple:
		return refuseAttacking(s, c)
	case kindRanged:
		if err := refuseAttacking(s, c); err != nil {
			return err
		}
		return refuseAnyShot(s, c)
	case kindCast:
		return refuseAnySpell(s, c)
	case kindRun:
		return refuseRunning(c)
	case kindCharge:
		return refuseCharging(s, c, canReady)
	case kindSet:
		if err := refuseAttacking(s, c); err != nil {
			return err
		}
		if !slices.ContainsFunc(sheetOf(c).Weapons, func(w *eventv1.BasicWeapon) bool { return w.Brace && w.Kind == "melee" && canReady(c, w) }) {
			return refuse("NO_BRACE", cite.ActionSetWeapon, "%s has no weapon that can be set", c.Name)
		}
	case kindWithdraw:
		if c.Position != nil && len(engagedWith(s, c)) == 0 {
			return refuse("NOT_ENGAGED", cite.MovementFightingWithdrawal, "nobody is within 5 feet of %s", c.Name)
		}
		return refuseMoving(c)
	case kindSmother:
		if !has(c, condBurning) {
			return refuse("NOT_BURNING", cite.ItemOilExtinguish, "%s does not burn", c.Name)
		}
	case kindReload:
		if len(unloaded(c)) == 0 {
			return refuse("LOADED", cite.AttackRateLightCrossbow, "%s has nothing in hand to reload", c.Name)
		}
	}
	return nil
}

// refuseAttacking says why a creature may make no attack of any kind.
//
// basic.fumble.weapon-breaks, basic.fumble.drop-weapon
func refuseAttacking(s *eventv1.State, c *eventv1.Creature) error {
	if c.Counters[cNoAttack] == int64(s.Round) && s.Round > 0 {
		return refuse("NO_ATTACK", cite.FumbleSecondRoll, "%s makes no attack this round after a critical miss", c.Name)
	}
	return nil
}

// allowance is the movement of a round by what was declared, in feet.
//
// basic.action.move, basic.action.run, basic.movement.fighting-withdrawal, basic.attack.rate-light-crossbow,
// basic.item.oil-extinguish
func allowance(c *eventv1.Creature) int32 { return allowanceOf(c, c.Marks[mDeclared]) }

func allowanceOf(c *eventv1.Creature, kind string) int32 {
	switch {
	case slices.Contains([]string{kindCharge, kindSet, kindReload, kindSmother}, kind):
		return 0
	case kind == kindRun:
		return 2 * walk(c)
	case kind == kindWithdraw:
		return walk(c) / 2
	}
	return walk(c)
}
