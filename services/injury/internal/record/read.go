package record

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Get returns where a patient's record stands; nil when there is none.
func Get(tx *projection.Tx, table, id string) (*Patient, error) {
	p := &Patient{Table: table, ID: id}
	found, err := getJSON(tx, bucketPatients, keyLast(id, table), p)
	if !found || err != nil {
		return nil, err
	}
	return p, nil
}

// FightHash is the hash of the last Commit of a fight; nil when there is none.
func FightHash(tx *projection.Tx, table, encounter string) ([]byte, error) {
	var row fight
	_, err := getJSON(tx, bucketFights, keyLast(encounter, table), &row)
	return row.Hash, err
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
	s, err := readState(tx.Get(bucketViews, keyLast(v, table, id)))
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
	full := projection.Number(tx.Get(bucketNumbers, keyNumber(version, table, id, v, numberVersion)))
	s, err := foldTo(tx, table, id, v, by, full)
	if err != nil {
		return nil, err
	}
	return seen(s, id, version), nil
}

// Full is everything about a patient at a version of its record.
func Full(tx *projection.Tx, table, id string, version uint64) (*eventv1.State, error) {
	return foldTo(tx, table, id, viewerGM, &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}, version)
}

// known is the viewer that a principal is for a patient: a player whom nothing
// ever named knows what everyone knows. Empty when there is no such patient.
func known(tx *projection.Tx, table, id string, by *eventv1.Principal) (string, counts, error) {
	for _, v := range []string{viewer(by), viewerPublic} {
		data := tx.Get(bucketCounts, keyLast(v, table, id))
		if data == nil {
			continue
		}
		c, ok := readCounts(data)
		if !ok {
			return "", counts{}, fmt.Errorf("record: counts of %s are broken", id)
		}
		return v, c, nil
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
		seq := projection.Number(tx.Get(bucketVersions, keyNumber(n, table, id)))
		e, err := entryAt(tx, table, id, seq)
		if err != nil {
			return nil, err
		}
		for _, t := range e.Events {
			if !t.By(by) {
				continue
			}
			ev, err := t.Event()
			if err != nil {
				return nil, err
			}
			event.Fold(s, ev)
		}
	}
	return s, nil
}

// nearest is the newest snapshot at or before a version. A player who was not
// named when it was taken knew what everyone knew.
func nearest(tx *projection.Tx, table, id, v string, version uint64) (*eventv1.State, uint64, error) {
	for at := version - version%SnapshotInterval; at > 0; at -= SnapshotInterval {
		for _, who := range []string{v, viewerPublic} {
			if data := tx.Get(bucketSnapshots, keyNumber(at, table, id, who)); data != nil {
				s, err := readState(data)
				return s, at, err
			}
		}
	}
	return event.NewState(), 0, nil
}

// List returns the ids of a table's patients after one, in order, at most limit.
func List(tx *projection.Tx, table, after string, limit int) []string {
	var out []string
	prefix := key(table)
	// Scan's only errors are those of the function.
	_ = tx.Scan(bucketPatients, prefix, keyLast(after, table), func(k, _ []byte) (bool, error) {
		if id := string(k[len(prefix):]); id != after {
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
	// Entry with the events that the viewer may hear.
	Entry Entry
}

// History returns entries of a patient's history after a number, at most
// limit, and whether there are more.
func History(tx *projection.Tx, table, id string, by *eventv1.Principal, after uint64, limit int) ([]Numbered, bool, error) {
	v, c, err := known(tx, table, id, by)
	if err != nil || v == "" || after >= c.entries {
		return nil, false, err
	}
	var out []Numbered
	for n := after + 1; n <= c.entries && len(out) < limit; n++ {
		seq := projection.Number(tx.Get(bucketNumbers, keyNumber(n, table, id, v, numberHistory)))
		e, err := entryAt(tx, table, id, seq)
		if err != nil {
			return nil, false, err
		}
		out = append(out, Numbered{Number: n, Entry: e.heard(by)})
	}
	return out, after+uint64(len(out)) < c.entries, nil
}

// heard leaves of an entry what the principal may hear.
func (e Entry) heard(by *eventv1.Principal) Entry {
	events := make([]Told, 0, len(e.Events))
	for _, t := range e.Events {
		if t.By(by) {
			events = append(events, t)
		}
	}
	e.Events = events
	return e
}

func entryAt(tx *projection.Tx, table, id string, seq uint64) (Entry, error) {
	var e Entry
	found, err := getJSON(tx, bucketEntries, keyNumber(seq, table, id), &e)
	if err == nil && !found {
		err = fmt.Errorf("record: %s has no entry at sequence %d", id, seq)
	}
	return e, err
}

// Since returns the entries of a patient's own Commits after a version.
func Since(tx *projection.Tx, table, id string, version uint64) ([]Entry, error) {
	var out []Entry
	err := tx.Scan(bucketVersions, key(table, id), keyNumber(version+1, table, id), func(_, v []byte) (bool, error) {
		e, err := entryAt(tx, table, id, projection.Number(v))
		out = append(out, e)
		return true, err
	})
	return out, err
}

// Fight returns a patient's entries of one encounter since it last entered it.
func Fight(tx *projection.Tx, table, id, encounter string) ([]Entry, error) {
	var out []Entry
	for before := uint64(math.MaxUint64); ; {
		k, _ := tx.LastBefore(bucketEntries, key(table, id), keyNumber(before, table, id))
		if k == nil {
			break
		}
		e, err := entryAt(tx, table, id, projection.Number(k))
		if err != nil {
			return nil, err
		}
		if e.Encounter == "" {
			break // a Commit of the patient's own: the one by which it entered
		}
		if e.Encounter == encounter {
			out = append(out, e)
		}
		before = projection.Number(k) - 1
	}
	slices.Reverse(out)
	return out, nil
}

// Decision finds the patient in whose record a decision is open; empty when
// none is.
func Decision(tx *projection.Tx, table, decision string) string {
	return string(tx.Get(bucketDecisions, keyLast(decision, table)))
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
	Entry Entry
}

// Request finds what a request id led to; nil when it is new.
func Request(tx *projection.Tx, table string, by *eventv1.Principal, requestID string) (*Done, error) {
	prefix := key(requestParts(table, by, requestID)...)
	var done *Done
	var others []Touched
	err := tx.Scan(bucketRequests, prefix, nil, func(k, v []byte) (bool, error) {
		var r request
		if err := json.Unmarshal(v, &r); err != nil {
			return false, fmt.Errorf("record: reading %s: %w", bucketRequests, err)
		}
		id := string(k[len(prefix):])
		e, err := entryAt(tx, table, id, r.Seq)
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

// Caller is who began a pending deed.
func (p *Pending) Caller() *eventv1.Principal {
	return &eventv1.Principal{Role: eventv1.Principal_Role(p.Role), Name: p.Name, Creatures: p.Creatures}
}

// Taken reads the inputs that a pending deed has taken.
func (p *Pending) Taken() ([]*eventv1.Input, error) {
	in := &eventv1.CommitInputs{}
	if err := proto.Unmarshal(p.Inputs, in); err != nil {
		return nil, fmt.Errorf("record: pending inputs: %w", err)
	}
	return in.Inputs, nil
}
