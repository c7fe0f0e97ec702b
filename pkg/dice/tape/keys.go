package tape

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

var (
	// ErrAudience rejects an audience that is not everyone, gm or creature/<id>.
	ErrAudience = errors.New("tape: no such audience")
	// ErrPurpose rejects a purpose that is not real, preview or fork.
	ErrPurpose = errors.New("tape: no such purpose")
	// ErrContributor rejects entropy twice from one contributor.
	ErrContributor = errors.New("tape: two contributions of one contributor")
)

// Audience names who may be shown a branch's faces.
type Audience string

// Audiences that every encounter has.
const (
	Everyone Audience = "everyone"
	GM       Audience = "gm"
)

const creaturePrefix = "creature/"

// Creature returns the audience of a creature's controllers.
func Creature(id string) Audience { return Audience(creaturePrefix + id) }

// Valid reports whether a is Everyone, GM or a creature's.
func (a Audience) Valid() bool {
	id, creature := strings.CutPrefix(string(a), creaturePrefix)
	return a == Everyone || a == GM || creature && id != ""
}

const hidden = "(secret)"

// Root is the secret of one encounter, from which all its branches grow. It
// never leaves the dice service unsealed.
type Root [32]byte

// NewRoot reads a root from a source of random bytes, crypto/rand.Reader in
// production.
func NewRoot(random io.Reader) (Root, error) {
	var r Root
	if _, err := io.ReadFull(random, r[:]); err != nil {
		return Root{}, fmt.Errorf("tape: new root: %w", err)
	}
	return r, nil
}

// String hides the secret (T5).
func (Root) String() string { return hidden }

// GoString hides the secret (T5).
func (Root) GoString() string { return hidden }

// Seed is the secret of one branch. Once revealed, anybody can recompute the
// branch's commitment and faces from it, and nothing else: neither the root
// nor another branch.
type Seed [32]byte

// String hides the secret (T5); reveal the bytes on purpose, by s[:].
func (Seed) String() string { return hidden }

// GoString hides the secret (T5).
func (Seed) GoString() string { return hidden }

// Digest is a published hash.
type Digest [32]byte

// Branch derives the seed of an audience's branch:
//
//	HMAC-SHA256(root, str(domain) || str(encounter) || u32(epoch) || str(audience))
func Branch(root Root, encounter string, epoch uint32, audience Audience) (Seed, error) {
	if !audience.Valid() {
		return Seed{}, fmt.Errorf("%w: %q", ErrAudience, audience)
	}
	m := appendString(nil, domainBranch)
	m = appendString(m, encounter)
	m = binary.BigEndian.AppendUint32(m, epoch)
	m = appendString(m, string(audience))
	return Seed(mac(root[:], m)), nil
}

// Commitment is what is published of a seed before the fight:
//
//	SHA-256(str(domain) || seed)
func Commitment(seed Seed) Digest {
	return sha256.Sum256(append(appendString(nil, domainCommitment), seed[:]...))
}

// Matches reports whether the digest is the seed's commitment.
func (d Digest) Matches(seed Seed) bool {
	c := Commitment(seed)
	return subtle.ConstantTimeCompare(c[:], d[:]) == 1
}

// Contribution is entropy that a player adds after the commitment has been
// published, so that not even the server could choose the faces.
type Contribution struct {
	Contributor string // who, once each
	Bytes       []byte // what; any length
}

// Key is the key of all tapes of a branch.
type Key [32]byte

// String hides the secret (T5).
func (Key) String() string { return hidden }

// GoString hides the secret (T5).
func (Key) GoString() string { return hidden }

// TapeKey derives the key of a branch's tapes from its seed and the players'
// entropy, which may be none:
//
//	entropy = SHA-256(str(domain) || u32(count) || str(contributor) || str(bytes) ...)
//	key     = HMAC-SHA256(seed, str(domain) || entropy)
//
// Contributions count in the order of their contributors' bytes, however they
// are given.
func TapeKey(seed Seed, entropy []Contribution) (Key, error) {
	digest, err := EntropyDigest(entropy)
	if err != nil {
		return Key{}, err
	}
	return Key(mac(seed[:], append(appendString(nil, domainKey), digest[:]...))), nil
}

// EntropyDigest is the hash of all contributions: ErrContributor where somebody
// contributed twice.
func EntropyDigest(entropy []Contribution) (Digest, error) {
	sorted := slices.Clone(entropy)
	slices.SortFunc(sorted, func(a, b Contribution) int { return strings.Compare(a.Contributor, b.Contributor) })
	h := appendString(nil, domainEntropy)
	h = binary.BigEndian.AppendUint32(h, uint32(len(sorted)))
	for i, c := range sorted {
		if i > 0 && sorted[i-1].Contributor == c.Contributor {
			return Digest{}, fmt.Errorf("%w: %q", ErrContributor, c.Contributor)
		}
		h = appendString(h, c.Contributor)
		h = appendString(h, string(c.Bytes))
	}
	return sha256.Sum256(h), nil
}

// mac returns HMAC-SHA256.
func mac(key, message []byte) [32]byte {
	h := hmac.New(sha256.New, key)
	h.Write(message)
	return [32]byte(h.Sum(nil))
}
