package ward

import (
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// Deeds that the service itself knows; a rule system may add to what enrol,
// edit and pass-time mean by listing them among its own.
const (
	deedEnrol    = "enrol"
	deedEdit     = "edit"
	deedPassTime = "pass-time"
	deedAbandon  = "abandon"
	deedTreat    = "treat"
	deedRest     = "rest"
	deedEngage   = "engage"
	deedRelease  = "release"
	deedRevert   = "revert"
	deedRedo     = "redo"
	deedReveal   = "reveal"
)

// Parameters of revert, redo and edit.
const (
	paramVersion = "version"
	paramReason  = "reason"
)

// markEncounter is the mark of the encounter that a patient is in.
const markEncounter = "encounter"

// Tend carries out a deed on patients between fights and stores it.
func (s *Server) Tend(ctx context.Context, req *injuryv1.TendRequest) (*injuryv1.TendResponse, error) {
	if err := aggregate.CheckPrincipal(req.As); err != nil {
		return nil, err
	}
	if err := aggregate.CheckRequestID(req.RequestId); err != nil {
		return nil, err
	}
	tableID, err := aggregate.Table(req.Table)
	if err != nil {
		return nil, err
	}
	if err := checkCommand(req.Command); err != nil {
		return nil, err
	}
	if req.As.Role == eventv1.Principal_ROLE_SPECTATOR {
		return nil, fault.New(fault.Denied, "SPECTATOR", "a spectator changes nothing")
	}
	digest, err := requestDigest(req)
	if err != nil {
		return nil, err
	}
	req = proto.Clone(req).(*injuryv1.TendRequest) // what is set in it is the service's
	if req.Command.GetAnswer() != nil {
		err = s.catchUpAll(ctx) // whose decision it is, only the record knows
	} else {
		err = s.catchUpPatients(ctx, tableID, concerned(req.Command.GetPatient())...)
	}
	if c := req.Command.GetPatient(); err == nil && c != nil {
		err = s.whole(tableID, req.As, concerned(c)...)
		if err == nil && c.Deed == deedAbandon {
			err = s.lookAtFight(ctx, tableID, c.Patients[0])
		}
	}
	if err != nil {
		return nil, err
	}
	if req.Preview {
		return s.preview(ctx, tableID, req)
	}
	reply, err := s.decided(ctx, func() (*injuryv1.TendResponse, error) {
		reply, err := s.repeated(ctx, tableID, req, digest)
		if err != nil || reply != nil {
			return reply, err
		}
		d, err := s.plan(ctx, tableID, req)
		if err != nil {
			return nil, err
		}
		d.digest = digest
		return nil, s.carryOut(ctx, d)
	})
	if err != nil || reply != nil {
		return reply, err
	}
	reply, err = s.reply(ctx, tableID, req)
	if err == nil && reply == nil {
		err = fault.New(fault.Internal, "LOST_DEED", "the deed was stored but can not be found")
	}
	return reply, err
}

// checkCommand refuses what could never be a deed.
func checkCommand(cmd *eventv1.Command) error {
	switch {
	case cmd.GetAnswer() != nil:
		if cmd.GetAnswer().Decision == "" || len(cmd.GetAnswer().Decision) > rules.MaxIDLength {
			return fault.Field("command.answer.decision", "must be 1 to %d bytes", rules.MaxIDLength)
		}
		return nil
	case cmd.GetPatient() == nil:
		return fault.Field("command", "must be a deed on patients or the answer to a decision")
	}
	c := cmd.GetPatient()
	if len(c.Patients) > maxPatients {
		return fault.Limit("patients of one deed", maxPatients, int64(len(c.Patients)))
	}
	for i, id := range c.Patients {
		if !rules.ValidID(id) || slices.Contains(c.Patients[:i], id) {
			return fault.Field("command.patient.patients", "%q is no id or is named twice", id)
		}
	}
	if c.User != "" {
		if err := aggregate.CheckID("command.patient.user", c.User); err != nil {
			return err
		}
	}
	if len(c.Patients) == 0 && c.Deed != deedEnrol {
		return fault.Field("command.patient.patients", "missing")
	}
	return nil
}

// repeated answers a request id that was carried out before; nil when it is new.
func (s *Server) repeated(ctx context.Context, tableID string, req *injuryv1.TendRequest, digest []byte) (*injuryv1.TendResponse, error) {
	var done *record.Done
	err := s.cfg.Store.View(func(tx *projection.Tx) (err error) {
		done, err = record.Request(tx, tableID, req.As, req.RequestId)
		return err
	})
	if err != nil || done == nil {
		return nil, err
	}
	if err := aggregate.Repeats(done.Digest, digest); err != nil {
		return nil, err
	}
	s.noteTapes(ctx, tableID, done)
	reply, err := s.reply(ctx, tableID, req)
	if reply != nil {
		reply.Repeated = true
	}
	return reply, err
}

// reply tells the caller what its deed did, as far as it may see.
func (s *Server) reply(ctx context.Context, tableID string, req *injuryv1.TendRequest) (*injuryv1.TendResponse, error) {
	var reply *injuryv1.TendResponse
	err := s.cfg.Store.View(func(tx *projection.Tx) error {
		done, err := record.Request(tx, tableID, req.As, req.RequestId)
		if err != nil || done == nil {
			return err
		}
		reply = &injuryv1.TendResponse{}
		for i, t := range done.Patients {
			events := record.Visible(t.Entry, req.As)
			p, err := s.patientNow(tx, tableID, t.ID, req.As)
			if err != nil {
				return err
			}
			reply.Events = append(reply.Events, events...)
			switch {
			case i == 0:
				reply.Patient = p
			case p != nil && len(events) > 0:
				reply.Others = append(reply.Others, p)
			}
		}
		return nil
	})
	return reply, err
}
