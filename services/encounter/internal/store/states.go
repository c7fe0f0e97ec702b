package store

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// digestBytes is how much of the SHA-256 of its bytes names a creature or a sheet.
const digestBytes = 16

// stateKey is the key of a view's fold at a version.
func stateKey(prefix []byte, viewer string, version uint64) []byte {
	return append(slices.Clone(prefix), projection.Key(viewer, version)...)
}

// putStates stores the folds of some views as they are now, where the viewer saw
// something since its last one was stored.
func putStates(tx *projection.Tx, prefix []byte, l *live, viewers []string) error {
	r := l.replica
	for _, key := range viewers {
		v := r.Views[key]
		last, _ := tx.LastBefore(states, append(slices.Clone(prefix), projection.Key(key)...), stateKey(prefix, key, newest))
		if n := len(v.Versions); last != nil && (n == 0 || v.Versions[n-1] <= projection.Number(last)) {
			continue
		}
		row, err := storedState(tx, prefix, l, v.State)
		if err == nil {
			row.Transcript = v.Transcript
			err = aggregate.Put(tx, states, stateKey(prefix, key, r.Version), row)
		}
		if err != nil {
			return fmt.Errorf("store: the view of %s: %w", key, err)
		}
	}
	return nil
}

// storedState stores the creatures of a fold, where they are not there already,
// and returns the rest.
func storedState(tx *projection.Tx, prefix []byte, l *live, s *eventv1.State) (*encounterv1.StoredState, error) {
	bare := event.Clone(s)
	bare.Creatures = nil
	out := &encounterv1.StoredState{State: bare}
	for _, id := range rules.SortedKeys(s.Creatures) {
		c := event.CloneCreature(s.Creatures[id])
		row := &encounterv1.StoredCreature{}
		var err error
		if c.Sheet != nil {
			if row.Sheet, err = l.sheet(tx, prefix, c.Sheet); err != nil {
				return nil, err
			}
			c.Sheet = nil
		}
		if row.Body, err = putPart(tx, prefix, c); err != nil {
			return nil, err
		}
		out.Creatures = append(out.Creatures, row)
	}
	return out, nil
}

// sheet stores a sheet once. Sheets are replaced and never written to, so that
// the pointer tells them apart while they are in memory.
func (l *live) sheet(tx *projection.Tx, prefix []byte, s *eventv1.Sheet) ([]byte, error) {
	if sum := l.sheets[s]; sum != nil {
		return sum, nil
	}
	sum, err := putPart(tx, prefix, s)
	if err != nil {
		return nil, err
	}
	if len(l.sheets) >= maxSheets || l.sheets == nil {
		l.sheets = map[*eventv1.Sheet][]byte{}
	}
	l.sheets[s] = sum
	return sum, nil
}

// maxSheets bounds the sheets of a fight whose digests are remembered.
const maxSheets = 512

func putPart(tx *projection.Tx, prefix []byte, m proto.Message) ([]byte, error) {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return nil, err
	}
	all := sha256.Sum256(data)
	sum := all[:digestBytes]
	key := append(slices.Clone(prefix), sum...)
	if tx.Get(parts, key) != nil {
		return sum, nil
	}
	return sum, tx.Put(parts, key, data)
}

// stored is a fold of a view as it was stored at a version; state is nil when there
// is none.
type stored struct {
	state      *eventv1.State
	transcript []byte
	version    uint64
}

// stateRow reads the newest stored fold of a view that is not of a later version.
// sheets may be nil.
func stateRow(tx *projection.Tx, prefix []byte, viewer string, version uint64, sheets *Sheets) (stored, error) {
	k, v := tx.LastBefore(states, append(slices.Clone(prefix), projection.Key(viewer)...), stateKey(prefix, viewer, version))
	if k == nil {
		return stored{}, nil
	}
	row := &encounterv1.StoredState{}
	if err := proto.Unmarshal(v, row); err != nil {
		return stored{}, fmt.Errorf("store: the view of %s: %w", viewer, err)
	}
	out := event.Ready(row.State)
	for _, at := range row.Creatures {
		c := &eventv1.Creature{}
		if err := getPart(tx, prefix, at.Body, c); err != nil {
			return stored{}, err
		}
		if len(at.Sheet) > 0 {
			sheet, err := sheets.of(tx, prefix, at.Sheet)
			if err != nil {
				return stored{}, err
			}
			c.Sheet = sheet
		}
		out.Creatures[c.Id] = event.CloneCreature(c) // with the maps that it lacks when they are empty
	}
	return stored{out, row.Transcript, projection.Number(k)}, nil
}

func getPart(tx *projection.Tx, prefix, sum []byte, into proto.Message) error {
	data := tx.Get(parts, append(slices.Clone(prefix), sum...))
	if data == nil {
		return fmt.Errorf("store: the creature or sheet %x is not there", sum)
	}
	return proto.Unmarshal(data, into)
}

// stateAt is a view at a version: the newest stored fold not after it, and the
// events since that the viewer heard. After every ruling, and where a fork begins, all
// views are stored, so that none lies in between. A viewer who had no view yet saw what a spectator
// sees.
func stateAt(tx *projection.Tx, n aggregate.Name, viewer string, version uint64, sheets *Sheets) (*eventv1.State, error) {
	prefix := projection.Key(n.Table, n.ID)
	row, err := stateRow(tx, prefix, viewer, version, sheets)
	if err != nil {
		return nil, err
	}
	s, at := row.state, row.version
	if s == nil {
		if viewer != aggregate.ViewerGM && viewer != aggregate.ViewerEveryone {
			return stateAt(tx, n, aggregate.ViewerEveryone, version, sheets)
		}
		s = event.NewState()
	}
	if at == version {
		return s, nil
	}
	who := aggregate.Viewer(viewer)
	err = aggregate.Each(tx, indexes, prefix, append(slices.Clone(prefix), projection.Key(at+1)...), func(k []byte, x *encounterv1.StoredIndex) (bool, error) {
		v := projection.Number(k)
		if v > version {
			return false, nil
		}
		heard := func(i int) bool {
			return i < len(x.Events) && (event.Audible{Everyone: x.Events[i].Everyone, Players: x.Events[i].Players}).By(who)
		}
		if !slices.ContainsFunc(hearing(x), func(h event.Audible) bool { return h.By(who) }) {
			return true, nil
		}
		events, err := event.Pick(tx.Get(Commits, append(slices.Clone(prefix), projection.Key(v)...)), heard)
		if err != nil {
			return false, fmt.Errorf("store: %s version %d: %w", n, v, err)
		}
		event.FoldAll(s, events)
		return true, nil
	})
	return s, err
}
