// Package record reads and writes what the dice service puts on the log: one
// subject an encounter, dense versions, each record chained to the one before.
//
// It must never accept a record that does not follow: a foreign publish on the
// subject is an attack on the dice or a broken deployment, and either must close
// these dice loudly.
package record

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

// Format is the layout that this build writes. A number is never reused.
const Format = 1

// Named checks the subject of a record and names the dice that it is of. Errors
// wrap aggregate.ErrBroken.
func Named(subject string) (aggregate.Name, error) {
	n, ok := aggregate.Parse(subject)
	if !ok || n.Kind != aggregate.Dice {
		return n, fmt.Errorf("%w: subject %q", aggregate.ErrBroken, subject)
	}
	return n, nil
}

// Scope is what the roots of an encounter's dice are sealed for: table and
// encounter joined by a dot, which neither may hold.
func Scope(n aggregate.Name) string { return n.Table + "." + n.ID }

// Encode writes the record that follows h with the entries given.
func Encode(h aggregate.Head, entries []*dicev1.RecordEntry) (*dicev1.Record, []byte, error) {
	r := &dicev1.Record{Format: Format, Version: h.Version + 1, Previous: h.Hash, Entries: entries}
	data, err := proto.Marshal(r)
	if err != nil {
		return nil, nil, fmt.Errorf("record: %w", err)
	}
	return r, data, nil
}

// Decode reads a stored record and checks that it follows h; it returns the
// head after it.
func Decode(h aggregate.Head, stored journal.Record) (*dicev1.Record, aggregate.Head, error) {
	r := &dicev1.Record{}
	if stored.ID == "" {
		return nil, h, fmt.Errorf("%w: %s at %d: stored without an id", aggregate.ErrBroken, stored.Subject, stored.Seq)
	}
	if err := proto.Unmarshal(stored.Data, r); err != nil {
		return nil, h, fmt.Errorf("%w: %s at %d: %w", aggregate.ErrBroken, stored.Subject, stored.Seq, err)
	}
	switch {
	case r.GetFormat() != Format:
		return nil, h, fmt.Errorf("%w: %s at %d: format %d, this build reads %d", aggregate.ErrBroken, stored.Subject, stored.Seq, r.GetFormat(), Format)
	case len(r.GetEntries()) == 0:
		return nil, h, fmt.Errorf("%w: %s at %d: empty", aggregate.ErrBroken, stored.Subject, stored.Seq)
	}
	if err := h.Next(r.GetVersion(), r.GetPrevious()); err != nil {
		return nil, h, fmt.Errorf("%s at %d: %w", stored.Subject, stored.Seq, err)
	}
	return r, h.Then(stored.Seq, aggregate.PlainHash(stored.Data)), nil
}

// TapeID names a tape of an encounter.
type TapeID struct {
	Epoch   uint32
	Action  uint64
	Branch  string
	Purpose dicev1.Purpose
}

// IDOf is the id of an opened tape.
func IDOf(t *dicev1.TapeOpened) TapeID {
	return TapeID{Epoch: t.GetEpoch(), Action: t.GetAction(), Branch: t.GetBranch(), Purpose: t.GetPurpose()}
}

// Opened is the entry of a tape.
func (id TapeID) Opened() *dicev1.TapeOpened {
	return &dicev1.TapeOpened{Epoch: id.Epoch, Action: id.Action, Branch: id.Branch, Purpose: id.Purpose}
}
