package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// wayWith is the way of multiattack that holds an attack or power: the one
// named, else the first.
func wayWith(c *eventv1.Creature, name, wanted string) *eventv1.RcrMultiattack {
	for _, way := range sheetOf(c).Multiattack {
		if wanted != "" && way.Name != wanted {
			continue
		}
		if slices.ContainsFunc(way.Parts, func(p *eventv1.RcrMultiattackPart) bool { return p.Name == name && p.Count > 0 }) {
			return way
		}
	}
	return nil
}

// attackLeft tells whether an attack is still to be had from the Attack action
// begun this turn.
func attackLeft(c *eventv1.Creature, name string) bool {
	return c.Counters[cMulti+name] > 0 || c.Counters[cAttacks] > 0 && wayWith(c, name, "") == nil
}

// refuseAttackCost says why there is no attack to be had. A terrified creature
// has none.
func refuseAttackCost(c *eventv1.Creature, name string) error {
	if attackLeft(c, name) && !has(c, condTerrified) {
		return nil
	}
	return needAction(c)
}

// payAttack takes one attack from the Attack action begun this turn, or begins
// one: its other attacks are there for the rest of the turn.
func payAttack(r *rules.Resolution, c *eventv1.Creature, name, wanted string) {
	switch {
	case c.Counters[cMulti+name] > 0:
		spend(r, c.Id, cMulti+name, "attack")
		return
	case attackLeft(c, name):
		spend(r, c.Id, cAttacks, "attack")
		return
	}
	spend(r, c.Id, cAction, "Attack action")
	way := wayWith(c, name, wanted)
	if way == nil || wanted == "none" {
		if len(sheetOf(c).Multiattack) == 0 {
			r.Set(c.Id, cAttacks, int64(max(1, sheetOf(c).AttacksPerAction)-1), "Attack action")
		}
		return
	}
	for _, p := range way.Parts {
		left := p.Count
		if p.Name == name {
			left--
		}
		r.Set(c.Id, cMulti+p.Name, int64(left), "multiattack "+way.Name)
	}
}

// planDamage is the damage of the attack as it is made, with what a feature adds.
func planDamage(p *attackPlan, take *eventv1.TakeAction) ([]*eventv1.RcrDamage, error) {
	dmg := p.atk.Damage
	if p.twoHanded {
		dmg = p.atk.TwoHandedDamage
	}
	extra := spoken.Word(take.GetParameters(), "extra_damage")
	if extra == "" {
		return dmg, nil
	}
	if err := rollableHit(extra); err != nil {
		return nil, fault.Field("take.parameters.extra_damage", "%v", err)
	}
	kind := ""
	if len(dmg) > 0 {
		kind = dmg[0].Type
	}
	return append(slices.Clone(dmg), &eventv1.RcrDamage{Dice: extra, Type: kind}), nil
}

// statedNotes are the circumstances that the caller stated, in words.
func statedNotes(take *eventv1.TakeAction) []string {
	var notes []string
	for _, c := range take.Circumstances {
		notes = append(notes, strings.TrimSpace(c.Direction+" (stated): "+c.Cause))
	}
	kinds := renamed(take.Facts, "kinds")
	for _, k := range rules.SortedKeys(kinds) {
		notes = append(notes, k+" counts as "+kinds[k]+" (stated)")
	}
	if cover := spoken.Word(take.Facts, "cover"); cover != "" {
		notes = append(notes, "cover "+cover+" (stated)")
	}
	return notes
}

// useWeapon takes what the attack uses up: the shot in the weapon, the weapon
// thrown, one of its uses. A free reload has it loaded again at once, unless
// the hands are bound.
//
// rcr.condition.shackled-reload
func useWeapon(r *rules.Resolution, c *eventv1.Creature, p *attackPlan) {
	a := p.atk
	if limited(a.Usage) {
		spend(r, c.Id, usesOf(a.Name, a.Usage), "used")
	}
	item := c.Items[a.Name]
	if item == nil {
		return
	}
	switch {
	case p.thrown:
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: a.Name, Place: "dropped", Values: item.Values, Cause: "thrown"})
	case property(a, "reload") && !p.kind.melee && (!a.ReloadFree || has(c, condShackled)):
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: a.Name, Place: item.Place, Values: map[string]int32{"loaded": 0}, Cause: "shot"})
	}
}

// lightOffHand tells whether a weapon is a light one in the off hand.
func lightOffHand(c *eventv1.Creature, a *eventv1.RcrAttack) bool {
	return c.Items[a.Name].GetPlace() == "off" && property(a, "light") && a.ReachFeet > 0
}

// refuseOffHand says why an attack cannot be made with the off hand now.
func refuseOffHand(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case !lightOffHand(c, a):
		return refuse("NOT_OFF_HAND", frame, "%s is no light melee weapon in the off hand", a.Name)
	case needBonus(s, c) != nil:
		return needBonus(s, c)
	case c.Marks[mAttacked] == "" || c.Marks[mAttacked] == a.Name:
		return refuse("NO_ATTACK_BEFORE", frame, "the off hand follows an attack with a light weapon in the other")
	}
	return refuseWeapon(s, c, a)
}
