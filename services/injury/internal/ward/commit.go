package ward

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// EngineVersion is written into every Commit of a patient.
const EngineVersion = "1"

// carryOut runs a deed and stores what it did.
func (s *Server) carryOut(ctx context.Context, d *deed) error {
	out, events, err := s.decide(ctx, d)
	if err != nil {
		return err
	}
	if err := s.whole(d.table, d.req.As, d.concerned()...); err != nil {
		return err
	}
	ms, err := s.messages(d, out, events)
	if err != nil {
		return err
	}
	return s.append(ctx, ms)
}

// decide is what comes of a deed: the outcome, and its new events by patient.
func (s *Server) decide(ctx context.Context, d *deed) (*rules.Outcome, map[string][]*eventv1.Event, error) {
	out := &rules.Outcome{Events: d.events}
	if d.back != nil {
		return out, d.back.events(), nil
	}
	if d.reveals {
		if err := s.reveal(ctx, d); err != nil {
			return nil, nil, err
		}
	}
	if d.do != nil {
		var err error
		if out, err = s.run(ctx, d); err != nil {
			return nil, nil, err
		}
	}
	if err := reserved(out.Events); err != nil && !d.frees {
		return nil, nil, err
	}
	events := d.split(out.Events)
	return out, events, s.untold(ctx, d, events)
}

// reserved refuses to touch the mark by which a fight holds a patient: only
// entering and leaving do.
func reserved(events []*eventv1.Event) error {
	for _, e := range events {
		if e.GetMark().GetMark() == markEncounter {
			return fault.Field("command.patient", "the mark %q is set by entering and leaving a fight", markEncounter)
		}
	}
	return nil
}

func (s *Server) run(ctx context.Context, d *deed) (*rules.Outcome, error) {
	faces := d.req.Command.Faces
	if len(faces) > 0 && d.policy != eventv1.DicePolicy_DICE_POLICY_SUPPLIED && d.policy != eventv1.DicePolicy_DICE_POLICY_EITHER {
		return nil, fault.New(fault.Illegal, "DICE_POLICY", "the dice of patient %q are the server's", d.primary)
	}
	book, err := s.book(ctx, d)
	if err != nil {
		return nil, err
	}
	dice := &table{dice: s.cfg.Dice, id: d.table, encounter: PatientDice(d.primary), epoch: max(d.epoch, d.state.Epoch, firstEpoch),
		action: d.action, policy: d.policy, purpose: d.purpose, opens: true}
	nested := *dice
	nested.opens = false
	dice.medicine = func(ctx context.Context, req rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
		return assess(ctx, d.sys, d.action, &nested, req)
	}
	return rules.Run(ctx, d.sys, rules.Request{State: d.state, Action: d.action, Recorded: d.recorded, Again: d.again,
		Early: d.early, Faces: faces, Speaker: d.req.As, Caller: d.caller, Mode: d.mode, Odds: d.preview(), Content: book}, dice, d.do)
}

// split gives every event to the record of the patient that it is about. Rolls
// and decisions stay with the patient whose deed it is: their dice and their
// answers are found there.
func (d *deed) split(events []*eventv1.Event) map[string][]*eventv1.Event {
	out := map[string][]*eventv1.Event{}
	for _, e := range events {
		owner := d.primary
		switch e.GetWhat().(type) {
		case *eventv1.Event_Roll, *eventv1.Event_Action, *eventv1.Event_Attack, *eventv1.Event_DecisionRequested,
			*eventv1.Event_DecisionAnswered:
		default:
			for _, id := range record.About(e) {
				if d.rows[id] != nil {
					owner = id
				}
			}
		}
		out[owner] = append(out[owner], e)
	}
	return out
}

// untold takes away what was told before the deed was asked to go on, after
// checking that it came out again.
func (s *Server) untold(ctx context.Context, d *deed, events map[string][]*eventv1.Event) error {
	if d.do == nil {
		return nil
	}
	for _, id := range rules.SortedKeys(d.told) {
		told := d.told[id]
		for i, e := range told {
			div := &rules.DivergenceError{Action: d.action, Index: i, Kind: "missing", Recorded: e}
			if i < len(events[id]) {
				if proto.Equal(e, events[id][i]) {
					continue
				}
				div.Kind, div.Produced = "different", events[id][i]
			}
			s.cfg.Logger.ErrorContext(ctx, "ward: a deed that waited came out differently", "patient", id, "error", div)
			return fault.Wrap(fault.Illegal, "RULES_CHANGED", div,
				"the rules have changed since this deed began; the game master may %s it", deedAbandon)
		}
		events[id] = events[id][len(told):]
	}
	return nil
}

// messages makes a Commit for everyone whom the deed touches, the patient whose
// deed it is last. While a deed waits it touches everyone concerned, so that
// nothing else comes between.
func (s *Server) messages(d *deed, out *rules.Outcome, events map[string][]*eventv1.Event) ([]journal.Message, error) {
	command, err := proto.Marshal(d.req.Command)
	if err != nil {
		return nil, fmt.Errorf("ward: command: %w", err)
	}
	suspended := len(out.Open) > 0
	var ms []journal.Message
	for _, id := range d.concerned() {
		row := d.rows[id]
		if id != d.primary && len(events[id]) == 0 && !suspended && row.Pending == nil {
			continue
		}
		cause := &eventv1.CommitCause{RequestId: d.req.RequestId, Principal: d.req.As, Command: command, RequestDigest: d.digest}
		inputs := &eventv1.CommitInputs{Suspended: suspended}
		if id == d.primary {
			cause.Action = d.action
			if d.answered != nil {
				inputs.Inputs = append(inputs.Inputs, d.answered)
			}
			inputs.Inputs = append(inputs.Inputs, out.Inputs...)
		}
		m, err := s.seal(row, d.sys, event.Draft{Cause: cause, Inputs: inputs, Events: events[id]})
		if err != nil {
			return nil, err
		}
		ms = append(ms, m)
	}
	return ms, nil
}

// seal makes the next message of a patient's subject.
func (s *Server) seal(row *record.Patient, sys rules.System, draft event.Draft) (journal.Message, error) {
	info := sys.Info()
	return s.sealer.Seal(row.Name, row.Head, info.ID, info.Version, draft)
}
