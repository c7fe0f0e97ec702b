package rules

import (
	"context"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Answerer is a Provider that also answers what is asked: a foresight, which goes on with
// the defaults, or whoever plays all sides, such as a machine that plays a fight to its end. A run that need not wait for an answer
// need not be made again from its start; its events are those of one that waited. Where
// the rules refuse what follows an answer, the action ends as it does in any run that has
// drawn a die: with a note.
type Answerer interface {
	Provider
	// Answer returns the answer to the first of the decisions that are open together, and who
	// gives it, as in [Answered]. Nil, and an answer that does not fit, leave all of them open.
	// Faces of dice are not asked for here: they are drawn, or the run waits for them.
	Answer(ctx context.Context, open []*eventv1.Decision) (a *eventv1.Answer, by string)
}

// answeredNow has the first of the open decisions answered by the provider, as a record
// would have it; nil when it does not answer.
func (r *Resolution) answeredNow(open []*eventv1.Decision) *eventv1.Input {
	who, ok := r.provider.(Answerer)
	if !ok {
		return nil
	}
	a, by := who.Answer(r.ctx, open)
	if a == nil || CheckAnswer(open[0], a) != nil {
		return nil
	}
	in := Answered(open[0], a, by)
	r.record(in)
	return in
}
