package aggregate

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
)

// ErrBroken says that a record can not be read, is not of its subject, or does not
// follow the one before.
var ErrBroken = errors.New("aggregate: broken record")

// Broken tells whether an error says that a record is broken, here or in a Commit.
func Broken(err error) bool { return errors.Is(err, ErrBroken) || errors.Is(err, event.ErrBroken) }

// Head is where a record stands. The zero value is that of nothing recorded.
type Head struct {
	// Version of the last entry, from 1 without gaps.
	Version uint64
	// Sequence in the stream of the last entry: the guard of the next.
	Sequence uint64
	// Hash of the last entry, which the next one names.
	Hash []byte
}

// Next checks that an entry of a version, which names a hash as the one before,
// follows. Errors wrap ErrBroken.
func (h Head) Next(version uint64, previous []byte) error {
	if version != h.Version+1 {
		return fmt.Errorf("%w: version %d where %d must follow", ErrBroken, version, h.Version+1)
	}
	if !bytes.Equal(previous, h.Hash) {
		return fmt.Errorf("%w: version %d does not follow the hash before it", ErrBroken, version)
	}
	return nil
}

// Then is the head after the entry that follows was stored at a sequence.
func (h Head) Then(sequence uint64, hash []byte) Head {
	return Head{Version: h.Version + 1, Sequence: sequence, Hash: hash}
}

// Hash is how the entries of a kind are hashed: nil for bytes that are no entry.
type Hash func(stored []byte) []byte

// CommitHash hashes Commits, after checking every part.
func CommitHash(stored []byte) []byte {
	c, err := event.Open(stored)
	if err != nil {
		return nil
	}
	return c.Hash
}

// PlainHash is SHA-256 of the stored bytes.
func PlainHash(stored []byte) []byte {
	sum := sha256.Sum256(stored)
	return sum[:]
}

// on is the head as the journal compares it.
func (h Head) on(subject string, hash Hash) journal.Head {
	want := bytes.Clone(h.Hash) // the owner goes on meanwhile
	return journal.Head{Subject: subject, Sequence: h.Sequence, Same: func(stored []byte) bool {
		got := hash(stored)
		return got != nil && bytes.Equal(got, want)
	}}
}
