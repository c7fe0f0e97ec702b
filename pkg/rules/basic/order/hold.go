package order

import (
	"slices"
	"strconv"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Ways to hold: until one steps in on somebody's number, to a number of one's own,
// or until one steps in or says so when the count passes a number that nobody has.
const (
	HoldOpen   = ""
	HoldNumber = "number"
	HoldAsked  = "asked"
)

// holders are the declarations that leave room to wait.
//
// basic.action.hold, basic.action.set-weapon
var holders = []string{body.KindAttack, body.KindMelee, body.KindRanged, body.KindCast, body.KindHold, body.KindGrapple, body.KindSet}

// HoldActions put off the action of the round and take it up again.
func HoldActions() []*play.Action {
	return []*play.Action{
		{ID: "hold", Title: "Act later in the count", Rule: cite.ActionHold, Group: play.GroupWait, Traits: body.During(holders...), Costs: body.OneAction,
			Items: func(*play.At) []string { return holdWays }, Refuse: refuseHold, Fields: holdFields, Do: doHold},
		{ID: "hold-for", Title: "Act together with another", Rule: cite.ActionHoldForCreature, Group: play.GroupWait, Traits: body.During(holders...), Costs: body.OneAction,
			RefuseTarget: refuseWaiting, Least: 1, Most: 1, Self: true, Do: doHoldFor},
		{ID: "delay-spell", Title: "Cast just before another caster", Rule: cite.SpellDisruptByDelay, Group: play.GroupWait, Traits: body.During(body.KindCast, body.KindHold), Costs: body.OneAction,
			Refuse: refuseDelay, RefuseTarget: refuseBefore, Least: 1, Most: 1, Self: true, Do: doDelaySpell},
		{ID: "step-in", Title: "Use the held action now", Rule: cite.ActionHold, Group: play.GroupWait, Anytime: true, Refuse: refuseStepIn, Do: doStepIn},
	}
}

var holdWays = []string{HoldOpen, HoldNumber, HoldAsked}

// holdNumbers are the numbers an action can be put off to: from just below the
// present one down to just below the last that anybody has.
func holdNumbers(s *eventv1.State) (lowest, highest int64) {
	highest = s.Counters[body.CCount] - 1
	lowest = highest
	for _, id := range notHolding(s) {
		lowest = min(lowest, int64(PlaceOf(s, s.Creatures[id]).Total)-1)
	}
	return lowest, highest
}

// holdFields: who waits to step in names no number.
func holdFields(at *play.At) []play.Field {
	if at.Item() != HoldNumber {
		return nil
	}
	f := play.Field{Name: "number"}
	for low, n := holdNumbers(at.State); n >= low; n-- {
		f.Numbers = append(f.Numbers, int32(n))
	}
	return []play.Field{f}
}

// refuseHold: whoever is left at the end of the count acts or passes.
//
// basic.action.hold, basic.turn.round-ends
func refuseHold(at *play.At) error {
	s, c := at.State, at.Actor
	if rules.BegunOf(c, body.BWaiting).GetTrigger() == body.TrigLast || !slices.ContainsFunc(body.Living(s), func(id string) bool { return id != c.Id && Waiting(s, s.Creatures[id]) }) {
		return body.Refuse("LAST", cite.TurnRoundEnds, "everybody else is done: act or let it go")
	}
	if n, said := at.Number("number"); said && at.Item() == HoldNumber {
		if low, high := holdNumbers(s); int64(n) < low || int64(n) > high {
			return body.Refuse("NOT_LATER", cite.ActionHold, "%d is not from %d down to %d, the numbers still to come", n, high, low)
		}
	}
	return nil
}

// doHold puts the action off: to a number, or until the holder steps in.
//
// basic.action.hold
func doHold(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	if take.Item == HoldNumber {
		n, said := at.Number("number")
		if !said {
			_, high := holdNumbers(r.State())
			n = int32(high)
		}
		putOff(r, c.Id, "hold", body.Itoa(n), n, 0, cite.ActionHold)
		return nil
	}
	how := body.TrigStep
	if take.Item == HoldAsked {
		how = body.TrigAsked
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "hold", Item: take.Item}, cite.ActionHold)
	Wait(r, c.Id, how)
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{c.Id}})
	return nil
}

func putOff(r *rules.Resolution, id, how, item string, number, order int32, rule string) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: how, Item: item}, rule)
	delay(r, id, number, rule)
	PutOn(r, id, number, order, rule)
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
}

// HoldsOpen tells whether a creature holds without naming a number or anyone.
func HoldsOpen(c *eventv1.Creature) bool {
	b := rules.BegunOf(c, body.BWaiting)
	return b != nil && b.Trigger != body.TrigLast
}

// Wait notes that a creature holds its action, and what it waits for.
//
// basic.action.hold
func Wait(r *rules.Resolution, id, trigger string) {
	r.Begin(id, &eventv1.Begun{Kind: body.BWaiting, Trigger: trigger, Round: r.State().Round, Rule: cite.ActionHold}, cite.ActionHold)
}

