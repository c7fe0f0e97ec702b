package strike

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Instead is the word before the ability by which something else is done in place of
// an attack of opportunity: "instead:ABILITY", or "instead:ABILITY:ITEM" for an action
// that is done with something.
const Instead = "instead"

// substitutes are what a creature may do in place of an attack of opportunity by
// abilities that allow it: the ability itself, or an action against the one who
// provokes, in each way in which it can be done now.
//
// celesia.reaction.opportunity-substitute
func substitutes(s *eventv1.State, c, actor *eventv1.Creature) []*eventv1.DecisionOption {
	var out []*eventv1.DecisionOption
	add := func(a *eventv1.CelesiaAbility, item, text string) {
		id := Instead + ":" + a.Name
		if item != "" {
			id += ":" + item
		}
		out = append(out, &eventv1.DecisionOption{Id: id, Text: text + " in place of the attack", Rule: cite.ReactionOpportunitySubstitute})
	}
	for _, a := range body.SheetOf(c).SpecialAbilities {
		if a.Time != body.TimeOpportunity || items.Counted(a) && c.Counters[body.CLeft+a.Name] < 1 {
			continue
		}
		act := ActionOf(a.Action)
		if act == nil {
			add(a, "", a.Name)
			continue
		}
		take := SubstituteTake(a, c, actor.Id, "")
		ways := []string{""}
		if act.Items != nil {
			ways = act.Items(checks.Frame().At(s, take))
		}
		for _, item := range ways {
			if checks.Frame().Fits(checks.Frame().At(s, SubstituteTake(a, c, actor.Id, item))) == nil {
				add(a, item, strings.TrimSpace(act.Title+" "+item))
			}
		}
	}
	return out
}

// SubstituteTake is the action that an ability allows in place of an attack of
// opportunity, against the one who provokes where it has a target.
func SubstituteTake(a *eventv1.CelesiaAbility, c *eventv1.Creature, against, item string) *eventv1.TakeAction {
	take := &eventv1.TakeAction{Creature: c.Id, Action: a.Action, Item: item}
	act := ActionOf(a.Action)
	if act == nil {
		return take
	}
	take.Targets = []string{against}
	at := checks.Frame().At(&eventv1.State{Creatures: map[string]*eventv1.Creature{c.Id: c}}, take)
	if _, most := act.Targets(at); most == 0 {
		take.Targets = nil
	}
	return take
}
