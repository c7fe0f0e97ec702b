package basic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
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

func declareActions() []*play.Action {
	return []*play.Action{
		{ID: "declare", Title: "Declare the action of the round", Rule: cite.TurnDeclare, Group: play.GroupTurn, Traits: tDeclaring,
			Items: kindItems, Refuse: refuseDeclare, Do: doDeclare},
	}
}

func kindItems(*play.At) []string { return declarable }

func refuseDeclare(at *play.At) error { return refuseDeclaring(at.State, at.Actor, at.Item()) }

func mayDeclare(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case s.Phase != phaseDeclare:
		return refuse("NOT_DECLARING", cite.TurnSequence, "declarations come before initiative")
	case declaredBy(c) != "":
		return refuse("DECLARED", cite.TurnDeclare, "%s has declared %s", c.Name, declaredBy(c))
	}
	return nil
}

func doDeclare(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "declare", Item: take.Item}, cite.TurnDeclare)
	setDeclared(r, c.Id, take.Item)
	if take.Item == kindDodge {
		untilRoundEnds(r, c.Id, condDodging, cite.ActionDodge)
	}
	return nil
}

// declaredBy is the kind of action that a creature declared this round; empty when it
// has declared none.
func declaredBy(c *eventv1.Creature) string {
	return rules.BegunOf(c, bDeclared).GetAction().GetItem()
}

// setDeclared notes what a creature declared.
//
// basic.turn.declare
func setDeclared(r *rules.Resolution, id, kind string) {
	r.Begin(id, &eventv1.Begun{Kind: bDeclared, Round: r.State().Round, Rule: cite.TurnDeclare,
		Action: &eventv1.TakeAction{Creature: id, Action: "declare", Item: kind}}, cite.TurnDeclare)
}

func untilRoundEnds(r *rules.Resolution, id, name, rule string) {
	r.AddCondition(id, &eventv1.Condition{Name: name, Cause: name, Rule: rule, Until: &eventv1.Until{When: "round", Round: r.State().Round}})
}

// outOfTurn tells whether a creature could make an attack that is not its
// action. Who runs may not attack, and reloading leaves room for nothing else.
//
// basic.action.run, basic.attack.rate-light-crossbow, basic.item.oil-extinguish
func outOfTurn(s *eventv1.State, c *eventv1.Creature) bool {
	return seemsFree(s, c) && !struckDown(s, c)
}

// seemsFree is that as far as everybody can see.
func seemsFree(s *eventv1.State, c *eventv1.Creature) bool {
	return able(c) && refuseAttacking(s, c) == nil && !slices.Contains([]string{kindRun, kindReload, kindSmother}, declaredBy(c))
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
	if d := barring(s, c, condition.BarsAttack); d != nil {
		return refuse("NO_ATTACK", d.Rule, "%s makes no attack this round after a critical miss", c.Name)
	}
	return nil
}

// allowance is the movement of a round by what was declared, in feet.
//
// basic.action.move, basic.action.run, basic.movement.fighting-withdrawal, basic.attack.rate-light-crossbow,
// basic.item.oil-extinguish
func allowance(c *eventv1.Creature) int32 { return allowanceOf(c, declaredBy(c)) }

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
