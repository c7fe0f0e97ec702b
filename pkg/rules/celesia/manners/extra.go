package manners

import (
	"cmp"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// extraActs are the effects that give a creature more acts in its turn, by name:
// conditions, and the natural 20 of its initiative on its first regular turn.
//
// celesia.turn.haste, celesia.initiative.natural-20
func extraActs(s *eventv1.State, c *eventv1.Creature) map[string]int32 {
	out := map[string]int32{}
	for _, x := range c.Conditions {
		n := x.Values["acts"]
		if x.Name == body.CondHasted {
			n = max(1, n)
		}
		if n > 0 {
			out[x.Name] = max(out[x.Name], n)
		}
	}
	if n := int32(c.Counters[body.CFirst]); n > 0 && s.Round > 0 {
		out[body.FirstTurn] = n
	}
	if n := int32(c.Counters[body.CHouseActs]); n > 0 {
		out[body.HouseActs] = n
	}
	return out
}

// mostOf is the name of the effect that gives most; the first by name of those
// that give as much.
func mostOf(effects map[string]int32) string {
	best := ""
	for _, name := range rules.SortedKeys(effects) {
		if effects[name] > effects[best] {
			best = name
		}
	}
	return best
}

// ExtraOf is how many acts come on top in the turn, and the rule that gives them: those
// of the effect picked, and nothing once that is over; without a choice those of the best.
//
// celesia.turn.extra-acts-no-stack
func ExtraOf(s *eventv1.State, c *eventv1.Creature) (acts int32, rule string) {
	effects := extraActs(s, c)
	name := c.Marks[body.MExtra]
	if name == "" {
		name = mostOf(effects)
	}
	return effects[name], extraRule(c, name)
}

// extraRule is the rule behind an effect that gives more acts.
//
// celesia.turn.haste, celesia.initiative.natural-20, celesia.turn.extra-acts-no-stack
func extraRule(c *eventv1.Creature, name string) string {
	switch name {
	case body.CondHasted:
		return cite.TurnHaste
	case body.FirstTurn:
		return cite.InitiativeNatural20
	}
	return cmp.Or(body.Condition(c, name).GetRule(), cite.TurnExtraActsNoStack)
}

// PickExtra asks, of several effects that give extra acts, which one does so in
// the turn that begins. In the surprise round none does.
//
// celesia.turn.extra-acts-no-stack, celesia.surprise.acts
func PickExtra(r *rules.Resolution, id string) {
	c := r.Creature(id)
	effects := extraActs(r.State(), c)
	if len(effects) < 2 || r.State().Round == 0 {
		return
	}
	d := &eventv1.Decision{Name: body.DecExtra, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: "the turn begins",
		Question: "Which effect gives " + c.Name + " its extra acts this turn?", DefaultOption: body.MostActs, Rule: cite.TurnExtraActsNoStack,
		Options: []*eventv1.DecisionOption{{Id: body.MostActs, Text: "Whichever gives most"}}}
	for _, name := range rules.SortedKeys(effects) {
		if name != body.MostActs {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: name, Text: name + ": " + body.Itoa(effects[name]) + " more", Rule: d.Rule})
		}
	}
	picked := r.Ask("extra-acts/"+id, d).Option
	if picked == body.MostActs {
		picked = mostOf(effects)
	}
	r.Mark(id, body.MExtra, picked, cite.TurnExtraActsNoStack)
}

// LessActs is what effects take from a creature's acts, and the rule that takes them;
// it all counts. Of several the rule is that of the lasting one: being disabled, then
// the initiative, then whatever else.
//
// celesia.turn.extra-acts-no-stack, celesia.initiative.natural-1, celesia.injury.disabled-one-less-act
func LessActs(s *eventv1.State, c *eventv1.Creature) (acts int32, rule string) {
	less := int32(c.Counters[body.CHouseLess])
	rule = cite.TurnExtraActsNoStack
	for _, x := range c.Conditions {
		if n := min(0, x.Values["acts"]); n < 0 {
			less, rule = less-n, cmp.Or(x.Rule, rule)
		}
	}
	if first := min(0, int32(c.Counters[body.CFirst])); first < 0 && s.Round > 0 {
		less, rule = less-first, cite.InitiativeNatural1
	}
	if body.Disabled(c) {
		less, rule = less+1, cite.InjuryDisabledOneLessAct
	}
	return less, rule
}
