package magic

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// CondStance is the stance that a creature is in, its variant the name.
	CondStance = "stance"
	// CondTorch is on whoever bears a torch that burns.
	CondTorch = "torch-lit"
)

// RefusePinned: the pinned can only try to escape.
func RefusePinned(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if body.Has(c, body.CondPinned) {
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// RefuseTorch says why a torch cannot be lit: one burns, no hand is usable, or the
// creature is pinned.
func RefuseTorch(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch {
	case body.Has(c, CondTorch):
		return body.Refuse("LIT", manners.RuleTorch, "%s has a torch that burns", c.Name)
	case strike.UsableHands(c) == 0:
		return body.Refuse("HANDS_LOST", manners.RuleTorch, "%s has no hand for flint and steel", c.Name)
	}
	return RefusePinned(s, c, take)
}

// DoTorch: the torch burns when the action is done.
//
// celesia.action.light-torch
func DoTorch(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.AddCondition(c.Id, &eventv1.Condition{Name: CondTorch, Cause: "flint and steel", Rule: manners.RuleTorch})
	return nil
}

// RefusePush: one that can be pushed now, and no humanoid: those are no animals (a
// reading). Which others are is the game master's to see.
//
// celesia.action.push-animal
func RefusePush(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := s.Creatures[body.Target(take)]
	switch {
	case body.Has(c, body.CondPinned):
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	case t == nil:
		return nil
	case !strike.Able(t):
		return body.Refuse("UNABLE", manners.RulePush, "%s cannot act", t.Name)
	case body.SheetOf(t).GetHumanoid():
		return body.Refuse("NO_ANIMAL", manners.RulePush, "%s is no animal", t.Name)
	}
	return nil
}

// RefuseCompanion: only the own companion is pushed in one act.
//
// celesia.action.push-animal-companion
func RefuseCompanion(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if t := s.Creatures[body.Target(take)]; t != nil && t.Id != body.SheetOf(c).Companion {
		return body.Refuse("NO_COMPANION", manners.RuleCompanion, "%s is no companion of %s", t.Name, c.Name)
	}
	return RefusePush(s, c, take)
}

// DoPush is a Handle Animal check; harm of any kind on the animal makes it 2
// harder, once.
//
// celesia.action.push-animal
func DoPush(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t, dc := r.Creature(body.Target(take)), checks.DcOf(take)
	if t.GetHp() < t.GetHpMax() || t.Counters[body.CNonlethal] > 0 || t.Counters[body.CConstitution] > 0 || spoken.Truth(take.Facts, "ability_damage") {
		dc += 2
	}
	strike.RollSkillCheck(r, "check/handle-animal", c, body.RollKind{Name: "handle-animal"}, dc, "push "+t.Name, nil, take.Circumstances, manners.RulePush)
	return nil
}

// StrikeNames lists the strike maneuvers of a creature.
func StrikeNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, a := range body.SheetOf(c).SpecialAbilities {
		if a.Kind == body.KindStrike {
			out = append(out, a.Name)
		}
	}
	return out
}

// RefuseFullStrike: readied, and of the sort that takes a full action.
//
// celesia.action.initiate-full-attack-strike
func RefuseFullStrike(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a := items.AbilityOf(c, take.Item)
	switch {
	case a.GetKind() != body.KindStrike:
		return body.Refuse("NO_STRIKE", manners.RuleFull, "%s knows no such strike%s", c.Name, rules.DidYouMean(take.Item, StrikeNames(s, c)))
	case a.Time != body.TimeFull:
		return body.Refuse("OTHER_ACTION", manners.RuleFull, "%s is no full-attack strike", a.Name)
	case c.Counters[body.CLeft+a.Name] < 1:
		return body.Refuse("NOT_READIED", manners.RuleFull, "%s is not readied", a.Name)
	case body.Has(c, body.CondPinned):
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// Stances lists the stances that a creature knows.
func Stances(_ *eventv1.State, c *eventv1.Creature) []string { return body.SheetOf(c).Stances }

// RefuseStance: once a turn, into a stance that is known and not taken.
//
// celesia.action.change-stance
func RefuseStance(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	known := false
	for _, name := range body.SheetOf(c).Stances {
		known = known || name == take.Item
	}
	switch {
	case !known:
		return body.Refuse("NO_STANCE", manners.RuleStance, "%s knows no such stance%s", c.GetName(), rules.DidYouMean(take.Item, Stances(s, c)))
	case c.Marks[body.MDone+"change-stance"] != "":
		return body.Refuse("ONCE_A_TURN", manners.RuleStance, "%s has changed its stance this turn", c.Name)
	case body.Condition(c, CondStance).GetVariant() == take.Item:
		return body.Refuse("ALREADY", manners.RuleStance, "%s is in that stance", c.Name)
	}
	return nil
}

// DoStance enters a stance and leaves the one before.
//
// celesia.action.change-stance
func DoStance(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	body.Lift(r, c.Id, CondStance, "another stance", manners.RuleStance)
	r.AddCondition(c.Id, &eventv1.Condition{Name: CondStance, Variant: take.Item, Cause: take.Item, Rule: manners.RuleStance})
	r.Flag(c.Id, body.MDone+"change-stance", true, manners.RuleStance)
	r.Note(event.Everyone(), c.Id, c.Name+" takes the stance "+take.Item, manners.RuleStance)
	return nil
}
