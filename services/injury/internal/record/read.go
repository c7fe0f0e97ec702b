package record

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// Get returns where a patient's record stands; nil when there is none.
func Get(tx *projection.Tx, table, id string) (*Patient, error) {
	p, err := readPatient(tx, Named(table, id))
	if err != nil || p.Version == 0 {
		return nil, err
	}
	return p, nil
}

// Head is where the record of a patient or an encounter stands.
func Head(tx *projection.Tx, n aggregate.Name) (aggregate.Head, error) {
	if n.Kind == aggregate.Patient {
		p, err := readPatient(tx, n)
		return p.Head, err
	}
	row := &injuryv1.StoredFight{}
	_, err := aggregate.Get(tx, bucketFights, n.Key(), row)
	return fightHead(row), err
}

// View is a patient as a viewer knows it.
type View struct {
	// State with the patient as its one creature.
	State *eventv1.State
	// Version in the viewer's own numbers.
	Version uint64
}

// Now is a patient as the principal knows it; nil when there is none that it
// may see.
func Now(tx *projection.Tx, table, id string, by *eventv1.Principal) (*View, error) {
	v, c, err := known(tx, table, id, by)
	if err != nil || v == "" {
		return nil, err
	}
	s, err := readState(tx, bucketViews, viewKey(Named(table, id), v))
	if err != nil {
		return nil, err
	}
	return seen(s, id, c.versions), nil
}

func seen(s *eventv1.State, id string, version uint64) *View {
	if s.Creatures[id] == nil {
		return nil
	}
	return &View{State: s, Version: version}
}

// At is a patient as the principal knew it at a version of its own; nil when
// it never had that version or may not see the patient.
func At(tx *projection.Tx, table, id string, by *eventv1.Principal, version uint64) (*View, error) {
	v, c, err := known(tx, table, id, by)
	if err != nil || v == "" || version == 0 || version > c.versions {
		return nil, err
	}
	full, err := place(tx, bucketNumbers, Named(table, id).Key(v, numberVersion, version))
	if err != nil {
		return nil, err
	}
	s, err := foldTo(tx, table, id, v, by, full)
	if err != nil {
		return nil, err
	}
	return seen(s, id, version), nil
}

// Full is everything about a patient at a version of its record.
func Full(tx *projection.Tx, table, id string, version uint64) (*eventv1.State, error) {
	return foldTo(tx, table, id, aggregate.ViewerGM, aggregate.Viewer(aggregate.ViewerGM), version)
}

// Public is what everybody knows about a patient at a version of its record.
func Public(tx *projection.Tx, table, id string, version uint64) (*eventv1.State, error) {
	return foldTo(tx, table, id, aggregate.ViewerEveryone, aggregate.Viewer(aggregate.ViewerEveryone), version)
}

// known is the viewer that a principal is for a patient: a player whom nothing
// ever named knows what everyone knows. Empty when there is no such patient.
func known(tx *projection.Tx, table, id string, by *eventv1.Principal) (string, counts, error) {
	for _, v := range []string{aggregate.ViewerOf(by), aggregate.ViewerEveryone} {
		row := &injuryv1.StoredCounts{}
		if found, err := aggregate.Get(tx, bucketCounts, viewKey(Named(table, id), v), row); found || err != nil {
			return v, countsOf(row), err
		}
	}
	return "", counts{}, nil
}

// foldTo folds what a viewer may hear up to a version of the record, from the
// newest snapshot on.
func foldTo(tx *projection.Tx, table, id, v string, by *eventv1.Principal, version uint64) (*eventv1.State, error) {
	s, from, err := nearest(tx, table, id, v, version)
	if err != nil {
		return nil, err
	}
	for n := from + 1; n <= version; n++ {
		seq, err := place(tx, bucketVersions, Named(table, id).Key(n))
		if err != nil {
			return nil, err
		}
		e, err := entryAt(tx, table, id, seq)
		if err != nil {
			return nil, err
		}
		for _, t := range e.Events {
			if back := t.Event.GetReverted(); back != nil {
				// It holds for who was not told as well: nothing that such a one knows changed.
				if s, err = putBack(tx, table, id, v, by, back.Version, s); err != nil {
					return nil, err
				}
				continue
			}
			if Heard(t, by) {
				event.Fold(s, t.Event)
			}
		}
	}
	return s, nil
}

// nearest is the newest snapshot at or before a version. A player who was not
// named when it was taken knew what everyone knew.
func nearest(tx *projection.Tx, table, id, v string, version uint64) (*eventv1.State, uint64, error) {
	for at := version - version%SnapshotInterval; at > 0; at -= SnapshotInterval {
		for _, who := range []string{v, aggregate.ViewerEveryone} {
			s := &eventv1.State{}
			if found, err := aggregate.Get(tx, bucketSnapshots, Named(table, id).Key(who, at), s); found || err != nil {
				return event.Ready(s), at, err
			}
		}
	}
	return event.NewState(), 0, nil
}

// List returns the ids of a table's patients after one, in order, at most limit.
func List(tx *projection.Tx, table, after string, limit int) []string {
	var out []string
	prefix := projection.Key(table)
	// Scan's only errors are those of the function.
	_ = tx.Scan(bucketPatients, prefix, projection.Key(table, []byte(after)), func(k, _ []byte) (bool, error) {
		if id := strings.TrimSuffix(string(k[len(prefix):]), "\x00"); id != after {
			out = append(out, id)
		}
		return len(out) < limit, nil
	})
	return out
}

