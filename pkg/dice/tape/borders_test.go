package tape_test

import (
	"errors"
	"testing"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/dice/tape"
)

// The leaf of an action is shown to be its own by its way to the top of the tree, at the first and the
// last of them and in both directions of each turn, and no other action, way or leaf passes; actions beyond the
// tree have neither.
func TestLeavesToTheLast(t *testing.T) {
	seed := leafSeed(t, 1, tape.Everyone)
	commitment, hash := tape.CommitmentOf(tape.FormatLeaf, tape.Everyone, seed), tape.SeedHash(seed)
	for _, action := range []uint64{1, 2, 3, tape.Leaves - 1, tape.Leaves} {
		path, err := tape.PathOf(seed, action)
		if err != nil {
			t.Fatal(err)
		}
		leaf := tape.LeafOf(seed, action)
		if err := tape.CheckLeaf(commitment, leaf, action, path, hash); err != nil {
			t.Errorf("action %d: %v", action, err)
		}
		other := action - 1
		if action == 1 {
			other = 2
		}
		if err := tape.CheckLeaf(commitment, leaf, other, path, hash); !errors.Is(err, tape.ErrPath) {
			t.Errorf("the leaf of action %d passes as that of %d: %v", action, other, err)
		}
		if err := tape.CheckLeaf(commitment, tape.LeafOf(seed, other), action, path, hash); !errors.Is(err, tape.ErrPath) {
			t.Errorf("another leaf passes as that of action %d: %v", action, err)
		}
		for at := range path {
			spoiled := append([]tape.Digest(nil), path...)
			spoiled[at][0] ^= 1
			if err := tape.CheckLeaf(commitment, leaf, action, spoiled, hash); !errors.Is(err, tape.ErrPath) {
				t.Errorf("action %d: a way spoiled at %d passes: %v", action, at, err)
			}
		}
		for _, of := range [][]tape.Digest{nil, path[1:], append(append([]tape.Digest(nil), path...), path[0])} {
			if err := tape.CheckLeaf(commitment, leaf, action, of, hash); !errors.Is(err, tape.ErrPath) {
				t.Errorf("a way of %d passes: %v", len(of), err)
			}
		}
		spoiled := hash
		spoiled[0] ^= 1
		if err := tape.CheckLeaf(commitment, leaf, action, path, spoiled); !errors.Is(err, tape.ErrPath) {
			t.Errorf("another seed passes: %v", err)
		}
	}
	path, _ := tape.PathOf(seed, 1)
	for _, action := range []uint64{0, tape.Leaves + 1, 1 << 63} {
		if _, err := tape.PathOf(seed, action); !errors.Is(err, tape.ErrLeaf) {
			t.Errorf("action %d has a way: %v", action, err)
		}
		if err := tape.CheckLeaf(commitment, tape.LeafOf(seed, 1), action, path, hash); !errors.Is(err, tape.ErrLeaf) {
			t.Errorf("action %d has a leaf: %v", action, err)
		}
	}
}

// A branch is of everyone, the game master, all creatures or one that has an id, and of a format that
// there is.
func TestBranchesThatThereAre(t *testing.T) {
	for audience, good := range map[tape.Audience]bool{tape.Everyone: true, tape.GM: true, tape.Creatures: true, tape.Creature("orc"): true, "creature/": false, "": false, "orc": false, "creatures/orc": false} {
		if _, err := tape.BranchOf(tape.FormatLeaf, tape.Root{}, "e", 1, audience); (err == nil) != good || err != nil && !errors.Is(err, tape.ErrAudience) {
			t.Errorf("%q: %v", audience, err)
		}
	}
	if _, err := tape.BranchOf(99, tape.Root{}, "e", 1, tape.Everyone); err == nil {
		t.Error("a format that there is not has branches")
	}
}

// Of a roll as many faces are given as are recorded, or fewer; another number is a fault of that roll alone.
func TestHowManyFacesAreGiven(t *testing.T) {
	seed := seedOf(t, tape.Everyone)
	records, _ := fight(t, keyOf(t))
	for given, good := range map[int]bool{-1: false, 0: true, len(records[0].Faces): true, len(records[0].Faces) + 1: false} {
		records[0].Supplied = given
		report, err := tape.Verify(seed, tape.Commitment(seed), nil, records, dice.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if (len(report.Faults) == 0) != good || !good && (len(report.Faults) != 1 || report.Faults[0].Record != 0) {
			t.Errorf("%d given: %v", given, report.Faults)
		}
	}
}

// Who sealed a root is said by the seal: one that is cut short, empty, of nobody or of another version says
// nothing.
func TestWhoSealed(t *testing.T) {
	sealed, err := tape.Seal(tape.Master{ID: "k"}, tape.Root{}, "e", zeros{})
	if err != nil {
		t.Fatal(err)
	}
	if id, err := tape.SealedBy(sealed); err != nil || id != "k" {
		t.Errorf("%q, %v", id, err)
	}
	if id, err := tape.SealedBy(sealed[:3]); err != nil || id != "k" {
		t.Errorf("cut behind the name: %q, %v", id, err)
	}
	nobody, other, longer := append([]byte(nil), sealed...), append([]byte(nil), sealed...), append([]byte(nil), sealed[:4]...)
	nobody[1], other[0], longer[1] = 0, other[0]+1, 3
	for name, of := range map[string][]byte{"nothing": nil, "cut short": sealed[:2], "of nobody": nobody, "of another version": other, "shorter than its name": longer} {
		if id, err := tape.SealedBy(of); !errors.Is(err, tape.ErrSealed) || id != "" {
			t.Errorf("%s: %q, %v", name, id, err)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
