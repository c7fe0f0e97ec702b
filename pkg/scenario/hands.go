package scenario

import (
	"context"
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// hands does for a step what its speaker may not: a step says what everybody at
// the table gives to it. What the speaker claims of the world the game master
// grants, unless the step expects the question; faces that are not the speaker's
// to give the game master gives, roll by roll. Faces that no roll takes fail the
// step (I3).
func (r *run) hands(ctx context.Context, st *Step, out outcome) outcome {
	left := setAside(out.events)
	for out.err == nil && st.Kind != KindState && st.Kind != KindOptions {
		d := r.nextGiven(ctx, st, len(left) > 0)
		if d == nil || r.failed() {
			break
		}
		answer, rest := &eventv1.Answer{Option: "grant"}, left
		if d.Kind == eventv1.DecisionKind_DECISION_KIND_DICE {
			n := min(len(left), max(1, int(d.Faces)))
			answer, rest = &eventv1.Answer{Faces: left[:n]}, left[n:]
		}
		more := r.give(ctx, st, &eventv1.Command{Faces: rest, What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{
			Decision: d.Id, Answer: answer}}})
		if more.err != nil {
			r.fail("dice", "%s for %s (%s): %s", d.Name, d.Label, d.Cause, errorWords(more.err))
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

// nextGiven is the open decision that the game master settles by what the step
// says: a claim that the step does not expect to be asked about, or a roll while
// there are faces for it; nil when there is none.
func (r *run) nextGiven(ctx context.Context, st *Step, faces bool) *eventv1.Decision {
	if st.As.GetRole() != eventv1.Principal_ROLE_PLAYER && !faces {
		return nil
	}
	open, err := r.open(ctx, viewer("gm"))
	if err != nil {
		r.fail("call", "%v", err)
		return nil
	}
	for _, d := range open {
		switch {
		case d.Name == rules.DecisionClaim && d.GmOnly && !st.expectsClaim(),
			faces && d.Kind == eventv1.DecisionKind_DECISION_KIND_DICE:
			return d
		}
	}
	return nil
}

// expects tells whether the step is to leave a decision open: its speaker, or
// somebody else who looks, must find it.
func (st *Step) expects(d *eventv1.Decision) bool {
	return st.expectsDecision(func(p pattern) bool { return compare(p, tree(d.ProtoReflect())).differences == nil })
}

// expectsClaim tells whether the step is to leave the question open that the
// game master is asked about a claim. What else it says of the question is
// compared later, so that a difference is shown as one.
func (st *Step) expectsClaim() bool {
	return st.expectsDecision(func(p pattern) bool {
		if f, ok := p.(fields); ok {
			i := slices.Index(f.keys, "name")
			return i >= 0 && f.values[i].String() == rules.DecisionClaim
		}
		return p.String() == rules.DecisionClaim // a word: the element of that name
	})
}

func (st *Step) expectsDecision(fits func(pattern) bool) bool {
	all := []*Expect{st.Expect}
	for _, seen := range st.Seen {
		all = append(all, seen.Expect)
	}
	return slices.ContainsFunc(all, func(e *Expect) bool { return e != nil && slices.ContainsFunc(e.Decisions, fits) })
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
