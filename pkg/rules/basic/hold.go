package basic

import (
	"slices"
	"strconv"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Ways to hold: until one steps in on somebody's number, to a number of one's own,
// or until one steps in or says so when the count passes a number that nobody has.
const (
	holdOpen   = ""
	holdNumber = "number"
	holdAsked  = "asked"
)

// holders are the declarations that leave room to wait.
//
// basic.action.hold, basic.action.set-weapon
var holders = []string{kindAttack, kindMelee, kindRanged, kindCast, kindHold, kindGrapple, kindSet}

func holdActions() []*action {
	return []*action{
		{id: "hold", title: "Act later in the count", rule: cite.ActionHold, kinds: holders, costs: true,
			items: holdWays, refuse: refuseHold, parameters: holdParameters, do: doHold},
		{id: "hold-for", title: "Act together with another", rule: cite.ActionHoldForCreature, kinds: holders, costs: true,
			least: 1, most: 1, refuseTarget: refuseWaiting, do: doHoldFor},
		{id: "delay-spell", title: "Cast just before another caster", rule: cite.SpellDisruptByDelay, kinds: []string{kindCast, kindHold}, costs: true,
			least: 1, most: 1, refuse: refuseDelay, refuseTarget: refuseBefore, do: doDelaySpell},
		{id: "step-in", title: "Use the held action now", rule: cite.ActionHold, joining: true, refuse: refuseStepIn, do: doStepIn},
	}
}

func holdWays(*eventv1.State, *eventv1.Creature) []string {
	return []string{holdOpen, holdNumber, holdAsked}
}

// holdNumbers are the numbers an action can be put off to: from just below the
// present one down to just below the last that anybody has.
func holdNumbers(s *eventv1.State) (lowest, highest int64) {
	highest = s.Counters[cCount] - 1
	lowest = highest
	for _, id := range notHolding(s) {
		lowest = min(lowest, int64(placeOf(s, s.Creatures[id]).Total)-1)
	}
	return lowest, highest
}

// holdParameters: who waits to step in names no number.
func holdParameters(s *eventv1.State, _ *eventv1.Creature, item string) []*eventv1.Parameter {
	if item != holdNumber {
		return nil
	}
	p := &eventv1.Parameter{Name: "number", Type: "number", Text: "The number to act on; just below the present one if not given"}
	for low, n := holdNumbers(s); n >= low; n-- {
		if v, err := structpb.NewValue(n); err == nil {
			p.Values = append(p.Values, v)
		}
	}
	return []*eventv1.Parameter{p}
}

// refuseHold: whoever is left at the end of the count acts or passes.
//
// basic.action.hold, basic.turn.round-ends
func refuseHold(s *eventv1.State, c *eventv1.Creature, _ string) error {
	if c.Marks[mHold] == "last" || !slices.ContainsFunc(living(s), func(id string) bool { return id != c.Id && waiting(s, s.Creatures[id]) }) {
		return refuse("LAST", cite.TurnRoundEnds, "everybody else is done: act or let it go")
	}
	return nil
}

// doHold puts the action off: to a number, or until the holder steps in.
//
// basic.action.hold
func doHold(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if take.Item == holdNumber {
		low, high := holdNumbers(r.State())
		n, ok := spoken.Number(take.Parameters, "number")
		if !ok {
			n = int32(high)
		}
		if int64(n) < low || int64(n) > high {
			return refuse("NOT_LATER", cite.ActionHold, "%d is not from %d down to %d, the numbers still to come", n, high, low)
		}
		putOff(r, c.Id, "hold", itoa(n), n, 0, cite.ActionHold)
		return nil
	}
	how := "open"
	if take.Item == holdAsked {
		how = holdAsked
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "hold", Item: take.Item}, cite.ActionHold)
	r.Mark(c.Id, mHold, how, cite.ActionHold)
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{c.Id}})
	return nil
}

func putOff(r *rules.Resolution, id, how, item string, number, order int32, rule string) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: how, Item: item}, rule)
	r.Mark(id, mPutOff, itoa(r.State().Round), rule)
	putOn(r, id, number, order, rule)
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
}

// holdsOpen tells whether a creature holds without naming a number or anyone.
func holdsOpen(c *eventv1.Creature) bool {
	return c.GetMarks()[mHold] == "open" || c.GetMarks()[mHold] == holdAsked
}

// notHolding lists those who have still to come in this round on a number of their own.
func notHolding(s *eventv1.State) []string {
	return slices.DeleteFunc(living(s), func(id string) bool { return !waiting(s, s.Creatures[id]) || holdsOpen(s.Creatures[id]) })
}

