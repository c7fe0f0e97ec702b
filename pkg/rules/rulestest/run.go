package rulestest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Resume runs the action under way from its start, with what is recorded and
// new faces, and checks what must hold after every run.
func (f *Table) Resume(faces []int) error {
	f.T.Helper()
	f.Faces, f.drawn = faces, 0
	out, err := f.run(f.Published, f)
	if !proto.Equal(f.start, f.Before) {
		f.T.Fatalf("%v wrote to the state before it", f.Command)
	}
	if why, refused := fault.As(err); refused && f.Settled && f.fell() {
		f.T.Fatalf("%v: refused after a die had fallen: %v", f.Command, why)
	}
	f.note(out, err)
	if err != nil {
		return err
	}
	if len(f.Faces) > 0 {
		f.T.Fatalf("%d faces left over: %v", len(f.Faces), f.Faces)
	}
	f.Recorded = append(f.Recorded, out.Inputs...)
	f.Published, f.Events, f.Decisions = out.Events, out.Fresh, out.Open
	f.State, f.Result = out.State, out.Result
	f.checkFold(out)
	f.checkAgain(out)
	if len(out.Open) == 0 {
		f.Log = append(f.Log, out.Events...)
	}
	return nil
}

// fell tells whether a die of the action has fallen: in the run under way, or
// in one before that went as far as a question.
func (f *Table) fell() bool {
	return f.drawn > 0 || slices.ContainsFunc(f.Recorded, func(in *eventv1.Input) bool { return in.GetDraw() != nil || in.GetHarm() != nil })
}

func (f *Table) run(published []*eventv1.Event, p rules.Provider) (*rules.Outcome, error) {
	return rules.Run(context.Background(), f.System, rules.Request{State: f.Before, Action: f.Action,
		Recorded: f.Recorded, Published: published, Early: f.Command.GetAnswers(), Content: f.Content, Mode: f.Mode}, p, f.resolve)
}

// checkFold holds that the events, encoded and decoded, are the same, and that
// folding them over the state before the action gives the state after it.
func (f *Table) checkFold(out *rules.Outcome) {
	f.T.Helper()
	folded := event.Clone(f.Before)
	for i, e := range out.Events {
		data, err := proto.Marshal(e)
		read := &eventv1.Event{}
		if err == nil {
			err = proto.Unmarshal(data, read)
		}
		if err != nil || !proto.Equal(e, read) {
			f.T.Fatalf("event %d does not survive its encoding (%v): %v became %v", i, err, e, read)
		}
		event.Fold(folded, read)
	}
	if !proto.Equal(folded, out.State) {
		differences, _ := event.Difference(out.State, folded)
		f.T.Fatalf("%v: folding the events does not give the state: %v", f.Command, differences)
	}
}

// checkAgain holds that the action run again from its record alone gives the
// same events, state and open decisions, and asks for nothing new.
func (f *Table) checkAgain(out *rules.Outcome) {
	f.T.Helper()
	again, err := f.run(out.Events, recordOnly{f})
	if err != nil {
		f.T.Fatalf("%v again: %v", f.Command, err)
	}
	for _, in := range again.Inputs {
		// A deed that waits for an answer is done anew each time.
		if in.GetHarm() == nil || len(again.Open) == 0 {
			f.T.Fatalf("%v again took a new input: %v", f.Command, in)
		}
	}
	if len(again.Fresh) > 0 {
		f.T.Fatalf("%v again gave further events: %v", f.Command, again.Fresh)
	}
	if !proto.Equal(again.State, out.State) {
		f.T.Fatalf("%v again gave another state", f.Command)
	}
	same := len(again.Open) == len(out.Open)
	for i := range out.Open {
		same = same && proto.Equal(again.Open[i], out.Open[i])
	}
	if !same {
		f.T.Fatalf("%v again asked %v, not %v", f.Command, again.Open, out.Open)
	}
}

// face takes the next face for a die.
func (f *Table) face(sides int) (int, error) {
	if f.Roller != nil {
		return f.Roller(sides), nil
	}
	if len(f.Faces) == 0 {
		return 0, dice.ErrFacesExhausted
	}
	n := f.Faces[0]
	if n < 1 || n > sides {
		return 0, fmt.Errorf("face %d of a d%d", n, sides)
	}
	f.Faces = f.Faces[1:]
	return n, nil
}

// source draws a roll's faces from the table and notes them.
type source struct {
	from  *Table
	drawn []int32
}

// Face is the next face.
func (s *source) Face(sides int) (int, error) {
	n, err := s.from.face(sides)
	if err == nil {
		s.drawn = append(s.drawn, int32(n))
		s.from.drawn++
	}
	return n, err
}

// Draw takes the faces of a roll from the table's.
func (f *Table) Draw(_ context.Context, d rules.DrawRequest) (*eventv1.Draw, error) {
	expr, err := dice.Parse(d.Expression)
	if err != nil {
		return nil, err
	}
	src := &source{from: f}
	if _, err := expr.Eval(src, dice.Limits{}); err != nil {
		if errors.Is(err, dice.ErrFacesExhausted) {
			return nil, fmt.Errorf("no face left for %s: %s", d.Label, d.Expression)
		}
		return nil, err
	}
	return &eventv1.Draw{Branch: d.Branch, Expression: d.Expression, Faces: src.drawn}, nil
}

// Deed has the deed done in a run of its own, as the injury service would.
func (f *Table) Deed(ctx context.Context, d rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	return rules.RunDeed(ctx, f.System, f.Action, d, f)
}

// Open commits to nothing: the table's dice have no keys.
func (f *Table) Open(_ context.Context, branches []string, _ []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error) {
	d := &eventv1.DiceEpochOpened{Epoch: 1}
	for _, branch := range branches {
		d.Commitments = append(d.Commitments, &eventv1.Commitment{Branch: branch})
	}
	return d, nil
}

// recordOnly provides nothing beyond the record. A deed that waits for an
// answer is carried out, from its record as well.
type recordOnly struct{ f *Table }

var errNotRecorded = errors.New("rulestest: asked for what is not in the record")

// Draw refuses: every face was recorded.
func (recordOnly) Draw(_ context.Context, d rules.DrawRequest) (*eventv1.Draw, error) {
	return nil, fmt.Errorf("%w: faces of %s: %s", errNotRecorded, d.Label, d.Expression)
}

// Deed carries out a deed from the record.
func (p recordOnly) Deed(ctx context.Context, d rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	return rules.RunDeed(ctx, p.f.System, p.f.Action, d, p)
}

// Open refuses: the epoch was recorded.
func (recordOnly) Open(context.Context, []string, []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error) {
	return nil, fmt.Errorf("%w: a dice epoch", errNotRecorded)
}
