package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of errands.
const (
	ruleForgery   = cite.ActionDetectForgery
	ruleHoard     = cite.ActionAppraiseHoard
	ruleTorch     = cite.ActionLightTorch
	rulePush      = cite.ActionPushAnimal
	ruleCompanion = cite.ActionPushAnimalCompanion
	ruleStance    = cite.ActionChangeStance
	ruleFull      = cite.ActionInitiateFullAttackStrike
)

const (
	// condStance is the stance that a creature is in, its variant the name.
	condStance = "stance"
	// mStance is the round in which it last changed.
	mStance = "stance-changed"
	// condTorch is on whoever bears a torch that burns.
	condTorch = "torch-lit"
)

// errandActions are full actions that come down to a check or to time, and
// maneuvers that take a turn or none of it.
func errandActions() []*action {
	return []*action{
		{id: "appraise-hoard", title: "Appraise a hoard", rule: ruleHoard, acts: 3, provoke: always, trigger: "other", refuse: refusePinned,
			parameters: dcParameter, do: doCheck("appraise", ruleHoard)},
		{id: "detect-forgery", title: "Examine a page for forgery", rule: ruleForgery, acts: 3, provoke: always, trigger: "other", refuse: refusePinned,
			parameters: dcParameter, do: doCheck("linguistics", ruleForgery)},
		{id: "light-torch", title: "Light a torch", rule: ruleTorch, acts: 3, provoke: always, trigger: "other", refuse: refuseTorch, do: doTorch},
		{id: "push-animal", title: "Push an animal", rule: rulePush, acts: 3, targeted: true, refuse: refusePush, parameters: dcParameter, do: doPush},
		{id: "push-companion", title: "Push the companion", rule: ruleCompanion, acts: 1, targeted: true, refuse: refuseCompanion,
			parameters: dcParameter, do: doPush},
		{id: "full-strike", title: "Initiate a full-attack strike", rule: ruleFull, acts: 3, trigger: "attack", items: strikeNames, refuse: refuseFullStrike,
			check: checkManeuver, parameters: maneuverParameters, do: doFullStrike},
		{id: "change-stance", title: "Change stance", rule: ruleStance, items: stances, refuse: refuseStance, do: doStance},
	}
}

// refusePinned: the pinned can only try to escape.
func refusePinned(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if has(c, condPinned) {
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

func refuseTorch(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch {
	case has(c, condTorch):
		return refuse("LIT", ruleTorch, "%s has a torch that burns", c.Name)
	case usableHands(c) == 0:
		return refuse("HANDS_LOST", ruleTorch, "%s has no hand for flint and steel", c.Name)
	}
	return refusePinned(s, c, take)
}

// doTorch: the torch burns when the action is done.
//
// celesia.action.light-torch
func doTorch(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.AddCondition(c.Id, &eventv1.Condition{Name: condTorch, Cause: "flint and steel", Rule: ruleTorch})
	return nil
}

// refusePush: one that can be pushed now; that it is an animal is the game
// master's to see, sheets are secret.
//
// celesia.action.push-animal
func refusePush(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[target(take)]
	switch {
	case has(c, condPinned):
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	case t == nil:
		return nil
	case !able(t):
		return refuse("UNABLE", rulePush, "%s cannot act", t.Name)
	}
	return nil
}

// refuseCompanion: only the own companion is pushed in one act.
//
// celesia.action.push-animal-companion
func refuseCompanion(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if t := s.Creatures[target(take)]; t != nil && t.Id != sheetOf(c).Companion {
		return refuse("NO_COMPANION", ruleCompanion, "%s is no companion of %s", t.Name, c.Name)
	}
	return refusePush(s, c, take)
}

// doPush is a Handle Animal check; harm of any kind on the animal makes it 2
// harder, once.
//
// celesia.action.push-animal
func doPush(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t, dc := r.Creature(target(take)), dcOf(take)
	if t.GetHp() < t.GetHpMax() || t.Counters[cNonlethal] > 0 || t.Counters[cConstitution] > 0 || spoken.Truth(take.Facts, "ability_damage") {
		dc += 2
	}
	rollSkillCheck(r, "check/handle-animal", c, rollKind{name: "handle-animal"}, dc, "push "+t.Name, nil, take.Circumstances, rulePush)
	return nil
}

// strikeNames lists the strike maneuvers of a creature.
func strikeNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, a := range sheetOf(c).SpecialAbilities {
		if a.Kind == kindStrike {
			out = append(out, a.Name)
		}
	}
	return out
}

// refuseFullStrike: readied, and of the sort that takes a full action.
//
// celesia.action.initiate-full-attack-strike
func refuseFullStrike(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a := abilityOf(c, take.Item)
	switch {
	case a.GetKind() != kindStrike:
		return refuse("NO_STRIKE", ruleFull, "%s knows no such strike%s", c.Name, rules.DidYouMean(take.Item, strikeNames(s, c)))
	case a.Time != timeFull:
		return refuse("OTHER_ACTION", ruleFull, "%s is no full-attack strike", a.Name)
	case c.Counters[cLeft+a.Name] < 1:
		return refuse("NOT_READIED", ruleFull, "%s is not readied", a.Name)
	case has(c, condPinned):
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// doFullStrike uses the strike up.
//
// celesia.action.initiate-full-attack-strike
func doFullStrike(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Set(c.Id, cLeft+take.Item, r.Count(c.Id, cLeft+take.Item)-1, "initiated", ruleFull)
	r.Mark(c.Id, mDone+take.Item, "yes", ruleFull)
	initiate(r, c.Id, take)
	r.Note(event.Everyone(), c.Id, c.Name+" initiates "+take.Item, ruleFull)
	return nil
}

func stances(_ *eventv1.State, c *eventv1.Creature) []string { return sheetOf(c).Stances }

// refuseStance: once a turn, into a stance that is known and not taken.
//
// celesia.action.change-stance
func refuseStance(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	known := false
	for _, name := range sheetOf(c).Stances {
		known = known || name == take.Item
	}
	switch {
	case !known:
		return refuse("NO_STANCE", ruleStance, "%s knows no such stance%s", c.GetName(), rules.DidYouMean(take.Item, stances(s, c)))
	case c.Marks[mStance] == itoa(s.Round):
		return refuse("ONCE_A_TURN", ruleStance, "%s has changed its stance this turn", c.Name)
	case condition(c, condStance).GetVariant() == take.Item:
		return refuse("ALREADY", ruleStance, "%s is in that stance", c.Name)
	}
	return nil
}

// doStance enters a stance and leaves the one before.
//
// celesia.action.change-stance
func doStance(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	lift(r, c.Id, condStance, "another stance", ruleStance)
	r.AddCondition(c.Id, &eventv1.Condition{Name: condStance, Variant: take.Item, Cause: take.Item, Rule: ruleStance})
	r.Mark(c.Id, mStance, itoa(r.State().Round), ruleStance)
	r.Note(event.Everyone(), c.Id, c.Name+" takes the stance "+take.Item, ruleStance)
	return nil
}
