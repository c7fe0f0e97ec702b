package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// reasonOther is the reason of refusals that say that the record holds no such thing.
const reasonOther = "NOT_ON_RECORD"

// tapes are the dice of one Commit as it recorded them: whatever the rules ask for
// must stand in the record at the very address, for the very expression.
type tapes struct {
	dicev1.TapeServiceClient
	// inputs are draws, those inside harm and amendments included.
	inputs []*eventv1.Input
	opened []*eventv1.DiceEpochOpened
	seeds  []*eventv1.DiceRevealed
	leaves []*eventv1.RollsOpened
	// setup are the epochs of the whole record that came with dice for setting up.
	setup map[uint32]bool
	// missed is the first thing that was asked for and is not on record.
	missed *Problem
}

// of takes the dice of a Commit.
func (t *tapes) of(c *event.Opened) {
	*t = tapes{setup: t.setup}
	t.take(c.Inputs.Inputs)
	for _, e := range c.Events {
		if d := e.GetDiceEpoch(); d != nil {
			t.opened = append(t.opened, d)
		}
		if d := e.GetDiceRevealed(); d != nil {
			t.seeds = append(t.seeds, d)
		}
		if o := e.GetRollsOpened(); len(o.GetLeaf()) > 0 {
			t.leaves = append(t.leaves, o)
		}
		for _, cmd := range e.GetAmended().GetCommands() {
			if again, err := replica.OpenRedecided(cmd, c.Header); err == nil {
				t.take(again.Inputs.Inputs)
			}
		}
	}
	t.settingUp()
}

func (t *tapes) take(inputs []*eventv1.Input) {
	for _, in := range inputs {
		switch {
		case in.GetHarm() != nil:
			t.take(in.GetHarm().Inputs)
		case in.GetDraw() != nil:
			t.inputs = append(t.inputs, in)
		case in.GetEpoch() != nil:
			t.opened = append([]*eventv1.DiceEpochOpened{in.GetEpoch()}, t.opened...)
		}
	}
}

// settingUp notes which epochs came with dice for setting up.
func (t *tapes) settingUp() {
	for _, d := range t.opened {
		if len(d.SettingUp) > 0 {
			t.setup[max(1, d.Epoch)] = true
		}
	}
}

// miss notes what is not on record, once, and refuses.
func (t *tapes) miss(field, recorded, decided, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if t.missed == nil {
		t.missed = &Problem{Part: "inputs", Field: field, Recorded: recorded, Decided: decided, Text: text}
	}
	return fault.New(fault.Internal, reasonOther, "%s", text)
}

// Draw is dicev1.TapeServiceClient.Draw.
func (t *tapes) Draw(_ context.Context, req *dicev1.DrawRequest, _ ...grpc.CallOption) (*dicev1.DrawResponse, error) {
	at := slices.IndexFunc(t.inputs, func(in *eventv1.Input) bool { return len(differs(req, in)) == 0 })
	if at < 0 {
		return nil, t.absent(req)
	}
	d := t.inputs[at].GetDraw()
	expr, err := dice.Parse(d.Expression)
	if err != nil {
		return nil, t.miss("draw.expression", d.Expression, "", "%s rolls what is no expression: %v", req.Label, err)
	}
	result, err := expr.Eval(dice.List(ints(d.Faces)...), dice.Limits{})
	if err != nil || len(result.Faces) != len(d.Faces) {
		return nil, t.miss("draw.faces", fmt.Sprint(d.Faces), "", "%s: %v are not the faces of %s", req.Label, d.Faces, expr)
	}
	n := min(len(req.Supplied), len(d.Faces))
	if !req.TapeAllowed && n < len(d.Faces) {
		if int(d.Supplied) == len(d.Faces) && n > 0 {
			return nil, t.miss("draw.faces", fmt.Sprint(d.Faces), fmt.Sprint(req.Supplied), "%s has faces that nobody gave", req.Label)
		}
		return nil, needFaces()
	}
	if !slices.Equal(req.Supplied[:n], d.Faces[:n]) {
		return nil, t.miss("draw.faces", fmt.Sprint(d.Faces), fmt.Sprint(req.Supplied[:n]), "%s has other faces than were given", req.Label)
	}
	return &dicev1.DrawResponse{Result: &dicev1.Result{Faces: d.Faces}, SuppliedUsed: uint32(n)}, nil //nolint:gosec // at most the faces of a roll
}

func needFaces() error { return fault.New(fault.Illegal, "NEED_FACES", "people roll") }

