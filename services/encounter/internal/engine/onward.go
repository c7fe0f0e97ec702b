package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// A ruling on a fight whose patients have left goes on into their records, and from
// there into the later fights that they went into otherwise. It is worked out in the
// order in which things happened: what comes first is final when what follows from it
// is decided. All of it takes effect at once, by one batch, or none of it.

// reached is a fight that a ruling has reached.
type reached struct {
	f       *Fight
	sys     rules.System
	command *eventv1.Command // the ruling as it is stored there
	plan    *plan
	seq     uint64 // sequence of the first coming in that it was reached by; 0 for the first fight
	refused []*encounterv1.Trouble

	known map[uint64]bool // origins of comings in that are as on record
	stays []*injuryv1.Stay
	was   []*stay // on record, where they were read
}

// goingOn is a ruling on its way.
type goingOn struct {
	e       *Engine
	ctx     context.Context
	req     Request
	purpose dicev1.Purpose
	fights  []*reached // the first is that of the ruling
	stands  map[string]*injuryv1.Stay
	resp    *injuryv1.PrepareRulingResponse

	troubles  []*encounterv1.Trouble
	fresh     []*encounterv1.FreshRoll
	onward    []*encounterv1.Consequence
	needsDice []string
	spent     error // the command itself rolls with dice that were opened
	drew      bool  // a face of the server was drawn: nothing is refused any more
}

// goesOn works out a ruling, and what it comes to in records and other fights.
func (e *Engine) goesOn(ctx context.Context, f *Fight, sys rules.System, req Request, purpose dicev1.Purpose) (*goingOn, error) {
	g := &goingOn{e: e, ctx: ctx, req: req, purpose: purpose, fights: []*reached{{f: f, sys: sys, command: proto.CloneOf(req.Command), known: map[uint64]bool{}}}, stands: map[string]*injuryv1.Stay{}}
	if err := g.decide(g.fights[0]); err != nil {
		return nil, err
	}
	for range limits.RulingSteps {
		more, err := g.further()
		if err != nil {
			return nil, err
		}
		if !more {
			return g, g.finish()
		}
	}
	return nil, fault.Limit("steps of a ruling from fight to fight", limits.RulingSteps, limits.RulingSteps+1)
}

// decide works out what the ruling makes of a fight that it has reached.
func (g *goingOn) decide(r *reached) (err error) {
	var waits func(*plan, *record) bool
	if !g.e.cfg.Recorded {
		waits, r.command.GetAmend().Drew = r.waits, g.drew
	}
	r.plan, err = g.e.planned(g.ctx, r.f, r.sys, r.command, planning{purpose: g.purpose, waits: waits})
	if spent(err) {
		g.spent = err
		r.plan, err = &plan{state: r.f.replica.State(), troubles: []*encounterv1.Trouble{troubleOf(r.command.GetAmend().GetVersion(), err)}}, nil
	}
	if err != nil || len(r.plan.troubles) > 0 {
		return err
	}
	g.drew = g.drew || r.plan.drew
	reached := len(r.command.GetAmend().GetEntered())+len(r.known) > 0
	was, changed, err := g.e.leftOtherwise(g.ctx, r.f, r.plan, reached)
	if err == nil {
		r.leaving(was, changed)
	}
	return err
}

// waits tells whether a patient comes in again who left this very fight otherwise than
// it did, so that its record is to be asked first.
func (r *reached) waits(p *plan, rec *record) bool {
	patient := rec.command.GetAdd().GetSheet().GetPatient()
	if patient == "" || r.known[rec.origin] || enteredAt(r.command.GetAmend(), rec.origin) != nil {
		return false
	}
	// order-free: any one is reason enough
	for _, c := range p.asLeft {
		if c.GetPatient() == patient {
			return true
		}
	}
	return false
}

