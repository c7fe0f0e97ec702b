package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Wielded is the attack that a command is about: that of the creature by its name, or
// the weapon used as what it is not made for, as the command says.
func Wielded(at *play.At) *eventv1.RcrAttack {
	a, kind := checks.AttackOf(at.Actor, at.Item()), spoken.Word(at.Take.GetParameters(), "damage_type")
	switch {
	case a == nil:
		return nil
	case ofSheet(at.Actor, a) && weapon(a) && improvises(at.Take):
		return body.Improvised(at.Actor, a, true, kind)
	case !ofSheet(at.Actor, a) && a.Name == body.ImprovisedWeapon && kind != "":
		return body.Improvised(at.Actor, nil, true, kind)
	}
	return a
}

func improvises(take *eventv1.TakeAction) bool {
	return spoken.Truth(take.GetParameters(), "improvised")
}

// ofSheet tells whether an attack is one of the sheet, as it stands there.
func ofSheet(c *eventv1.Creature, a *eventv1.RcrAttack) bool {
	return slices.Contains(body.SheetOf(c).Attacks, a)
}

func weapon(a *eventv1.RcrAttack) bool { return !a.Natural && !a.Spell }

// refuseImprovised says why an attack cannot be made with what is no weapon: no hand is
// free for it.
//
// rcr.base.improvised-weapon
func refuseImprovised(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) error {
	if !ofSheet(c, a) && a.Name == body.ImprovisedWeapon && body.HandsTaken(s, c) > 1 {
		return body.Refuse("NO_FREE_HAND", cite.BaseImprovisedWeapon, "%s has no hand free for what is at hand", c.Name)
	}
	return nil
}

// improvise settles what is used as what it is not made for, once it is known whether
// it strikes or is thrown: thrown it goes by Dexterity. What a weapon is made for is
// refused, and so is improvising with what is no weapon of the sheet, and a type of
// damage for what deals its own.
//
// rcr.base.improvised-weapon
func (p *AttackPlan) improvise(c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.BaseImprovisedWeapon
	kind, own := spoken.Word(take.GetParameters(), "damage_type"), checks.AttackOf(c, p.Atk.Name)
	atHand := !ofSheet(c, p.Atk) && p.Atk.Name == body.ImprovisedWeapon
	switch {
	case improvises(take) && !atHand && (!ofSheet(c, own) || !weapon(own)):
		return body.Refuse("NOT_A_WEAPON", rule, "%s is no weapon that could be used otherwise", p.Atk.Name)
	case improvises(take) && !atHand && p.Kind.Melee && own.ReachFeet > 0, improvises(take) && !atHand && !p.Kind.Melee && checks.Property(own, "thrown"):
		return body.Refuse("MADE_FOR_IT", rule, "%s is made to be used so", p.Atk.Name)
	case kind != "" && !atHand && !improvises(take):
		return body.Refuse("OWN_DAMAGE", rule, "%s deals damage of its own", p.Atk.Name)
	case ofSheet(c, p.Atk) || p.Kind.Melee || !checks.Property(p.Atk, body.PropImprovised):
		return nil
	}
	if atHand {
		own = nil
	}
	p.Atk, p.thrown = body.Improvised(c, own, false, kind), true
	return nil
}

// improviseFields are the words of using a weapon as what it is not made for; what is
// at hand has a type of damage to say.
func improviseFields(list []play.Field, at *play.At, a *eventv1.RcrAttack) []play.Field {
	own, atHand := ofSheet(at.Actor, a), a.Name == body.ImprovisedWeapon
	out := body.Offer(list, at, own && weapon(a) && a.ReachFeet == 0, play.Field{Name: "improvised"})
	return body.Offer(out, at, !own && atHand, play.Field{Name: "damage_type", Values: body.ImprovisedTypes})
}
