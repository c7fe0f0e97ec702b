package strike

import (
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AttackNames are the names of all attacks that a creature has.
func AttackNames(at *play.At) []string { return body.AttackNames(at.Actor) }

// OffHandNames are the light weapons that may strike as the second of two.
func OffHandNames(at *play.At) []string {
	if !at.Listing {
		return AttackNames(at)
	}
	var out []string
	for _, a := range body.SheetOf(at.Actor).Attacks {
		if offHand(at.State, at.Actor, a) {
			out = append(out, a.Name)
		}
	}
	return out
}

// AttackCost is what an attack takes: the action, or nothing while the Attack action
// begun this turn has an attack left for it.
func AttackCost(at *play.At) []play.Cost {
	if AttackLeft(at.Actor, at.Item()) {
		return nil
	}
	return checks.OneAction
}

// RefuseAttack says why an attack cannot be made now, targets apart: nothing is left
// to pay it, or the weapon cannot be used.
func RefuseAttack(at *play.At) error {
	if err := RefuseAttackCost(at.Unread(), at.Actor, at.Item()); err != nil {
		return err
	}
	return RefuseWeapon(at.Unread(), at.State, at.Actor, Wielded(at))
}

// RefuseAttackOn says why a creature cannot be a target of the attack.
func RefuseAttackOn(at *play.At, t *eventv1.Creature) error {
	return RefuseStrike(at.Unread(), at.State, at.Actor, t, Wielded(at), at.Take)
}

// StrikeFields adds the words of any attack with a weapon to a list.
func StrikeFields(list []play.Field, at *play.At, a *eventv1.RcrAttack) []play.Field {
	out := throwField(list, at, a)
	return body.InspirationField(KnockOutField(append(out, play.Field{Name: "extra_damage"}), at, a.RangeFeet == 0), at)
}

// KnockOutField is whether a melee attack knocks out whom it brings to 0 hit points.
//
// rcr.base.knock-out
func KnockOutField(list []play.Field, at *play.At, melee bool) []play.Field {
	return body.Offer(list, at, melee, play.Field{Name: "knock_out"})
}

// throwField says whether a weapon that can be thrown is. What can be reached is
// struck unless stated otherwise, and a way that holds for some targets only is not
// listed.
func throwField(out []play.Field, at *play.At, a *eventv1.RcrAttack) []play.Field {
	if !at.Listing || a.ReachFeet == 0 || a.RangeFeet == 0 {
		return body.Offer(out, at, false, play.Field{Name: "throw"})
	}
	struck, thrown := true, true
	for _, id := range at.Creatures() {
		t := at.State.Creatures[id]
		if RefuseStrike(true, at.State, at.Actor, t, a, at.Take) != nil {
			continue
		}
		feet, _ := body.DistanceTo(at.Actor, t)
		struck = struck && feet <= a.ReachFeet
		thrown = thrown && feet <= max(a.LongRangeFeet, a.RangeFeet)
	}
	return body.Offer(out, at, thrown, play.Field{Name: "throw", True: !struck})
}

// AttackFields are the words of an attack: those of its strike, two hands when they
// are free, and the multiattack that it begins.
func AttackFields(at *play.At) []play.Field {
	c, a := at.Actor, Wielded(at)
	out := recklessField(improviseFields(at.FieldList(), at, a), at, a)
	out = body.Offer(StrikeFields(out, at, a), at, refuseTwoHands(at.State, c, a) == nil, play.Field{Name: "hands"})
	if len(body.SheetOf(c).Multiattack) == 0 {
		return body.Offer(out, at, false, play.Field{Name: "multiattack"})
	}
	var ways []string
	for _, way := range body.SheetOf(c).Multiattack {
		if WayWith(c, a.Name, way.Name) != nil {
			ways = append(ways, way.Name)
		}
	}
	return body.Offer(out, at, len(ways) > 0 && !AttackLeft(c, a.Name), play.Field{Name: "multiattack", Values: append(ways, "none")})
}
