package ward

import (
	"cmp"
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// course is a patient's record on the way from where a ruling begins to touch it: as it
// was, and as it becomes.
type course struct {
	past  *past
	first int            // place in the past's chain from which it is told again
	next  int            // place of what comes next
	was   *eventv1.State // as recorded, before next
	now   *eventv1.State // as it becomes
	open  *eventv1.State // what everybody knows of now
	known *eventv1.State // what everybody knew of was
	// commands are the new history from first on.
	commands []*eventv1.Redecided
	begun    uint64 // version that the ruling's Commit names: the first thing that came out otherwise
	differs  bool   // something came out otherwise
	blocked  bool   // by a fight that must be decided again first
}

// onward is a ruling of fights on its way through the records of a table. What is done
// in each is decided again in the order in which it happened.
type onward struct {
	s       *Server
	ctx     context.Context
	table   string
	req     *injuryv1.PrepareRulingRequest
	pasts   map[string]*past
	courses map[string]*course
	out     *injuryv1.PrepareRulingResponse
	decided map[string]bool // requests of deeds
	// beside are deeds that are in no record of a patient whom they would touch now, by
	// the request; all are those of the table, read when first needed.
	beside map[string]*done
	all    []*past
	// told is how much the answer says of what came of deeds, bytes.
	told int
	// met is told of every coming in otherwise that the request knows; nil when nobody
	// wants to hear of it.
	met func(*injuryv1.Entrance)
}

// PrepareRuling says what a ruling of fights makes of the records of their patients.
// Nothing has happened until the encounter service appends what it returns.
func (s *Server) PrepareRuling(ctx context.Context, req *injuryv1.PrepareRulingRequest) (*injuryv1.PrepareRulingResponse, error) {
	if !isGM(req.As) {
		return nil, fault.New(fault.Denied, "GM_ONLY", "only the game master may make a ruling")
	}
	if err := s.cfg.Store.WaitCaughtUp(ctx); err != nil {
		return nil, err
	}
	return s.ruling(ctx, req, nil)
}

// ruling tells the records again from where a ruling begins to touch them.
func (s *Server) ruling(ctx context.Context, req *injuryv1.PrepareRulingRequest, met func(*injuryv1.Entrance)) (*injuryv1.PrepareRulingResponse, error) {
	o := &onward{s: s, ctx: ctx, table: req.Table, req: req, pasts: map[string]*past{}, courses: map[string]*course{},
		out: &injuryv1.PrepareRulingResponse{Drew: req.Drew}, decided: map[string]bool{}, beside: map[string]*done{}, met: met}
	if len(req.Back) > 0 {
		return o.out, o.putBack()
	}
	for _, stay := range req.Stays {
		if err := o.begin(stay); err != nil {
			return nil, err
		}
	}
	for {
		if err := o.goesOn(); err != nil {
			return nil, err
		}
		c, d := o.earliest(), o.earliestBeside()
		if c == nil && d == nil {
			break
		}
		var err error
		if c == nil || d != nil && d.seq < c.past.chain[c.next].seq {
			delete(o.beside, d.key)
			err = o.deed(d)
		} else {
			err = o.step(c)
		}
		if err != nil {
			return nil, err
		}
	}
	return o.out, o.records()
}

// pastOf is the past of a patient, read once.
func (o *onward) pastOf(patient string) (*past, error) {
	if p := o.pasts[patient]; p != nil {
		return p, nil
	}
	if err := o.s.catchUp(o.ctx, record.Named(o.table, patient)); err != nil {
		return nil, err
	}
	if c, closed := o.s.closure(record.Named(o.table, patient)); closed {
		return nil, record.Named(o.table, patient).Broken(c)
	}
	p, err := o.s.pastOf(o.ctx, record.Named(o.table, patient))
	if err != nil {
		return nil, err
	}
	o.pasts[patient] = p
	return p, nil
}

// begin takes a patient in whose stay in a fight is otherwise than on record.
func (o *onward) begin(stay *injuryv1.Stay) error {
	if stay.Creature == nil { // as it was recorded, or it is in the fight still
		return nil
	}
	p, err := o.pastOf(stay.Patient)
	if err != nil {
		return err
	}
	at := p.leaving(stay.Encounter, stay.Number)
	if at < 0 {
		return fault.New(fault.Illegal, "PATIENT_HAS_LEFT", "the record of patient %q says nothing of leaving encounter %q the %d. time", stay.Patient, stay.Encounter, stay.Number)
	}
	if c := o.courses[stay.Patient]; c != nil && c.first <= at {
		return nil
	}
	return o.from(p, at, 0)
}

// from makes the course of a patient whose record is told again from a place on.
// after is the sequence after which that is, where nothing in the record is.
func (o *onward) from(p *past, at int, after uint64) error {
	if last := p.last(); last.waits {
		return fault.New(fault.Illegal, "DECISION_PENDING", "a deed on patient %q waits for an answer: answer it or let it go first", p.name.ID)
	}
	c := &course{past: p, first: at, next: at}
	err := o.s.cfg.Store.View(func(tx *projection.Tx) error {
		var err error
		c.was, c.known, err = o.before(tx, p, at)
		return err
	})
	if err != nil {
		return err
	}
	c.now, c.open = event.Clone(c.was), event.Clone(c.known)
	o.courses[p.name.ID] = c
	if at == len(p.chain) {
		return o.findBeside(p, after)
	}
	return o.findBeside(p, p.chain[at].seq)
}

// before are a record before something in its chain, and what everybody knew of it.
func (o *onward) before(tx *projection.Tx, p *past, at int) (full, public *eventv1.State, err error) {
	version, rest := p.base(at)
	if full, err = record.Full(tx, o.table, p.name.ID, version); err != nil {
		return nil, nil, err
	}
	if public, err = record.Public(tx, o.table, p.name.ID, version); err != nil {
		return nil, nil, err
	}
	for _, d := range rest {
		fold(full, public, d.events)
	}
	return full, public, nil
}

// fold folds events into a state, and into what everybody knows of it.
func fold(full, public *eventv1.State, events []*eventv1.Event) {
	for _, e := range events {
		heard := event.Hear(full, e)
		event.Fold(full, e)
		if heard.Everyone {
			event.Fold(public, e)
		}
	}
}

// earliest is the course on which something happens next; nil when there is none.
func (o *onward) earliest() *course {
	var out *course
	for _, id := range rules.SortedKeys(o.courses) {
		c := o.courses[id]
		if c.blocked || c.next >= len(c.past.chain) {
			continue
		}
		if out == nil || cmp.Less(c.past.chain[c.next].seq, out.past.chain[out.next].seq) {
			out = c
		}
	}
	return out
}

// step takes what comes next on a course into the new history.
func (o *onward) step(c *course) error {
	d := c.past.chain[c.next]
	switch {
	case d.command.GetDeed() == deedEngage:
		return o.engage(c, d)
	case d.command.GetDeed() == deedRelease:
		return o.release(c, d)
	}
	return o.deed(d)
}

// findBeside finds the deeds after something that a patient was among, and that left
// nothing in its record: now they may touch it.
func (o *onward) findBeside(p *past, after uint64) error {
	if o.all == nil {
		if err := o.readAll(); err != nil {
			return err
		}
	}
	mine := map[string]bool{}
	for _, d := range p.chain {
		mine[d.key] = true
	}
	for _, other := range o.all {
		for _, d := range other.chain {
			if d.seq > after && !d.crosses() && !mine[d.key] && !o.decided[d.key] && slices.Contains(concerned(d.command), p.name.ID) {
				o.beside[d.key] = d
			}
		}
	}
	return nil
}

// readAll reads the pasts of all patients of the table.
func (o *onward) readAll() error {
	var ids []string
	err := o.s.cfg.Store.View(func(tx *projection.Tx) error {
		for after := ""; ; after = ids[len(ids)-1] {
			page := record.List(tx, o.table, after, pageSize)
			if ids = append(ids, page...); len(page) < pageSize {
				return nil
			}
		}
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if o.s.isClosed(record.Named(o.table, id)) {
			continue // nothing is known of it
		}
		p, err := o.pastOf(id)
		if err != nil {
			return err
		}
		o.all = append(o.all, p)
	}
	return nil
}

// earliestBeside is the first of the deeds that are in no record; nil when there is
// none.
func (o *onward) earliestBeside() *done {
	var out *done
	// order-free: the least of them
	for _, d := range o.beside {
		if out == nil || d.seq < out.seq {
			out = d
		}
	}
	return out
}

// stay finds what is known of a stay.
func (o *onward) stay(d *done) *injuryv1.Stay {
	for _, s := range o.req.Stays {
		if s.Encounter == d.command.Encounter && s.Patient == d.patient && s.Number == d.stay {
			return s
		}
	}
	return nil
}

// engage lets a patient come into a fight: as it did, or else that fight is to be
// decided again first.
func (o *onward) engage(c *course, d *done) error {
	known := o.stay(d) != nil
	if d.again || c.same() || known && o.met == nil {
		return c.take(d, d.events, nil)
	}
	e := o.entrance(c, d)
	if known {
		o.met(e)
		return c.take(d, d.events, nil)
	}
	o.out.Entrances = append(o.out.Entrances, e)
	c.blocked = true
	return nil
}

// entrance is how a patient would come into a fight.
func (o *onward) entrance(c *course, d *done) *injuryv1.Entrance {
	id := d.patient
	now := o.s.patientOf(o.table, id, &record.View{State: event.Clone(c.now)}, gameMaster)
	e := &injuryv1.Entrance{Encounter: d.command.Encounter, Number: d.stay, Patient: id, Creature: now.Creature,
		Sequence: d.seq, LifeKnown: c.open.Creatures[id].GetLife() == c.now.Creatures[id].GetLife()}
	if now.Creature.GetLife() == eventv1.LifeStatus_LIFE_STATUS_DEAD {
		e.Refused = "patient \"" + id + "\" is dead"
	}
	return e
}

// same tells whether the patient comes into a fight as it did.
func (c *course) same() bool {
	id := c.past.name.ID
	was, now := entering(c.was, id), entering(c.now, id)
	return proto.Equal(was, now) &&
		(c.known.Creatures[id].GetLife() == was.GetLife()) == (c.open.Creatures[id].GetLife() == now.GetLife())
}

// entering is a creature without what the record counts for itself.
func entering(s *eventv1.State, id string) *eventv1.Creature {
	out := copyOf(s.Creatures[id])
	delete(out.GetCounters(), rules.CounterHours)
	delete(out.GetMarks(), markEncounter)
	if out != nil && len(out.Counters) == 0 {
		out.Counters = nil
	}
	if out != nil && len(out.Marks) == 0 {
		out.Marks = nil
	}
	return out
}

// release lets a patient leave a fight: as the ruling has it, or as it did.
func (o *onward) release(c *course, d *done) error {
	stay := o.stay(d)
	if stay.GetCreature() == nil || stay.Stands || c.past.leaving(d.command.Encounter, d.stay) != c.next {
		return c.take(d, d.events, nil)
	}
	sys, err := o.s.cfg.Systems.System(c.now.System)
	if err != nil {
		return err
	}
	now := event.Clone(c.now)
	upgrade(o.s.cfg.Systems, now)
	l := &leaving{id: d.patient, creature: copyOf(stay.Creature), lives: stay.Lives, packs: stay.Packs}
	if f, ok := sys.(rules.Fleeting); ok {
		l.fleeting = f.OfTheFight()
	}
	out, err := rules.Run(o.ctx, sys, rules.Request{State: unseen(now, d.patient, stay.Creature.Staged)}, &table{}, l.leave)
	if err != nil {
		return err
	}
	return c.take(d, out.Events, nil)
}

// take adds to the new history what came of something that was done; inputs are those
// that it took, nil for those on record.
func (c *course) take(d *done, events []*eventv1.Event, inputs []*eventv1.Input) error {
	return c.takeAs(d, d, events, inputs)
}

// takeAs is take of what stands in the chain as at, and in the new history as d.
func (c *course) takeAs(at, d *done, events []*eventv1.Event, inputs []*eventv1.Input) error {
	red := &eventv1.Redecided{Origin: d.origin, Command: d.raw, Action: d.action, Caller: d.caller, Suspended: d.waits, Forced: d.forced,
		Inserted: d.partOf != nil, PartOf: d.partOf}
	if inputs == nil {
		inputs = rules.Flatten(d.inputs)
	}
	var err error
	if red.Inputs, err = marshalled(inputs); err != nil {
		return err
	}
	events = bare(events) // those of the dice stay, whatever is ruled
	if red.Events, err = marshalled(events); err != nil {
		return err
	}
	c.commands = append(c.commands, red)
	if !c.differs && !sameEvents(d.events, events) {
		c.differs, c.begun = true, d.origin
	}
	if c.next < len(c.past.chain) && c.past.chain[c.next] == at { // else it did not touch this one then
		fold(c.was, c.known, d.events)
		c.next++
	}
	fold(c.now, c.open, events)
	return nil
}

func marshalled[M proto.Message](all []M) ([][]byte, error) {
	var out [][]byte
	for _, m := range all {
		b, err := proto.Marshal(m)
		if err != nil {
			return nil, fault.Wrap(fault.Internal, "RULING", err, "a ruling can not be written")
		}
		out = append(out, b)
	}
	return out, nil
}

// sameEvents tells whether events are those on record, but for the dice's own.
func sameEvents(recorded, produced []*eventv1.Event) bool {
	return slices.EqualFunc(bare(recorded), bare(produced), rules.SameEvent)
}