// leaving lists the stays that the records are to be told of: those that end otherwise,
// and those by which the fight was reached.
func (r *reached) leaving(was, changed []*stay) {
	r.stays, r.was = nil, was
	for _, x := range changed {
		r.stays = append(r.stays, &injuryv1.Stay{Encounter: r.f.id, Patient: x.patient, Number: x.number, Creature: x.as, Lives: x.lives, Packs: r.plan.state.Packs})
	}
	for _, x := range was {
		told := slices.ContainsFunc(changed, func(c *stay) bool { return c.patient == x.patient && c.number == x.number })
		if !told && (r.known[x.added] || enteredAt(r.command.GetAmend(), x.added) != nil) {
			r.stays = append(r.stays, &injuryv1.Stay{Encounter: r.f.id, Patient: x.patient, Number: x.number, Stands: x.left > 0})
		}
	}
}

// enteredAt is what a ruling says of a coming in; nil when nothing.
func enteredAt(am *eventv1.AmendCommand, origin uint64) *eventv1.AddCreature {
	for _, in := range am.GetEntered() {
		if in.Version == origin {
			return in.Add
		}
	}
	return nil
}

// further asks the records, and decides the next fight that the ruling reaches. It
// returns false when there is nothing more to do, or something stands in the way.
func (g *goingOn) further() (bool, error) {
	for _, r := range g.fights {
		if len(r.plan.troublesOf())+len(r.refused) > 0 {
			return false, nil
		}
	}
	stays := g.stays()
	if len(stays) == 0 || g.e.cfg.Recorded {
		return false, nil
	}
	if err := g.ask(stays, nil); err != nil {
		return false, err
	}
	if slices.ContainsFunc(g.resp.Deeds, stops) {
		return false, nil
	}
	if len(g.resp.Entrances) > 0 {
		return true, g.enter()
	}
	for _, r := range g.fights {
		if r.plan.halted > 0 { // nothing says that it comes in otherwise
			r.known[r.plan.halted] = true
			return true, g.decide(r)
		}
	}
	return false, nil
}

func stops(d *injuryv1.DeedAgain) bool {
	return d.Kind == injuryv1.DeedAgain_KIND_ILLEGAL || d.Kind == injuryv1.DeedAgain_KIND_ASKS
}

// stays are those that the records are told of.
func (g *goingOn) stays() []*injuryv1.Stay {
	var out []*injuryv1.Stay
	for _, r := range g.fights {
		out = append(out, r.stays...)
	}
	for _, key := range rules.SortedKeys(g.stands) {
		out = append(out, g.stands[key])
	}
	return out
}

// ask has the injury service say what becomes of the records.
func (g *goingOn) ask(stays []*injuryv1.Stay, across []*eventv1.RulingPart) error {
	am := g.req.Command.GetAmend()
	resp, err := g.e.cfg.Injury.PrepareRuling(g.ctx, &injuryv1.PrepareRulingRequest{Table: g.req.Table, As: g.req.As, RequestId: g.req.ID,
		Encounter: g.req.Encounter, Reason: am.GetReason(), Stays: stays, Onward: am.GetOnward(), TakeDefaults: am.GetTakeDefaults(),
		Purpose: g.purpose, Across: across, Drew: g.drew})
	if err != nil {
		return rpc.FromStatus(err)
	}
	g.resp, g.drew = resp, g.drew || resp.Drew
	return nil
}

// says is what the game master says of a fight.
func (g *goingOn) says(encounter string) *eventv1.Onward {
	return saysOf(g.req.Command.GetAmend(), encounter)
}

// enter has patients come into the next fight otherwise than they did.
func (g *goingOn) enter() error {
	next := slices.MinFunc(g.resp.Entrances, func(a, b *injuryv1.Entrance) int { return cmp.Compare(a.Sequence, b.Sequence) })
	var in []*injuryv1.Entrance
	for _, x := range g.resp.Entrances {
		switch {
		case x.Encounter != next.Encounter:
		case g.says(x.Encounter).Stands:
			g.stand(x)
		default:
			in = append(in, x)
		}
	}
	if len(in) == 0 {
		return nil
	}
	r, err := g.reach(next)
	if err != nil {
		return err
	}
	for _, x := range in {
		if err := g.comeIn(r, x); err != nil {
			return err
		}
	}
	switch {
	case len(r.refused) > 0:
		return nil
	case len(r.command.GetAmend().Entered) == 0: // all who come in otherwise are forced in as they were
		g.fights = slices.DeleteFunc(g.fights, func(x *reached) bool { return x == r && x.plan == nil })
		return nil
	}
	return g.decide(r)
}

