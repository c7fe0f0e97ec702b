package aggregate

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Open opens a stored Commit and checks that it is whole, of the aggregate that
// its subject names, and stored under its own hash. Errors answer to Broken. What it
// gives may be given to others too: its messages are only read, but for the amendments
// among them, which each has for itself.
func Open(rec journal.Record) (Name, *event.Opened, error) { return checked(rec, opens.open) }

// Skim is Open for whoever may want to know no more of a Commit than event.Skim tells:
// its parts are there when it was opened a moment ago, and may be nil.
func Skim(rec journal.Record) (Name, *event.Opened, error) { return checked(rec, opens.skim) }

// checked reads a Commit and holds it against where it is stored.
func checked(rec journal.Record, read func(journal.Record) (*event.Opened, error)) (Name, *event.Opened, error) {
	n, ok := Parse(rec.Subject)
	if !ok || !n.Kind.Commits() {
		return n, nil, fmt.Errorf("%w: subject %q holds no Commits", ErrBroken, rec.Subject)
	}
	c, err := read(rec)
	if err != nil {
		return n, nil, err
	}
	switch h := c.Header; {
	case h.Kind != string(n.Kind) || h.Table != n.Table || h.Id != n.ID:
		return n, nil, fmt.Errorf("%w: the header is of %s %q of table %q", ErrBroken, h.Kind, h.Id, h.Table)
	case rec.ID != hex.EncodeToString(c.Hash):
		return n, nil, fmt.Errorf("%w: stored under the id %q, which is not its hash", ErrBroken, rec.ID)
	case c.Withheld > 0:
		return n, nil, fmt.Errorf("%w: version %d has withheld parts", ErrBroken, h.Version)
	}
	return n, c, nil
}

// Sealer makes messages of Commits.
type Sealer struct {
	// Partition is the number of the stream that they go to.
	Partition int
	// Engine is the version of the engine that decided.
	Engine string
	// Clock says when.
	Clock func() time.Time
	// Random is where salts come from.
	Random io.Reader
}

// Seal makes the message that holds the next Commit behind a head, guarded by it.
// system and its version are those of the rules that decided; the draft's header
// is filled in, with the time that it names if it names one.
func (s Sealer) Seal(n Name, h Head, system, version string, d event.Draft) (journal.Message, error) {
	subject, err := n.Subject(s.Partition)
	if err != nil {
		return journal.Message{}, err
	}
	at := d.Header.GetUnixMillis()
	if at == 0 {
		at = s.Clock().UnixMilli()
	}
	d.Header = &eventv1.CommitHeader{Kind: string(n.Kind), Id: n.ID, Table: n.Table, Version: h.Version + 1,
		PreviousHash: bytes.Clone(h.Hash), UnixMillis: at, EngineVersion: s.Engine,
		System: system, SystemVersion: version}
	data, hash, err := event.Seal(d, s.Random)
	if err != nil {
		return journal.Message{}, err
	}
	// The hash names the Commit: no two differ and share it.
	return journal.Message{Subject: subject, ID: hex.EncodeToString(hash), Data: data, Expected: h.Sequence}, nil
}