// delay notes that a creature puts its turn off to a number.
func delay(r *rules.Resolution, id string, number int32, rule string) {
	r.Begin(id, &eventv1.Begun{Kind: body.BDelayed, Round: r.State().Round, Values: map[string]int32{"number": number}, Rule: rule}, rule)
}

// notHolding lists those who have still to come in this round on a number of their own.
func notHolding(s *eventv1.State) []string {
	return slices.DeleteFunc(body.Living(s), func(id string) bool { return !Waiting(s, s.Creatures[id]) || HoldsOpen(s.Creatures[id]) })
}

// AskBetween asks those who hold and want to be asked whether they act on one of the
// numbers between the last and the next that anybody has. When nobody is left all who
// hold act in the end.
//
// basic.action.hold
func AskBetween(r *rules.Resolution) {
	const rule = cite.ActionHold
	s := r.State()
	high := s.Counters[body.CCount] - 1
	low := high + 1
	for i, id := range notHolding(s) {
		if n := int64(PlaceOf(s, s.Creatures[id]).Total) + 1; i == 0 || n > low {
			low = n
		}
	}
	if low > high {
		return
	}
	asked, labels := map[string]*eventv1.Decision{}, []string{}
	for _, id := range body.Living(s) {
		c := s.Creatures[id]
		if !Waiting(s, c) || rules.BegunOf(c, body.BWaiting).GetTrigger() != body.TrigAsked {
			continue
		}
		d := &eventv1.Decision{Name: body.DecBetween, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Rule: rule,
			Cause: "the count goes down", Question: "Act now, on a number that nobody has?", DefaultOption: body.DecideNo}
		for n := high; n >= low; n-- {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: body.Itoa(n), Text: "On " + body.Itoa(n), Rule: rule})
		}
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: body.DecideNo, Text: "No"})
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
		r.EndBegun(id, body.BWaiting, "acts between the numbers", rule)
		delay(r, id, int32(n), rule)
		PutOn(r, id, int32(n), 0, rule)
	}
}

// refuseWaiting: one waits for somebody who acts later.
//
// basic.action.hold-for-creature
func refuseWaiting(at *play.At, t *eventv1.Creature) error {
	s, c := at.State, at.Actor
	if t.Id == c.Id || !Waiting(s, t) || HoldsOpen(t) || int64(PlaceOf(s, t).Total) >= s.Counters[body.CCount] {
		return body.Refuse("NOT_LATER", cite.ActionHoldForCreature, "%s does not act later on a number of its own", t.Name)
	}
	return nil
}

func doHoldFor(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	p := PlaceOf(r.State(), r.Creature(take.Targets[0]))
	putOff(r, c.Id, "hold-for", take.Targets[0], p.Total, p.Tiebreak, cite.ActionHoldForCreature)
	return nil
}

// refuseDelay: one that holds and casts nothing has nothing to delay.
func refuseDelay(at *play.At) error {
	s, c := at.State, at.Actor
	return RefuseAnySpell(s, c)
}

// refuseBefore: the other must be a slower caster. Who acts on the same number
// is not slower.
//
// basic.spell.disrupt-by-delay
func refuseBefore(at *play.At, t *eventv1.Creature) error {
	if err := refuseWaiting(at, t); err != nil {
		return body.Refuse("NOT_SLOWER", cite.SpellDisruptByDelay, "%s does not act later", t.Name)
	}
	if !slices.Contains([]string{body.KindCast, body.KindHold}, DeclaredBy(t)) {
		return body.Refuse("NO_CASTER", cite.SpellDisruptByDelay, "%s casts no spell this round", t.Name)
	}
	return nil
}

func doDelaySpell(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	p := PlaceOf(r.State(), r.Creature(take.Targets[0]))
	putOff(r, c.Id, "delay-spell", take.Targets[0], p.Total, p.Tiebreak+1, cite.SpellDisruptByDelay)
	return nil
}

func refuseStepIn(at *play.At) error {
	s, c := at.State, at.Actor
	if !HoldsOpen(c) || !Waiting(s, c) {
		return body.Refuse("NOT_HOLDING", cite.ActionHold, "%s holds no action", c.Name)
	}
	return nil
}

// doStepIn lets a holder act on the present number, together with those who
// have it.
func doStepIn(r *rules.Resolution, at *play.At) error {
	c := at.Actor
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "step-in"}, cite.ActionHold)
	r.EndBegun(c.Id, body.BWaiting, "steps in", cite.ActionHold)
	PutOn(r, c.Id, int32(r.Count("", body.CCount)), int32(r.Count("", body.CTie)), cite.ActionHold)
	r.Set("", body.CTogether, 1, "", cite.InitiativeTiesSimultaneous)
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: append(slices.Clone(r.State().Active), c.Id)}, cite.ActionHold)
	return nil
}