// stand lets a stay be as it was recorded.
func (g *goingOn) stand(in *injuryv1.Entrance) {
	key := in.Encounter + "\x00" + in.Patient + "\x00" + strconv.Itoa(int(in.Number))
	g.stands[key] = &injuryv1.Stay{Encounter: in.Encounter, Patient: in.Patient, Number: in.Number, Stands: true}
}

// reach finds a fight that the ruling reaches.
func (g *goingOn) reach(in *injuryv1.Entrance) (*reached, error) {
	for _, r := range g.fights {
		if r.f.id == in.Encounter {
			return r, nil
		}
	}
	if err := mayReach(g.ctx, in.Encounter); err != nil {
		return nil, err
	}
	n, err := named(g.req.Table, in.Encounter)
	if err != nil {
		return nil, err
	}
	f, err := g.e.make(g.ctx, n) // one of its own: no lock of two fights is held at once
	if err != nil {
		return nil, err
	}
	if err := f.Broken(); err != nil {
		return nil, err
	}
	if err := readOnly(f.replica.State()); err != nil {
		return nil, err
	}
	sys, err := g.e.cfg.Systems.System(f.replica.State().System)
	if err != nil {
		return nil, err
	}
	r := &reached{f: f, sys: sys, seq: in.Sequence, known: map[uint64]bool{}, command: reachedCommand(g.req.Command.GetAmend(), in.Encounter)}
	g.fights = append(g.fights, r)
	return r, nil
}

// comeIn makes a patient's coming in what its record says now.
func (g *goingOn) comeIn(r *reached, in *injuryv1.Entrance) error {
	x, err := g.stayOf(r, in)
	if err != nil {
		return err
	}
	am := r.command.GetAmend()
	if in.Refused != "" {
		if g.drew || slices.Contains(am.ForceIllegal, x.added) || slices.Contains(g.req.Command.GetAmend().ForceIllegal, x.added) && r == g.fights[0] {
			g.stand(in)
			return nil
		}
		r.refused = append(r.refused, &encounterv1.Trouble{Version: x.added, Kind: encounterv1.Trouble_KIND_ILLEGAL, Reason: "PATIENT_CANNOT_ENTER",
			Message: in.Refused + " and could not come in; force it to let the fight stand with it as it was"})
		return nil
	}
	add := proto.CloneOf(x.command)
	g.e.fill(r.f, add, in.Creature, in.LifeKnown)
	am.Entered = slices.DeleteFunc(am.Entered, func(e *eventv1.Entered) bool { return e.Version == x.added })
	am.Entered = append(am.Entered, &eventv1.Entered{Version: x.added, Add: add})
	slices.SortFunc(am.Entered, func(a, b *eventv1.Entered) int { return cmp.Compare(a.Version, b.Version) })
	if r != g.fights[0] {
		am.Version = am.Entered[0].Version
	}
	return nil
}

// stayOf finds the stay that an entrance begins.
func (g *goingOn) stayOf(r *reached, in *injuryv1.Entrance) (*stay, error) {
	all := newStays(func(uint64, string) (*eventv1.Creature, error) { return nil, nil })
	for _, l := range r.f.replica.Chain {
		rec, err := g.e.recordOf(g.ctx, r.f, l)
		if err != nil {
			return nil, err
		}
		if err := all.take(rec.origin, rec.command, rec.events); err != nil {
			return nil, err
		}
	}
	for _, x := range all.all {
		if x.patient == in.Patient && x.number == in.Number {
			return x, nil
		}
	}
	return nil, fault.New(fault.Internal, "NO_STAY", "encounter %q does not know of the stay that the record of patient %q has", in.Encounter, in.Patient)
}

// spent tells whether dice would be needed that were opened.
func spent(err error) bool {
	flt, ok := fault.As(err)
	return ok && flt.Reason == reasonSpent
}

