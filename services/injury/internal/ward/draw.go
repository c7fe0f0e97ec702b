package ward

import (
	"context"
	"fmt"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ReasonNeedFaces is the reason by which the dice service says that people
// must roll.
const ReasonNeedFaces = "NEED_FACES"

// PatientDice is the name under which the dice of a patient are kept. It can
// be no encounter's id, which never holds a colon.
func PatientDice(patient string) string { return "patient:" + patient }

// table is the dice as one action uses them: it gives every roll its address.
type table struct {
	dice      dicev1.TapeServiceClient
	id        string
	encounter string // or PatientDice
	epoch     uint32
	action    uint64
	numbers   map[string]uint64 // of the action by branch; nil means action on each
	policy    eventv1.DicePolicy
	purpose   dicev1.Purpose // unset means REAL
	// medicine carries out a deed within a deed; nil refuses it.
	medicine func(ctx context.Context, d rules.DeedRequest) (*eventv1.HarmOutcome, int, error)
	// opens tells whether branches may be opened.
	opens bool
}

var _ rules.Provider = (*table)(nil)

// Draw is rules.Provider.Draw.
func (t *table) Draw(ctx context.Context, d rules.DrawRequest) (*eventv1.Draw, error) {
	req := &dicev1.DrawRequest{Table: t.id, Encounter: t.encounter, Epoch: t.epoch, Action: t.number(d.Branch), Label: d.Label,
		Index: d.Index, Branch: d.Branch, Expression: d.Expression, Purpose: t.purpose, TapeAllowed: true}
	switch t.policy {
	case eventv1.DicePolicy_DICE_POLICY_SUPPLIED:
		req.Supplied, req.TapeAllowed = d.Supplied, false
	case eventv1.DicePolicy_DICE_POLICY_EITHER:
		req.Supplied = d.Supplied
	}
	if t.purpose == dicev1.Purpose_PURPOSE_UNSPECIFIED {
		req.Purpose = dicev1.Purpose_PURPOSE_REAL
	}
	reply, err := t.dice.Draw(ctx, req)
	if err != nil {
		if f := rpc.FromStatus(err); f.Reason == ReasonNeedFaces {
			return nil, rules.ErrNeedFaces
		}
		return nil, fmt.Errorf("ward: drawing %s: %w", d.Label, rpc.FromStatus(err))
	}
	return &eventv1.Draw{Branch: d.Branch, Expression: d.Expression, Faces: reply.GetResult().GetFaces(),
		Supplied: reply.SuppliedUsed, Epoch: t.epoch, Action: req.Action}, nil
}

// number is the action's on a branch.
func (t *table) number(branch string) uint64 {
	if t.numbers == nil {
		return t.action
	}
	return max(1, t.numbers[branch])
}

// Deed is rules.Provider.Deed.
func (t *table) Deed(ctx context.Context, d rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	if t.medicine == nil {
		return nil, 0, fault.New(fault.Internal, "NESTED_DEED", "a deed can not hold another")
	}
	return t.medicine(ctx, d)
}

// Open is rules.Provider.Open.
func (t *table) Open(ctx context.Context, branches []string, entropy []*eventv1.Entropy) (*eventv1.DiceEpochOpened, error) {
	if !t.opens {
		return nil, fault.New(fault.Internal, "DEED_OPENS_DICE", "a deed can not open branches of the dice")
	}
	if t.purpose == dicev1.Purpose_PURPOSE_PREVIEW {
		return &eventv1.DiceEpochOpened{Epoch: t.epoch, Entropy: entropy}, nil // nothing is opened
	}
	reply, err := t.dice.OpenEpoch(ctx, &dicev1.OpenEpochRequest{Table: t.id, Encounter: t.encounter, Epoch: t.epoch,
		Branches: branches, Entropy: entropy})
	if err != nil {
		return nil, fmt.Errorf("ward: opening dice: %w", rpc.FromStatus(err))
	}
	return &eventv1.DiceEpochOpened{Epoch: t.epoch, Commitments: reply.Commitments, Entropy: entropy}, nil
}

// Reveal is rules.Provider.Reveal: no rule reveals a patient's dice. The deed that does
// so is the service's own.
func (t *table) Reveal(context.Context, string) (*eventv1.DiceRevealed, error) {
	return nil, fault.New(fault.Internal, "DEED_REVEALS_DICE", "a deed can not reveal dice")
}
