package ward

import (
	"context"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// A patient whose record is broken is closed: whoever may see it is answered
// fault.BrokenRecord, everybody else what a patient that does not exist answers.

// Closed lists what was found broken here, beside what the projection found.
func (s *Server) Closed() []projection.Closure { return s.closed.All() }

// closure finds why something is closed.
func (s *Server) closure(n aggregate.Name) (projection.Closure, bool) {
	if c, ok := s.cfg.Store.ClosedOf(n.Table, string(n.Kind), n.ID); ok {
		return c, true
	}
	return s.closed.Of(n)
}

func (s *Server) isClosed(n aggregate.Name) bool {
	_, ok := s.closure(n)
	return ok
}

// fight names the encounter that a patient is in.
func fight(tableID, encounter string) aggregate.Name {
	return aggregate.Name{Table: tableID, Kind: aggregate.Encounter, ID: encounter}
}

// whole refuses patients that are closed, where the caller may see them (W4).
func (s *Server) whole(tableID string, by *eventv1.Principal, ids ...string) error {
	for _, id := range ids {
		c, ok := s.closure(record.Named(tableID, id))
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
		return record.Named(tableID, id).Broken(c)
	}
	return nil
}

// lookAtFight holds the log's last record of the fight that a patient is in, if it
// is in any, against the one that was folded.
func (s *Server) lookAtFight(ctx context.Context, tableID, patient string) error {
	var enc string
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
	return s.catchUp(ctx, fight(tableID, enc))
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
	if enc == "" || !s.isClosed(fight(d.table, enc)) {
		return false, nil
	}
	public, err := record.Now(tx, d.table, row.ID, aggregate.Viewer(aggregate.ViewerEveryone))
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
