package rcr

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// fightActions are attacks, powers and what else costs an action in a fight.
func fightActions() []*action {
	return append([]*action{
		{id: "attack", title: "Attack", options: attackOptions, do: doAttack},
		{id: "off-hand-attack", title: "Attack with the off hand", options: offHandOptions, do: doOffHand},
		{id: "use-power", title: "Use a power", options: powerOptions, do: doPower},
	}, append(maneuvers(), reactions()...)...)
}

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

// attackOptions lists the attacks of the sheet.
func attackOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for _, a := range sheetOf(c).Attacks {
		err := refuseAttackCost(c, a.Name)
		if err == nil {
			err = refuseWeapon(s, c, a)
		}
		costs := map[string]int32{}
		if !attackLeft(c, a.Name) {
			costs[cAction] = 1
		}
		o := option(a.Name, err, costs)
		targetsOf(s, c, a, o)
		attackParameters(s, c, a, o)
		out = append(out, o)
	}
	return out
}

// targetsOf fills in who may be attacked.
func targetsOf(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack, o *eventv1.Option) {
	o.MinimumTargets, o.MaximumTargets = 1, 1
	for _, id := range rules.SortedKeys(s.Creatures) {
		if _, err := planAttack(s, c, s.Creatures[id], a, nil); err == nil {
			o.Targets = append(o.Targets, id)
		}
	}
	if o.Legal && len(o.Targets) == 0 {
		rules.Forbid(o, refuse("NO_TARGET", cite.BaseFifthEditionFallback, "nobody is within reach or range of %s", a.Name))
	}
}

func attackParameters(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack, o *eventv1.Option) {
	if a.ReachFeet > 0 && a.RangeFeet > 0 {
		// What can be reached is struck in melee unless stated otherwise, so that
		// nothing is lost where a mode holds for some targets only.
		held := slices.DeleteFunc([]string{"melee", "ranged"}, func(mode string) bool {
			take := &eventv1.TakeAction{Parameters: &structpb.Struct{Fields: map[string]*structpb.Value{"mode": structpb.NewStringValue(mode)}}}
			return slices.ContainsFunc(o.Targets, func(id string) bool {
				_, err := planAttack(s, c, s.Creatures[id], a, take)
				return err != nil
			})
		})
		if len(held) > 0 {
			o.Parameters = append(o.Parameters, choiceOf("mode", "In melee or thrown", false, held...))
		}
	}
	if refuseTwoHands(s, c, a) == nil {
		o.Parameters = append(o.Parameters, choiceOf("hands", "One hand or two", false, "one", "two"))
	}
	var ways []string
	for _, way := range sheetOf(c).Multiattack {
		if wayWith(c, a.Name, way.Name) != nil {
			ways = append(ways, way.Name)
		}
	}
	if len(ways) > 0 && !attackLeft(c, a.Name) {
		o.Parameters = append(o.Parameters, choiceOf("multiattack", "Which multiattack", false, append(ways, "none")...))
	}
	o.Parameters = append(o.Parameters, &eventv1.Parameter{Name: "extra_damage", Type: "string", Text: "Dice added by a feature, such as 3d6"})
	if c.Counters[cInspiration] > 0 {
		o.Parameters = append(o.Parameters, &eventv1.Parameter{Name: "inspiration", Type: "boolean", Text: "Spend inspiration for advantage"})
	}
}

func doAttack(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a := attackOf(c, take.Item)
	if a == nil {
		return noSuch("take.item", take.Item, "attack of "+c.Name, namesOf(sheetOf(c).Attacks))
	}
	wanted := spoken.Word(take.Parameters, "multiattack")
	if wanted != "" && wanted != "none" && wayWith(c, a.Name, wanted) == nil {
		return noSuch("take.parameters.multiattack", wanted, "multiattack with "+a.Name, append(namesOf(sheetOf(c).Multiattack), "none"))
	}
	if err := refuseAttackCost(c, a.Name); err != nil {
		return err
	}
	return carryOut(r, c, a, take, func(p *attackPlan) attackOpts {
		payAttack(r, c, a.Name, wanted)
		if p.kind.melee && property(a, "light") {
			r.Mark(c.Id, mAttacked, a.Name)
		}
		return attackOpts{}
	})
}

