package engine

import (
	"bytes"
	"context"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Replay is an encounter that is decided again from its record, by the code that
// decides commands. It stores nothing. It is not safe for concurrent use.
type Replay struct {
	e *Engine
	f *Fight
	// batch is the next of the Commits that open an epoch's secret branches, and of
	// is that epoch.
	batch int
	of    uint32
	// crossings are the messages of patients that the last decision came with.
	crossings []journal.Message
	ruled     *Ruled // what it comes to for others
}

// NewReplay begins before the first Commit. Of the configuration Dice, Injury,
// Systems, Shelf and Loader are used: they answer from the record.
func NewReplay(cfg Config, table, id string) *Replay {
	cfg.Recorded = true
	n := aggregate.Name{Table: table, Kind: aggregate.Encounter, ID: id}
	return &Replay{e: New(cfg), f: newFight(n, replica.New(), cfg.Loader)}
}

// Replica is the encounter as far as Commits were applied. It must only be read.
func (p *Replay) Replica() *replica.Replica { return p.f.replica }

// Apply folds the next Commit, which was stored as data; errors are those of
// replica.Apply.
func (p *Replay) Apply(ctx context.Context, c *event.Opened, data []byte) (*Entry, error) {
	return p.f.fold(ctx, c, journal.Record{Seq: c.Header.Version, Data: data}, 0)
}

// Decide decides the command of the next Commit again: what it returns is what the
// Commit would have held. An error is why nothing would have been stored.
func (p *Replay) Decide(ctx context.Context, c *event.Opened) (*event.Draft, error) {
	p.crossings, p.ruled = nil, nil
	if len(c.Cause.Command) == 0 {
		return p.revealed(ctx, c)
	}
	cmd := &eventv1.Command{}
	if err := proto.Unmarshal(c.Cause.Command, cmd); err != nil {
		return nil, fault.Field("cause.command", "is no command: %v", err)
	}
	req := Request{ID: c.Cause.RequestId, As: c.Cause.Principal, Table: p.f.table, Encounter: p.f.id, Command: cmd}
	if err := checkRequest(&req); err != nil {
		return nil, err
	}
	r := p.f.replica
	known, ok, err := p.e.known(ctx, p.f, aggregate.RequestKey(req.As, req.ID))
	if err != nil {
		return nil, err
	}
	if ok {
		return nil, fault.Field("cause.request_id", "is that of version %d", known.Version)
	}
	if r.Version == 0 && cmd.GetCreate() == nil {
		return nil, fault.Field("cause.command", "does not create the encounter")
	}
	if err := readOnly(r.State()); err != nil {
		return nil, err
	}
	if err := permitted(r.State(), req.As, cmd); err != nil {
		return nil, err
	}
	if err := rules.Ahead(r.State(), req.As, "command.answers", cmd.Answers); err != nil {
		return nil, err
	}
	d, _, err := p.e.decide(ctx, p.f, req)
	if err != nil {
		return nil, err
	}
	d.cause.RequestId, d.cause.Principal = req.ID, req.As
	p.crossings = d.patient
	p.noteRuled(req, d, c.Events)
	stamp(r.State(), d.events, c.Header.UnixMillis)
	asPartOf(c.Events, d.events)
	return &event.Draft{Cause: d.cause, Inputs: d.inputs, Events: d.events}, nil
}

// Crossings are the Commits of patients' records that the last decision came with, in
// order: of those who came in or left. None where those records are not asked.
func (p *Replay) Crossings() []journal.Message { return p.crossings }

// Digested tells whether the Commit's digest is that of the request with which its
// command came. Where the service filled in what it stored, packs that were named
// and a patient's record, the request is put together as it may have been; known is
// false when it is none of these.
func (p *Replay) Digested(ctx context.Context, c *event.Opened) (same, known bool) {
	cmd := &eventv1.Command{}
	if err := proto.Unmarshal(c.Cause.Command, cmd); err != nil {
		return false, true
	}
	is := func(cmd *eventv1.Command) bool {
		return bytes.Equal(c.Cause.RequestDigest, requestDigest(Request{As: c.Cause.Principal, Table: p.f.table, Encounter: p.f.id, Command: cmd}))
	}
	if is(cmd) {
		return true, true
	}
	for _, a := range cmd.Answers {
		a.By = nil // the service says who gave an answer ahead
	}
	if c := cmd.GetCreate(); c != nil {
		c.DiceFormat = 0 // as it says how the dice are made
	}
	if am := cmd.GetAmend(); am != nil {
		am.Entered, am.Drew = nil, false // by what other records say
	}
	switch {
	case cmd.GetCreate().GetFork() != nil:
		return forkGiven(cmd, is), false
	case len(cmd.GetCreate().GetPacks()) > 0:
		return p.named(ctx, cmd, is), false
	case cmd.GetAdd().GetSheet().GetPatient() != "":
		return patientGiven(cmd, is), false
	}
	return is(cmd), true
}

// forkGiven tells whether a fork was asked for, with or without the step of the origin and
// the title, which are filled in.
func forkGiven(cmd *eventv1.Command, is func(*eventv1.Command) bool) bool {
	for ways := range 1 << 2 {
		try := proto.CloneOf(cmd)
		if ways&1 != 0 {
			try.GetCreate().Title = ""
		}
		if ways&2 != 0 {
			try.GetCreate().Fork.Version = 0
		}
		if is(try) {
			return true
		}
	}
	return false
}

// named tells whether the packs were given by name, some or all of them.
func (p *Replay) named(ctx context.Context, cmd *eventv1.Command, is func(*eventv1.Command) bool) bool {
	digests := cmd.GetCreate().Packs
	if len(digests) > 6 { // so that there are few ways
		return false
	}
	names := make([]string, len(digests))
	for i, d := range digests {
		rec, err := p.e.cfg.Shelf.Record(ctx, p.f.table, d)
		if err != nil {
			return false
		}
		summary, err := library.Summary(rec)
		if err != nil {
			return false
		}
		names[i] = summary.Name
	}
	for ways := range 1 << len(digests) {
		try := proto.CloneOf(cmd)
		for i := range digests {
			if ways&(1<<i) != 0 {
				try.GetCreate().Packs[i] = names[i]
			}
		}
		if is(try) {
			return true
		}
	}
	return false
}

// patientGiven tells whether the patient was named with some of what a request may
// say of it: id, side, controllers; or with the sheet of its record.
func patientGiven(cmd *eventv1.Command, is func(*eventv1.Command) bool) bool {
	full := cmd.GetAdd().Sheet
	sheet := proto.CloneOf(cmd)
	sheet.GetAdd().Vitals = nil
	if is(sheet) {
		return true
	}
	if sheet.GetAdd().Sheet.Controllers = nil; is(sheet) {
		return true
	}
	for ways := range 1 << 3 {
		try := proto.CloneOf(cmd)
		try.GetAdd().Vitals = nil
		try.GetAdd().Sheet = &eventv1.Sheet{Patient: full.Patient}
		if ways&1 != 0 {
			try.GetAdd().Sheet.Id = full.Id
		}
		if ways&2 != 0 {
			try.GetAdd().Sheet.Side = full.Side
		}
		if ways&4 != 0 {
			try.GetAdd().Sheet.Controllers = full.Controllers
		}
		if is(try) {
			return true
		}
	}
	return false
}

// revealed is a Commit that no command gave: that which ends an imported record, or
// those by which the dice of a fight that is over are opened, the public branch first
// and then, as the table's policy says, the secret ones.
func (p *Replay) revealed(ctx context.Context, c *event.Opened) (*event.Draft, error) {
	r := p.f.replica
	var events []*eventv1.Event
	due, owed := r.SecretsDue()
	switch {
	case len(c.Events) == 1 && c.Events[0].GetImported() != nil && r.Version > 0: // a record may be brought on
		events = []*eventv1.Event{event.New(event.Everyone(), &eventv1.EncounterImported{By: c.Events[0].GetImported().By})}
	case r.State().Status != eventv1.State_STATUS_ENDED:
		return nil, nothingToReveal("and the fight goes on")
	case r.OwesReveal():
		ev, err := p.e.publicSeed(ctx, p.f)
		if err != nil {
			return nil, err
		}
		events = []*eventv1.Event{ev}
	case !owed:
		return nil, nothingToReveal("and no dice are to be revealed")
	case due > c.Header.UnixMillis:
		return nil, nothingToReveal("and secret dice are not to be opened yet")
	default:
		var err error
		if events, err = p.secrets(ctx, c, r.SecretEpoch()); err != nil {
			return nil, err
		}
	}
	stamp(r.State(), events, c.Header.UnixMillis)
	return &event.Draft{Cause: &eventv1.CommitCause{Principal: revealer()}, Inputs: &eventv1.CommitInputs{}, Events: events}, nil
}

func nothingToReveal(why string) error {
	return fault.New(fault.Illegal, "NOTHING_TO_REVEAL", "no command was given, %s", why)
}

// secrets are the events of the next Commit that opens secret branches. A server
// that died in between told the rolls again from the first.
func (p *Replay) secrets(ctx context.Context, c *event.Opened, epoch uint32) ([]*eventv1.Event, error) {
	batches, err := p.e.secretBatches(ctx, p.f, epoch)
	if err != nil {
		return nil, err
	}
	first := len(c.Events) > 0 && proto.Equal(c.Events[0], batches[0][0])
	if p.of != epoch || first || p.batch >= len(batches) {
		p.of, p.batch = epoch, 0
	}
	p.batch++
	return batches[p.batch-1], nil
}

// revealer is on whose behalf dice are revealed: the service's own.
func revealer() *eventv1.Principal {
	return &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "skald"}
}

// asPartOf has a ruling that was decided again name the other records that it is part
// of as the recorded one does: that they hold their parts, only they can show.
func asPartOf(recorded, again []*eventv1.Event) {
	for i, ev := range again {
		if i >= len(recorded) {
			return
		}
		parts := replica.PartsOf(recorded[i])
		switch {
		case ev.GetAmended() != nil:
			ev.GetAmended().Across = parts
		case ev.GetReverted() != nil:
			ev.GetReverted().Across = parts
			ev.GetReverted().ByWhatCounts = recorded[i].GetReverted().GetByWhatCounts() // builds before told others
			if !recorded[i].GetReverted().GetByWhatIsHeard() {
				ev.GetReverted().ByWhatIsHeard, ev.GetReverted().Told = false, nil
			}
		}
	}
}
