package tape

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Format is the layout of the keys of an epoch. A number is never reused.
type Format uint32

// The layouts.
const (
	// FormatBranch is the first: a branch has one key.
	FormatBranch Format = 0
	// FormatLeaf gives each action on a branch a key of its own, so that its rolls
	// can be opened and verified without the others.
	FormatLeaf Format = 2
)

// Creatures is the parent of all branches of creatures in epochs of FormatLeaf:
// nothing is drawn from it, its commitment is published with those of Everyone
// and GM, and its seed leads to theirs.
const Creatures Audience = "creatures"

// leafDepth is the height of the tree over the leaves of a branch.
const leafDepth = 10

// Leaves is how many actions on a branch can be opened one by one: those beyond
// are opened with the branch.
const Leaves = 1 << leafDepth

// Domain strings of FormatLeaf.
const (
	domainBranch2     = "skald.dice.v2.branch"
	domainCreature    = "skald.dice.v2.creature"
	domainLeaf        = "skald.dice.v2.leaf"
	domainLeafHash    = "skald.dice.v2.leaf-hash"
	domainNode        = "skald.dice.v2.node"
	domainSeedHash    = "skald.dice.v2.seed-hash"
	domainCommitment2 = "skald.dice.v2.commitment"
	domainKey2        = "skald.dice.v2.tape-key"
)

var (
	// ErrLeaf rejects an action that has no leaf of its own.
	ErrLeaf = errors.New("tape: no leaf for this action")
	// ErrPath is returned when a leaf is not in the tree that was committed to.
	ErrPath = errors.New("tape: the leaf is not one of the branch committed to")
)

// Leaf is the secret of one action on a branch: its faces follow from it, and no
// others.
type Leaf [32]byte

// String hides the secret (T5).
func (Leaf) String() string { return hidden }

// GoString hides the secret (T5).
func (Leaf) GoString() string { return hidden }

// BranchOf derives the seed of an audience's branch as a format has it.
func BranchOf(f Format, root Root, encounter string, epoch uint32, audience Audience) (Seed, error) {
	if f == FormatBranch {
		return Branch(root, encounter, epoch, audience)
	}
	id, creature := strings.CutPrefix(string(audience), creaturePrefix)
	switch {
	case f != FormatLeaf:
		return Seed{}, fmt.Errorf("tape: no format %d", f)
	case creature && id != "":
		parent, err := BranchOf(f, root, encounter, epoch, Creatures)
		return CreatureOf(parent, id), err
	case audience != Everyone && audience != GM && audience != Creatures:
		return Seed{}, fmt.Errorf("%w: %q", ErrAudience, audience)
	}
	m := appendString(nil, domainBranch2)
	m = appendString(m, encounter)
	m = binary.BigEndian.AppendUint32(m, epoch)
	m = appendString(m, string(audience))
	return Seed(mac(root[:], m)), nil
}

// CreatureOf derives the seed of a creature's branch from that of Creatures.
func CreatureOf(parent Seed, id string) Seed {
	return Seed(mac(parent[:], appendString(appendString(nil, domainCreature), id)))
}

// LeafOf derives the leaf of an action on a branch.
func LeafOf(seed Seed, action uint64) Leaf {
	return Leaf(mac(seed[:], binary.BigEndian.AppendUint64(appendString(nil, domainLeaf), action)))
}

// LeafKey derives the key of an action's tapes from its leaf and the entropy.
func LeafKey(leaf Leaf, entropy []Contribution) (Key, error) {
	digest, err := EntropyDigest(entropy)
	if err != nil {
		return Key{}, err
	}
	return LeafKeyBy(leaf, digest), nil
}

// LeafKeyBy is LeafKey by the hash of the entropy.
func LeafKeyBy(leaf Leaf, entropy Digest) Key {
	return Key(mac(leaf[:], append(appendString(nil, domainKey2), entropy[:]...)))
}

// KeyOf is the key of an action's tapes on a branch as a format has it.
func KeyOf(f Format, seed Seed, action uint64, entropy []Contribution) (Key, error) {
	if f == FormatBranch {
		return TapeKey(seed, entropy)
	}
	return LeafKey(LeafOf(seed, action), entropy)
}

