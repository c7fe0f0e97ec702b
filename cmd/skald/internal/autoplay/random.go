package autoplay

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Random makes choices at random among what is listed: for tests that want
// everything to happen, not a fight that makes sense.
type Random struct{ *rand.Rand }

// Walks tells whether an option takes a way through space, which an option
// cannot list.
func Walks(o *eventv1.Option) bool { return walks(o) }

// Fillable tells whether every required parameter of an option, or of one of its
// choices, has values to choose from or ends to choose between.
func Fillable(o *eventv1.Option) bool {
	if len(o.Choices) > 0 {
		return len(fillable(o)) > 0
	}
	return !slices.ContainsFunc(o.Parameters, func(x *eventv1.Parameter) bool { return x.Required && len(x.Values) == 0 && !ranged(x) })
}

// fillable is an option as each of those of its choices has it that can be filled in.
func fillable(o *eventv1.Option) []*eventv1.Option {
	return slices.DeleteFunc(Flat([]*eventv1.Option{o}), func(in *eventv1.Option) bool { return !Fillable(in) })
}

// Inside is an option as one of its choices has it, of those that can be filled
// in where there are any; an option without choices is itself.
func (r Random) Inside(o *eventv1.Option) *eventv1.Option {
	if len(o.Choices) == 0 {
		return o
	}
	in := fillable(o)
	if len(in) == 0 {
		in = Flat([]*eventv1.Option{o})
	}
	return in[r.IntN(len(in))]
}

// Command makes a command of an option, choosing what is inside, targets and
// parameters; at is asked where the creature is when the option takes a way, and
// may answer nil. Whoever wants to know what was chosen inside calls Inside
// first.
func (r Random) Command(o *eventv1.Option, at func() *eventv1.Position) *eventv1.Command {
	if o.Action == "end-turn" {
		return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: o.Creature}}}
	}
	o = r.Inside(o)
	take := &eventv1.TakeAction{Creature: o.Creature, Action: o.Action, Item: o.Item}
	targets := slices.Clone(o.Targets)
	r.Shuffle(len(targets), func(i, j int) { targets[i], targets[j] = targets[j], targets[i] })
	want := int(o.MinimumTargets)
	if most := min(int(o.MaximumTargets), len(targets)); most > want {
		want += r.IntN(most - want + 1)
	}
	take.Targets = targets[:min(want, len(targets))]
	fields := map[string]*structpb.Value{}
	for _, x := range o.Parameters {
		switch {
		case len(x.Values) > 0 && (x.Required || r.IntN(2) == 0):
			fields[x.Name] = x.Values[r.IntN(len(x.Values))]
		case len(x.Values) == 0 && x.Required && ranged(x):
			fields[x.Name] = structpb.NewNumberValue(float64(int64(x.Minimum) + r.Int64N(int64(x.Maximum)-int64(x.Minimum)+1)))
		}
	}
	if walks(o) {
		r.step(take, at(), fields)
	}
	if len(fields) > 0 {
		take.Parameters = &structpb.Struct{Fields: fields}
	}
	return &eventv1.Command{What: &eventv1.Command_Take{Take: take}}
}

// step gives a step in a random direction, or feet without a map.
func (r Random) step(take *eventv1.TakeAction, at *eventv1.Position, fields map[string]*structpb.Value) {
	if at == nil {
		fields["feet"] = structpb.NewNumberValue(5)
		return
	}
	take.Path = []*eventv1.Position{{X: at.X + int32(5*(r.IntN(3)-1)), Y: at.Y + int32(5*(r.IntN(3)-1)), Z: at.Z}}
}

// Answer answers a decision. The error says that it cannot be answered.
func (r Random) Answer(d *eventv1.Decision) (*eventv1.Answer, error) {
	switch {
	case d.Kind == eventv1.DecisionKind_DECISION_KIND_NUMBER:
		return &eventv1.Answer{Number: d.Minimum + r.Int32N(d.Maximum-d.Minimum+1)}, nil
	case d.Kind == eventv1.DecisionKind_DECISION_KIND_DICE:
		faces, err := r.Faces(d.Expression)
		return &eventv1.Answer{Faces: faces}, err
	case len(d.Options) == 0:
		return nil, fmt.Errorf("autoplay: a decision that cannot be answered: %v", d)
	}
	return &eventv1.Answer{Option: d.Options[r.IntN(len(d.Options))].Id}, nil
}

// Faces rolls an expression by hand.
func (r Random) Faces(expression string) ([]int32, error) {
	expr, err := dice.Parse(expression)
	if err != nil {
		return nil, fmt.Errorf("autoplay: %w", err)
	}
	res, err := expr.Eval(hand(r), dice.Limits{})
	if err != nil {
		return nil, fmt.Errorf("autoplay: %w", err)
	}
	var out []int32
	for _, f := range res.Faces {
		out = append(out, int32(f.Face))
	}
	return out, nil
}

// hand is a source of faces.
type hand Random

// Face is a face of a die.
func (h hand) Face(sides int) (int, error) { return 1 + h.IntN(sides), nil }
