package ward

import (
	"context"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// deed is a deed about to be carried out.
type deed struct {
	req    *injuryv1.TendRequest
	digest []byte
	table  string
	// primary is the patient whose record the deed belongs to.
	primary string
	// rows of the patients concerned; an empty one for a patient to be enrolled.
	rows map[string]*record.Patient
	// state before the deed, with the patients concerned as its creatures.
	state   *eventv1.State
	systems *rules.Registry
	sys     rules.System
	// settings that the deed gives, and where its faces come from.
	settings map[string]string
	policy   eventv1.DicePolicy
	// packs that the deed gives, by digest; none changes nothing.
	packs []string
	// action number.
	action uint64
	// recorded inputs, the answer included.
	recorded []*eventv1.Input
	// again: it is decided again as it was, and no answer to it.
	again bool
	// answered is the answer given now; nil when the deed begins.
	answered *eventv1.Input
	// told are the events already published, by patient.
	told map[string][]*eventv1.Event
	// caller began the deed and called for who sees its rolls.
	caller *eventv1.Principal
	mode   eventv1.RollMode
	// early answers.
	early []*eventv1.EarlyAnswer
	// do carries it out; nil when events say it all.
	do func(*rules.Resolution) error
	// events of a deed that nothing is to be decided about.
	events []*eventv1.Event
	// frees: the deed takes a patient out of a closed fight.
	frees bool
	// back is the ruling that the deed is; nil when it is none.
	back *revert
	// reveals: the deed closes the epoch of the dice; epoch is the one that it opens.
	reveals bool
	epoch   uint32
	// purpose of its dice; unset means REAL.
	purpose dicev1.Purpose
}

// concerned lists the patients, the primary one last.
func (d *deed) concerned() []string {
	var out []string
	for _, id := range rules.SortedKeys(d.rows) {
		if id != d.primary {
			out = append(out, id)
		}
	}
	return append(out, d.primary)
}

// plan makes a deed of a request.
func (s *Server) plan(ctx context.Context, tableID string, req *injuryv1.TendRequest) (*deed, error) {
	d := &deed{req: req, systems: s.cfg.Systems, table: tableID, rows: map[string]*record.Patient{}, early: req.Command.Answers, caller: req.As, mode: req.Command.RollMode, settings: req.Settings, packs: req.Packs}
	err := s.cfg.Store.View(func(tx *projection.Tx) error {
		c := req.Command.GetPatient()
		switch {
		case len(req.Packs) > 0 && c.GetDeed() != deedEnrol && c.GetDeed() != deedEdit:
			return fault.Field("packs", "given with %s and %s alone", deedEnrol, deedEdit)
		case len(req.Settings) > 0 && c.GetDeed() != deedEnrol && c.GetDeed() != deedEdit:
			return fault.Field("settings", "given with %s and %s alone", deedEnrol, deedEdit)
		case c == nil:
			return s.planAnswer(tx, d, req.Command.GetAnswer())
		case c.Deed == deedEnrol:
			return s.planEnrol(tx, d, c)
		case c.Deed == deedAbandon:
			return s.planAbandon(tx, d, c)
		case c.Deed == deedReveal:
			return s.planReveal(tx, d, c)
		case c.Deed == deedRevert || c.Deed == deedRedo:
			return s.planRevert(tx, d, c)
		}
		return s.planDeed(tx, d, c)
	})
	if err == nil && req.Command.GetPatient().GetDeed() != deedEnrol && req.System != "" && req.System != d.state.System {
		// The record would not tell that it was said, and the request's digest would be another's.
		err = fault.Field("system", "the patient is of the rule system %q", d.state.System)
	}
	if err == nil {
		err = rules.Ahead(d.state, req.As, "command.answers", req.Command.Answers)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// concerned lists the patients of a command, the one whose deed it is first.
func concerned(c *eventv1.PatientCommand) []string {
	ids := slices.Clone(c.Patients)
	if c.User != "" && !slices.Contains(ids, c.User) {
		ids = append(ids, c.User)
	}
	return ids
}

// planDeed plans a deed on patients who are there.
func (s *Server) planDeed(tx *projection.Tx, d *deed, c *eventv1.PatientCommand) error {
	ids := concerned(c)
	d.primary = ids[0]
	for _, id := range ids {
		if err := d.load(tx, id); err != nil {
			return err
		}
	}
	if err := d.permit(c); err != nil {
		return err
	}
	for _, id := range ids {
		if err := free(d.rows[id], d.state.Creatures[id]); err != nil {
			return err
		}
	}
	var err error
	if d.sys, err = s.cfg.Systems.System(d.state.System); err != nil {
		return err
	}
	d.action = d.rows[d.primary].Action + 1
	d.do, err = d.resolve(c)
	return err
}

// load takes a patient into the deed as it is now. The first one gives the
// state its settings and its dice.
func (d *deed) load(tx *projection.Tx, id string) error {
	view, err := record.Now(tx, d.table, id, d.req.As)
	if err != nil {
		return err
	}
	if view == nil {
		return unknownPatient(id)
	}
	row, err := record.Get(tx, d.table, id)
	if err != nil {
		return err
	}
	full, err := record.Now(tx, d.table, id, gameMaster)
	if err != nil {
		return err
	}
	if full.State.Creatures[id].GetMarks()[markEncounter] != view.State.Creatures[id].GetMarks()[markEncounter] {
		// It is in a fight unseen, or just back from one: no word of which.
		return fault.New(fault.Illegal, "PATIENT_AWAY", "patient %q is not to be found", id)
	}
	d.rows[id] = row
	return d.join(id, full.State)
}

// join takes a patient's state into the deed's, by the names of this build.
func (d *deed) join(id string, full *eventv1.State) error {
	upgrade(d.systems, full)
	if d.state == nil {
		d.state, d.policy = full, full.DicePolicy
		return nil
	}
	if full.System != d.state.System {
		return fault.New(fault.Illegal, "SYSTEM_MISMATCH", "patient %q is of the rule system %q, not %q", id, full.System, d.state.System)
	}
	d.state.Creatures[id] = full.Creatures[id]
	return nil
}

// permit says whether the caller may do the deed: the game master anything, a
// player treat and rest with creatures of its own.
func (d *deed) permit(c *eventv1.PatientCommand) error {
	if isGM(d.req.As) {
		return nil
	}
	// A rule system may know several sorts of rest: short-rest, long-rest.
	if c.Deed != deedTreat && c.Deed != deedRest && !strings.HasSuffix(c.Deed, "-"+deedRest) {
		return fault.New(fault.Denied, "GM_ONLY", "only the game master may do %q", c.Deed)
	}
	actors := concerned(c)
	if c.Deed == deedTreat && c.User != "" {
		actors = []string{c.User} // whoever treats may treat others
	}
	for _, id := range actors {
		if !event.Controls(d.state.Creatures[id], d.req.As) {
			return fault.New(fault.Denied, "NOT_YOURS", "you do not control %q", id)
		}
	}
	return nil
}

// free refuses patients in a fight and those whose last deed still waits.
func free(row *record.Patient, c *eventv1.Creature) error {
	if enc := c.GetMarks()[markEncounter]; enc != "" {
		return fault.New(fault.Illegal, "PATIENT_ENGAGED", "patient %q is in encounter %q", row.ID, enc)
	}
	if row.Pending != nil {
		return fault.New(fault.Illegal, "DECISION_PENDING", "a deed on patient %q waits for an answer", row.ID)
	}
	return nil
}

// resolve finds the function that carries the deed out.
func (d *deed) resolve(c *eventv1.PatientCommand) (func(*rules.Resolution) error, error) {
	medicine := d.sys.Medicine()
	listed := slices.Contains(medicine.Deeds(), c.Deed)
	switch {
	case c.Deed == deedEnrol:
		return d.enrol(c, listed), nil
	case c.Deed == deedEdit:
		return d.edit(c, listed)
	case c.Deed == deedPassTime:
		return d.passTime(c, listed)
	case c.Deed == deedEngage || c.Deed == deedRelease:
		return nil, fault.Field("command.patient.deed", "patients enter and leave fights through the encounter service")
	case !listed:
		known := append([]string{deedEnrol, deedEdit, deedPassTime, deedAbandon, deedRevert, deedRedo, deedReveal}, medicine.Deeds()...)
		slices.Sort(known)
		return nil, fault.Field("command.patient.deed", "%q is not one of %v", c.Deed, slices.Compact(known))
	}
	return d.withBranches(rules.Tend(medicine, c)), nil
}

// withBranches opens, before anything is rolled, the branches of the dice for
// those who have none among the dice of the patient whose deed it is.
func (d *deed) withBranches(do func(*rules.Resolution) error) func(*rules.Resolution) error {
	return func(r *rules.Resolution) error {
		var missing []string
		for _, id := range d.concerned() {
			branch := event.Branch(event.Controllers(id))
			if _, ok := r.State().Commitments[branch]; !ok {
				missing = append(missing, branch)
			}
		}
		if len(missing) > 0 {
			r.Open(nil, missing...)
		}
		return do(r)
	}
}

// passTime lets hours pass: the rule system says what they do, if it says
// anything, and the hours are counted in any case.
func (d *deed) passTime(c *eventv1.PatientCommand, listed bool) (func(*rules.Resolution) error, error) {
	if err := checkOwn(c, listed); err != nil {
		return nil, err
	}
	hours, ok := spoken.Number(c.GetParameters(), "hours")
	if !ok {
		return nil, fault.Field("command.patient.parameters.hours", "must be a whole number from 1 to 1000000")
	}
	return d.withBranches(func(r *rules.Resolution) error {
		before := map[string]int64{}
		for _, id := range c.Patients {
			before[id] = r.Count(id, rules.CounterHours)
		}
		if listed {
			if err := rules.Tend(d.sys.Medicine(), c)(r); err != nil {
				return err
			}
		}
		for _, id := range c.Patients {
			if r.Count(id, rules.CounterHours) == before[id] {
				r.Set(id, rules.CounterHours, before[id]+int64(hours), "time passed")
			}
		}
		return nil
	}), nil
}