// askBetween asks those who hold and want to be asked whether they act on one of the
// numbers between the last and the next that anybody has. When nobody is left all who
// hold act in the end.
//
// basic.action.hold
func askBetween(r *rules.Resolution) {
	const rule = cite.ActionHold
	s := r.State()
	high := s.Counters[cCount] - 1
	low := high + 1
	for i, id := range notHolding(s) {
		if n := int64(placeOf(s, s.Creatures[id]).Total) + 1; i == 0 || n > low {
			low = n
		}
	}
	if low > high {
		return
	}
	asked, labels := map[string]*eventv1.Decision{}, []string{}
	for _, id := range living(s) {
		c := s.Creatures[id]
		if !waiting(s, c) || c.Marks[mHold] != holdAsked {
			continue
		}
		d := &eventv1.Decision{Name: decBetween, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Rule: rule,
			Cause: "the count goes down", Question: "Act now, on a number that nobody has?", DefaultOption: decideNo}
		for n := high; n >= low; n-- {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: itoa(n), Text: "On " + itoa(n), Rule: rule})
		}
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: decideNo, Text: "No"})
		label := "between/" + id
		asked[label], labels = d, append(labels, label)
	}
	if len(labels) == 0 {
		return
	}
	answers := r.AskAll(asked, labels)
	for _, label := range labels {
		n, err := strconv.ParseInt(answers[label].GetOption(), 10, 32)
		if err != nil {
			continue // not now
		}
		id := asked[label].Creature
		r.Mark(id, mHold, "", rule)
		r.Mark(id, mPutOff, itoa(s.Round), rule)
		putOn(r, id, int32(n), 0, rule)
	}
}

// refuseWaiting: one waits for somebody who acts later.
//
// basic.action.hold-for-creature
func refuseWaiting(s *eventv1.State, c *eventv1.Creature, _ string, t *eventv1.Creature, _ *structpb.Struct) error {
	if t.Id == c.Id || !waiting(s, t) || holdsOpen(t) || int64(placeOf(s, t).Total) >= s.Counters[cCount] {
		return refuse("NOT_LATER", cite.ActionHoldForCreature, "%s does not act later on a number of its own", t.Name)
	}
	return nil
}

func doHoldFor(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	p := placeOf(r.State(), r.Creature(take.Targets[0]))
	putOff(r, c.Id, "hold-for", take.Targets[0], p.Total, p.Tiebreak, cite.ActionHoldForCreature)
	return nil
}

// refuseDelay: one that holds and casts nothing has nothing to delay.
func refuseDelay(s *eventv1.State, c *eventv1.Creature, _ string) error { return refuseAnySpell(s, c) }

// refuseBefore: the other must be a slower caster. Who acts on the same number
// is not slower.
//
// basic.spell.disrupt-by-delay
func refuseBefore(s *eventv1.State, c *eventv1.Creature, item string, t *eventv1.Creature, facts *structpb.Struct) error {
	if err := refuseWaiting(s, c, item, t, facts); err != nil {
		return refuse("NOT_SLOWER", cite.SpellDisruptByDelay, "%s does not act later", t.Name)
	}
	if !slices.Contains([]string{kindCast, kindHold}, t.Marks[mDeclared]) {
		return refuse("NO_CASTER", cite.SpellDisruptByDelay, "%s casts no spell this round", t.Name)
	}
	return nil
}

func doDelaySpell(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	p := placeOf(r.State(), r.Creature(take.Targets[0]))
	putOff(r, c.Id, "delay-spell", take.Targets[0], p.Total, p.Tiebreak+1, cite.SpellDisruptByDelay)
	return nil
}

func refuseStepIn(s *eventv1.State, c *eventv1.Creature, _ string) error {
	switch {
	case !holdsOpen(c) || !waiting(s, c):
		return refuse("NOT_HOLDING", cite.ActionHold, "%s holds no action", c.Name)
	case len(s.Active) == 0 || slices.Contains(s.Active, c.Id):
		return refuse("NOT_NOW", cite.ActionHold, "the count does not stand at a number")
	}
	return nil
}

// doStepIn lets a holder act on the present number, together with those who
// have it.
func doStepIn(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "step-in"}, cite.ActionHold)
	r.Mark(c.Id, mHold, "")
	putOn(r, c.Id, int32(r.Count("", cCount)), int32(r.Count("", cTie)), cite.ActionHold)
	r.Set("", cTogether, 1, "", cite.InitiativeTiesSimultaneous)
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: append(slices.Clone(r.State().Active), c.Id)}, cite.ActionHold)
	return nil
}
