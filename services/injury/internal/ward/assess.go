package ward

import (
	"context"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
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
	dice := &table{dice: s.cfg.Dice, id: req.Table, encounter: req.Encounter, epoch: req.Epoch, action: req.Action,
		policy: state.DicePolicy, preview: req.Preview}
	outcome, used, err := assess(ctx, sys, req.Action, dice, rules.DeedRequest{Label: req.Label, State: state,
		Harm: req.Harm, Inputs: req.Inputs, Supplied: req.Supplied, Early: req.Answers})
	if err != nil {
		return nil, err
	}
	return &injuryv1.AssessResponse{Outcome: outcome, SuppliedUsed: uint32(used)}, nil //nolint:gosec // at most the faces of the request
}

func checkAssess(req *injuryv1.AssessRequest) error {
	if err := checkID("table", req.Table); err != nil {
		return err
	}
	if err := checkID("encounter", req.Encounter); err != nil {
		return err
	}
	switch {
	case req.State == nil:
		return fault.Field("state", "missing")
	case req.Harm == nil:
		return fault.Field("harm", "missing")
	case req.Label == "" || len(req.Label) > 1024:
		return fault.Field("label", "must be 1 to 1024 bytes")
	case req.Harm.Target != "" && req.State.Creatures[req.Harm.Target] == nil:
		return fault.Field("harm.target", "%q is not among the creatures of the state", req.Harm.Target)
	}
	return nil
}

// assess runs a system's medicine under a label.
func assess(ctx context.Context, sys rules.System, action uint64, dice *table, d rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	prefix := d.Label
	if !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	out, err := rules.Run(ctx, sys, rules.Request{State: d.State, Action: action, Prefix: prefix, Recorded: d.Inputs,
		Early: d.Early, Faces: d.Supplied, KeepFaces: true}, dice,
		func(r *rules.Resolution) error { return sys.Medicine().Deed(r, d.Harm) })
	if err != nil {
		return nil, 0, err
	}
	outcome := &eventv1.HarmOutcome{Inputs: out.Inputs, Decisions: out.Open, Results: out.Results}
	for i, e := range out.Events {
		data, err := proto.Marshal(e)
		if err != nil {
			return nil, 0, fmt.Errorf("ward: event %d of a deed: %w", i, err)
		}
		outcome.Events = append(outcome.Events, data)
	}
	return outcome, out.FacesUsed, nil
}
