package engine

import (
	"bytes"
	"context"
	"encoding/hex"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Record is an encounter as another server exported it.
type Record struct {
	// Table and ID that its Commits name.
	Table, ID string
	// Commits, all from the first on, as stored.
	Commits [][]byte
	// Branches by name: the parts of amended histories that are too long for their
	// Commits, in order.
	Branches map[string][][]byte
}

// Import stores a record that was verified, byte for byte, and ends it with a Commit
// that says so: from there on it is only read. One that was being stored when a server
// died is gone on with; anything else under that id is refused (Exists).
func (e *Engine) Import(ctx context.Context, by *eventv1.Principal, rec Record) error {
	f, release, err := e.hold(ctx, rec.Table, rec.ID)
	if err != nil {
		return err
	}
	defer release()
	f.execute.Lock()
	defer f.execute.Unlock()
	if err := e.catchUp(ctx, f); err != nil {
		return err
	}
	commits, err := opened(rec.Commits)
	if err != nil {
		return err
	}
	if err := e.unfinished(ctx, f, commits); err != nil {
		return err
	}
	for _, name := range rules.SortedKeys(rec.Branches) {
		if err := e.importBranch(ctx, f, name, rec.Branches[name]); err != nil {
			return aggregate.Fault(err)
		}
	}
	if err := e.importCommits(ctx, f, commits, rec.Commits); err != nil {
		return aggregate.Fault(err)
	}
	sys, err := e.cfg.Systems.System(f.replica.State().System)
	if err != nil {
		return err
	}
	return e.storeOwn(ctx, f, sys, event.New(event.Everyone(), &eventv1.EncounterImported{By: &eventv1.Principal{Role: by.Role, Name: by.Name}}))
}

func opened(commits [][]byte) ([]*event.Opened, error) {
	out := make([]*event.Opened, len(commits))
	for i, data := range commits {
		c, err := event.Open(data)
		if err != nil {
			return nil, fault.Wrap(fault.Invalid, "NO_COMMIT", err, "Commit %d of the record", i+1)
		}
		out[i] = c
	}
	return out, nil
}

// unfinished refuses to import over an encounter that is there, unless it is the
// beginning of the very record, brought here before: one whose dice are not this
// server's. Otherwise whoever may import could go on with a fight of this server by
// Commits that he made.
func (e *Engine) unfinished(ctx context.Context, f *Fight, commits []*event.Opened) error {
	r := f.replica
	if r.Version == 0 {
		return nil
	}
	exists := fault.New(fault.Exists, "ENCOUNTER_EXISTS", "there is already an encounter %q", f.id)
	if r.State().Imported || r.Version > uint64(len(commits)) || !bytes.Equal(r.Hash, commits[r.Version-1].Hash) {
		return exists
	}
	for _, ev := range commits[0].Events {
		d := ev.GetDiceEpoch()
		if d == nil {
			continue
		}
		resp, err := e.cfg.Dice.OpenEpoch(ctx, &dicev1.OpenEpochRequest{Table: f.table, Encounter: f.id, Epoch: max(1, d.Epoch),
			Branches: []string{"everyone"}, Entropy: d.Entropy, Format: d.Format, Open: d.Open})
		if err != nil || len(resp.Commitments) != 1 {
			return exists
		}
		for _, c := range d.Commitments {
			if c.Branch == "everyone" && !bytes.Equal(c.Commitment, resp.Commitments[0].Commitment) {
				return nil
			}
		}
	}
	return exists
}

// importBranch stores the parts of a branch that are not there.
func (e *Engine) importBranch(ctx context.Context, f *Fight, name string, parts [][]byte) error {
	subject, err := journal.Branch{Table: f.table, Kind: string(aggregate.Encounter), ID: f.id, Name: name}.Subject(e.cfg.Partition)
	if err != nil {
		return fault.Field("messages.branch_part.branch", "%v", err)
	}
	at, last := 0, uint64(0)
	err = e.cfg.Log.Read(ctx, subject, 1, 0, func(rec journal.Record) error {
		if at >= len(parts) || !bytes.Equal(rec.Data, parts[at]) {
			return fault.New(fault.Exists, "BRANCH_EXISTS", "there is already a branch %q of the encounter", name)
		}
		at, last = at+1, rec.Seq
		return nil
	})
	if err != nil {
		return err
	}
	for _, data := range parts[at:] {
		if last, err = e.log.AppendPart(ctx, subject, data, last); err != nil {
			return err
		}
	}
	return nil
}

// importCommits stores the Commits that are not there.
func (e *Engine) importCommits(ctx context.Context, f *Fight, commits []*event.Opened, data [][]byte) error {
	subject, err := f.name.Subject(e.cfg.Partition)
	if err != nil {
		return err
	}
	for v := f.replica.Version; v < uint64(len(commits)); v++ {
		if err := ctx.Err(); err != nil {
			return fault.Wrap(fault.Unavailable, "CANCELLED", err, "the import stopped at version %d; repeat it to go on", v)
		}
		msg := journal.Message{Subject: subject, ID: hex.EncodeToString(commits[v].Hash), Data: data[v], Expected: f.replica.Head.Sequence}
		if _, err := e.store(ctx, f, msg); err != nil {
			return err
		}
	}
	return nil
}

// readOnly refuses what would go on with an encounter that was imported.
func readOnly(s *eventv1.State) error {
	if s.Imported {
		return fault.Refuse("IMPORTED", "", "the encounter was played on another server and is only read here; a fork of it can be played on")
	}
	return nil
}
