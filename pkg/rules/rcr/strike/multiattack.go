package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// WayWith is the way of multiattack that holds an attack or power: the one
// named, else the first.
func WayWith(c *eventv1.Creature, name, wanted string) *eventv1.RcrMultiattack {
	for _, way := range body.SheetOf(c).Multiattack {
		if wanted != "" && way.Name != wanted {
			continue
		}
		if slices.ContainsFunc(way.Parts, func(p *eventv1.RcrMultiattackPart) bool { return p.Name == name }) {
			return way
		}
	}
	return nil
}

// AttackLeft tells whether an attack is still to be had from the Attack action
// begun this turn.
func AttackLeft(c *eventv1.Creature, name string) bool {
	return c.Counters[body.CMulti+name] > 0 || c.Counters[body.CAttacks] > 0
}

// RefuseAttackCost says why there is no attack to be had. A terrified creature
// has none.
func RefuseAttackCost(unread bool, c *eventv1.Creature, name string) error {
	if AttackLeft(c, name) && !body.Has(c, body.CondTerrified) {
		return nil
	}
	return checks.NeedActionUnless(unread, c)
}

// PayAttack takes one attack from the Attack action begun this turn, or begins
// one: its other attacks are there for the rest of the turn.
func PayAttack(r *rules.Resolution, c *eventv1.Creature, name, wanted string) {
	switch {
	case c.Counters[body.CMulti+name] > 0:
		body.Spend(r, c.Id, body.CMulti+name, "attack")
		return
	case AttackLeft(c, name):
		body.Spend(r, c.Id, body.CAttacks, "attack")
		return
	}
	body.Spend(r, c.Id, body.CAction, "Attack action")
	way := WayWith(c, name, wanted)
	if way == nil {
		if len(body.SheetOf(c).Multiattack) == 0 {
			r.Set(c.Id, body.CAttacks, int64(body.AttacksPerAction(c)-1), "Attack action")
		}
		return
	}
	for _, p := range way.Parts {
		left := p.Count
		if p.Name == name {
			left--
		}
		r.Set(c.Id, body.CMulti+p.Name, int64(left), "multiattack "+way.Name)
	}
}

// PlanDamage is the damage of the attack as it is made, with what a feature adds.
func PlanDamage(p *AttackPlan, take *eventv1.TakeAction) ([]*eventv1.RcrDamage, error) {
	dmg := p.Atk.Damage
	if p.twoHanded {
		dmg = p.Atk.TwoHandedDamage
	}
	extra := spoken.Word(take.GetParameters(), "extra_damage")
	if extra == "" {
		return dmg, nil
	}
	if err := dice.RollableHit(extra); err != nil {
		return nil, fault.Field("take.parameters.extra_damage", "%v", err)
	}
	kind := ""
	if len(dmg) > 0 {
		kind = dmg[0].Type
	}
	return append(slices.Clone(dmg), &eventv1.RcrDamage{Dice: extra, Type: kind}), nil
}

// UseWeapon takes what the attack uses up: the shot in the weapon, the weapon
// thrown, one of its uses. A free reload has it loaded again at once, unless
// the hands are bound.
//
// rcr.condition.shackled-reload
func UseWeapon(r *rules.Resolution, c *eventv1.Creature, p *AttackPlan) {
	a := p.Atk
	if body.Limited(a.Usage) {
		body.Spend(r, c.Id, body.UsesOf(a.Name, a.Usage), "used")
	}
	item := c.Items[a.Name]
	if item == nil {
		return
	}
	switch {
	case p.thrown:
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: a.Name, Place: "dropped", Values: item.Values, Cause: "thrown"})
		checks.LetImprovised(r, c.Id, a.Name)
	case checks.Property(a, "reload") && !p.Kind.Melee && (!a.ReloadFree || body.Has(c, body.CondShackled)):
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: a.Name, Place: item.Place, Values: map[string]int32{"loaded": 0}, Cause: "shot"})
	}
}

// Pairs tells whether a melee weapon can be the first of two: a light one, or any
// that a feat lets go with another.
//
// rcr.feat.dual-wielder-light, rcr.feat.improved-dual-light
func Pairs(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) bool {
	return checks.Property(a, "light") || body.Feat(s, c, body.FeatImprovedDualWielder, cite.FeatImprovedDualLight) ||
		body.Feat(s, c, body.FeatDualWielder, cite.FeatDualWielderLight)
}

// BeginPair notes the melee weapon, struck or thrown with, that an attack of the other
// hand may follow, and the hand that held it.
//
// rcr.base.fifth-edition-fallback
func BeginPair(r *rules.Resolution, c *eventv1.Creature, p *AttackPlan) {
	if (p.Kind.Melee || p.thrown && p.Atk.ReachFeet > 0) && Pairs(r.State(), c, p.Atk) {
		r.Mark(c.Id, body.MAttacked, p.Atk.Name)
		r.Mark(c.Id, body.MAttackedHand, oneHand(c, p.Atk.Name))
	}
}

// oneHand is the hand that holds a weapon alone: main or off; empty for neither.
func oneHand(c *eventv1.Creature, weapon string) string {
	if place := c.GetItems()[weapon].GetPlace(); place == "main" || place == "off" {
		return place
	}
	return ""
}

// offHand tells whether a weapon in one hand can strike after, or beside, that in the
// other: both light, or as a feat has it. Either hand may begin; until one has, the
// weapon of the main hand is the second only where there is one in the other.
//
// rcr.feat.dual-wielder-light, rcr.feat.improved-dual-light
func offHand(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) bool {
	hand, first := oneHand(c, a.Name), checks.AttackOf(c, c.Marks[body.MAttacked])
	switch {
	case hand == "" || a.ReachFeet == 0 || hand == c.Marks[body.MAttackedHand]:
		return false
	case first == nil && hand == "main" && !body.ArmedTwice(c):
		return false
	}
	if first == nil {
		first = &eventv1.RcrAttack{Properties: []string{"light"}} // what it goes with is not known yet
	}
	one, other := checks.Property(a, "versatile"), checks.Property(first, "versatile")
	switch {
	case checks.Property(a, "light") && checks.Property(first, "light"):
		return true
	case body.Feat(s, c, body.FeatImprovedDualWielder, cite.FeatImprovedDualLight) && !(one && other):
		return true
	}
	return body.Feat(s, c, body.FeatDualWielder, cite.FeatDualWielderLight) && !one && !other
}

// OffHandFree tells whether the off-hand attack is a part of the Attack action: the
// first of a turn, for a character with several attacks and the feat for it.
//
// rcr.feat.improved-dual-extra-attack
func OffHandFree(s *eventv1.State, c *eventv1.Creature) bool {
	return c.Marks[body.MOffHand] == "" && body.AttacksPerAction(c) > 1 &&
		body.Feat(s, c, body.FeatImprovedDualWielder, cite.FeatImprovedDualExtraAttack)
}

// RefuseOffHand says why an attack cannot be made with the off hand now.
func RefuseOffHand(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case !offHand(s, c, a):
		return body.Refuse("NOT_OFF_HAND", frame, "%s is no light melee weapon in the other hand", a.Name)
	case !OffHandFree(s, c) && checks.NeedBonus(s, c) != nil:
		return checks.NeedBonus(s, c)
	case c.Marks[body.MAttacked] == "" || c.Marks[body.MAttacked] == a.Name:
		return body.Refuse("NO_ATTACK_BEFORE", frame, "the off hand follows an attack with a light weapon in the other")
	}
	return RefuseWeapon(false, s, c, a)
}
