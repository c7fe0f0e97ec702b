package aggregate

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// An amendment whose new history is too long for its Commit is written to a branch:
// parts on a subject of their own, first, and then the one Commit that names them and
// makes them count, under the guard of the aggregate's subject. Whoever dies in between
// leaves parts that no Commit names.

// partBytes is how much of a branch a record holds, about.
const partBytes = 1 << 20

// branchName is how many random bytes name a branch.
const branchName = 12

// Branched says how a branch is written.
type Branched struct {
	// Inline is what an amendment may take in its Commit, bytes; no part holds much more.
	Inline int
	// Random is where names and salts come from.
	Random io.Reader
	// Before is called before each part with how many of how many are written; its error
	// ends the writing. nil means nothing is to be done.
	Before func(written, parts int) error
}

// Branch writes the commands of an amendment to a branch of an aggregate and leaves in
// their place where they are.
func (l *Log) Branch(ctx context.Context, n Name, am *eventv1.Amended, how Branched) error {
	id := make([]byte, branchName)
	if _, err := io.ReadFull(how.Random, id); err != nil {
		return fmt.Errorf("aggregate: naming a branch: %w", err)
	}
	name := hex.EncodeToString(id)
	subject, err := l.branch(n, name)
	if err != nil {
		return err
	}
	w, err := branch.Write(am.Commands, min(partBytes, how.Inline), how.Random)
	if err != nil {
		return err
	}
	var last uint64
	for i, data := range w.Parts {
		if how.Before != nil {
			if err := how.Before(i, len(w.Parts)); err != nil {
				return err
			}
		}
		if last, err = l.AppendPart(ctx, subject, data, last); err != nil {
			return fmt.Errorf("aggregate: part %d of %d of an amended history: %w", i+1, len(w.Parts), err)
		}
	}
	am.Branch, am.BranchHash = name, w.Hash
	am.Parts, am.Count = uint32(len(w.Parts)), uint32(len(am.Commands)) //nolint:gosec // numbers of commands
	am.Commands = nil
	return nil
}

// AppendPart stores a part of a branch behind the one before it, whose sequence is last.
func (l *Log) AppendPart(ctx context.Context, subject string, data []byte, last uint64) (seq uint64, err error) {
	seqs, err := l.Append(ctx, journal.Message{Subject: subject, ID: hex.EncodeToString(branch.Hash(data)), Data: data, Expected: last})
	if err != nil {
		return 0, err
	}
	return seqs[0], nil
}

// branch is the subject of a branch.
func (l *Log) branch(n Name, name string) (string, error) {
	return journal.Branch{Table: n.Table, Kind: string(n.Kind), ID: n.ID, Name: name}.Subject(l.partition)
}

// Parts hands over the parts of a branch of an aggregate, as stored, in their order. A
// name that no branch has wraps event.ErrBroken, and an error of fn comes back as it is.
func (l *Log) Parts(ctx context.Context, n Name, name string, fn func(data []byte) error) error {
	subject, err := l.branch(n, name)
	if err != nil {
		return fmt.Errorf("%w: %v", event.ErrBroken, err)
	}
	var own error
	err = l.journal.Read(ctx, subject, 1, 0, func(rec journal.Record) error {
		own = fn(rec.Data)
		return own
	})
	if own != nil {
		return own
	}
	return ofLog(err)
}
