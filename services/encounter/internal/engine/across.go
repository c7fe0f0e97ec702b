package engine

import (
	"context"
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// A ruling that is part of several records is taken back in all of them at once, as
// long as nothing but such rulings came since in any of them.

// along is what goes back together with a fight: messages of other records, and the
// parts that all of it has.
type along struct {
	messages []journal.Message
	parts    []*eventv1.RulingPart
	of       []*eventv1.RulingPart // the rulings that are taken back
}

// crossed are the rulings of several records after a place in the past.
func crossed(r *replica.Replica, to past) []uint64 {
	at := slices.IndexFunc(r.Across, func(v uint64) bool { return v > to.version || v == to.version && to.stays > 0 })
	if at < 0 {
		return nil
	}
	return r.Across[at:]
}

// notAcross refuses to go back behind a ruling of several records where that is more
// than to take it back.
func notAcross(r *replica.Replica, to past) error {
	if c := crossed(r, to); len(c) > 0 {
		return fault.Refuse("RULING_GOES_ON", "", "step %d is a ruling that goes on into other fights or records: take that back first, by itself (revert to step %d)", c[0], c[0]-1)
	}
	return nil
}

// backAlong prepares what goes back together with the fight.
func (e *Engine) backAlong(ctx context.Context, f *Fight, to past, then *replica.Replica, req Request) (*along, error) {
	rulings := crossed(f.replica, to)
	if len(rulings) == 0 {
		return nil, nil
	}
	over := f.replica.State().Status == eventv1.State_STATUS_ENDED
	turns := over != (then.State().Status == eventv1.State_STATUS_ENDED) && !e.cfg.Recorded // a fight that only goes along may
	if to.stays > 0 || turns || nothingElse(f, rulings[0], rulings) != nil {
		return nil, notAcross(f.replica, to)
	}
	parts, err := e.partsOfRulings(ctx, f, rulings)
	if err != nil {
		return nil, err
	}
	out := &along{of: parts, parts: []*eventv1.RulingPart{{Encounter: f.id, Version: f.replica.Version + 1}}}
	if e.cfg.Recorded {
		return out, nil // what else goes back, the records of that say
	}
	fights, patients := sorted(parts)
	if err := e.recordsBack(ctx, patients, req, out); err != nil {
		return nil, err
	}
	ready := make([]func() error, 0, len(fights))
	for _, id := range fights {
		if id == f.id {
			continue
		}
		make, err := e.fightBack(ctx, id, parts, req, out)
		if err != nil {
			return nil, err
		}
		ready = append(ready, make)
	}
	for _, make := range ready { // when all parts are known
		if err := make(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// partsOfRulings are the parts that rulings of a fight have.
func (e *Engine) partsOfRulings(ctx context.Context, f *Fight, versions []uint64) ([]*eventv1.RulingPart, error) {
	var out []*eventv1.RulingPart
	for _, v := range versions {
		entry, err := e.entry(ctx, f, v)
		if err != nil {
			return nil, err
		}
		for _, ev := range entry.Commit.Events {
			out = append(out, replica.PartsOf(ev)...)
		}
	}
	return out, nil
}

// sorted are the fights and the patients of parts, each once.
func sorted(parts []*eventv1.RulingPart) (fights []string, patients []*eventv1.RulingPart) {
	for _, p := range parts {
		if p.Encounter == "" {
			patients = append(patients, p)
		} else {
			fights = append(fights, p.Encounter)
		}
	}
	slices.Sort(fights)
	return slices.Compact(fights), patients
}

// recordsBack prepares the records of patients that go back.
func (e *Engine) recordsBack(ctx context.Context, patients []*eventv1.RulingPart, req Request, out *along) error {
	if len(patients) == 0 {
		return nil
	}
	resp, err := e.cfg.Injury.PrepareRuling(ctx, &injuryv1.PrepareRulingRequest{Table: req.Table, As: req.As, RequestId: req.ID, Encounter: req.Encounter,
		Reason: reasonOf(req.Command), Back: patients, Redo: req.Command.GetRedo() != nil})
	if err != nil {
		return rpc.FromStatus(err)
	}
	for _, r := range resp.Records {
		out.parts = append(out.parts, &eventv1.RulingPart{Patient: r.Patient, Version: r.Version})
		out.messages = append(out.messages, journal.Message{Subject: r.Subject, ID: r.Id, Data: r.Data, Expected: r.ExpectedSequence})
	}
	return nil
}

// fightBack prepares another fight that goes back. The message is made by the function
// that it returns.
func (e *Engine) fightBack(ctx context.Context, id string, parts []*eventv1.RulingPart, req Request, out *along) (func() error, error) {
	if err := mayReach(ctx, id); err != nil {
		return nil, err
	}
	n, err := named(req.Table, id)
	if err != nil {
		return nil, err
	}
	f, err := e.make(ctx, n) // one of its own: no lock of two fights is held at once
	if err != nil {
		return nil, err
	}
	if err := f.Broken(); err != nil {
		return nil, err
	}
	var mine []uint64
	for _, p := range parts {
		if p.Encounter == id {
			mine = append(mine, p.Version)
		}
	}
	first := slices.Min(mine)
	if err := nothingElse(f, first, mine); err != nil {
		return nil, err
	}
	out.parts = append(out.parts, &eventv1.RulingPart{Encounter: id, Version: f.replica.Version + 1})
	return func() error {
		then, err := e.goBack(ctx, f, past{version: first - 1})
		if err != nil {
			return err
		}
		cmd, rev := backCommand(f.replica, first-1, req.Command)
		rev.Across = out.parts
		d, err := e.putBack(ctx, f, cmd, then, rev, f.replica.State().RepeatPolicy)
		if err != nil {
			return err
		}
		sys, err := e.cfg.Systems.System(f.replica.State().System)
		if err != nil {
			return err
		}
		msg, err := e.sealedAlong(f, sys, req, cmd, d)
		out.messages = append(out.messages, msg)
		return err
	}, nil
}

// backCommand is the ruling of another fight, as it is stored in one that goes along.
func backCommand(r *replica.Replica, version uint64, cmd *eventv1.Command) (*eventv1.Command, *eventv1.Reverted) {
	reason := reasonOf(cmd)
	if n := len(r.Redo); cmd.GetRedo() != nil && n > 0 && r.Redo[n-1] == version {
		return &eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{Reason: reason}}}, &eventv1.Reverted{Reason: reason, Redo: true}
	}
	return &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: version}, Reason: reason}}},
		&eventv1.Reverted{Reason: reason}
}

// nothingElse refuses when, since the first of some rulings, anything was done in a
// fight that counts: a command, or another ruling.
func nothingElse(f *Fight, first uint64, rulings []uint64) error {
	r := f.replica
	for _, l := range r.Chain {
		last := l.Origin
		if n := len(l.Answers); n > 0 {
			last = l.Answers[n-1]
		}
		if last > first && !l.Inserted {
			return fault.Refuse("RULING_WENT_ON", "", "encounter %q has gone on since the ruling, with step %d; take that back first", f.id, last)
		}
	}
	if r.Amended > first && !slices.Contains(rulings, r.Amended) {
		return fault.Refuse("RULING_WENT_ON", "", "encounter %q was ruled on since, at step %d; take that back first", f.id, r.Amended)
	}
	return nil
}