func troubleOf(version uint64, err error) *encounterv1.Trouble {
	flt, _ := fault.As(err)
	return &encounterv1.Trouble{Version: version, Kind: encounterv1.Trouble_KIND_ILLEGAL, Reason: flt.Reason, Rule: flt.Rule, Message: flt.Error()}
}

// finish gathers what was found.
func (g *goingOn) finish() error {
	for i, r := range g.fights {
		of := ""
		if i > 0 {
			of = r.f.id
		}
		for _, t := range slices.Concat(r.plan.troublesOf(), r.refused) {
			if t.Reason == reasonSpent && r.f.replica.State().Status == eventv1.State_STATUS_ENDED && !slices.Contains(g.needsDice, r.f.id) {
				g.needsDice = append(g.needsDice, r.f.id)
			}
			t = proto.CloneOf(t)
			t.Encounter = of
			g.troubles = append(g.troubles, t)
		}
		if r.plan == nil {
			continue
		}
		for _, fresh := range r.plan.fresh {
			fresh = proto.CloneOf(fresh)
			fresh.Encounter = of
			g.fresh = append(g.fresh, fresh)
		}
	}
	for _, d := range g.resp.GetDeeds() {
		g.deed(d)
	}
	return g.consequences()
}

func (p *plan) troublesOf() []*encounterv1.Trouble {
	if p == nil {
		return nil
	}
	return p.troubles
}

// deed gathers what was found of a deed between fights.
func (g *goingOn) deed(d *injuryv1.DeedAgain) {
	at := encounterv1.Trouble{Version: d.Version, Patient: d.Patient, Reason: d.Reason, Rule: d.Rule, Message: d.Message}
	switch d.Kind {
	case injuryv1.DeedAgain_KIND_ILLEGAL:
		t := proto.CloneOf(&at)
		t.Kind = encounterv1.Trouble_KIND_ILLEGAL
		g.troubles = append(g.troubles, t)
	case injuryv1.DeedAgain_KIND_ASKS:
		for _, q := range d.Decisions {
			t := proto.CloneOf(&at)
			t.Kind, t.Reason, t.Rule, t.Decision = encounterv1.Trouble_KIND_UNANSWERED, "UNANSWERED_DECISION", q.Rule, q
			t.Message = "nobody has answered: " + q.Question
			g.troubles = append(g.troubles, t)
		}
	}
	for _, x := range d.Fresh {
		g.fresh = append(g.fresh, &encounterv1.FreshRoll{Version: d.Version, Patient: d.Patient, Creature: x.Creature, Label: x.Label, Index: x.Index,
			Expression: x.Expression, Odds: x.Odds, Sample: x.Faces, Reason: x.Reason})
	}
}

// kinds are the words for what becomes of deeds.
var kinds = map[injuryv1.DeedAgain_Kind]encounterv1.Consequence_Kind{
	injuryv1.DeedAgain_KIND_SAME: encounterv1.Consequence_KIND_SAME, injuryv1.DeedAgain_KIND_OTHERWISE: encounterv1.Consequence_KIND_OTHERWISE,
	injuryv1.DeedAgain_KIND_STANDS: encounterv1.Consequence_KIND_STANDS, injuryv1.DeedAgain_KIND_ILLEGAL: encounterv1.Consequence_KIND_ILLEGAL,
	injuryv1.DeedAgain_KIND_ASKS: encounterv1.Consequence_KIND_ASKS, injuryv1.DeedAgain_KIND_DROPPED: encounterv1.Consequence_KIND_DROPPED}