// carryOut plans an attack, has it paid for and makes it.
func carryOut(r *rules.Resolution, c *eventv1.Creature, a *eventv1.RcrAttack, take *eventv1.TakeAction, pay func(*attackPlan) attackOpts) error {
	id, err := oneTarget(take)
	if err != nil {
		return err
	}
	target := r.Creature(id)
	p, err := planAttack(r.State(), c, target, a, take)
	if err != nil {
		return err
	}
	dmg, err := planDamage(p, take)
	if err != nil {
		return err
	}
	edges, mods := statedEdges(take.Circumstances, id)
	if spoken.Truth(take.Parameters, "inspiration") {
		if c.Counters[cInspiration] < 1 {
			return refuse("NO_INSPIRATION", cite.BaseInspirationHeld, "%s has no inspiration", c.Name)
		}
		edges = append(edges, adv("inspiration", "inspiration", cite.BaseInspirationHeld))
	}
	o := pay(p)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: []string{id}, Item: a.Name,
		Notes: append(p.notes, statedNotes(take)...)})
	if spoken.Truth(take.Parameters, "inspiration") && !has(target, condHelpless) { // there is no roll to spend it on
		spend(r, c.Id, cInspiration, "advantage on an attack", cite.BaseInspirationHeld)
	}
	useWeapon(r, c, p)
	o.kind, o.cover, o.edges, o.mods, o.damage = p.kind, p.cover, append(o.edges, edges...), append(o.mods, mods...), dmg
	o.kinds, o.facts = renamed(take.Facts, "kinds"), woundFacts(take)
	makeAttack(r, r.Creature(c.Id), r.Creature(id), a, o)
	return nil
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

// refuseOffHand says why an attack cannot be made with the off hand now.
func refuseOffHand(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case c.Items[a.Name].GetPlace() != "off" || !property(a, "light") || a.ReachFeet == 0:
		return refuse("NOT_OFF_HAND", frame, "%s is no light melee weapon in the off hand", a.Name)
	case needBonus(s, c) != nil:
		return needBonus(s, c)
	case c.Marks[mAttacked] == "" || c.Marks[mAttacked] == a.Name:
		return refuse("NO_ATTACK_BEFORE", frame, "the off hand follows an attack with a light weapon in the other")
	}
	return refuseWeapon(s, c, a)
}

func offHandOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for _, a := range sheetOf(c).Attacks {
		if c.Items[a.Name].GetPlace() != "off" || !property(a, "light") || a.ReachFeet == 0 {
			continue
		}
		o := option(a.Name, refuseOffHand(s, c, a), map[string]int32{cBonus: 1})
		targetsOf(s, c, a, o)
		attackParameters(s, c, a, o)
		o.Parameters = slices.DeleteFunc(o.Parameters, func(p *eventv1.Parameter) bool { return p.Name == "multiattack" || p.Name == "hands" })
		out = append(out, o)
	}
	return out
}

// doOffHand makes the attack of the off hand: a positive ability modifier is
// not added to its damage.
func doOffHand(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a := attackOf(c, take.Item)
	if a == nil {
		return noSuch("take.item", take.Item, "attack of "+c.Name, namesOf(sheetOf(c).Attacks))
	}
	if err := refuseOffHand(r.State(), c, a); err != nil {
		return err
	}
	return carryOut(r, c, a, take, func(*attackPlan) attackOpts {
		spend(r, c.Id, cBonus, "attack of the off hand")
		bonus := abilityMod(c, "strength")
		if property(a, "finesse") {
			bonus = max(bonus, abilityMod(c, "dexterity"))
		}
		if bonus <= 0 {
			return attackOpts{}
		}
		return attackOpts{damageMod: mod(-bonus, "off hand", cite.BaseFifthEditionFallback)}
	})
}
