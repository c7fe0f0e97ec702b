package scenario

import (
	"context"
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// hands rolls on with the faces that a step's speaker gave and that were not the
// speaker's to give: a step lists the faces of everybody at the table in rolling
// order, so those of others are given by the game master, roll by roll. Faces
// that no roll takes fail the step (I3).
func (r *run) hands(ctx context.Context, st *Step, out outcome) outcome {
	left := setAside(out.events)
	for len(left) > 0 && out.err == nil {
		d := r.nextRoll(ctx)
		if d == nil || r.failed() {
			break
		}
		n := min(len(left), max(1, int(d.Faces)))
		given, rest := left[:n], left[n:]
		answer := &eventv1.Command{Faces: rest, What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{
			Decision: d.Id, Answer: &eventv1.Answer{Faces: given}}}}
		more := r.give(ctx, st, answer)
		if more.err != nil {
			r.fail("dice", "%v for %s (%s): %s", given, d.Label, d.Cause, errorWords(more.err))
			return out
		}
		out.events = append(out.events, more.events...)
		left = setAside(more.events)
	}
	if len(left) > 0 && out.err == nil {
		r.fail("dice", "dice are left over: %v", left)
	}
	return out
}

// setAside are the faces that a command gave and that no roll took.
func setAside(events []*eventv1.Event) []int32 {
	var out []int32
	for _, e := range events {
		out = append(out, e.GetNote().GetFacesSetAside()...)
	}
	return out
}

// nextRoll is the roll that waits for faces; nil when none does.
func (r *run) nextRoll(ctx context.Context) *eventv1.Decision {
	open, err := r.open(ctx, viewer("gm"))
	if err != nil {
		r.fail("call", "%v", err)
		return nil
	}
	at := slices.IndexFunc(open, func(d *eventv1.Decision) bool { return d.Kind == eventv1.DecisionKind_DECISION_KIND_DICE })
	if at < 0 {
		return nil
	}
	return open[at]
}

// give sends faces as the game master and returns what came of it, as the game
// master sees it.
func (r *run) give(ctx context.Context, st *Step, cmd *eventv1.Command) outcome {
	gm := viewer("gm")
	if r.tending[cmd.GetAnswer().GetDecision()] != nil {
		as := *st
		as.As = gm
		return r.tend(ctx, &as, cmd)
	}
	resp, err := r.execute(ctx, gm, cmd)
	return outcome{events: resp.GetStep().GetEvents(), err: err}
}
