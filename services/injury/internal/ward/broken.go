package ward

import (
	"bytes"
	"context"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// A patient whose record is broken is closed: whoever may see it is answered
// fault.BrokenRecord, everybody else what a patient that does not exist answers.

// catchUpAndCompare is catchUp for a patient, and holds the last record that the
// log has against the one that was folded: behind an altered one nothing may be
// appended.
func (s *Server) catchUpAndCompare(ctx context.Context, subject, tableID, id string) error {
	last, ok, err := s.cfg.Journal.Last(ctx, subject)
	if err != nil {
		return stored(err)
	}
	if ok {
		if err := s.cfg.Store.WaitFor(ctx, last.Seq); err != nil {
			return err
		}
	}
	var row *record.Patient
	if err := s.cfg.Store.View(func(tx *projection.Tx) (err error) {
		row, err = record.Get(tx, tableID, id)
		return err
	}); err != nil || row == nil || s.isClosed(tableID, record.KindPatient, id) {
		return err
	}
	if !ok || last.Seq < row.Seq { // perhaps appended since the question
		if last, ok, err = s.cfg.Journal.Last(ctx, subject); err != nil {
			return stored(err)
		}
	}
	switch {
	case !ok || last.Seq < row.Seq:
		s.close(subject, row.Seq, "the log has lost its last record")
	case last.Seq == row.Seq && !same(last.Data, row.Hash):
		s.close(subject, row.Seq, "the log holds other bytes there than were folded")
	}
	return nil
}

// same tells whether a record's bytes are the Commit of a hash.
func same(data, hash []byte) bool {
	o, err := event.Open(data)
	return err == nil && bytes.Equal(o.Hash, hash)
}

// close closes what a subject names and tells the operator once.
func (s *Server) close(subject string, sequence uint64, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.closed[subject]; ok {
		return
	}
	s.closed[subject] = projection.Closure{Subject: subject, Sequence: sequence, Why: why}
	s.cfg.Logger.Error("a record was altered: what it belongs to is closed, everything else goes on", "subject", subject, "sequence", sequence, "why", why)
}

// Closed lists what was found broken here, beside what the projection found.
func (s *Server) Closed() []projection.Closure {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]projection.Closure, 0, len(s.closed))
	for _, c := range s.closed {
		out = append(out, c)
	}
	return out
}

// closure finds why something is closed.
func (s *Server) closure(tableID, kind, id string) (projection.Closure, bool) {
	if c, ok := s.cfg.Store.ClosedOf(tableID, kind, id); ok {
		return c, true
	}
	subject, err := journal.Subject(partitions, tableID, kind, id)
	if err != nil {
		return projection.Closure{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.closed[subject]
	return c, ok
}

func (s *Server) isClosed(tableID, kind, id string) bool {
	_, ok := s.closure(tableID, kind, id)
	return ok
}

// whole refuses patients that are closed, where the caller may see them (W4).
func (s *Server) whole(tableID string, by *eventv1.Principal, ids ...string) error {
	for _, id := range ids {
		c, ok := s.closure(tableID, record.KindPatient, id)
		if !ok {
			continue
		}
		visible := isGM(by)
		if err := s.cfg.Store.View(func(tx *projection.Tx) error {
			v, err := record.Now(tx, tableID, id, by)
			visible = visible || v != nil
			return err
		}); err != nil {
			return err
		}
		if !visible {
			return unknownPatient(id)
		}
		return fault.BrokenRecord(record.KindPatient, id, c.Sequence)
	}
	return nil
}

// lookAtFight holds the log's last record of the fight that a patient is in, if it
// is in any, against the one that was folded.
func (s *Server) lookAtFight(ctx context.Context, tableID, patient string) error {
	var enc string
	var hash []byte
	if err := s.cfg.Store.View(func(tx *projection.Tx) error {
		v, err := record.Now(tx, tableID, patient, gameMaster)
		if err != nil || v == nil {
			return err
		}
		enc = v.State.Creatures[patient].GetMarks()[markEncounter]
		return nil
	}); err != nil || enc == "" {
		return err
	}
	subject, err := journal.Subject(partitions, tableID, record.KindEncounter, enc)
	if err != nil {
		return err
	}
	last, ok, err := s.cfg.Journal.Last(ctx, subject)
	if err != nil {
		return stored(err)
	}
	if ok {
		if err := s.cfg.Store.WaitFor(ctx, last.Seq); err != nil {
			return err
		}
	}
	if err := s.cfg.Store.View(func(tx *projection.Tx) (err error) {
		hash, err = record.FightHash(tx, tableID, enc)
		return err
	}); err != nil || s.isClosed(tableID, record.KindEncounter, enc) {
		return err
	}
	if again, _, err := s.cfg.Journal.Last(ctx, subject); err != nil || again.Seq != last.Seq {
		return stored(err) // it goes on: nothing is wrong with it
	}
	if hash != nil && (!ok || !same(last.Data, hash)) {
		s.close(subject, last.Seq, "the log's last record of the fight is not the one that was folded")
	}
	return nil
}

// planFree plans to take a patient out of a fight whose record is broken, as it
// was when it entered: what the fight did to it can not be read. The game master
// may then edit it.
func (s *Server) planFree(tx *projection.Tx, d *deed, row *record.Patient) (bool, error) {
	full, err := record.Now(tx, d.table, row.ID, gameMaster)
	if err != nil || full == nil {
		return false, err
	}
	enc := full.State.Creatures[row.ID].GetMarks()[markEncounter]
	if enc == "" || !s.isClosed(d.table, record.KindEncounter, enc) {
		return false, nil
	}
	public, err := record.Now(tx, d.table, row.ID, &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR})
	if err != nil {
		return false, err
	}
	audience := event.Controllers(row.ID) // it was in the fight unseen
	if public != nil && public.State.Creatures[row.ID].GetMarks()[markEncounter] == enc {
		audience = event.Everyone()
	}
	d.primary, d.rows[row.ID], d.state, d.frees = row.ID, row, full.State, true
	if d.sys, err = s.cfg.Systems.System(d.state.System); err != nil {
		return false, err
	}
	d.events = []*eventv1.Event{event.New(audience, &eventv1.MarkSet{Subject: row.ID, Mark: markEncounter})}
	return true, nil
}
