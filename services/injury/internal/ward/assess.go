package ward

import (
	"context"
	"strings"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// Assess says what a deed of harm or medicine does in a fight. It stores
// nothing and knows nothing but the request: the same request gives the same
// outcome.
func (s *Server) Assess(ctx context.Context, req *injuryv1.AssessRequest) (*injuryv1.AssessResponse, error) {
	if err := checkAssess(req); err != nil {
		return nil, err
	}
	sys, err := s.cfg.Systems.System(req.State.System)
	if err != nil {
		return nil, err
	}
	state := event.Ready(req.State)
	book, err := s.cfg.Books.Book(ctx, req.Table, state.System, state.Packs)
	if err != nil {
		return nil, err
	}
	dice := &table{dice: s.cfg.Dice, id: req.Table, encounter: req.Encounter, epoch: req.Epoch, action: req.Action,
		numbers: req.Numbers, policy: state.DicePolicy, purpose: req.Purpose}
	if dice.numbers == nil {
		dice.numbers = map[string]uint64{}
	}
	outcome, used, err := assess(ctx, sys, req.Action, dice, rules.DeedRequest{Label: req.Label, State: state,
		Harm: req.Harm, Inputs: req.Inputs, Supplied: req.Supplied, Early: req.Answers, Key: req.Key,
		Speaker: req.Speaker, Caller: req.Caller, Mode: req.RollMode, Odds: req.Odds, Content: book})
	if err != nil {
		return nil, err
	}
	return &injuryv1.AssessResponse{Outcome: outcome, SuppliedUsed: uint32(used)}, nil //nolint:gosec // at most the faces of the request
}

func checkAssess(req *injuryv1.AssessRequest) error {
	if err := aggregate.CheckID("table", req.Table); err != nil {
		return err
	}
	if err := aggregate.CheckID("encounter", req.Encounter); err != nil {
		return err
	}
	switch {
	case req.State == nil:
		return fault.Field("state", "missing")
	case req.Purpose < 0 || req.Purpose > dicev1.Purpose_PURPOSE_PREVIEW:
		return fault.Field("purpose", "unknown: %d", req.Purpose)
	case req.Harm == nil:
		return fault.Field("harm", "missing")
	case req.Label == "" || len(req.Label) > limits.LabelBytes:
		return fault.Field("label", "must be 1 to %d bytes", limits.LabelBytes)
	case req.Harm.Target != "" && req.State.Creatures[req.Harm.Target] == nil:
		return fault.Field("harm.target", "%q is not among the creatures of the state", req.Harm.Target)
	}
	return nil
}

// assess runs a system's medicine under a label.
func assess(ctx context.Context, sys rules.System, action uint64, dice *table, d rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	if !strings.HasSuffix(d.Label, "/") {
		d.Label += "/"
	}
	return rules.RunDeed(ctx, sys, action, d, dice)
}
