package store

import (
	"bytes"
	"fmt"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/projection"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// Encounter is what the projection knows of an encounter's dice.
type Encounter struct {
	Head   aggregate.Head
	Epochs []*dicev1.EpochRecord    // with the entropy as it stands
	Spent  []*dicev1.BranchRevealed // branches, and actions that were opened one by one
	Tapes  []record.TapeID
}

// Closed tells whether an encounter's dice are closed because their record is broken.
func (s *Store) Closed(n aggregate.Name) (projection.Closure, bool) {
	return s.ClosedOf(n.Table, string(n.Kind), n.ID)
}

// Load reads an encounter; the zero value when there is none.
func (s *Store) Load(n aggregate.Name) (out Encounter, err error) {
	err = s.View(func(tx *projection.Tx) error {
		out, err = load(tx, n)
		return err
	})
	return out, err
}

func load(tx *projection.Tx, n aggregate.Name) (out Encounter, err error) {
	head := &dicev1.StoredHead{}
	if found, err := aggregate.Get(tx, bucketHeads, n.Key(), head); err != nil || !found {
		return out, err
	}
	out.Head = headOf(head)
	err = aggregate.Each(tx, bucketEpochs, n.Key(), nil, func(_ []byte, r *dicev1.EpochRecord) (bool, error) {
		out.Epochs = append(out.Epochs, r)
		return true, nil
	})
	if err != nil {
		return out, err
	}
	for _, of := range []projection.Bucket{bucketSpent, bucketLeaves} {
		err = aggregate.Each(tx, of, n.Key(), nil, func(_ []byte, r *dicev1.BranchRevealed) (bool, error) {
			out.Spent = append(out.Spent, r)
			return true, nil
		})
		if err != nil {
			return out, err
		}
	}
	return out, aggregate.Each(tx, bucketTapes, n.Key(), nil, func(_ []byte, t *dicev1.Tape) (bool, error) {
		out.Tapes = append(out.Tapes, record.TapeID{Epoch: t.GetEpoch(), Action: t.GetAction(), Branch: t.GetBranch(), Purpose: t.GetPurpose()})
		return true, nil
	})
}

// Tapes returns up to limit opened tapes of an encounter after the first offset,
// and whether there are more.
func (s *Store) Tapes(n aggregate.Name, offset uint64, limit int) (tapes []*dicev1.Tape, more bool, err error) {
	err = s.View(func(tx *projection.Tx) error {
		return aggregate.Each(tx, bucketTapes, n.Key(), n.Key(offset+1), func(_ []byte, t *dicev1.Tape) (bool, error) {
			if len(tapes) == limit {
				more = true
				return false, nil
			}
			tapes = append(tapes, t)
			return true, nil
		})
	})
	return tapes, more, err
}

// Sealed is a sealed root with the scope it was sealed for.
type Sealed struct {
	Scope string
	Root  []byte
}

// OnePerKey returns one sealed root for each master key that sealed any, so that
// a start can tell whether the keys it was given are the right ones.
func (s *Store) OnePerKey() (map[string]Sealed, error) {
	out := map[string]Sealed{}
	err := s.View(func(tx *projection.Tx) error {
		return aggregate.Each(tx, bucketEpochs, nil, nil, func(k []byte, r *dicev1.EpochRecord) (bool, error) {
			id, err := tape.SealedBy(r.GetSealedRoot())
			if err != nil {
				return true, nil // it proves no key; whoever draws from it is told
			}
			if _, ok := out[id]; !ok {
				parts := bytes.SplitN(k, []byte{0}, 3) // table, encounter, epoch
				if len(parts) != 3 {
					return false, fmt.Errorf("store: epochs: %q names no encounter", k)
				}
				scope := record.Scope(aggregate.Name{Table: string(parts[0]), Kind: aggregate.Dice, ID: string(parts[1])})
				out[id] = Sealed{Scope: scope, Root: bytes.Clone(r.GetSealedRoot())}
			}
			return true, nil
		})
	})
	return out, err
}
