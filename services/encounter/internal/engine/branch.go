package engine

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// An amendment whose new history takes more than Config.InlineBytes is written to a
// branch: parts on a subject of their own, first, and then the one Commit that names
// them and makes them count, under the guard of the encounter's subject. Whoever
// dies in between leaves parts that no Commit names.

// partBytes is how much of a branch a record holds, about.
const partBytes = 1 << 20

// branchName is how many random bytes name a branch.
const branchName = 12

// branched writes the commands of an amendment to a branch and leaves in their place
// where they are.
func (e *Engine) branched(ctx context.Context, f *Fight, am *eventv1.Amended) error {
	id := make([]byte, branchName)
	if _, err := io.ReadFull(e.cfg.Random, id); err != nil {
		return fmt.Errorf("engine: naming a branch: %w", err)
	}
	name := hex.EncodeToString(id)
	subject, err := journal.BranchSubject(e.cfg.Partition, f.table, f.id, name)
	if err != nil {
		return err
	}
	w, err := branch.Write(am.Commands, min(partBytes, e.cfg.InlineBytes), e.cfg.Random)
	if err != nil {
		return err
	}
	var last uint64
	for i, data := range w.Parts {
		if err := ctx.Err(); err != nil {
			return fault.Wrap(fault.Unavailable, "CANCELLED", err, "the amendment was called off; nothing has changed")
		}
		progress(ctx, f, encounterv1.Progress_PHASE_WRITING, i, len(w.Parts), false)
		seqs, err := e.log.Append(ctx, journal.Message{Subject: subject, ID: hex.EncodeToString(branch.Hash(data)), Data: data, Expected: last})
		if err != nil {
			return fmt.Errorf("engine: part %d of %d of an amended history: %w", i+1, len(w.Parts), err)
		}
		last = seqs[0]
	}
	am.Branch, am.BranchHash = name, w.Hash
	am.Parts, am.Count = uint32(len(w.Parts)), uint32(len(am.Commands)) //nolint:gosec // numbers of commands
	am.Commands = nil
	return nil
}

// long tells whether a new history goes to a branch. What is decided again from a
// record is compared as if its Commit held it.
func (e *Engine) long(am *eventv1.Amended) bool {
	return !e.cfg.Recorded && proto.Size(am) > e.cfg.InlineBytes
}

// maxAmendment refuses a new history that not even a branch may hold.
func maxAmendment(p *plan) error {
	size := 0
	for _, c := range p.commands {
		size += proto.Size(c)
	}
	if size > limits.AmendmentBytes {
		return fault.Limit("bytes of an amendment", limits.AmendmentBytes, int64(size))
	}
	return nil
}

// fill reads what branches hold of the amendments among the events, and returns
// how many bytes that was.
func (f *Fight) fill(ctx context.Context, events []*eventv1.Event) (int, error) {
	held := 0
	read := map[string][][]byte{}
	err := branch.Fill(events, func(am *eventv1.Amended, i uint32) ([]byte, error) {
		parts, err := f.part(ctx, read, am)
		if err != nil || int(i) >= len(parts) {
			return nil, err
		}
		held += len(parts[i])
		return parts[i], nil
	})
	return held, err
}

// part reads the parts of an amendment's branch, once.
func (f *Fight) part(ctx context.Context, read map[string][][]byte, am *eventv1.Amended) ([][]byte, error) {
	if parts, ok := read[am.Branch]; ok {
		return parts, nil
	}
	if f.parts == nil {
		return nil, fmt.Errorf("%w: branch %s cannot be read", event.ErrBroken, am.Branch)
	}
	var parts [][]byte
	err := f.parts(ctx, am.Branch, func(data []byte) error {
		parts = append(parts, append([]byte(nil), data...))
		return nil
	})
	read[am.Branch] = parts
	return parts, err
}

// partsOf reads the parts of a branch from the log.
func (e *Engine) partsOf(table, id string) func(context.Context, string, func([]byte) error) error {
	return func(ctx context.Context, name string, fn func([]byte) error) error {
		subject, err := journal.BranchSubject(e.cfg.Partition, table, id, name)
		if err != nil {
			return fmt.Errorf("%w: %v", event.ErrBroken, err)
		}
		return e.cfg.Log.Read(ctx, subject, 1, 0, func(rec journal.Record) error { return fn(rec.Data) })
	}
}

// firstOf is an amendment of which only the first commands stay.
func (e *Engine) firstOf(ctx context.Context, f *Fight, am *eventv1.Amended, version uint64, count int) (*eventv1.Amended, error) {
	if am.Branch == "" {
		return &eventv1.Amended{Version: version, Base: am.Base, Commands: am.Commands[:count]}, nil
	}
	read := map[string][][]byte{}
	out, err := branch.First(am, count, func(am *eventv1.Amended, i uint32) ([]byte, error) {
		parts, err := f.part(ctx, read, am)
		if err == nil && int(i) >= len(parts) {
			err = fmt.Errorf("%w: part %d of branch %s is not there", event.ErrBroken, i, am.Branch)
		}
		if err != nil {
			return nil, err
		}
		return parts[i], nil
	})
	if err != nil {
		return nil, err
	}
	out.Version = version
	return out, nil
}