// Numbered is an entry with a viewer's number and only what it may hear.
type Numbered struct {
	// Number of the entry, from 1 without gaps.
	Number uint64
	// Sequence in the stream of the Commit that it is of.
	Sequence uint64
	// Entry with the events that the viewer may hear.
	Entry *injuryv1.StoredEntry
}

// History hands over the entries of a patient's history after a number, one by one, at
// most limit of them and until take returns false. It returns whether there are more
// than take was given.
func History(tx *projection.Tx, table, id string, by *eventv1.Principal, after uint64, limit int, take func(Numbered) bool) (more bool, err error) {
	v, c, err := known(tx, table, id, by)
	if err != nil || v == "" || after >= c.entries {
		return false, err
	}
	last := min(c.entries, after+uint64(limit)) //nolint:gosec // a page
	for n := after + 1; n <= last; n++ {
		seq, err := place(tx, bucketNumbers, Named(table, id).Key(v, numberHistory, n))
		if err != nil {
			return false, err
		}
		e, err := entryAt(tx, table, id, seq)
		if err != nil {
			return false, err
		}
		if !take(Numbered{Number: n, Sequence: seq, Entry: heard(e, by)}) {
			return n < c.entries, nil
		}
	}
	return last < c.entries, nil
}

// heard leaves of an entry what the principal may hear.
func heard(e *injuryv1.StoredEntry, by *eventv1.Principal) *injuryv1.StoredEntry {
	e.Events = slices.DeleteFunc(e.Events, func(t *injuryv1.StoredEvent) bool { return !Heard(t, by) })
	return e
}

func entryAt(tx *projection.Tx, table, id string, seq uint64) (*injuryv1.StoredEntry, error) {
	e := &injuryv1.StoredEntry{}
	found, err := aggregate.Get(tx, bucketEntries, Named(table, id).Key(seq), e)
	if err == nil && !found {
		err = fmt.Errorf("record: %s has no entry at sequence %d", id, seq)
	}
	return e, err
}

// Since returns the entries of a patient's own Commits after a version.
func Since(tx *projection.Tx, table, id string, version uint64) ([]*injuryv1.StoredEntry, error) {
	var out []*injuryv1.StoredEntry
	n := Named(table, id)
	err := aggregate.Each(tx, bucketVersions, n.Key(), n.Key(version+1), func(_ []byte, row *injuryv1.StoredPlace) (bool, error) {
		e, err := entryAt(tx, table, id, row.At)
		out = append(out, e)
		return true, err
	})
	return out, err
}

// Fight returns a patient's entries of one encounter since it last entered it.
func Fight(tx *projection.Tx, table, id, encounter string) ([]*injuryv1.StoredEntry, error) {
	var out []*injuryv1.StoredEntry
	n := Named(table, id)
	for before := uint64(math.MaxUint64); ; {
		k, _ := tx.LastBefore(bucketEntries, n.Key(), n.Key(before))
		if k == nil {
			break
		}
		e, err := entryAt(tx, table, id, projection.Number(k))
		if err != nil {
			return nil, err
		}
		switch {
		case e.Encounter == "" && e.Deed != DeedRuling: // the Commit by which it entered
			slices.Reverse(out)
			return out, nil
		case e.Encounter == encounter:
			out = append(out, e)
		}
		before = projection.Number(k) - 1
	}
	slices.Reverse(out)
	return out, nil
}

// Decision finds the patient in whose record a decision is open; empty when
// none is.
func Decision(tx *projection.Tx, table, decision string) (string, error) {
	row := &injuryv1.StoredDecision{}
	_, err := aggregate.Get(tx, bucketDecisions, decisionKey(table, decision), row)
	return row.Patient, err
}

// Done is what a request id led to.
type Done struct {
	// Digest of the request.
	Digest []byte
	// Patients that it touched, the one whose record it is first, with the
	// entry of each.
	Patients []Touched
}

// Touched is what a request did to a patient.
type Touched struct {
	// ID of the patient.
	ID string
	// Entry of its Commit.
	Entry *injuryv1.StoredEntry
}

// Request finds what a request id led to; nil when it is new.
func Request(tx *projection.Tx, table string, by *eventv1.Principal, requestID string) (*Done, error) {
	var done *Done
	var others []Touched
	err := aggregate.Each(tx, bucketRequests, requestKey(table, by, requestID), nil, func(patient []byte, r *injuryv1.StoredRequest) (bool, error) {
		id := string(patient)
		e, err := entryAt(tx, table, id, r.Sequence)
		if err != nil {
			return false, err
		}
		if r.Primary {
			done = &Done{Digest: r.Digest, Patients: []Touched{{id, e}}}
			return true, nil
		}
		others = append(others, Touched{id, e})
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	if done == nil {
		return nil, nil // the Commit of the record itself comes last
	}
	done.Patients = append(done.Patients, others...)
	return done, nil
}

// Entries is how many entries a patient's history has for a principal.
func Entries(tx *projection.Tx, table, id string, by *eventv1.Principal) (uint64, error) {
	_, c, err := known(tx, table, id, by)
	return c.entries, err
}

// Sequence is where the Commit of a version of a patient's record stands in the stream.
func Sequence(tx *projection.Tx, table, id string, version uint64) (uint64, error) {
	return place(tx, bucketVersions, Named(table, id).Key(version))
}
