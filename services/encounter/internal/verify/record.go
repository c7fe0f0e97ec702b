package verify

import (
	"context"
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/library/books"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rules"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
	"github.com/skaldrpg/skald/services/encounter/internal/shelf"
)

// keepEvery is the most versions between two replicas that are kept: rulings go
// back to versions, and what lies between is folded again.
const keepEvery = 50

// record is an encounter's Commits as far as they were read: what a store is to the
// engine.
type record struct {
	entries  []*engine.Entry // of version i+1
	kept     []*replica.Replica
	requests map[string]replica.Request // by aggregate.RequestKey
	origin   *record                    // of the encounter that this one is a fork of
	of       string                     // that encounter's id
}

var _ engine.Loader = (*record)(nil)

func newRecord() *record {
	return &record{kept: []*replica.Replica{replica.New()}, requests: map[string]replica.Request{}}
}

// add takes the next Commit and the replica after it. That after a ruling is kept:
// were it folded again, each ruling would find the one before it again, and many of
// them take for ever.
func (l *record) add(e *engine.Entry, after *replica.Replica) {
	l.entries = append(l.entries, e)
	if cause := e.Commit.Cause; cause.RequestId != "" {
		l.requests[aggregate.RequestKey(cause.Principal, cause.RequestId)] = replica.Request{Digest: cause.RequestDigest, Version: e.Version}
	}
	if e.Version-l.kept[len(l.kept)-1].Version >= keepEvery || slices.ContainsFunc(e.Commit.Events, isRuling) {
		l.kept = append(l.kept, after.Clone())
	}
}

// isRuling tells whether an event is a ruling.
func isRuling(e *eventv1.Event) bool { return e.GetReverted() != nil || e.GetAmended() != nil }

// Load is engine.Loader.Load; nothing asks for it.
func (l *record) Load(string, string) (*replica.Replica, error) { return replica.New(), nil }

// Request is engine.Loader.Request.
func (l *record) Request(_ context.Context, _, _, key string, _ uint64) (replica.Request, bool, error) {
	q, ok := l.requests[key]
	return q, ok, nil
}

// LoadAt is engine.Loader.LoadAt.
func (l *record) LoadAt(ctx context.Context, table, id string, version uint64) (*replica.Replica, error) {
	if l.origin != nil && id == l.of {
		return l.origin.LoadAt(ctx, table, id, version)
	}
	if version > uint64(len(l.entries)) {
		return nil, fmt.Errorf("%w: version %d of %d", event.ErrBroken, version, len(l.entries))
	}
	at := len(l.kept) - 1
	for l.kept[at].Version > version {
		at--
	}
	r := l.kept[at].Clone()
	for _, e := range l.entries[r.Version:version] {
		past := func(v uint64) (*replica.Replica, error) { return l.LoadAt(ctx, table, id, v) }
		if _, err := r.Apply(e.Commit, e.Version, past); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Entries is engine.Loader.Entries.
func (l *record) Entries(_ context.Context, _, _ string, from, to uint64) ([]*engine.Entry, error) {
	if from == 0 || from > to || to > uint64(len(l.entries)) {
		return nil, fmt.Errorf("%w: versions %d to %d of %d", event.ErrBroken, from, to, len(l.entries))
	}
	return l.entries[from-1 : to], nil
}

// Due is engine.Loader.Due: nothing falls due in a record.
func (l *record) Due(int64, []byte, int) ([]aggregate.Name, []byte, error) { return nil, nil, nil }

// Closed is engine.Loader.Closed.
func (l *record) Closed(string, string) (projection.Closure, bool) {
	return projection.Closure{}, false
}

// packs are those that came with the record, as records of its table.
type packs struct {
	shelf.Rows
	records map[string][]byte // by digest
}

// Pack is shelf.Rows.Pack.
func (p packs) Pack(_, digest string) ([]byte, bool, error) {
	data, ok := p.records[digest]
	return data, ok, nil
}

// nothing is a log that holds nothing.
type nothing struct{ journal.Log }

// Last is journal.Log.Last.
func (nothing) Last(context.Context, string) (journal.Record, bool, error) {
	return journal.Record{}, false, nil
}

// shelve makes a shelf of packs by digest.
func shelve(table string, systems *rules.Registry, given map[string][]byte) (*shelf.Shelf, error) {
	rows := packs{records: map[string][]byte{}}
	// order-free: a map is made from a map
	for digest, data := range given {
		msg, err := library.Seal(0, &encounterv1.PackRecord{Table: table, Pack: data})
		if err != nil {
			return nil, fmt.Errorf("verify: pack %s: %w", digest, err)
		}
		rows.records[digest] = msg.Data
	}
	return shelf.New(shelf.Config{Log: nothing{}, Rows: rows, Base: books.BaseOf(systems)}), nil
}
