package record

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// revert puts every viewer's fold back to what it was at a version of the record.
// Told of it is the game master, whoever heard something of what counts no more, or
// again, and whoever knows something else now; what the others know is what it was.
func (a *audience) revert(e *eventv1.Event, version uint64) (*injuryv1.StoredEvent, error) {
	if version == 0 || version > a.version {
		return nil, fmt.Errorf("%w: put back to version %d of %d", event.ErrBroken, version, a.version)
	}
	was, is, err := a.parted(version)
	if err != nil {
		return nil, err
	}
	told := &injuryv1.StoredEvent{Event: e}
	for _, v := range rules.SortedKeys(a.counts) {
		now, err := a.state(v)
		if err != nil {
			return nil, err
		}
		by := aggregate.Viewer(v)
		then, err := putBack(a.tx, a.name.Table, a.name.ID, v, by, version, now)
		if err != nil {
			return nil, err
		}
		if v != aggregate.ViewerGM && sameHeard(by, was, is) && proto.Equal(then, now) {
			continue
		}
		a.states[v], a.heard[v] = then, true
		switch v {
		case aggregate.ViewerGM:
		case aggregate.ViewerEveryone:
			told.Everyone = true
		default:
			told.Players = append(told.Players, by.Name)
		}
	}
	if told.Everyone { // then each of the others as well, whatever it knows
		for _, v := range rules.SortedKeys(a.counts) {
			a.heard[v] = true
		}
	}
	slices.Sort(told.Players)
	return told, nil
}

// parted are the events that count before the record is put back to a version, and those
// that count after it, from where the two part.
func (a *audience) parted(version uint64) (was, is []*injuryv1.StoredEvent, err error) {
	since, err := Since(a.tx, a.name.Table, a.name.ID, version)
	if err != nil {
		return nil, nil, err
	}
	base := version
	for _, e := range since { // what came since may have gone back further
		for _, t := range e.Events {
			if back := t.Event.GetReverted(); back != nil {
				base = min(base, back.Version)
			}
		}
	}
	if base < version {
		if since, err = Since(a.tx, a.name.Table, a.name.ID, base); err != nil {
			return nil, nil, err
		}
	}
	until := slices.DeleteFunc(slices.Clone(since), func(e *injuryv1.StoredEntry) bool { return e.Version > version })
	return counted(since), counted(until), nil
}

// putBack is what a viewer knew at a version of the record, with the dice as they are
// now: no ruling touches those.
func putBack(tx *projection.Tx, table, id, v string, by *eventv1.Principal, version uint64, now *eventv1.State) (*eventv1.State, error) {
	then, err := foldTo(tx, table, id, v, by, version)
	if err != nil {
		return nil, err
	}
	event.KeepDice(then, now)
	return then, nil
}

// followRedo keeps what a redo goes to: a deed ends it.
func (p *Patient) followRedo(back *eventv1.Reverted) {
	switch n := len(p.Redo); {
	case back == nil:
		p.Redo = nil
	case back.Redo && n > 0:
		p.Redo = p.Redo[:n-1]
	default:
		p.Redo = append(p.Redo, p.Version)
	}
}

// Entry is the entry of a version of a patient's own record.
func Entry(tx *projection.Tx, table, id string, version uint64) (*injuryv1.StoredEntry, error) {
	seq, err := place(tx, bucketVersions, Named(table, id).Key(version))
	if err != nil {
		return nil, err
	}
	return entryAt(tx, table, id, seq)
}

// Together are the patients that the request of an entry touched, with the version of
// each one's record.
func Together(tx *projection.Tx, table string, e *injuryv1.StoredEntry) (map[string]uint64, error) {
	out := map[string]uint64{}
	if len(e.Request) == 0 {
		return out, nil
	}
	err := aggregate.Each(tx, bucketRequests, e.Request, nil, func(patient []byte, r *injuryv1.StoredRequest) (bool, error) {
		other, err := entryAt(tx, table, string(patient), r.Sequence)
		out[string(patient)] = other.Version
		return true, err
	})
	return out, err
}
