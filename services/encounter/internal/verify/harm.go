package verify

import (
	"context"
	"strings"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/recheck"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/shelf"
)

// harm decides deeds of harm and medicine by the medicine of the rule systems, with
// the dice of the record.
type harm struct {
	injuryv1.AssessmentServiceClient
	systems *rules.Registry
	shelf   *shelf.Shelf
	tapes   *recheck.Tapes
}

// Assess is injuryv1.AssessmentServiceClient.Assess.
func (h harm) Assess(ctx context.Context, req *injuryv1.AssessRequest, _ ...grpc.CallOption) (*injuryv1.AssessResponse, error) {
	sys, err := h.systems.System(req.State.System)
	if err != nil {
		return nil, err
	}
	state := event.Ready(req.State)
	book, err := h.shelf.Book(ctx, req.Table, state.System, state.Packs)
	if err != nil {
		return nil, err
	}
	label := req.Label
	if !strings.HasSuffix(label, "/") {
		label += "/"
	}
	out, used, err := rules.RunDeed(ctx, sys, req.Action, rules.DeedRequest{Label: label, State: state, Harm: req.Harm,
		Inputs: req.Inputs, Supplied: req.Supplied, Early: req.Answers, Key: req.Key, Speaker: req.Speaker, Caller: req.Caller,
		Mode: req.RollMode, Odds: req.Odds, Content: book}, deedDice{h.tapes, req})
	if err != nil {
		return nil, err
	}
	return &injuryv1.AssessResponse{Outcome: out, SuppliedUsed: uint32(used)}, nil //nolint:gosec // at most the faces of the request
}

// deedDice gives the rolls of a deed their addresses.
type deedDice struct {
	tapes *recheck.Tapes
	req   *injuryv1.AssessRequest
}

var _ rules.Provider = deedDice{}

// Draw is rules.Provider.Draw.
func (d deedDice) Draw(ctx context.Context, r rules.DrawRequest) (*eventv1.Draw, error) {
	req := &dicev1.DrawRequest{Table: d.req.Table, Encounter: d.req.Encounter, Epoch: d.req.Epoch, Action: max(1, d.req.Numbers[r.Branch]),
		Label: r.Label, Index: r.Index, Branch: r.Branch, Expression: r.Expression, Purpose: d.req.Purpose, TapeAllowed: true}
	switch d.req.State.DicePolicy {
	case eventv1.DicePolicy_DICE_POLICY_SUPPLIED:
		req.Supplied, req.TapeAllowed = r.Supplied, false
	case eventv1.DicePolicy_DICE_POLICY_EITHER:
		req.Supplied = r.Supplied
	}
	resp, err := d.tapes.Draw(ctx, req)
	if f := rpc.FromStatus(err); f != nil && f.Reason == "NEED_FACES" {
		return nil, rules.ErrNeedFaces
	}
	if err != nil {
		return nil, err
	}
	return &eventv1.Draw{Branch: r.Branch, Expression: r.Expression, Faces: resp.Result.Faces, Supplied: resp.SuppliedUsed,
		Epoch: req.Epoch, Action: req.Action}, nil
}

// Deed is rules.Provider.Deed.
func (deedDice) Deed(context.Context, rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	return nil, 0, fault.New(fault.Internal, "NESTED_DEED", "a deed can not hold another")
}

// Open is rules.Provider.Open.
func (deedDice) Open(context.Context, []string, []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error) {
	return nil, fault.New(fault.Internal, "DEED_OPENS_DICE", "a deed can not open branches of the dice")
}