// CommitmentOf is what is published of a branch's seed as a format has it.
func CommitmentOf(f Format, audience Audience, seed Seed) Digest {
	switch {
	case f == FormatBranch:
		return Commitment(seed)
	case audience == Creatures: // nothing is drawn from it
		return committed(SeedHash(seed), Digest{})
	}
	return committed(SeedHash(seed), newTree(seed).top())
}

// SeedHash is the part of a commitment that a seed as a whole answers for.
func SeedHash(seed Seed) Digest {
	return sha256.Sum256(append(appendString(nil, domainSeedHash), seed[:]...))
}

func committed(seedHash, top Digest) Digest {
	return sha256.Sum256(append(append(appendString(nil, domainCommitment2), seedHash[:]...), top[:]...))
}

// PathOf is the way from an action's leaf to the top of its branch's tree: the
// neighbour at each height. Actions count from 1 to Leaves.
func PathOf(seed Seed, action uint64) ([]Digest, error) {
	if action < 1 || action > Leaves {
		return nil, fmt.Errorf("%w: action %d, leaves are 1 to %d", ErrLeaf, action, Leaves)
	}
	return newTree(seed).path(int(action - 1)), nil
}

// CheckLeaf tells whether a leaf is the action's in the branch that a digest
// commits to: nil, ErrLeaf or ErrPath.
func CheckLeaf(commitment Digest, leaf Leaf, action uint64, path []Digest, seedHash Digest) error {
	if action < 1 || action > Leaves {
		return fmt.Errorf("%w: action %d, leaves are 1 to %d", ErrLeaf, action, Leaves)
	}
	if len(path) != leafDepth {
		return fmt.Errorf("%w: a path of %d", ErrPath, len(path))
	}
	at, here := action-1, leafHash(leaf)
	for _, beside := range path {
		if at&1 == 0 {
			here = node(here, beside)
		} else {
			here = node(beside, here)
		}
		at >>= 1
	}
	if c := committed(seedHash, here); !bytes.Equal(c[:], commitment[:]) {
		return ErrPath
	}
	return nil
}

// VerifyLeaf is [VerifyBranch] for one action on a branch of which only the leaf
// is open. Records of other actions are faults.
func VerifyLeaf(leaf Leaf, action uint64, entropy []Contribution, records []Recorded) (*Report, error) {
	key, err := LeafKey(leaf, entropy)
	if err != nil {
		return nil, err
	}
	return verifyBy(func(a Address) (Key, error) {
		if a.Action != action {
			return Key{}, fmt.Errorf("%w: action %d under the leaf of action %d", ErrLeaf, a.Action, action)
		}
		return key, nil
	}, records), nil
}

func leafHash(l Leaf) Digest {
	var room [128]byte // so that nothing is allocated
	return sha256.Sum256(append(appendString(room[:0], domainLeafHash), l[:]...))
}

func node(left, right Digest) Digest {
	var room [128]byte
	return sha256.Sum256(append(append(appendString(room[:0], domainNode), left[:]...), right[:]...))
}

// tree holds the rows of a branch's tree, the leaves' first.
type tree [][]Digest

func newTree(seed Seed) tree {
	row := make([]Digest, Leaves)
	h := hmac.New(sha256.New, seed[:]) // as LeafOf has it, made once
	prefix := appendString(nil, domainLeaf)
	message := make([]byte, 0, len(prefix)+8)
	for i := range row {
		var l Leaf
		h.Reset()
		h.Write(binary.BigEndian.AppendUint64(append(message, prefix...), uint64(i)+1))
		h.Sum(l[:0])
		row[i] = leafHash(l)
	}
	t := tree{row}
	for len(row) > 1 {
		next := make([]Digest, len(row)/2)
		for i := range next {
			next[i] = node(row[2*i], row[2*i+1])
		}
		t, row = append(t, next), next
	}
	return t
}

func (t tree) top() Digest { return t[len(t)-1][0] }

func (t tree) path(at int) []Digest {
	out := make([]Digest, 0, leafDepth)
	for _, row := range t[:len(t)-1] {
		out = append(out, row[at^1])
		at >>= 1
	}
	return out
}
