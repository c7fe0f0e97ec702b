// Package store is the encounter service's projection: stored Commits by
// encounter and version, who may hear each of their events, folds of every view,
// request ids, where each encounter stands, and the packs of tables.
//
// The cost of a state at a version does not grow with the fight: a view's fold is
// stored now and then, in parts that folds share, and what grows with a fight
// (commands that count, the viewers' numbers, those of the dice) stands in pages
// that are read only to go on from the newest version or for a ruling.
//
// It folds by the replica package, so that what it stores is what the command
// path sees. It must never append to the log.
package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/logtree"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Schema is the version of what is stored here.
const Schema = "encounter/11"

// The buckets, and their keys: table, encounter, then as said.
const (
	heads projection.Bucket = "heads" // -> StoredHead
	// Commits holds Commits as stored, by version.
	Commits   projection.Bucket = "commits"
	indexes   projection.Bucket = "indexes"   // version -> StoredIndex
	snapshots projection.Bucket = "snapshots" // version -> StoredSnapshot
	states    projection.Bucket = "states"    // viewer, version -> StoredState
	parts     projection.Bucket = "parts"     // digest -> a creature or a sheet
	pages     projection.Bucket = "pages"     // list, and as said in pages.go
	// Branches holds parts of branches as stored, by branch and place.
	Branches projection.Bucket = "branches"
	requests projection.Bucket = "requests" // principal and request id -> StoredRequest
	dues     projection.Bucket = "dues"     // -> when it is due, as in agenda
)

// agenda has other keys: when an encounter is due (milliseconds since 1970),
// table, encounter. It is dues turned around.
const agenda projection.Bucket = "agenda"

// SnapshotInterval is the most versions that lie between the stored folds of a
// view, and so the most that a state at any version needs to fold.
const SnapshotInterval = 32

var _ projection.Fold = (*Fold)(nil)

// Buckets lists the buckets.
func (*Fold) Buckets() []projection.Bucket {
	return []projection.Bucket{heads, Commits, indexes, snapshots, states, parts, pages, Branches, requests, dues, agenda, Packs, shelf, logtree.Leaves, logtree.Nodes}
}

// Apply folds one stored Commit, or the record of a pack.
func (f *Fold) Apply(tx *projection.Tx, rec journal.Record) error {
	if _, _, ok := journal.SplitPack(rec.Subject); ok {
		return applyPack(tx, rec)
	}
	if b, ok := journal.SplitBranch(rec.Subject); ok && aggregate.Kind(b.Kind) == aggregate.Encounter {
		return applyBranch(tx, b, rec)
	}
	n, ok := aggregate.Parse(rec.Subject)
	if !ok || n.Kind != aggregate.Encounter {
		return projection.ErrForeign
	}
	_, c, err := aggregate.Open(rec)
	if err != nil {
		return err
	}
	table, id := n.Table, n.ID
	if err := fill(tx, table, id, c.Events); err != nil {
		return err
	}
	l, err := f.replica(tx, n)
	if err != nil {
		return err
	}
	r := l.replica
	a, err := r.Apply(c, rec.Seq, func(version uint64) (*replica.Replica, error) { return load(tx, table, id, version) })
	if err != nil {
		return err
	}
	f.applied(n, l, len(rec.Data))
	key := projection.Key(table, id, c.Header.Version)
	return errors.Join(
		tx.Put(Commits, key, rec.Data),
		putIndex(tx, n, key, a),
		putRequest(tx, table, id, c),
		aggregate.Put(tx, heads, projection.Key(table, id), head(table, id, r)),
		putDue(tx, table, id, r.Due()),
		keep(tx, n, l, a),
	)
}

func index(a *replica.Applied) *encounterv1.StoredIndex {
	out := &encounterv1.StoredIndex{}
	for _, h := range a.Heard {
		out.Events = append(out.Events, &encounterv1.StoredHearing{Everyone: h.Everyone, Players: h.Players})
	}
	out.Restored, out.Target, out.Welcomed, out.Aside = a.Restored, a.Target, a.Welcomed, a.Aside
	for _, d := range a.Drawn {
		out.Draws = append(out.Draws, &encounterv1.StoredDraw{Branch: d.Branch, Action: d.Action, Number: d.Number})
	}
	for _, key := range slices.Sorted(maps.Keys(a.Transcripts)) {
		out.Transcripts = append(out.Transcripts, &encounterv1.StoredTranscript{Viewer: key, Transcript: a.Transcripts[key]})
	}
	return out
}

