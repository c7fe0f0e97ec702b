package recheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// reasonOther is the reason of refusals that say that the record holds no such thing.
const reasonOther = "NOT_ON_RECORD"

// reasonSpent is the dice service's reason for not drawing from dice that were opened.
const reasonSpent = "BRANCH_SPENT"

// Tapes are the dice of one Commit as it recorded them: whatever the rules ask for
// must stand in the record at the very address, for the very expression.
type Tapes struct {
	dicev1.TapeServiceClient
	// inputs are draws, those inside harm and amendments included.
	inputs []taped
	opened []epoch
	of     string // whose dice the Commit's events open
	seeds  []*eventv1.DiceRevealed
	leaves []*eventv1.RollsOpened
	// setup are the epochs of the whole record that came with dice for setting up.
	setup map[uint32]bool
	// spent are the dice of the whole record that were opened before the Commit.
	spent map[spent]bool
	// Missed is the first thing that was asked for and is not on record, and MissedOf
	// whose dice it was asked of.
	Missed   *Problem
	MissedOf string
}

// epoch is dice that the record opens.
type epoch struct {
	*eventv1.DiceEpochOpened
	of string // whose; empty where all are of one
}

// spent names dice that were opened: a branch, or an action on it.
type spent struct {
	of     string // whose; empty where all are of one
	epoch  uint32
	branch string
	action uint64 // 0 is the whole branch
}

// taped is a draw of the record.
type taped struct {
	*eventv1.Input
	of string // whose dice; empty where all are of one
}

// NewTapes are the dice of nothing yet.
func NewTapes() *Tapes { return &Tapes{setup: map[uint32]bool{}, spent: map[spent]bool{}} }

// Of takes the dice of a Commit: of its inputs, its events, and of inputs that stand
// elsewhere in it. of is the name under which they are kept; empty where all are of one.
func (t *Tapes) Of(of string, inputs []*eventv1.Input, events []*eventv1.Event, more ...[]*eventv1.Input) {
	t.spend()
	*t = Tapes{setup: t.setup, spent: t.spent, of: of}
	t.take(of, inputs)
	for _, e := range events {
		if d := e.GetDiceEpoch(); d != nil {
			t.opened = append(t.opened, epoch{d, of})
		}
		if d := e.GetDiceRevealed(); d != nil {
			t.seeds = append(t.seeds, d)
		}
		if o := e.GetRollsOpened(); len(o.GetLeaf()) > 0 {
			t.leaves = append(t.leaves, o)
		}
	}
	for _, m := range more {
		t.take(of, m)
	}
	t.settingUp()
}

// spend notes what the Commit before opened: nothing is drawn from that any more.
func (t *Tapes) spend() {
	for _, d := range t.seeds {
		t.spent[spent{t.of, d.Epoch, d.Branch, 0}] = true
		if d.SettingUpSeed != nil {
			t.spent[spent{t.of, event.SettingUpEpoch(d.Epoch), d.Branch, 0}] = true
		}
	}
	for _, o := range t.leaves {
		t.spent[spent{t.of, o.Epoch, o.Branch, o.Action}] = true
	}
}

// isSpent tells whether the dice of a roll were opened before.
func (t *Tapes) isSpent(req *dicev1.DrawRequest) bool {
	ofCreature := strings.HasPrefix(req.Branch, string(tape.Creature("")))
	for _, of := range []string{"", req.Encounter} {
		if t.spent[spent{of, req.Epoch, req.Branch, 0}] || t.spent[spent{of, req.Epoch, req.Branch, req.Action}] ||
			ofCreature && t.spent[spent{of, req.Epoch, string(tape.Creatures), 0}] {
			return true
		}
	}
	return false
}

// Beside takes draws of the dice that are kept under a name, where those of several
// are asked for at once.
func (t *Tapes) Beside(of string, inputs []*eventv1.Input) { t.take(of, inputs) }

func (t *Tapes) take(of string, inputs []*eventv1.Input) {
	for _, in := range inputs {
		switch {
		case in.GetHarm() != nil:
			t.take(of, in.GetHarm().Inputs)
		case in.GetDraw() != nil:
			t.inputs = append(t.inputs, taped{in, of})
		case in.GetEpoch() != nil:
			t.opened = append([]epoch{{in.GetEpoch(), of}}, t.opened...)
		}
	}
}

