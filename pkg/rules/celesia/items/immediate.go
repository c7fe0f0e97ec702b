package items

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ImmediateRule is the rule by which an immediate ability is used.
func ImmediateRule(a *eventv1.CelesiaAbility) string {
	if a.Kind == body.KindCounter {
		return cite.ReactionCounter
	}
	return cite.ReactionImmediateAbility
}

// Immediates are the abilities with which a creature can answer an act: those
// that it sets off, that are left and, for counters, readied. What goes on with an act
// that was answered sets nothing off.
//
// celesia.reaction.counter, celesia.reaction.immediate-ability
func Immediates(c *eventv1.Creature, p checks.Provocation) []*eventv1.DecisionOption {
	var out []*eventv1.DecisionOption
	for _, a := range body.SheetOf(c).SpecialAbilities {
		fits := p.Kind != "" && (a.Trigger == p.Kind || a.Trigger == "" && p.Kind != "approach")
		if a.Time != body.TimeImmediate || !fits || Counted(a) && c.Counters[body.CLeft+a.Name] < 1 {
			continue
		}
		out = append(out, &eventv1.DecisionOption{Id: "ability:" + a.Name, Text: "Use " + a.Name, Rule: ImmediateRule(a)})
	}
	return out
}