func putRequest(tx *projection.Tx, table, id string, c *event.Opened) error {
	if c.Cause.RequestId == "" {
		return nil
	}
	return aggregate.Put(tx, requests, append(projection.Key(table, id), aggregate.RequestKey(c.Cause.Principal, c.Cause.RequestId)...),
		&encounterv1.StoredRequest{Digest: c.Cause.RequestDigest, Version: c.Header.Version})
}

func head(table, id string, r *replica.Replica) proto.Message {
	s := r.State()
	return &encounterv1.StoredHead{Encounter: id, Table: table, Title: s.Title, System: s.System, Status: s.Status,
		Version: r.Version, Sequence: r.Sequence, Hash: r.Hash}
}

// request finds what a request id led to.
func request(tx *projection.Tx, table, id, key string) (replica.Request, bool, error) {
	row := &encounterv1.StoredRequest{}
	found, err := aggregate.Get(tx, requests, append(projection.Key(table, id), key...), row)
	return replica.Request{Digest: row.Digest, Version: row.Version}, found, err
}

// newest as a version asks for all that is stored.
const newest = ^uint64(0)

// load makes a replica as it was after a version, from the newest snapshot not
// after it and the Commits from there on. Only the newest knows the viewers'
// numbers and those of the dice.
func load(tx *projection.Tx, table, id string, version uint64) (*replica.Replica, error) {
	return loadKnowing(tx, table, id, version, map[uint64]*replica.Replica{})
}

// loadKnowing is load with what was already found of the past: rulings go back
// to versions that rulings before them went back to, and each is worked out
// once.
func loadKnowing(tx *projection.Tx, table, id string, version uint64, known map[uint64]*replica.Replica) (*replica.Replica, error) {
	r := replica.New()
	prefix := projection.Key(table, id)
	if k, v := tx.LastBefore(snapshots, prefix, projection.Key(table, id, version)); k != nil {
		if err := restore(tx, r, prefix, projection.Number(k), v, version == newest); err != nil {
			return nil, fmt.Errorf("store: encounter %s: %w", id, err)
		}
	}
	targets, err := rulingTargets(tx, table, id, r.Version, version)
	if err != nil {
		return nil, err
	}
	keep := func() {
		if targets[r.Version] && known[r.Version] == nil {
			known[r.Version] = r.Clone()
		}
	}
	keep()
	past := func(v uint64) (*replica.Replica, error) {
		if known[v] != nil {
			return known[v], nil
		}
		was, err := loadKnowing(tx, table, id, v, known)
		if err == nil {
			known[v] = was
		}
		return was, err
	}
	err = tx.Scan(Commits, prefix, projection.Key(table, id, r.Version+1), func(k, v []byte) (bool, error) {
		if projection.Number(k) > version {
			return false, nil
		}
		c, err := event.Open(v)
		if err == nil {
			err = fill(tx, table, id, c.Events)
		}
		if err != nil {
			return false, err
		}
		_, err = r.Apply(c, 0, past)
		keep()
		return true, err
	})
	if err != nil {
		return nil, fmt.Errorf("store: encounter %s: %w", id, err)
	}
	if version != newest {
		return r, nil
	}
	h := &encounterv1.StoredHead{}
	if found, err := aggregate.Get(tx, heads, prefix, h); err != nil {
		return nil, err
	} else if found {
		if h.Version != r.Version {
			return nil, fmt.Errorf("store: encounter %s: head at version %d, commits at %d", id, h.Version, r.Version)
		}
		r.Sequence = h.Sequence
	}
	return r, nil
}

// rulingTargets finds the versions that rulings in a stretch begin from.
func rulingTargets(tx *projection.Tx, table, id string, after, to uint64) (map[uint64]bool, error) {
	out := map[uint64]bool{}
	err := aggregate.Each(tx, indexes, projection.Key(table, id), projection.Key(table, id, after+1), func(k []byte, x *encounterv1.StoredIndex) (bool, error) {
		if projection.Number(k) > to {
			return false, nil
		}
		if x.Target > 0 {
			out[x.Target] = true
		}
		return true, nil
	})
	return out, err
}

func hearing(x *encounterv1.StoredIndex) []event.Audible {
	out := make([]event.Audible, len(x.Events))
	for i, h := range x.Events {
		out[i] = event.Audible{Everyone: h.Everyone, Players: h.Players}
	}
	return out
}

