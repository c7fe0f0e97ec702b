package celesia

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// timeImmediate is the time of abilities that are reactions.
	timeImmediate = "immediate"
	// kindCounter is a maneuver that answers a foe.
	kindCounter = "counter"
)

// immediateRule is the rule by which an immediate ability is used.
func immediateRule(a *eventv1.CelesiaAbility) string {
	if a.Kind == kindCounter {
		return cite.ReactionCounter
	}
	return cite.ReactionImmediateAbility
}

// immediates are the abilities with which a creature can answer an act: those
// that it sets off, that are left and, for counters, readied.
//
// celesia.reaction.counter, celesia.reaction.immediate-ability
func immediates(c *eventv1.Creature, p provocation) []*eventv1.DecisionOption {
	var out []*eventv1.DecisionOption
	for _, a := range sheetOf(c).SpecialAbilities {
		fits := a.Trigger == p.kind || a.Trigger == "" && p.kind != "approach" && p.kind != ""
		if a.Time != timeImmediate || !fits || counted(a) && c.Counters[cLeft+a.Name] < 1 {
			continue
		}
		out = append(out, &eventv1.DecisionOption{Id: "ability:" + a.Name, Text: "Use " + a.Name, Rule: immediateRule(a)})
	}
	return out
}

// respond uses an immediate ability; one that provokes may be answered first.
//
// celesia.reaction.counter, celesia.reaction.immediate-ability
func respond(r *rules.Resolution, id string, p provocation, name string) {
	a := abilityOf(r.Creature(id), name)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "immediate-ability", Targets: []string{p.by}, Item: name}, immediateRule(a))
	if a.Provokes && a.Kind != kindCounter {
		window(r, provocation{by: id, kind: "other", provokes: true, take: &eventv1.TakeAction{Creature: id, Action: "immediate-ability", Item: name}})
		if !able(r.Creature(id)) {
			r.Note(event.Everyone(), id, name+" is never begun", cite.ActionProvoke)
			return
		}
	}
	if counted(a) {
		r.Set(id, cLeft+name, r.Count(id, cLeft+name)-1, "used", immediateRule(a))
	}
	r.Note(event.Everyone(), id, strings.TrimSpace(r.Creature(id).GetName()+" uses "+name), immediateRule(a))
}

// effort is the points that an action costs a disabled creature: one for each
// act of it. Of what takes none only what is strenuous costs one: a quickened
// spell, and what the game master says.
//
// celesia.injury.disabled-strain
func effort(c *eventv1.Creature, a *action, take *eventv1.TakeAction, cost int32, ownTurn bool) int32 {
	quickened := a.id == "cast" && spellOf(c, take.Item).GetQuickened()
	if cost == 0 && ownTurn && (quickened || spoken.Truth(take.GetFacts(), "strenuous")) {
		return 1
	}
	return cost
}
