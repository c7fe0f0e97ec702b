package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DeclareActions declare what a creature does in the round.
func DeclareActions() []*play.Action {
	return []*play.Action{
		{ID: "declare", Title: "Declare the action of the round", Rule: cite.TurnDeclare, Group: play.GroupTurn, Traits: order.TDeclaring,
			Items: order.KindItems, Refuse: refuseDeclare, Do: order.DoDeclare},
	}
}

func refuseDeclare(at *play.At) error {
	return refuseDeclaring(at.State, at.Actor, body.KindOf(at.Item()))
}

// OutOfTurn tells whether a creature could make an attack that is not its
// action. Who runs may not attack, and reloading leaves room for nothing else.
//
// basic.action.run, basic.attack.rate-light-crossbow, basic.item.oil-extinguish
func OutOfTurn(s *eventv1.State, c *eventv1.Creature) bool {
	return order.SeemsFree(s, c) && !struckDown(s, c)
}

// refuseDeclaring says why a kind of action cannot be declared.
func refuseDeclaring(s *eventv1.State, c *eventv1.Creature, kind string) error {
	switch kind {
	case body.KindAttack, body.KindMelee, body.KindGrapple:
		return body.RefuseAttacking(s, c)
	case body.KindRanged:
		if err := body.RefuseAttacking(s, c); err != nil {
			return err
		}
		return refuseAnyShot(s, c)
	case body.KindCast:
		return order.RefuseAnySpell(s, c)
	case body.KindRun:
		return order.RefuseRunning(c)
	case body.KindCharge:
		return order.RefuseCharging(s, c, body.CanReady)
	case body.KindSet:
		if err := body.RefuseAttacking(s, c); err != nil {
			return err
		}
		if !slices.ContainsFunc(body.SheetOf(c).Weapons, func(w *eventv1.BasicWeapon) bool { return w.Brace && w.Kind == "melee" && body.CanReady(c, w) }) {
			return body.Refuse("NO_BRACE", cite.ActionSetWeapon, "%s has no weapon that can be set", c.Name)
		}
	case body.KindWithdraw:
		if c.Position != nil && len(body.EngagedWith(s, c)) == 0 {
			return body.Refuse("NOT_ENGAGED", cite.MovementFightingWithdrawal, "nobody is within 5 feet of %s", c.Name)
		}
		return order.RefuseMoving(c)
	case body.KindSmother:
		if !body.Has(c, body.CondBurning) {
			return body.Refuse("NOT_BURNING", cite.ItemOilExtinguish, "%s does not burn", c.Name)
		}
	case body.KindReload:
		if len(order.Unloaded(c)) == 0 {
			return body.Refuse("LOADED", cite.AttackRateLightCrossbow, "%s has nothing in hand to reload", c.Name)
		}
	}
	return nil
}
