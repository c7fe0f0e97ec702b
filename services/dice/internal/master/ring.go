package master

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/skaldrpg/skald/pkg/dice/tape"
)

var (
	// ErrKeys says what is wrong with the text of keys.
	ErrKeys = errors.New("master: no usable keys")
	// ErrUnknownKey: a root was sealed by a key that is not in the ring.
	ErrUnknownKey = errors.New("master: sealed by a key that is not given")
	// ErrWrongKey: the key of that id does not open what it is said to have sealed.
	ErrWrongKey = errors.New("master: the key does not open what was sealed under its id")
	// ErrPermissions: others than the owner may read or write the file.
	ErrPermissions = errors.New("master: key file is open to others")
)

// Ring is the current master key with the old ones. It does not change.
type Ring struct {
	current tape.Master
	byID    map[string]tape.Master
}

// Parse reads keys, one a line or separated by commas, the current one first.
// A key is 32 bytes in hexadecimal or base64, with or without an id and a colon
// before it; lines that start with # are remarks. A key without an id gets one
// derived from it, so that the same key always has the same id.
func Parse(text string) (*Ring, error) {
	r := &Ring{byID: map[string]tape.Master{}}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for field := range strings.SplitSeq(line, ",") {
			if field = strings.TrimSpace(field); field == "" {
				continue
			}
			m, err := parseKey(field)
			if err != nil {
				return nil, err
			}
			if _, ok := r.byID[m.ID]; ok {
				return nil, fmt.Errorf("%w: key id %q stands twice", ErrKeys, m.ID)
			}
			if len(r.byID) == 0 {
				r.current = m
			}
			r.byID[m.ID] = m
		}
	}
	if len(r.byID) == 0 {
		return nil, fmt.Errorf("%w: none given", ErrKeys)
	}
	return r, nil
}

// parseKey never quotes the text in an error: it may be a key.
func parseKey(text string) (tape.Master, error) {
	id, key, named := strings.Cut(text, ":")
	if !named {
		id, key = "", text
	}
	raw, err := hex.DecodeString(key)
	if err != nil {
		raw, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(key, "="))
	}
	if err != nil {
		return tape.Master{}, fmt.Errorf("%w: neither hexadecimal nor base64", ErrKeys)
	}
	m := tape.Master{ID: id}
	if len(raw) != len(m.Key) {
		return tape.Master{}, fmt.Errorf("%w: %d bytes, want %d", ErrKeys, len(raw), len(m.Key))
	}
	copy(m.Key[:], raw)
	if !named {
		m.ID = idOf(m.Key)
	}
	if m.ID == "" || len(m.ID) > 64 || strings.ContainsAny(m.ID, " \t") {
		return tape.Master{}, fmt.Errorf("%w: id must be 1 to 64 bytes without spaces", ErrKeys)
	}
	return m, nil
}

// idOf names a key without telling anything of it.
func idOf(key [32]byte) string {
	h := sha256.Sum256(append([]byte("skald.dice.v1.master-id\x00"), key[:]...))
	return hex.EncodeToString(h[:6])
}

// New makes a ring of one random key.
func New(random io.Reader) (*Ring, error) {
	var m tape.Master
	if _, err := io.ReadFull(random, m.Key[:]); err != nil {
		return nil, fmt.Errorf("master: new key: %w", err)
	}
	m.ID = idOf(m.Key)
	return &Ring{current: m, byID: map[string]tape.Master{m.ID: m}}, nil
}

// Current is the id of the key that seals.
func (r *Ring) Current() string { return r.current.ID }

// String names the current key (T5).
func (r *Ring) String() string { return r.current.String() }

// Seal seals a root for a scope, the encounter's subject-safe name.
func (r *Ring) Seal(root tape.Root, scope string, random io.Reader) (keyID string, sealed []byte, err error) {
	sealed, err = tape.Seal(r.current, root, scope, random)
	if err != nil {
		return "", nil, fmt.Errorf("master: %w", err)
	}
	return r.current.ID, sealed, nil
}

// Open opens what Seal made, by whichever key of the ring sealed it. Its errors
// are ErrUnknownKey and ErrWrongKey.
func (r *Ring) Open(sealed []byte, scope string) (tape.Root, error) {
	id, err := tape.SealedBy(sealed)
	if err != nil {
		return tape.Root{}, fmt.Errorf("%w: %w", ErrWrongKey, err)
	}
	m, ok := r.byID[id]
	if !ok {
		return tape.Root{}, fmt.Errorf("%w: key %q sealed the dice of %s", ErrUnknownKey, id, scope)
	}
	root, err := tape.Unseal(m, sealed, scope)
	if err != nil {
		return tape.Root{}, fmt.Errorf("%w: key %q, dice of %s: %w", ErrWrongKey, id, scope, err)
	}
	return root, nil
}
