package ward

import (
	"context"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/projection"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// preview tells whether the deed is only looked at.
func (d *deed) preview() bool { return d.purpose == dicev1.Purpose_PURPOSE_PREVIEW }

// preview says what a deed would change, and stores nothing. Faces are of the
// preview's own dice, so that none is seen that will be used (T3).
func (s *Server) preview(ctx context.Context, tableID string, req *injuryv1.TendRequest) (*injuryv1.TendResponse, error) {
	switch {
	case !isGM(req.As):
		return nil, fault.New(fault.Denied, "GM_ONLY", "only the game master may preview a deed")
	case req.Command.GetPatient().GetDeed() == deedEnrol:
		return nil, fault.Field("preview", "there is no record yet that enrol could change")
	}
	d, err := s.plan(ctx, tableID, req)
	if err != nil {
		return nil, err
	}
	d.purpose = dicev1.Purpose_PURPOSE_PREVIEW
	out, events, err := s.decide(ctx, d)
	if err != nil {
		return nil, err
	}
	reply := &injuryv1.TendResponse{Decisions: out.Open, Odds: out.Odds}
	for _, id := range d.concerned() {
		if err := s.foresee(tableID, d, id, events[id], reply); err != nil {
			return nil, err
		}
	}
	return reply, nil
}

// foresee adds to a reply what would become of a patient.
func (s *Server) foresee(tableID string, d *deed, id string, events []*eventv1.Event, reply *injuryv1.TendResponse) error {
	var now, then *eventv1.State
	err := s.cfg.Store.View(func(tx *projection.Tx) error {
		view, err := record.Now(tx, tableID, id, gameMaster)
		if err != nil || view == nil {
			return err
		}
		now, then = view.State, event.Clone(view.State)
		if d.back != nil {
			then, err = record.Full(tx, tableID, id, d.back.to[id])
		}
		return err
	})
	if err != nil {
		return err
	}
	if now == nil {
		return unknownPatient(id)
	}
	upgrade(s.cfg.Systems, now)
	upgrade(s.cfg.Systems, then)
	for _, e := range events {
		event.Fold(then, e)
	}
	reply.Events = append(reply.Events, events...)
	changes, err := event.Difference(now, then)
	if err != nil {
		return fault.Wrap(fault.Internal, "DIFFERENCE", err, "what would change can not be written")
	}
	of := "creatures." + id + "."
	for _, c := range changes {
		if path, own := strings.CutPrefix(c.Path, of); own {
			reply.Changes = append(reply.Changes, &injuryv1.RecordChange{Patient: id, Path: path, Before: c.Before, After: c.After})
		}
	}
	p := s.patientOf(tableID, id, &record.View{State: then, Version: d.rows[id].Version}, gameMaster)
	if id == d.primary {
		reply.Patient = p
	} else if len(events) > 0 {
		reply.Others = append(reply.Others, p)
	}
	return nil
}
