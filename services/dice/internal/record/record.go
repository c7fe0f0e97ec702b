// Package record reads and writes what the dice service puts on the log: one
// subject an encounter, dense versions, each record chained to the one before.
//
// It must never accept a record that does not follow: a foreign publish on the
// subject is an attack on the dice or a broken deployment, and either must close
// these dice loudly.
package record

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/journal"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

// Format is the layout that this build writes. A number is never reused.
const Format = 1

// Kind is the kind token of the subjects.
const Kind = "dice"

// ErrBroken says that a record is not one of ours or does not follow the one before.
var ErrBroken = errors.New("record: broken")

// Key names an encounter.
type Key struct {
	Table     string
	Encounter string
}

// String is table and encounter joined by a dot, which neither may hold. Roots
// are sealed for this string.
func (k Key) String() string { return k.Table + "." + k.Encounter }

// Partitions is the number of streams: one, until there are more.
const Partitions = 1

// Subject is where the encounter's records are.
func (k Key) Subject() (string, error) {
	return journal.Subject(Partitions, k.Table, Kind, k.Encounter)
}

// Filter matches the dice of all encounters.
func Filter() string { return journal.KindFilter(0, Kind) }

// KeyOf reads a subject.
func KeyOf(subject string) (Key, error) {
	tokens := strings.Split(subject, ".")
	if len(tokens) != 5 || tokens[3] != Kind {
		return Key{}, fmt.Errorf("%w: subject %q", ErrBroken, subject)
	}
	return Key{Table: tokens[2], Encounter: tokens[4]}, nil
}

// Head is where a subject stands. The zero value is an empty subject.
type Head struct {
	Version  uint64 // of the last record
	Sequence uint64 // in the stream, of the last record
	Hash     []byte // of the last record's bytes
}

// Encode writes the record that follows h with the entries given.
func Encode(h Head, entries []*dicev1.RecordEntry) (*dicev1.Record, []byte, error) {
	r := &dicev1.Record{Format: Format, Version: h.Version + 1, Previous: h.Hash, Entries: entries}
	data, err := proto.Marshal(r)
	if err != nil {
		return nil, nil, fmt.Errorf("record: %w", err)
	}
	return r, data, nil
}

// Decode reads a stored record and checks that it follows h; it returns the
// head after it.
func Decode(h Head, stored journal.Record) (*dicev1.Record, Head, error) {
	r := &dicev1.Record{}
	if stored.ID == "" {
		return nil, h, fmt.Errorf("%w: %s at %d: stored without an id", ErrBroken, stored.Subject, stored.Seq)
	}
	if err := proto.Unmarshal(stored.Data, r); err != nil {
		return nil, h, fmt.Errorf("%w: %s at %d: %w", ErrBroken, stored.Subject, stored.Seq, err)
	}
	switch {
	case r.GetFormat() != Format:
		return nil, h, fmt.Errorf("%w: %s at %d: format %d, this build reads %d", ErrBroken, stored.Subject, stored.Seq, r.GetFormat(), Format)
	case r.GetVersion() != h.Version+1:
		return nil, h, fmt.Errorf("%w: %s at %d: version %d after %d", ErrBroken, stored.Subject, stored.Seq, r.GetVersion(), h.Version)
	case !bytes.Equal(r.GetPrevious(), h.Hash):
		return nil, h, fmt.Errorf("%w: %s at %d: does not follow the record before", ErrBroken, stored.Subject, stored.Seq)
	case len(r.GetEntries()) == 0:
		return nil, h, fmt.Errorf("%w: %s at %d: empty", ErrBroken, stored.Subject, stored.Seq)
	}
	return r, After(h, stored.Seq, stored.Data), nil
}

// After is the head after a record of these bytes at a sequence.
func After(h Head, seq uint64, data []byte) Head {
	hash := sha256.Sum256(data)
	return Head{Version: h.Version + 1, Sequence: seq, Hash: hash[:]}
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
