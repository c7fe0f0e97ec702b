package engine

import (
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// origins are the versions at which the commands of a chain were given.
func origins(chain []replica.Link) []uint64 {
	out := make([]uint64, len(chain))
	for i, l := range chain {
		out[i] = l.Origin
	}
	return out
}

// inside counts the creatures of each patient in a fight that is not over.
func inside(s *eventv1.State) map[string]int {
	if s.Status == eventv1.State_STATUS_ENDED {
		return map[string]int{}
	}
	return aboard(s)
}

// aboard counts the creatures of each patient, in a fight that is over those who were
// there at its end.
func aboard(s *eventv1.State) map[string]int {
	out := map[string]int{}
	// order-free: a sum
	for _, c := range s.Creatures {
		if c.Patient != "" {
			out[c.Patient]++
		}
	}
	return out
}

// patientsStay refuses a ruling that would need patients to come in or go out:
// they do so together with their records, which a ruling does not write. chain
// are the commands that count after it.
func (e *Engine) patientsStay(ctx context.Context, f *Fight, then *eventv1.State, chain []uint64) error {
	return e.patientsFrom(ctx, f, inside(f.replica.State()), then, chain)
}

// patientsCross refuses what patientsStay refuses of going back, but for the end of the
// fight: where that is taken back its patients come in again, and where it counts again
// they leave again, each with a Commit of its record beside the ruling's.
func (e *Engine) patientsCross(ctx context.Context, f *Fight, then *replica.Replica, req Request) ([]journal.Message, error) {
	now, was := f.replica.State(), then.State()
	chain := origins(then.Chain)
	over, wasOver := now.Status == eventv1.State_STATUS_ENDED, was.Status == eventv1.State_STATUS_ENDED
	switch {
	case over && !wasOver:
		if err := e.patientsFrom(ctx, f, aboard(now), was, chain); err != nil {
			return nil, err
		}
		return e.comeBack(ctx, f, was, req)
	case wasOver && !over:
		open := event.Clone(was)
		open.Status = now.Status
		if err := e.patientsStay(ctx, f, open, chain); err != nil {
			return nil, err
		}
		return e.leave(ctx, f, was, nil, &eventv1.Command{What: &eventv1.Command_End{}}, req)
	}
	return nil, e.patientsStay(ctx, f, was, chain)
}

// comeBack prepares the records of patients whose leaving at the end is taken back.
func (e *Engine) comeBack(ctx context.Context, f *Fight, then *eventv1.State, req Request) ([]journal.Message, error) {
	if e.apart() {
		return nil, nil
	}
	var out []journal.Message
	for _, id := range rules.SortedKeys(then.Creatures) {
		c := then.Creatures[id]
		if c.Patient == "" {
			continue
		}
		resp, err := e.cfg.Injury.PrepareEngage(ctx, &injuryv1.PrepareEngageRequest{Table: f.table, Patient: c.Patient,
			Encounter: f.id, System: then.System, As: req.As, RequestId: req.ID, Staged: c.Staged, Again: true})
		if err != nil {
			return nil, rpc.FromStatus(err)
		}
		out = append(out, message(resp.Message))
	}
	return out, nil
}

// patientsFrom is patientsStay for a fight that has so many creatures of each patient.
func (e *Engine) patientsFrom(ctx context.Context, f *Fight, a map[string]int, then *eventv1.State, chain []uint64) error {
	b := inside(then)
	for _, p := range rules.SortedKeys(a) {
		if b[p] == 0 {
			return fault.Refuse("PATIENT_WOULD_LEAVE", "", "patient %q is in the fight and would not be after the ruling; remove it by a command first", p)
		}
	}
	for _, p := range rules.SortedKeys(b) {
		switch {
		case a[p] == 0:
			return fault.Refuse("PATIENT_HAS_LEFT", "", "patient %q is not in the fight and would be after the ruling; add it by a command", p)
		case b[p] > 1:
			return fault.Refuse("PATIENT_TWICE", "", "patient %q would be in the fight more than once", p)
		}
		now, err := e.arrival(ctx, f, p, origins(f.replica.Chain))
		if err != nil {
			return err
		}
		was, err := e.arrival(ctx, f, p, chain)
		if err != nil {
			return err
		}
		if now != was {
			return fault.Refuse("PATIENT_HAS_LEFT", "", "patient %q left and came back at step %d with what its record said then; a ruling does not undo that", p, now)
		}
	}
	return nil
}

// arrival is the version at which a patient last came in, by commands that count.
func (e *Engine) arrival(ctx context.Context, f *Fight, patient string, chain []uint64) (uint64, error) {
	for _, version := range slices.Backward(chain) {
		entry, err := e.entry(ctx, f, version)
		if err != nil {
			return 0, err
		}
		cmd := &eventv1.Command{}
		if err := proto.Unmarshal(entry.Commit.Cause.Command, cmd); err != nil {
			return 0, err
		}
		if cmd.GetAdd().GetSheet().GetPatient() == patient {
			return version, nil
		}
	}
	return 0, nil
}
