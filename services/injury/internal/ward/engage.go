package ward

import (
	"context"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// crossing is a patient about to enter or leave a fight.
type crossing struct {
	table, patient, encounter string
	by                        *eventv1.Principal
	requestID                 string
	row                       *record.Patient
	full                      *record.View
	// lifeKnown: everyone knows its life as it is.
	lifeKnown bool
	// again: it takes the end of the fight back.
	again bool
}

// PrepareEngage returns the Commit by which a patient enters a fight. Nothing
// has happened until the encounter service appends it, together with its own.
func (s *Server) PrepareEngage(ctx context.Context, req *injuryv1.PrepareEngageRequest) (*injuryv1.PrepareEngageResponse, error) {
	c := &crossing{table: req.Table, patient: req.Patient, encounter: req.Encounter, by: req.As, requestID: req.RequestId}
	if err := s.meet(ctx, c); err != nil {
		return nil, err
	}
	creature := c.full.State.Creatures[c.patient]
	if req.Again {
		if err := s.justReleased(ctx, c); err != nil {
			return nil, err
		}
	} else if err := free(c.row, creature); err != nil {
		return nil, err
	}
	switch {
	case req.Again: // it was in this fight already
	case creature.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD:
		return nil, fault.New(fault.Illegal, "PATIENT_DEAD", "patient %q is dead", c.patient)
	case req.System != c.full.State.System:
		return nil, fault.New(fault.Illegal, "SYSTEM_MISMATCH", "patient %q is of the rule system %q, the encounter of %q",
			c.patient, c.full.State.System, req.System)
	}
	enters := event.New(event.Everyone(), &eventv1.MarkSet{Subject: c.patient, Mark: markEncounter, Value: c.encounter})
	c.again = req.Again
	message, err := s.cross(c, deedEngage, event.Veil(unseen(c.full.State, c.patient, req.Staged), enters))
	if err != nil {
		return nil, err
	}
	p := s.patientOf(c.table, c.patient, c.full, gameMaster)
	p.Encounter = c.encounter
	return &injuryv1.PrepareEngageResponse{Patient: p, Message: message, LifeKnown: c.lifeKnown}, nil
}

// justReleased holds that the last thing in the record is the release from the fight
// that the patient is to come back into: what came after it would be lost.
func (s *Server) justReleased(ctx context.Context, c *crossing) error {
	p, err := s.pastOf(ctx, record.Named(c.table, c.patient))
	if err != nil {
		return err
	}
	left := slices.IndexFunc(p.chain, func(d *done) bool { return d == p.left(c.encounter) })
	if left < 0 {
		return fault.New(fault.Illegal, "PATIENT_HAS_LEFT", "the record of patient %q says nothing of leaving encounter %q at its end", c.patient, c.encounter)
	}
	if later := p.chain[left+1:]; len(later) > 0 {
		what := later[0].command.GetDeed()
		if what == deedEngage {
			what += " in encounter " + later[0].command.Encounter
		}
		return fault.New(fault.Illegal, "PATIENT_HAS_LEFT", "patient %q left encounter %q, and its record has gone on since: from version %d (%s) to version %d",
			c.patient, c.encounter, later[0].origin, what, c.row.Version)
	}
	return nil
}

// PrepareRelease returns the Commit by which a patient leaves a fight: it makes
// the record what the creature is as it leaves.
func (s *Server) PrepareRelease(ctx context.Context, req *injuryv1.PrepareReleaseRequest) (*injuryv1.PrepareReleaseResponse, error) {
	c := &crossing{table: req.Table, patient: req.Patient, encounter: req.Encounter, by: req.As, requestID: req.RequestId}
	if err := s.meet(ctx, c); err != nil {
		return nil, err
	}
	if req.Creature == nil {
		return nil, fault.Field("creature", "missing")
	}
	if c.full.State.Creatures[c.patient].Marks[markEncounter] != c.encounter {
		return nil, fault.New(fault.Illegal, "NOT_ENGAGED", "patient %q is not in encounter %q", c.patient, c.encounter)
	}
	lives, err := s.lives(ctx, c)
	if err != nil {
		return nil, err
	}
	sys, err := s.cfg.Systems.System(c.full.State.System)
	if err != nil {
		return nil, err
	}
	l := &leaving{id: c.patient, creature: copyOf(req.Creature), lives: lives, packs: req.Packs}
	if f, ok := sys.(rules.Fleeting); ok {
		l.fleeting = f.OfTheFight()
	}
	out, err := rules.Run(ctx, sys, rules.Request{State: unseen(c.full.State, c.patient, req.Creature.Staged)}, &table{}, l.leave)
	if err != nil {
		return nil, err
	}
	message, err := s.cross(c, deedRelease, out.Events)
	if err != nil {
		return nil, err
	}
	return &injuryv1.PrepareReleaseResponse{Message: message}, nil
}

// unseen is the state in which a patient crosses: as staged when in the fight the
// creature is, so that its controllers and the game master alone are told.
func unseen(s *eventv1.State, patient string, staged bool) *eventv1.State {
	if !staged {
		return s
	}
	s = event.Clone(s)
	s.Creatures[patient].Staged = true
	return s
}

// meet checks the request and finds the patient.
func (s *Server) meet(ctx context.Context, c *crossing) error {
	var err error
	if c.table, err = s.about(ctx, c.table, c.patient, c.by); err != nil {
		return err
	}
	if err := aggregate.CheckID("encounter", c.encounter); err != nil {
		return err
	}
	if c.requestID != "" {
		if err := aggregate.CheckRequestID(c.requestID); err != nil {
			return err
		}
	}
	return s.cfg.Store.View(func(tx *projection.Tx) error {
		seen, err := record.Now(tx, c.table, c.patient, c.by)
		if err != nil {
			return err
		}
		if seen == nil {
			return unknownPatient(c.patient)
		}
		if c.row, err = record.Get(tx, c.table, c.patient); err != nil {
			return err
		}
		if c.full, err = record.Now(tx, c.table, c.patient, gameMaster); err != nil {
			return err
		}
		everyone, err := record.Now(tx, c.table, c.patient, aggregate.Viewer(aggregate.ViewerEveryone))
		if err != nil {
			return err
		}
		c.lifeKnown = everyone != nil && everyone.State.Creatures[c.patient].GetLife() == c.full.State.Creatures[c.patient].GetLife()
		if !event.Controls(c.full.State.Creatures[c.patient], c.by) {
			return fault.New(fault.Denied, "NOT_YOURS", "you do not control %q", c.patient)
		}
		return nil
	})
}

// cross seals the Commit of a crossing.
func (s *Server) cross(c *crossing, deed string, events []*eventv1.Event) (*injuryv1.PatientMessage, error) {
	sys, err := s.cfg.Systems.System(c.full.State.System)
	if err != nil {
		return nil, err
	}
	crosses := &eventv1.PatientCommand{Deed: deed, Patients: []string{c.patient}, Encounter: c.encounter}
	if c.again {
		crosses.Parameters = &structpb.Struct{Fields: map[string]*structpb.Value{paramAgain: structpb.NewBoolValue(true)}}
	}
	command, err := proto.Marshal(&eventv1.Command{What: &eventv1.Command_Patient{Patient: crosses}})
	if err != nil {
		return nil, fault.Wrap(fault.Internal, "COMMAND", err, "a command can not be written")
	}
	m, err := s.seal(c.row, sys, event.Draft{Events: events, Inputs: &eventv1.CommitInputs{},
		Cause: &eventv1.CommitCause{RequestId: c.requestID, Principal: c.by, Command: command}})
	if err != nil {
		return nil, err
	}
	return &injuryv1.PatientMessage{Subject: m.Subject, ExpectedSequence: m.Expected, Data: m.Data, Id: m.ID}, nil
}

// lives are the changes of life that the fight told of the patient, each with
// whom it was told to: what was secret in the fight stays secret after it.
func (s *Server) lives(ctx context.Context, c *crossing) ([]*eventv1.Event, error) {
	if err := s.catchUp(ctx, fight(c.table, c.encounter)); err != nil {
		return nil, err
	}
	var out []*eventv1.Event
	var versions []uint64 // of the encounter, one an event
	err := s.cfg.Store.View(func(tx *projection.Tx) error {
		entries, err := record.Fight(tx, c.table, c.patient, c.encounter)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			for _, t := range entry.Events {
				e := t.Event
				switch {
				case e.GetReverted() != nil:
					// What a ruling took back is not carried over.
					for len(out) > 0 && versions[len(versions)-1] > e.GetReverted().Version {
						out, versions = out[:len(out)-1], versions[:len(versions)-1]
					}
				case e.GetLife() != nil:
					out, versions = append(out, e), append(versions, entry.Version)
				}
			}
		}
		return nil
	})
	return out, err
}
