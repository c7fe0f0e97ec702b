package engine

import (
	"cmp"
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// takes are the actions that a command takes; none of another command.
func takes(cmd *eventv1.Command) []*eventv1.TakeAction {
	if t := cmd.GetTake(); t != nil {
		return []*eventv1.TakeAction{t}
	}
	return cmd.GetTogether().GetActions()
}

// InOrder sorts open decisions as they are said to wait: those asked first, of one
// command by the creature's id and then their own.
func InOrder(open []*eventv1.Decision, asked map[string]int64) {
	slices.SortStableFunc(open, func(a, b *eventv1.Decision) int {
		return cmp.Or(cmp.Compare(asked[a.Id], asked[b.Id]), cmp.Compare(a.Creature, b.Creature), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Id, b.Id))
	})
}

// answersGiven are the inputs that an answering command makes: the answer to the
// decision that it names, and those that it gives to others that are open and the
// caller's to answer, by name or alike.
func answersGiven(state, seen *eventv1.State, asked map[string]int64, req Request) []*eventv1.Input {
	a := req.Command.GetAnswer()
	first := state.Decisions[a.Decision]
	out := []*eventv1.Input{rules.Answered(first, a.Answer, answeredBy(state, req.As, first, a))}
	var open []*eventv1.Decision
	for _, id := range rules.SortedKeys(state.Decisions) {
		if d := state.Decisions[id]; d.Id != first.Id && seen.Decisions[id] != nil && rules.MayAnswer(state, req.As, d) {
			open = append(open, d)
		}
	}
	InOrder(open, asked)
	for _, d := range open {
		shown := seen.Decisions[d.Id] // what the caller is shown of it
		if given := toOther(shown, a, first.Name, req.Command.Answers); given != nil {
			out = append(out, rules.Answered(d, given, answeredBy(state, req.As, d, a)))
		}
	}
	return out
}

// toOther is the answer that a command gives to a decision beside the one it names; nil
// when it gives none that is allowed.
func toOther(d *eventv1.Decision, a *eventv1.AnswerDecision, name string, early []*eventv1.EarlyAnswer) *eventv1.Answer {
	for _, e := range early {
		if e.Decision == d.Name && (e.Creature == "" || e.Creature == d.Creature) && rules.CheckAnswer(d, e.Answer) == nil {
			return e.Answer
		}
	}
	if a.Alike && d.Name == name && rules.CheckAnswer(d, a.Answer) == nil {
		return a.Answer
	}
	return nil
}
