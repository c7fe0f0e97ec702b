package store

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/projection"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// Encounter is what the projection knows of an encounter's dice.
type Encounter struct {
	Head   record.Head
	Epochs []*dicev1.EpochRecord
	Spent  []*dicev1.BranchRevealed
	Tapes  []record.TapeID
}

// Closed tells whether an encounter's dice are closed because their record is broken.
func (s *Store) Closed(key record.Key) (projection.Closure, bool) {
	return s.ClosedOf(key.Table, record.Kind, key.Encounter)
}

// Load reads an encounter; the zero value when there is none.
func (s *Store) Load(key record.Key) (out Encounter, err error) {
	err = s.View(func(tx *projection.Tx) error {
		out, err = load(tx, key)
		return err
	})
	return out, err
}

func load(tx *projection.Tx, key record.Key) (Encounter, error) {
	head, err := folder{tx, key}.head()
	if err != nil || head.GetVersion() == 0 {
		return Encounter{}, err
	}
	out := Encounter{Head: record.Head{Version: head.GetVersion(), Sequence: head.GetSequence(), Hash: head.GetHash()}}
	err = each(tx, bucketEpochs, key, func(_, v []byte) error {
		r := &dicev1.EpochRecord{}
		out.Epochs = append(out.Epochs, r)
		return proto.Unmarshal(v, r)
	})
	if err != nil {
		return Encounter{}, err
	}
	err = each(tx, bucketSpent, key, func(k, _ []byte) error {
		if len(k) < 4 {
			return fmt.Errorf("key of %d bytes", len(k))
		}
		out.Spent = append(out.Spent, &dicev1.BranchRevealed{Epoch: binary.BigEndian.Uint32(k), Branch: string(k[4:])})
		return nil
	})
	if err != nil {
		return Encounter{}, err
	}
	return out, each(tx, bucketTapes, key, func(_, v []byte) error {
		t := &dicev1.Tape{}
		if err := proto.Unmarshal(v, t); err != nil {
			return err
		}
		out.Tapes = append(out.Tapes, record.TapeID{Epoch: t.GetEpoch(), Action: t.GetAction(), Branch: t.GetBranch(), Purpose: t.GetPurpose()})
		return nil
	})
}

// each calls fn for all of an encounter, with the key after the encounter's.
func each(tx *projection.Tx, b projection.Bucket, key record.Key, fn func(k, v []byte) error) error {
	p := prefix(key)
	return tx.Scan(b, p, nil, func(k, v []byte) (bool, error) {
		if err := fn(k[len(p):], v); err != nil {
			return false, fmt.Errorf("store: bucket %s: %w", b, err)
		}
		return true, nil
	})
}

// Tapes returns up to limit opened tapes of an encounter after the first offset,
// and whether there are more.
func (s *Store) Tapes(key record.Key, offset uint64, limit int) (tapes []*dicev1.Tape, more bool, err error) {
	err = s.View(func(tx *projection.Tx) error {
		return tx.Scan(bucketTapes, prefix(key), tapeKey(key, offset+1), func(_, v []byte) (bool, error) {
			if len(tapes) == limit {
				more = true
				return false, nil
			}
			t := &dicev1.Tape{}
			tapes = append(tapes, t)
			return true, proto.Unmarshal(v, t)
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
		return tx.Scan(bucketEpochs, nil, nil, func(k, v []byte) (bool, error) {
			r := &dicev1.EpochRecord{}
			if err := proto.Unmarshal(v, r); err != nil {
				return false, fmt.Errorf("store: epoch: %w", err)
			}
			id, err := tape.SealedBy(r.GetSealedRoot())
			if err != nil {
				return true, nil // it proves no key; whoever draws from it is told
			}
			if _, ok := out[id]; !ok {
				scope, _, _ := bytes.Cut(k, []byte{0})
				out[id] = Sealed{Scope: string(scope), Root: bytes.Clone(r.GetSealedRoot())}
			}
			return true, nil
		})
	})
	return out, err
}
