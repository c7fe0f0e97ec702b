package ward

import (
	"context"
	"errors"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// paramAgain marks an entering by which the end of a fight is taken back: the stay goes
// on.
const paramAgain = "again"

// done is something that counts in a patient's record: a deed with the answers that it
// met, a coming into a fight, or a leaving.
type done struct {
	patient string
	origin  uint64 // version at which it was done; of part of a deed that did not touch the patient then, 0
	seq     uint64 // sequence of that Commit: the order of the table
	before  uint64 // version whose state it begins from; of what a ruling holds, that of the ruling
	at      uint64 // version of the last Commit that holds it, answers included
	held    bool   // a ruling at that version decided it again
	index   int    // its place there
	key     string // of the request, the same in each record that it touched

	raw     []byte
	command *eventv1.PatientCommand
	faces   *eventv1.Command // the whole command
	caller  *eventv1.Principal
	action  uint64
	inputs  []*eventv1.Input
	events  []*eventv1.Event
	waits   bool
	forced  bool
	partOf  *eventv1.RulingPart
	again   bool   // an entering that takes the end of a fight back
	stay    uint32 // which stay in the fight, for entering and leaving
}

// letGo tells whether it waited and was let go: what it asked was closed without an answer.
func (d *done) letGo() bool {
	return slices.ContainsFunc(d.events, func(e *eventv1.Event) bool {
		a := e.GetDecisionAnswered()
		return a != nil && a.Answer == nil
	})
}

// crosses tells whether it is an entering or a leaving.
func (d *done) crosses() bool {
	return d.command.GetDeed() == deedEngage || d.command.GetDeed() == deedRelease
}

// past is all that counts in a patient's record.
type past struct {
	name  aggregate.Name
	head  aggregate.Head
	chain []*done
	deeds map[string]*done // in the chain, by the request; without comings and goings
	begun map[uint64]*done // all that was ever done, by the version at which it was
}

// link is what counts up to something that was done. Versions share what lies before
// it, so that a long record is in memory once.
type link struct {
	*done
	prior *link
}

// reading reads the past of a patient from the log.
type reading struct {
	*past
	now *link   // what counts
	at  []*link // what counted, by version
	// other finds a Commit of another patient's: its sequence, and the key of its request.
	other func(patient string, version uint64) (seq uint64, key string, err error)
}

// pastOf reads what counts in a patient's record.
func (s *Server) pastOf(ctx context.Context, n aggregate.Name) (*past, error) {
	r := &reading{past: &past{name: n, begun: map[uint64]*done{}}, at: []*link{nil}}
	r.other = func(patient string, version uint64) (uint64, string, error) {
		return s.commitOf(ctx, record.Named(n.Table, patient), version)
	}
	_, err := s.log.Read(ctx, n, 0, func(rec journal.Record) error {
		_, o, err := aggregate.Open(rec)
		if err != nil {
			return err
		}
		if err := r.head.Next(o.Header.Version, o.Header.PreviousHash); err != nil {
			return err
		}
		if err := branch.Fill(o.Events, s.parts(ctx, n)); err != nil {
			return err
		}
		if err := r.take(rec.Seq, o); err != nil {
			return err
		}
		r.head = r.head.Then(rec.Seq, o.Hash)
		r.at = append(r.at, r.now)
		return nil
	})
	if err != nil {
		return nil, aggregate.Fault(err)
	}
	for l := r.now; l != nil; l = l.prior {
		r.chain = append(r.chain, l.done)
	}
	slices.Reverse(r.chain)
	number(r.chain)
	r.deeds = map[string]*done{}
	for _, d := range r.chain {
		if !d.crosses() {
			r.deeds[d.key] = d
		}
	}
	return r.past, nil
}

// parts finds the parts of branches of a record in the log.
func (s *Server) parts(ctx context.Context, n aggregate.Name) branch.Part {
	return branch.Once(func(name string, fn func([]byte) error) error { return s.log.Parts(ctx, n, name, fn) })
}

// errFound ends a reading.
var errFound = errors.New("ward: found")

// commitOf finds a Commit of a record: its sequence, and the key of its request.
func (s *Server) commitOf(ctx context.Context, n aggregate.Name, version uint64) (seq uint64, key string, err error) {
	_, err = s.log.Read(ctx, n, 0, func(rec journal.Record) error {
		_, o, err := aggregate.Open(rec)
		if err != nil {
			return err
		}
		if o.Header.Version < version {
			return nil
		}
		seq, key = rec.Seq, aggregate.RequestKey(o.Cause.Principal, o.Cause.RequestId)
		return errFound
	})
	switch {
	case errors.Is(err, errFound):
		return seq, key, nil
	case err == nil:
		err = fault.New(fault.Internal, "RECORDED_RULING", "a ruling names version %d of patient %q, which there is not", version, n.ID)
	}
	return 0, "", aggregate.Fault(err)
}

// take follows one Commit.
func (r *reading) take(seq uint64, o *event.Opened) error {
	cmd := &eventv1.Command{}
	if err := proto.Unmarshal(o.Cause.GetCommand(), cmd); err != nil {
		return fault.Wrap(fault.Internal, "RECORDED_COMMAND", err, "a command of patient %q can not be read", r.name.ID)
	}
	for _, e := range o.Events {
		if back := e.GetReverted(); back != nil {
			return r.goBack(back.Version)
		}
		if am := e.GetAmended(); am != nil {
			return r.amended(o.Header.Version, am)
		}
	}
	if goesOn := r.now != nil && r.now.waits; goesOn { // an answer, or it is let go
		d := *r.now.done
		d.at, d.waits = o.Header.Version, o.Inputs.GetSuspended()
		d.inputs = append(slices.Clone(d.inputs), o.Inputs.GetInputs()...)
		d.events = append(slices.Clone(d.events), o.Events...)
		r.now = &link{&d, r.now.prior}
		return nil
	}
	d := &done{patient: r.name.ID, origin: o.Header.Version, before: o.Header.Version - 1, seq: seq, at: o.Header.Version,
		key: aggregate.RequestKey(o.Cause.Principal, o.Cause.RequestId), raw: o.Cause.Command, command: cmd.GetPatient(), faces: cmd,
		caller: o.Cause.Principal, action: o.Cause.Action, inputs: o.Inputs.GetInputs(), events: o.Events, waits: o.Inputs.GetSuspended(),
		again: cmd.GetPatient().GetDeed() == deedEngage && spoken.Truth(cmd.GetPatient().GetParameters(), paramAgain)}
	r.now, r.begun[d.origin] = &link{d, r.now}, d
	return nil
}

// goBack takes back what came after a version.
func (r *reading) goBack(version uint64) error {
	if version >= uint64(len(r.at)) {
		return fault.New(fault.Internal, "RECORDED_RULING", "the record of patient %q is put back to version %d, which it never had", r.name.ID, version)
	}
	r.now = r.at[version]
	return nil
}

// amended takes the commands of a ruling in the place of what came after its base.
func (r *reading) amended(version uint64, am *eventv1.Amended) error {
	if err := r.goBack(am.Base); err != nil {
		return err
	}
	for i, c := range am.Commands {
		d := &done{patient: r.name.ID, origin: c.Origin, before: am.Base, at: version, held: true, index: i, raw: c.Command, caller: c.Caller,
			action: c.Action, waits: c.Suspended, forced: c.Forced, partOf: c.PartOf}
		if err := r.open(d, c); err != nil {
			return err
		}
		r.now = &link{d, r.now}
	}
	return nil
}

// open reads what a ruling holds of a deed, and finds the Commit by which it was done.
func (r *reading) open(d *done, c *eventv1.Redecided) error {
	d.faces = &eventv1.Command{}
	if err := proto.Unmarshal(c.Command, d.faces); err != nil {
		return fault.Wrap(fault.Internal, "RECORDED_COMMAND", err, "a command of patient %q can not be read", r.name.ID)
	}
	d.command = d.faces.GetPatient()
	for _, data := range c.Inputs {
		in := &eventv1.Input{}
		if err := proto.Unmarshal(data, in); err != nil {
			return fault.Wrap(fault.Internal, "RECORDED_INPUT", err, "an input of patient %q can not be read", r.name.ID)
		}
		d.inputs = append(d.inputs, in)
	}
	for _, data := range c.Events {
		e := &eventv1.Event{}
		if err := proto.Unmarshal(data, e); err != nil {
			return fault.Wrap(fault.Internal, "RECORDED_EVENT", err, "an event of patient %q can not be read", r.name.ID)
		}
		d.events = append(d.events, e)
	}
	if p := c.PartOf; p != nil {
		var err error
		d.seq, d.key, err = r.other(p.Patient, p.Version)
		return err
	}
	was := r.begun[c.Origin]
	if was == nil {
		return fault.New(fault.Internal, "RECORDED_RULING", "a ruling names version %d of patient %q, at which nothing was done", c.Origin, r.name.ID)
	}
	d.seq, d.key, d.again = was.seq, was.key, was.again
	return nil
}

// number says of each entering and leaving which stay in the fight it is of.
func number(chain []*done) {
	stays := map[string]uint32{}
	for i, d := range chain {
		if !d.crosses() {
			continue
		}
		if d.command.Deed == deedEngage && !d.again {
			stays[d.command.Encounter]++
		}
		numbered := *d // chains of earlier versions share it
		numbered.stay = stays[d.command.Encounter]
		chain[i] = &numbered
	}
}

// last is the last thing done; nil when nothing was.
func (p *past) last() *done {
	if len(p.chain) == 0 {
		return nil
	}
	return p.chain[len(p.chain)-1]
}

// leaving finds the place of the last leaving of a stay; -1 when it has not left.
func (p *past) leaving(encounter string, stay uint32) int {
	for i, d := range slices.Backward(p.chain) {
		if d.crosses() && d.command.Encounter == encounter && d.stay == stay {
			if d.command.Deed == deedRelease {
				return i
			}
			return -1
		}
	}
	return -1
}

// base is where the state before something in the chain is found: after a version, and
// after what a ruling holds before it.
func (p *past) base(at int) (version uint64, rest []*done) {
	if at == len(p.chain) {
		return p.head.Version, nil
	}
	d := p.chain[at]
	if !d.held {
		return d.before, nil
	}
	return d.before, p.chain[at-d.index : at]
}

// left is the last leaving of an encounter; nil when the patient is in it, or never was.
func (p *past) left(encounter string) *done {
	for _, d := range slices.Backward(p.chain) {
		if d.crosses() && d.command.Encounter == encounter {
			if d.command.Deed == deedRelease {
				return d
			}
			return nil
		}
	}
	return nil
}

// row is where the record stands.
func (p *past) row() *record.Patient { return &record.Patient{Name: p.name, Head: p.head} }