// Reader reads the projection.
type Reader struct {
	// P is the projection.
	P *projection.Projection
	// Known keeps states of the past that were asked for last; nil keeps none.
	Known *Known
}

// Load finds an encounter; a new replica when there is none.
func (s Reader) Load(table, id string) (*replica.Replica, error) {
	var r *replica.Replica
	err := s.P.View(func(tx *projection.Tx) (err error) {
		r, err = load(tx, table, id, newest)
		return err
	})
	return r, err
}

// LoadAt finds an encounter as it was after a version, after waiting until the
// projection has it. Request ids, the viewers' numbers and those of the dice are
// not in it.
func (s Reader) LoadAt(ctx context.Context, table, id string, version uint64) (*replica.Replica, error) {
	if err := s.await(ctx, table, id, version); err != nil {
		return nil, err
	}
	var r *replica.Replica
	err := s.P.View(func(tx *projection.Tx) (err error) {
		r, err = load(tx, table, id, version)
		return err
	})
	return r, err
}

// Closed tells whether an encounter is closed because its record is broken.
func (s Reader) Closed(table, id string) (projection.Closure, bool) {
	return s.P.ClosedOf(table, string(aggregate.Encounter), id)
}

// await waits until the projection has a version, which a closed encounter never
// gets, nor one of a table that was deleted.
func (s Reader) await(ctx context.Context, table, id string, version uint64) error {
	key := projection.Key(table, id)
	for {
		seen := s.P.Status().Applied
		var at uint64
		err := s.P.View(func(tx *projection.Tx) error {
			h := &encounterv1.StoredHead{}
			_, err := aggregate.Get(tx, heads, key, h)
			at = h.Version
			return err
		})
		if err != nil || at >= version {
			return err
		}
		if c, ok := s.Closed(table, id); ok {
			return aggregate.Name{Table: table, Kind: aggregate.Encounter, ID: id}.Broken(c)
		}
		if err := s.P.DeletedFault(table); err != nil {
			return err
		}
		if err := s.P.WaitFor(ctx, seen+1); err != nil {
			return err
		}
	}
}

// Entries returns stored Commits of versions from..to.
func (s Reader) Entries(ctx context.Context, table, id string, from, to uint64) ([]*engine.Entry, error) {
	if err := s.await(ctx, table, id, to); err != nil {
		return nil, err
	}
	var out []*engine.Entry
	err := s.P.View(func(tx *projection.Tx) error {
		for v := from; v <= to; v++ {
			key := projection.Key(table, id, v)
			c, err := event.Open(tx.Get(Commits, key))
			if err == nil {
				err = fill(tx, table, id, c.Events)
			}
			if err != nil {
				return fmt.Errorf("store: encounter %s version %d: %w", id, v, err)
			}
			x := &encounterv1.StoredIndex{}
			if _, err := aggregate.Get(tx, indexes, key, x); err != nil {
				return err
			}
			out = append(out, &engine.Entry{Version: v, Millis: c.Header.UnixMillis, Commit: c, Heard: hearing(x), Restored: x.Restored, Transcripts: transcripts(x)})
		}
		return nil
	})
	return out, err
}

// Raw returns stored Commits as bytes.
func (s Reader) Raw(ctx context.Context, table, id string, from, to uint64) ([][]byte, error) {
	if err := s.await(ctx, table, id, to); err != nil {
		return nil, err
	}
	var out [][]byte
	err := s.P.View(func(tx *projection.Tx) error {
		for v := from; v <= to; v++ {
			out = append(out, tx.Get(Commits, projection.Key(table, id, v)))
		}
		return nil
	})
	return out, err
}

// List returns summaries of a table's encounters after an id.
func (s Reader) List(table, after string, limit int) ([]*encounterv1.EncounterSummary, bool, error) {
	var out []*encounterv1.EncounterSummary
	more := false
	from := projection.Key(table)
	if after != "" {
		from = append(projection.Key(table, after), 1)
	}
	err := s.P.View(func(tx *projection.Tx) error {
		return aggregate.Each(tx, heads, projection.Key(table), from, func(_ []byte, h *encounterv1.StoredHead) (bool, error) {
			if len(out) == limit {
				more = true
				return false, nil
			}
			_, closed := s.Closed(h.Table, h.Encounter)
			out = append(out, &encounterv1.EncounterSummary{Encounter: h.Encounter, Table: h.Table, Title: h.Title, System: h.System, Status: h.Status, Closed: closed})
			return true, nil
		})
	})
	return out, more, err
}