// consequences lists what becomes of deeds and fights, in the order in which they
// happened, and then of the records.
func (g *goingOn) consequences() error {
	type placed struct {
		seq uint64
		*encounterv1.Consequence
	}
	var all []placed
	for _, d := range g.resp.GetDeeds() {
		all = append(all, placed{d.Sequence, ofDeed(d)})
	}
	for _, r := range g.fights[1:] {
		c, err := g.consequence(r)
		if err != nil {
			return err
		}
		all = append(all, placed{r.seq, c})
	}
	// A fight that stands by the game master's word is told of where it was reached.
	for _, key := range rules.SortedKeys(g.stands) {
		id := g.stands[key].Encounter
		if !slices.ContainsFunc(all, func(p placed) bool { return p.Encounter == id }) {
			all = append(all, placed{1 << 62, &encounterv1.Consequence{Encounter: id, Kind: encounterv1.Consequence_KIND_STANDS}})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.seq, b.seq) })
	for _, p := range all {
		g.onward = append(g.onward, p.Consequence)
	}
	for _, r := range g.resp.GetRecords() {
		c := &encounterv1.Consequence{Patient: r.Patient, Version: r.Version, Kind: encounterv1.Consequence_KIND_RECORD}
		c.Changes = ofRecord(r.Changes)
		g.onward = append(g.onward, c)
	}
	return nil
}

// ofDeed is what becomes of a deed between fights: the step that it would be, were it one
// of a fight.
func ofDeed(d *injuryv1.DeedAgain) *encounterv1.Consequence {
	c := &encounterv1.Consequence{Patient: d.Patient, Version: d.Version, Deed: d.Deed, Kind: kinds[d.Kind], Message: d.Message, Changes: ofRecord(d.Changes)}
	if d.More { // what it was and is, there is too much of
		c.Ruling = &encounterv1.Ruling{Kind: encounterv1.Ruling_KIND_AMENDED, More: true, MoreChanges: true}
		return c
	}
	if len(d.Before)+len(d.After) == 0 {
		return c
	}
	how := &encounterv1.Corrected{Kind: encounterv1.Corrected_KIND_CHANGED, Before: d.Before, Forced: d.Kind == injuryv1.DeedAgain_KIND_STANDS}
	if d.Kind == injuryv1.DeedAgain_KIND_DROPPED {
		how.Kind = encounterv1.Corrected_KIND_GONE
	}
	c.Ruling = &encounterv1.Ruling{Kind: encounterv1.Ruling_KIND_AMENDED, Steps: []*encounterv1.Step{{Events: d.After, Corrected: how}}}
	return c
}

// ofRecord are differences of a record as those of a state are told.
func ofRecord(all []*injuryv1.RecordDifference) (out []*encounterv1.Change) {
	for _, x := range all {
		out = append(out, &encounterv1.Change{Path: x.Path, Before: x.Before, After: x.After})
	}
	return out
}

// consequence is what becomes of a fight.
func (g *goingOn) consequence(r *reached) (*encounterv1.Consequence, error) {
	c := &encounterv1.Consequence{Encounter: r.f.id, Kind: encounterv1.Consequence_KIND_OTHERWISE, Names: map[string]string{}}
	for id, creature := range r.f.replica.State().Creatures {
		c.Names[id] = creature.Name
	}
	switch {
	case len(r.refused) > 0:
		c.Kind, c.Message = encounterv1.Consequence_KIND_ILLEGAL, r.refused[0].Message
		return c, nil
	case len(r.plan.troubles) > 0:
		c.Kind, c.Message = encounterv1.Consequence_KIND_ILLEGAL, r.plan.troubles[0].Message
		if r.plan.troubles[0].Kind == encounterv1.Trouble_KIND_UNANSWERED {
			c.Kind = encounterv1.Consequence_KIND_ASKS
		}
		return c, nil
	}
	c.Redecided = uint32(r.plan.decided) //nolint:gosec // a number of commands
	changes, err := event.Difference(r.f.replica.State(), r.plan.state)
	if err != nil {
		return nil, err
	}
	c.Changes = changesOf(changes)
	before, after, err := g.e.sides(r.f, r.plan)
	if err != nil {
		return nil, err
	}
	c.Ruling, err = g.e.foretold(g.ctx, encounterv1.Ruling_KIND_AMENDED, r.command, r.plan.changed, before, after)
	return c, err
}

