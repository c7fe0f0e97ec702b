package ward

import (
	"context"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// GetPatient returns a patient as far as the caller may see it, now or at a
// version in the caller's own numbers.
func (s *Server) GetPatient(ctx context.Context, req *injuryv1.GetPatientRequest) (*injuryv1.GetPatientResponse, error) {
	tableID, err := s.about(ctx, req.Table, req.Patient, req.As)
	if err != nil {
		return nil, err
	}
	reply := &injuryv1.GetPatientResponse{}
	err = s.cfg.Store.View(func(tx *projection.Tx) error {
		if reply.Patient, err = s.patientNow(tx, tableID, req.Patient, req.As); err != nil {
			return err
		}
		if reply.Patient == nil {
			return unknownPatient(req.Patient)
		}
		if req.Version == 0 || req.Version == reply.Patient.Version {
			return nil
		}
		view, err := record.At(tx, tableID, req.Patient, req.As, req.Version)
		if err != nil {
			return err
		}
		if view == nil {
			return fault.New(fault.NotFound, "UNKNOWN_VERSION", "patient %q has no version %d", req.Patient, req.Version)
		}
		reply.Patient = s.patientOf(tableID, req.Patient, view, req.As)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return reply, nil
}

// about checks a question about a patient.
func (s *Server) about(ctx context.Context, tableID, patient string, by *eventv1.Principal) (string, error) {
	if err := aggregate.CheckPrincipal(by); err != nil {
		return "", err
	}
	if err := aggregate.CheckID("patient", patient); err != nil {
		return "", err
	}
	tableID, err := aggregate.Table(tableID)
	if err != nil {
		return "", err
	}
	if err := s.catchUpPatients(ctx, tableID, patient); err != nil {
		return tableID, err
	}
	return tableID, s.whole(tableID, by, patient)
}

// ListPatients lists the patients of a table that the caller may see, by id.
func (s *Server) ListPatients(ctx context.Context, req *injuryv1.ListPatientsRequest) (*injuryv1.ListPatientsResponse, error) {
	if err := aggregate.CheckPrincipal(req.As); err != nil {
		return nil, err
	}
	tableID, err := aggregate.Table(req.Table)
	if err != nil {
		return nil, err
	}
	if req.After != "" {
		if err := aggregate.CheckID("after", req.After); err != nil {
			return nil, err
		}
	}
	if err := s.catchUpAll(ctx); err != nil {
		return nil, err
	}
	limit := aggregate.Page(req.Limit)
	reply := &injuryv1.ListPatientsResponse{}
	after := req.After
	for {
		var ids []string
		err := s.cfg.Store.View(func(tx *projection.Tx) error {
			ids = record.List(tx, tableID, after, pageSize)
			for _, id := range ids {
				p, err := s.patientNow(tx, tableID, id, req.As)
				if err != nil {
					return err
				}
				if p != nil && s.isClosed(record.Named(tableID, id)) {
					p = &injuryv1.Patient{Patient: id, Table: tableID, Closed: true}
				}
				if p != nil {
					reply.Patients = append(reply.Patients, p)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(reply.Patients) > limit {
			reply.Patients, reply.More = reply.Patients[:limit], true
			return reply, nil
		}
		if len(ids) < pageSize {
			return reply, nil
		}
		after = ids[len(ids)-1]
	}
}

// GetPatientHistory returns what happened to a patient, fights included, as far
// as the caller may see it.
func (s *Server) GetPatientHistory(ctx context.Context, req *injuryv1.GetPatientHistoryRequest) (*injuryv1.GetPatientHistoryResponse, error) {
	tableID, err := s.about(ctx, req.Table, req.Patient, req.As)
	if err != nil {
		return nil, err
	}
	if err := s.catchUpAll(ctx); err != nil { // fights are on subjects of their own
		return nil, err
	}
	reply := &injuryv1.GetPatientHistoryResponse{}
	err = s.cfg.Store.View(func(tx *projection.Tx) error {
		view, err := record.Now(tx, tableID, req.Patient, req.As)
		if err != nil {
			return err
		}
		if view == nil {
			return unknownPatient(req.Patient)
		}
		reply.Entries, reply.More, err = page(tx, tableID, req.Patient, req.As, req.After, req.AfterEvents, aggregate.Page(req.Limit))
		return err
	})
	if err != nil {
		return nil, err
	}
	return reply, nil
}

func historyEntry(n record.Numbered, by *eventv1.Principal) *injuryv1.HistoryEntry {
	out := record.Told(n.Entry, by)
	out.Number = n.Number
	return out
}

// patientNow is a patient as the principal knows it; nil when it may not.
func (s *Server) patientNow(tx *projection.Tx, tableID, id string, by *eventv1.Principal) (*injuryv1.Patient, error) {
	view, err := record.Now(tx, tableID, id, by)
	if err != nil || view == nil {
		return nil, err
	}
	return s.patientOf(tableID, id, view, by), nil
}

// patientOf is a patient as a viewer knows it, by the names of this build.
func (s *Server) patientOf(tableID, id string, view *record.View, by *eventv1.Principal) *injuryv1.Patient {
	upgrade(s.cfg.Systems, view.State)
	c := view.State.Creatures[id]
	var open []*eventv1.Decision
	for _, d := range rules.SortedKeys(view.State.Decisions) {
		if rules.MayAnswer(view.State, by, view.State.Decisions[d]) {
			open = append(open, view.State.Decisions[d])
		}
	}
	return &injuryv1.Patient{Decisions: open, Patient: id, Table: tableID, System: view.State.System, Settings: view.State.Settings,
		Creature: c, Version: view.Version, Encounter: c.Marks[markEncounter], Hours: c.Counters[rules.CounterHours], Packs: view.State.Packs}
}

// copyOf is a message that may be changed.
func copyOf[M proto.Message](m M) M { return proto.Clone(m).(M) }