// settingUp notes which epochs came with dice for setting up.
func (t *Tapes) settingUp() {
	for _, d := range t.opened {
		if len(d.SettingUp) > 0 {
			t.setup[max(1, d.Epoch)] = true
		}
	}
}

// miss notes what is not on record, once, and refuses.
func (t *Tapes) miss(field, recorded, decided, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if t.Missed == nil {
		t.Missed = &Problem{Part: "inputs", Field: field, Recorded: recorded, Decided: decided, Text: text}
	}
	return fault.New(fault.Internal, reasonOther, "%s", text)
}

// Draw is dicev1.TapeServiceClient.Draw.
func (t *Tapes) Draw(_ context.Context, req *dicev1.DrawRequest, _ ...grpc.CallOption) (*dicev1.DrawResponse, error) {
	at := slices.IndexFunc(t.inputs, func(in taped) bool { return len(differs(req, in)) == 0 })
	if req.Purpose == dicev1.Purpose_PURPOSE_PREVIEW { // of what is decided again with no dice but its own
		if !req.TapeAllowed {
			return nil, needFaces()
		}
		return nil, fault.New(fault.Internal, reasonOther, "%s was not rolled", req.Label)
	}
	if t.Missed == nil {
		t.MissedOf = req.Encounter
	}
	switch {
	case at < 0 && req.TapeAllowed && t.isSpent(req):
		return nil, spentBranch(req)
	case at < 0:
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
	if n < len(d.Faces) && t.isSpent(req) {
		return nil, spentBranch(req)
	}
	if !slices.Equal(req.Supplied[:n], d.Faces[:n]) {
		return nil, t.miss("draw.faces", fmt.Sprint(d.Faces), fmt.Sprint(req.Supplied[:n]), "%s has other faces than were given", req.Label)
	}
	return &dicev1.DrawResponse{Result: &dicev1.Result{Faces: d.Faces}, SuppliedUsed: uint32(n)}, nil //nolint:gosec // at most the faces of a roll
}

func spentBranch(req *dicev1.DrawRequest) error {
	return fault.New(fault.Illegal, reasonSpent, "branch %s of epoch %d was revealed and draws no more: open a new epoch", req.Branch, req.Epoch)
}

func needFaces() error { return fault.New(fault.Illegal, "NEED_FACES", "people roll") }

// absent says that a roll is not on record, or that people have to roll it.
func (t *Tapes) absent(req *dicev1.DrawRequest) error {
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
func differs(req *dicev1.DrawRequest, in taped) (out []difference) {
	d := in.GetDraw()
	add := func(field string, recorded, asked any) {
		if recorded != asked {
			out = append(out, difference{field, fmt.Sprint(recorded), fmt.Sprint(asked)})
		}
	}
	if in.of != "" {
		add("draw", in.of, req.Encounter)
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
func (t *Tapes) OpenEpoch(_ context.Context, req *dicev1.OpenEpochRequest, _ ...grpc.CallOption) (*dicev1.OpenEpochResponse, error) {
	resp := &dicev1.OpenEpochResponse{}
	if t.Missed == nil {
		t.MissedOf = req.Encounter
	}
	for _, branch := range req.Branches {
		c := t.commitment(req.Encounter, req.Epoch, branch)
		if c == nil {
			return nil, t.miss("epoch.commitments", "", branch, "branch %s of epoch %d is opened, and the record does not commit to it", branch, req.Epoch)
		}
		resp.Commitments = append(resp.Commitments, c)
	}
	return resp, nil
}

func (t *Tapes) commitment(of string, epoch uint32, branch string) *eventv1.Commitment {
	for _, d := range t.opened {
		if d.of != "" && d.of != of {
			continue
		}
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
func (t *Tapes) Reveal(_ context.Context, req *dicev1.RevealRequest, _ ...grpc.CallOption) (*dicev1.RevealResponse, error) {
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

func (t *Tapes) leaf(req *dicev1.RevealRequest) (*dicev1.RevealResponse, error) {
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
