package engine

import (
	"errors"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// flatten lists faces, answers and commitments that an action took, those taken
// inside harm included. Outcomes of harm are left out: harm is decided again.
func flatten(inputs []*eventv1.Input) []*eventv1.Input { return rules.Flatten(inputs) }

// fixes tells whether faces are meant for a recorded roll.
func fixes(x *eventv1.FixedRoll, in *eventv1.Input) bool {
	d := in.GetDraw()
	return d != nil && x.Label == in.Label && x.Index == in.Index && (x.Branch == "" || x.Branch == d.Branch)
}

// asks tells whether a question asks for the faces that are meant for a roll: it is the
// next of its label on its branch, and who is asked says which branch that is.
func asks(before []*eventv1.Event, q *eventv1.Decision, x *eventv1.FixedRoll) bool {
	onBranch := func(branch string) bool { return (branch == event.Branch(event.GM())) == q.GmOnly }
	if byWord(x) || x.Label != q.Label || x.Branch != "" && !onBranch(x.Branch) {
		return false
	}
	made := uint32(0)
	for _, ev := range before {
		if r := ev.GetRoll(); r != nil && r.Label == q.Label && onBranch(r.Branch) {
			made++
		}
	}
	return x.Index == made
}

// byWord tells whether the game master gives a result and not faces.
func byWord(x *eventv1.FixedRoll) bool { return x.Total != nil || x.Outcome != "" }

// checkFixed holds that one thing is said of a roll.
func checkFixed(x *eventv1.FixedRoll) error {
	given := 0
	for _, is := range []bool{len(x.Faces) > 0, x.Total != nil, x.Outcome != ""} {
		if is {
			given++
		}
	}
	if given > 1 {
		return errors.New("give faces, a total or an outcome of a roll")
	}
	return text.Line(x.Outcome, limits.LineBytes)
}

// given tells whether a draw is already what the game master says of it.
func given(d *eventv1.Draw, x *eventv1.FixedRoll) bool {
	if byWord(x) {
		return d.GetRuledOutcome() == x.Outcome && (d.RuledTotal == nil) == (x.Total == nil) && d.GetRuledTotal() == x.GetTotal()
	}
	return slices.Equal(d.Faces, x.Faces) && d.Supplied > 0
}

// fixedInput is a recorded roll with the faces or the result that the game master
// gives it.
func fixedInput(in *eventv1.Input, x *eventv1.FixedRoll) *eventv1.Input {
	d := proto.Clone(in.GetDraw()).(*eventv1.Draw)
	d.RuledTotal, d.RuledOutcome = x.Total, x.Outcome
	if byWord(x) {
		return &eventv1.Input{Label: in.Label, Index: in.Index, What: &eventv1.Input_Draw{Draw: d}}
	}
	d.Faces, d.Supplied, d.Fixed = x.Faces, uint32(len(x.Faces)), true //nolint:gosec // bounded by the size of a command
	return &eventv1.Input{Label: in.Label, Index: in.Index, What: &eventv1.Input_Draw{Draw: d}}
}

// replace puts the amendment's answers and faces in the place of those recorded;
// supplied tells that faces rolled by people come with it. Faces that do not fit
// the dice of the record wait for the roll to be made with other dice.
func replace(recorded []*eventv1.Input, am *eventv1.AmendCommand, supplied bool) []*eventv1.Input {
	recorded = slices.Clone(recorded)
	var out []*eventv1.Input
	for i, in := range recorded {
		a, d := in.GetAnswer(), in.GetDraw()
		switch {
		case a != nil && slices.ContainsFunc(am.Answers, func(e *eventv1.EarlyAnswer) bool {
			return e.Decision == a.Name && (e.Creature == "" || e.Creature == a.Creature)
		}):
			continue
		case supplied && (d.GetSupplied() > 0 || len(a.GetAnswer().GetFaces()) > 0):
			continue // new faces come with the command
		case a != nil && len(a.Answer.GetFaces()) > 0:
			// Faces that were asked for: what is fixed is fixed in the answer as well.
			of := slices.IndexFunc(recorded[i:], func(later *eventv1.Input) bool { return later.GetDraw() != nil && later.Label == in.Label })
			at := slices.IndexFunc(am.Rolls, func(x *eventv1.FixedRoll) bool {
				return of >= 0 && !byWord(x) && fixes(x, recorded[i+of]) && slices.Equal(recorded[i+of].GetDraw().Faces, a.Answer.Faces)
			})
			if at >= 0 {
				b := proto.Clone(in).(*eventv1.Input)
				b.GetAnswer().Answer = &eventv1.Answer{Faces: am.Rolls[at].Faces}
				in = b
			}
		case d != nil:
			at := slices.IndexFunc(am.Rolls, func(x *eventv1.FixedRoll) bool { return fixes(x, in) })
			if at >= 0 && !byWord(am.Rolls[at]) && rules.FacesFit(d.Expression, am.Rolls[at].Faces) != nil {
				continue
			}
			if at >= 0 {
				in = fixedInput(in, am.Rolls[at])
			}
		}
		out = append(out, in)
	}
	return out
}
