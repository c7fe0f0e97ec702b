package answers

import (
	"slices"
	"sync"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	theitems "github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Aimed judges each target by itself; nil judges no more than that it lives.
func Aimed(j body.Judging) func(*play.At, *eventv1.Creature) error {
	return func(at *play.At, t *eventv1.Creature) error {
		switch {
		case t == nil:
			return fault.Field("take.targets", "there is no such creature")
		case body.Dead(t):
			return body.Refuse("TARGET_DEAD", at.Action.Rule, "%s is dead", t.Name)
		case j == nil:
			return nil
		}
		return j(at.State, at.Actor, at.Scratch.(*theitems.Spot).AimedAt(at, t.Id))
	}
}

// Fits says why an action cannot be done as a command says, turn and cost apart.
func Fits(s *eventv1.State, take *eventv1.TakeAction) error {
	return checks.Frame().Fits(checks.Frame().At(s, take))
}

// Lacking are the refusals for want of acts, by action, cost and acts left: most of
// what a listing refuses, so that they are worded once for good.
var Lacking sync.Map

// Lack is the key of a refusal in Lacking.
type Lack struct {
	// Action is its id.
	Action string
	// Cost and Left are acts.
	Cost, Left int32
}

// Spanning actions are begun with the acts of one turn and done in another.
func Spanning(*eventv1.Creature, *eventv1.TakeAction) bool { return true }

// CostRule is the rule that speaks of an action of so many acts.
func CostRule(cost int32) string {
	switch {
	case cost >= 3:
		return cite.ActionFullFrame
	case cost == 2:
		return cite.ActionStandardConsecutive
	}
	return cite.TurnThreeActs
}

// OneOf reads a parameter of a few words; empty when it is not given.
func OneOf(take *eventv1.TakeAction, name string, values ...string) (string, error) {
	v := spoken.Word(take.Parameters, name)
	if v != "" && !slices.Contains(values, v) {
		return "", fault.Field("take.parameters."+name, "%q is not one of %v%s", v, values, rules.DidYouMean(v, values))
	}
	return v, nil
}