// absent says that a roll is not on record, or that people have to roll it.
func (t *tapes) absent(req *dicev1.DrawRequest) error {
	if !req.TapeAllowed {
		expr, err := dice.Parse(req.Expression)
		if err == nil {
			_, err = expr.Eval(dice.List(ints(req.Supplied)...), dice.Limits{})
		}
		if errors.Is(err, dice.ErrFacesExhausted) {
			return needFaces()
		}
	}
	asked := fmt.Sprintf("the rules roll %s as %s (index %d, branch %s, epoch %d, action %d)", req.Expression, req.Label, req.Index, req.Branch, req.Epoch, req.Action)
	var near []difference
	for _, in := range t.inputs {
		if d := differs(req, in); near == nil || len(d) < len(near) {
			near = d
		}
	}
	if len(near) == 0 || len(near) > 3 {
		return t.miss("draw", "", req.Label, "%s, which is not on record", asked)
	}
	return t.miss(near[0].field, near[0].recorded, near[0].decided, "%s; on record is another %s", asked, near[0].field)
}

type difference struct{ field, recorded, decided string }

// differs lists in what a recorded draw is another than the one asked for.
func differs(req *dicev1.DrawRequest, in *eventv1.Input) (out []difference) {
	d := in.GetDraw()
	add := func(field string, recorded, asked any) {
		if recorded != asked {
			out = append(out, difference{field, fmt.Sprint(recorded), fmt.Sprint(asked)})
		}
	}
	add("label", in.Label, req.Label)
	add("index", in.Index, req.Index)
	add("draw.branch", d.Branch, req.Branch)
	add("draw.expression", d.Expression, req.Expression)
	add("draw.epoch", max(1, d.Epoch), req.Epoch)
	add("draw.action", d.Action, req.Action)
	return out
}

// OpenEpoch is dicev1.TapeServiceClient.OpenEpoch.
func (t *tapes) OpenEpoch(_ context.Context, req *dicev1.OpenEpochRequest, _ ...grpc.CallOption) (*dicev1.OpenEpochResponse, error) {
	resp := &dicev1.OpenEpochResponse{}
	for _, branch := range req.Branches {
		c := t.commitment(req.Epoch, branch)
		if c == nil {
			return nil, t.miss("epoch.commitments", "", branch, "branch %s of epoch %d is opened, and the record does not commit to it", branch, req.Epoch)
		}
		resp.Commitments = append(resp.Commitments, c)
	}
	return resp, nil
}

func (t *tapes) commitment(epoch uint32, branch string) *eventv1.Commitment {
	for _, d := range t.opened {
		list := d.Commitments
		if first := max(1, d.Epoch); epoch == event.SettingUpEpoch(first) {
			list = d.SettingUp
		} else if epoch != first {
			continue
		}
		for _, c := range list {
			if c.Branch == branch {
				return c
			}
		}
	}
	return nil
}

// Reveal is dicev1.TapeServiceClient.Reveal: whether a seed or a leaf is what was
// committed to, the proof of the faces says.
func (t *tapes) Reveal(_ context.Context, req *dicev1.RevealRequest, _ ...grpc.CallOption) (*dicev1.RevealResponse, error) {
	if req.Action > 0 {
		return t.leaf(req)
	}
	for _, d := range t.seeds {
		switch {
		case d.Branch != req.Branch:
		case d.Epoch == req.Epoch:
			return &dicev1.RevealResponse{Seed: d.Seed}, nil
		case event.SettingUpEpoch(d.Epoch) == req.Epoch && d.SettingUpSeed != nil:
			return &dicev1.RevealResponse{Seed: d.SettingUpSeed}, nil
		case event.SettingUpEpoch(d.Epoch) == req.Epoch && !t.setup[d.Epoch]:
			return nil, fault.New(fault.NotFound, "EPOCH", "no dice for setting up")
		}
	}
	return nil, t.miss("events", "", "dice_revealed", "branch %s of epoch %d is to be revealed, and the record has no seed", req.Branch, req.Epoch)
}

func (t *tapes) leaf(req *dicev1.RevealRequest) (*dicev1.RevealResponse, error) {
	for _, o := range t.leaves {
		if o.Epoch == req.Epoch && o.Branch == req.Branch && o.Action == req.Action {
			return &dicev1.RevealResponse{Leaf: o.Leaf, Path: o.Path, SeedHash: o.SeedHash}, nil
		}
	}
	return nil, t.miss("events", "", "rolls_opened", "action %d on branch %s of epoch %d is to be opened, and the record has no leaf", req.Action, req.Branch, req.Epoch)
}

func ints(faces []int32) []int {
	out := make([]int, len(faces))
	for i, f := range faces {
		out[i] = int(f)
	}
	return out
}
