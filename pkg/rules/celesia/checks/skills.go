package checks

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of actions that are a check.
const (
	RuleDemoralize = cite.ActionDemoralize
	RuleKnowledge  = cite.ActionRecallKnowledge
	RuleSearch     = cite.ActionSearch
	RuleNet        = cite.ActionEscapeNet
	RuleExtinguish = cite.ActionExtinguish
	RuleSleight    = cite.ActionSleightOfHand
	RuleSleightAoo = cite.ActionSleightOfHandProvoke
	RuleAnimal     = cite.MountHandleAnimal
)

// CondBurning is on a creature on fire; its variant names the saving throw, its
// value "dc" what that must reach.
const CondBurning = "burning"

// CondEntangled is on a creature in a net, then with the variant "net", or
// otherwise entangled.
const CondEntangled = "entangled"

// FactBroken is the stated fact that the tool of a check is broken.
const FactBroken = "broken_tool"

// StateFalse tells whether the caller stated that something is not so.
func StateFalse(take *eventv1.TakeAction, key string) bool {
	v, ok := take.GetFacts().GetFields()[key]
	return ok && !v.GetBoolValue()
}

// SearchProvokes: only the search of an area does.
//
// celesia.action.search
func SearchProvokes(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	return spoken.Word(take.Parameters, "where") == "area", ""
}

// CheckSearch refuses a search that does not say where.
func CheckSearch(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Word(take.Parameters, "where") == "" {
		return fault.Field("take.parameters.where", "missing")
	}
	return nil
}

// CheckSleight refuses to take something from oneself.
func CheckSleight(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Word(take.Parameters, "from") == c.Id {
		return fault.Field("take.parameters.from", "names nobody else")
	}
	return nil
}

// Netted is the net that a creature is in; nil when it is in none.
func Netted(c *eventv1.Creature) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == CondEntangled && x.Variant == "net" {
			return x
		}
	}
	return nil
}

// RefuseNet says that a creature is in no net to escape from.
func RefuseNet(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if Netted(c) == nil {
		return body.Refuse("NO_NET", RuleNet, "%s is in no net", c.Name)
	}
	return nil
}

// RefuseExtinguish says why a creature cannot put out its own flames: it does not
// burn, or is pinned.
func RefuseExtinguish(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case !body.Has(c, CondBurning):
		return body.Refuse("NOT_BURNING", RuleExtinguish, "%s is not on fire", c.Name)
	case body.Has(c, body.CondPinned):
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}
