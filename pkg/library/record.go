package library

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// Kind is what a pack is called in faults about its record.
const Kind = "pack"

// recordFormat is the layout of the records that this build writes and reads.
const recordFormat = 1

// Digest is the digest of a pack's stored bytes, in hex.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// IsDigest tells whether a text is a digest rather than a pack's name.
func IsDigest(s string) bool {
	if len(s) != sha256.Size*2 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Unknown is the fault about a pack that a table does not have.
func Unknown(name string) *fault.Fault {
	return fault.New(fault.NotFound, "UNKNOWN_PACK", "there is no pack %q", name)
}

// Seal makes the message that keeps a pack at its table, in stream p. Its guard
// is that nothing is there yet.
func Seal(p int, rec *encounterv1.PackRecord) (journal.Message, error) {
	rec.Format = recordFormat
	subject, err := journal.PackSubject(p, rec.Table, Digest(rec.Pack))
	if err != nil {
		return journal.Message{}, fmt.Errorf("library: %w", err)
	}
	data, err := proto.Marshal(rec)
	if err != nil {
		return journal.Message{}, fmt.Errorf("library: marshalling a pack: %w", err)
	}
	return journal.Message{Subject: subject, ID: Digest(data), Data: data}, nil
}

// Open reads a record that Seal made and holds it against its id, its subject
// and the digest of the pack. Errors wrap event.ErrBroken.
func Open(r journal.Record) (*encounterv1.PackRecord, string, error) {
	if r.ID != Digest(r.Data) {
		return nil, "", fmt.Errorf("%w: a pack's record under the id %q, which is not its hash", event.ErrBroken, r.ID)
	}
	return OpenCopy(r.Subject, r.Data)
}

// OpenCopy is Open for a copy that has lost its id.
func OpenCopy(subject string, data []byte) (*encounterv1.PackRecord, string, error) {
	table, digest, ok := journal.SplitPack(subject)
	if !ok {
		return nil, "", fmt.Errorf("%w: subject %q is not a pack's", event.ErrBroken, subject)
	}
	rec := &encounterv1.PackRecord{}
	if err := proto.Unmarshal(data, rec); err != nil {
		return nil, "", fmt.Errorf("%w: a pack's record: %v", event.ErrBroken, err)
	}
	switch {
	case rec.Format != recordFormat:
		return nil, "", fmt.Errorf("%w: a pack's record of format %d, this build reads %d", event.ErrBroken, rec.Format, recordFormat)
	case rec.Table != table:
		return nil, "", fmt.Errorf("%w: a pack's record of table %q on the subject of %q", event.ErrBroken, rec.Table, table)
	case Digest(rec.Pack) != digest:
		return nil, "", fmt.Errorf("%w: a pack that is not what its digest %s says", event.ErrBroken, digest)
	}
	return rec, digest, nil
}