// accepted refuses a ruling under other rules, in any fight that it reaches, that does
// not name them.
func (g *goingOn) accepted() error {
	if g.e.cfg.Recorded {
		return nil
	}
	for _, r := range g.fights {
		if err := g.e.accepted(g.ctx, r.f, r.sys, r.command.GetAmend()); err != nil {
			return err
		}
	}
	return nil
}

// parts are the records that the ruling is part of; none when that is the fight's alone.
func (g *goingOn) parts() []*eventv1.RulingPart {
	var out []*eventv1.RulingPart
	for _, r := range g.fights {
		out = append(out, &eventv1.RulingPart{Encounter: r.f.id, Version: r.f.replica.Version + 1})
	}
	for _, r := range g.resp.GetRecords() {
		out = append(out, &eventv1.RulingPart{Patient: r.Patient, Version: r.Version})
	}
	if len(out) == 1 {
		return nil
	}
	return out
}

// draft makes the Commits of the ruling.
func (g *goingOn) draft() (*draft, error) {
	parts := g.parts()
	if len(parts) > limits.RulingRecords {
		return nil, fault.Limit("records that one ruling is part of", limits.RulingRecords, int64(len(parts)))
	}
	first := g.fights[0]
	d, err := g.e.amended(g.ctx, first.f, first.plan, first.command, parts)
	if err != nil {
		return nil, err
	}
	d.ruled = g.ruled()
	if len(parts) == 0 {
		return d, nil
	}
	g.purpose = dicev1.Purpose_PURPOSE_REAL         // deeds that draw nothing anew may still open dice
	if err := g.ask(g.stays(), parts); err != nil { // now with what the Commits are to say of each other
		return nil, err
	}
	if got := g.parts(); !slices.EqualFunc(got, parts, func(a, b *eventv1.RulingPart) bool { return proto.Equal(a, b) }) {
		return nil, fault.New(fault.Unavailable, "RECORDS_MOVED", "a record has gone on meanwhile; try again")
	}
	for _, r := range g.fights[1:] {
		msg, err := g.sealed(r, parts)
		if err != nil {
			return nil, err
		}
		d.patient = append(d.patient, msg)
	}
	for _, r := range g.resp.Records {
		d.patient = append(d.patient, journal.Message{Subject: r.Subject, ID: r.Id, Data: r.Data, Expected: r.ExpectedSequence})
	}
	return d, nil
}

// sealed makes the message of a fight that the ruling has reached.
func (g *goingOn) sealed(r *reached, parts []*eventv1.RulingPart) (journal.Message, error) {
	d, err := g.e.amended(g.ctx, r.f, r.plan, r.command, parts)
	if err != nil {
		return journal.Message{}, err
	}
	return g.e.sealedAlong(r.f, r.sys, g.req, r.command, d)
}

// sealedAlong makes the message of a Commit that goes with another fight's.
func (e *Engine) sealedAlong(f *Fight, sys rules.System, req Request, cmd *eventv1.Command, d *draft) (journal.Message, error) {
	own := Request{ID: alongID(req.ID, f.id), As: req.As, Table: f.table, Encounter: f.id, Command: cmd}
	d.cause.RequestId, d.cause.Principal, d.cause.RequestDigest = own.ID, own.As, requestDigest(own)
	return e.seal(f, sys, *d)
}

// alongID is the request id of a ruling in a fight that it reaches: its own there.
func alongID(request, encounter string) string {
	sum := sha256.Sum256([]byte("skald/ruling/v1\x00" + request + "\x00" + encounter))
	return "ruling-" + hex.EncodeToString(sum[:12])
}

// followAlong has fights in memory follow what was stored along with another's Commit.
// One that somebody works with is owed it: who reads it next waits for it. It is not
// waited for here, where another fight is held.
func (e *Engine) followAlong(ctx context.Context, ms []journal.Message, seqs []uint64) {
	for i, m := range ms {
		if n, ok := aggregate.Parse(m.Subject); ok && n.Kind == aggregate.Encounter {
			e.fights.With(n, func(f *Fight) { raiseTo(&f.owed, seqs[i]) })
			e.Follow(ctx, journal.Record{Subject: m.Subject, Seq: seqs[i]})
		}
	}
}
