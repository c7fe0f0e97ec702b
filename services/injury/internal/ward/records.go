package ward

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// records lists the records that the ruling makes others, with the Commits of it.
func (o *onward) records() error {
	inline := 0 // bytes of the new histories that their Commits hold
	for _, id := range rules.SortedKeys(o.courses) {
		c := o.courses[id]
		if !c.differs {
			continue
		}
		again := &injuryv1.RecordAgain{Patient: id, Version: c.past.head.Version + 1}
		var err error
		if again.Changes, err = o.differences(c); err != nil {
			return err
		}
		am, err := o.amended(c)
		if err != nil {
			return err
		}
		o.out.Records = append(o.out.Records, again)
		if inline += proto.Size(am); o.long(inline) {
			inline -= proto.Size(am)
			if !o.final() {
				continue // what it comes to is known, and no Commit is wanted yet
			}
			if err := o.branched(c.past, am); err != nil {
				return err
			}
		}
		if err := o.sealed(again, c.past, c.now, event.New(event.GM(), am)); err != nil {
			return err
		}
	}
	return nil
}

// amended is the ruling in a record: what counts there from where it begins, with what
// an earlier ruling holds before that.
func (o *onward) amended(c *course) (*eventv1.Amended, error) {
	base, rest := c.past.base(c.first)
	am := &eventv1.Amended{Version: c.begun, Reason: o.req.Reason, Base: base, Across: o.req.Across}
	kept := &course{past: c.past, now: event.NewState(), open: event.NewState(), was: event.NewState(), known: event.NewState(), differs: true}
	for _, d := range rest {
		if err := kept.take(d, d.events, nil); err != nil {
			return nil, err
		}
	}
	am.Commands = append(kept.commands, c.commands...)
	if size := proto.Size(am); size > limits.AmendmentBytes {
		return nil, fault.Limit("bytes of a record told again", limits.AmendmentBytes, int64(size))
	}
	return am, nil
}

// long tells whether what a record becomes goes to a branch, since with it the Commits that
// are returned would hold so many bytes. What is decided again from a record is compared as
// if its Commit held it.
func (o *onward) long(inline int) bool { return !o.s.cfg.Recorded && inline > o.s.cfg.InlineBytes }

// final tells whether the Commits of the ruling are to be stored: it names its parts, and
// nothing is left that could make it another.
func (o *onward) final() bool { return len(o.req.Across) > 0 && len(o.out.Entrances) == 0 }

// branched writes what a record becomes to a branch of it.
func (o *onward) branched(p *past, am *eventv1.Amended) error {
	return o.s.log.Branch(o.ctx, p.name, am, aggregate.Branched{Inline: o.s.cfg.InlineBytes, Random: o.s.cfg.Random, Before: func(int, int) error { return o.goesOn() }})
}

// goesOn refuses to go on with what was called off.
func (o *onward) goesOn() error {
	if err := o.ctx.Err(); err != nil {
		return fault.Wrap(fault.Unavailable, "CANCELLED", err, "the ruling was called off after %d deeds; nothing has changed", len(o.out.Deeds))
	}
	return nil
}

// differences are where a record would differ from what it was, at the same place.
func (o *onward) differences(c *course) ([]*injuryv1.RecordDifference, error) {
	was, now := event.Clone(c.was), event.Clone(c.now)
	upgrade(o.s.cfg.Systems, was)
	upgrade(o.s.cfg.Systems, now)
	all, err := event.Difference(was, now)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, "DIFFERENCE", err, "what would change can not be written")
	}
	var out []*injuryv1.RecordDifference
	of := "creatures." + c.past.name.ID + "."
	for _, x := range all {
		if path, own := strings.CutPrefix(x.Path, of); own {
			out = append(out, &injuryv1.RecordDifference{Path: path, Before: x.Before, After: x.After})
		}
	}
	return out, nil
}

// sealed makes the message of a ruling's part in a record.
func (o *onward) sealed(into *injuryv1.RecordAgain, p *past, state *eventv1.State, events ...*eventv1.Event) error {
	sys, err := o.s.cfg.Systems.System(state.System)
	if err != nil {
		return err
	}
	command, err := proto.Marshal(&eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{
		Deed: record.DeedRuling, Patients: []string{p.name.ID}, Encounter: o.req.Encounter}}})
	if err != nil {
		return fault.Wrap(fault.Internal, "COMMAND", err, "a command can not be written")
	}
	m, err := o.s.seal(p.row(), sys, event.Draft{Events: events, Inputs: &eventv1.CommitInputs{},
		Cause: &eventv1.CommitCause{RequestId: o.req.RequestId, Principal: o.req.As, Command: command}})
	if err != nil {
		return err
	}
	into.Subject, into.ExpectedSequence, into.Data, into.Id = m.Subject, m.Expected, m.Data, m.ID
	return nil
}

// putBack puts records back to before their first part of some rulings, if nothing but
// these came since.
func (o *onward) putBack() error {
	parts := map[string][]uint64{}
	for _, p := range o.req.Back {
		parts[p.Patient] = append(parts[p.Patient], p.Version)
	}
	for _, id := range rules.SortedKeys(parts) {
		p, err := o.pastOf(id)
		if err != nil {
			return err
		}
		first := slices.Min(parts[id])
		for v := first; v <= p.head.Version; v++ {
			if !slices.Contains(parts[id], v) {
				return fault.New(fault.Illegal, "RULING_WENT_ON", "the record of patient %q has gone on since the ruling: version %d; take that back first", id, v)
			}
		}
		if first < 2 {
			return fault.New(fault.Internal, "RULING", "a ruling is part of patient %q from its enrolment on", id)
		}
		again := &injuryv1.RecordAgain{Patient: id, Version: p.head.Version + 1}
		now, err := o.nowOf(id)
		if err != nil {
			return err
		}
		if err := o.sealed(again, p, now, event.New(event.Everyone(),
			&eventv1.Reverted{Version: first - 1, Reason: o.req.Reason, Redo: o.req.Redo})); err != nil {
			return err
		}
		o.out.Records = append(o.out.Records, again)
	}
	return nil
}

// nowOf is a record as it stands.
func (o *onward) nowOf(patient string) (out *eventv1.State, err error) {
	err = o.s.cfg.Store.View(func(tx *projection.Tx) error {
		view, err := record.Now(tx, o.table, patient, gameMaster)
		if err != nil {
			return err
		}
		if view == nil {
			return unknownPatient(patient)
		}
		out = view.State
		return nil
	})
	return out, err
}
