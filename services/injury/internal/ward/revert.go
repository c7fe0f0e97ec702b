package ward

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// revert is a ruling between fights: records go back to what they were.
type revert struct {
	to     map[string]uint64 // version by patient
	redo   bool
	reason string
}

// planRevert plans to put patients back to an earlier version of their records: each
// to before its last deed that counts, or one to a version. A deed that touched others
// as well is taken back for all of them or not at all, and none is when it has been in
// a fight since.
func (s *Server) planRevert(tx *projection.Tx, d *deed, c *eventv1.PatientCommand) error {
	if !isGM(d.req.As) {
		return fault.New(fault.Denied, "GM_ONLY", "only the game master may do %q", c.Deed)
	}
	if err := checkOwn(c, false); err != nil {
		return err
	}
	b := &revert{to: map[string]uint64{}, redo: c.Deed == deedRedo, reason: spoken.Word(c.GetParameters(), paramReason)}
	version, chosen := spoken.Number(c.GetParameters(), paramVersion)
	if chosen && len(c.Patients) > 1 {
		return fault.Field("command.patient.parameters.version", "given for one patient alone")
	}
	d.primary, d.back = c.Patients[0], b
	for _, id := range c.Patients {
		if err := d.join1(tx, id); err != nil {
			return err
		}
		var err error
		if chosen {
			b.to[id], err = uint64(version), checkVersion(tx, d, id, uint64(version)) //nolint:gosec // from 1 on by its vocabulary
		} else {
			b.to[id], err = d.before(tx, id)
		}
		if err != nil {
			return err
		}
	}
	if err := d.together(tx); err != nil {
		return err
	}
	var err error
	d.sys, err = s.cfg.Systems.System(d.state.System)
	return err
}

// join1 takes a patient into the deed who is in no fight and waits for nothing.
func (d *deed) join1(tx *projection.Tx, id string) error {
	if err := d.load(tx, id); err != nil {
		return err
	}
	return free(d.rows[id], d.state.Creatures[id])
}

// checkVersion refuses what is no earlier version that one can go back to.
func checkVersion(tx *projection.Tx, d *deed, id string, version uint64) error {
	const field = "command.patient.parameters.version"
	if version >= d.rows[id].Version {
		return fault.Field(field, "the record of %q stands at version %d: an earlier one is wanted", id, d.rows[id].Version)
	}
	e, err := record.Entry(tx, d.table, id, version)
	if err == nil && e.Waits {
		return fault.Field(field, "at version %d a deed waits for an answer", version)
	}
	return err
}

// before is the version that undo or redo goes to.
func (d *deed) before(tx *projection.Tx, id string) (uint64, error) {
	row := d.rows[id]
	if d.back.redo {
		if len(row.Redo) == 0 {
			return 0, fault.New(fault.Illegal, "NOTHING_TO_REDO", "nothing of patient %q was taken back last", id)
		}
		return row.Redo[len(row.Redo)-1], nil
	}
	at := row.Version
	for {
		e, err := record.Entry(tx, d.table, id, at)
		if err != nil {
			return 0, err
		}
		to := putBackTo(e)
		if to == 0 {
			break
		}
		at = to
	}
	for at--; at > 0; at-- {
		e, err := record.Entry(tx, d.table, id, at)
		if err != nil {
			return 0, err
		}
		if !e.Waits {
			return at, nil
		}
	}
	return 0, fault.New(fault.Illegal, "NOTHING_TO_UNDO", "nothing was done to patient %q since it was enrolled", id)
}

// putBackTo is the version that an entry put the record back to; 0 when it did not.
func putBackTo(e *injuryv1.StoredEntry) uint64 {
	for _, t := range e.Events {
		if r := t.Event.GetReverted(); r != nil {
			return r.Version
		}
	}
	return 0
}

// together looks at every deed that would be taken back: none may have led into a
// fight, and those that touched others take them along where it is the last thing that
// befell them.
func (d *deed) together(tx *projection.Tx) error {
	done := map[string]bool{}
	for {
		i := slices.IndexFunc(rules.SortedKeys(d.back.to), func(id string) bool { return !done[id] })
		if i < 0 {
			return nil
		}
		id := rules.SortedKeys(d.back.to)[i]
		done[id] = true
		entries, err := record.Since(tx, d.table, id, d.back.to[id])
		if err != nil {
			return err
		}
		for _, e := range slices.Backward(entries) { // the last first: what is taken along goes back step by step
			if e.Deed == record.DeedRuling {
				return fault.New(fault.Illegal, "RULING_OF_FIGHTS", "the record of patient %q was made what it is by a ruling of fights: take that back in the encounter", id)
			}
			if e.Deed == deedEngage || e.Deed == deedRelease {
				return fault.New(fault.Illegal, "PATIENT_WENT_ON", "patient %q has been in a fight since version %d of its record: what it took along can not be taken back here", id, d.back.to[id])
			}
			along, err := d.takeAlong(tx, id, e)
			if err != nil {
				return err
			}
			for _, other := range along {
				done[other] = false
			}
		}
	}
}

// takeAlong puts back the others whom a deed touched, and names them.
func (d *deed) takeAlong(tx *projection.Tx, id string, e *injuryv1.StoredEntry) (along []string, err error) {
	others, err := record.Together(tx, d.table, e)
	if err != nil {
		return nil, err
	}
	for _, other := range rules.SortedKeys(others) {
		at := others[other]
		to, in := d.back.to[other]
		switch {
		case in && to < at: // the one itself among them
			continue
		case in && (to > at || slices.Contains(d.req.Command.GetPatient().GetPatients(), other)):
			return nil, fault.New(fault.Illegal, "PATIENTS_ENTANGLED", "what patient %q would take back touched patient %q before version %d of its record: put %q back further first", id, other, to, other)
		case !in:
			if err := d.join1(tx, other); err != nil {
				return nil, err
			}
			if d.rows[other].Version != at {
				return nil, fault.New(fault.Illegal, "PATIENTS_ENTANGLED", "what patient %q would take back touched patient %q as well, to whom more was done since: take that back first", id, other)
			}
		}
		d.back.to[other] = at - 1
		along = append(along, other)
	}
	return along, nil
}

// events are those of the ruling, by patient.
func (b *revert) events() map[string][]*eventv1.Event {
	out := map[string][]*eventv1.Event{}
	// order-free: a map is filled from a map
	for id, version := range b.to {
		out[id] = []*eventv1.Event{event.New(event.Everyone(), &eventv1.Reverted{Version: version, Reason: b.reason, Redo: b.redo})}
	}
	return out
}
