package mend

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/nats-io/nuid"

	"github.com/skaldrpg/skald/cmd/skald/internal/witness"
	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/natsstore"
	"github.com/skaldrpg/skald/pkg/projection"
)

// Ranks of the copies: where they differ and nothing else decides, the first counts.
const (
	rankJournal = iota
	rankArchive
	rankFrom
	rankProjection
)

// fromJournal names the journal's own blocks in reports.
const fromJournal = "the journal itself"

// stream is what is known of one.
type stream struct {
	name    string
	id      string
	first   uint64
	last    uint64 // that anything knows of
	deleted map[uint64]bool
	votes   map[string]int // for ids
	own     string         // id that the journal's own description says
}

func (m *mender) stream(name string) *stream {
	s := m.streams[name]
	if s == nil {
		s = &stream{name: name, first: 1, deleted: map[uint64]bool{}, votes: map[string]int{}}
		m.streams[name] = s
	}
	return s
}

func (m *mender) note(format string, args ...any) {
	m.report.Notes = append(m.report.Notes, fmt.Sprintf(format, args...))
}

// gather brings every copy of every record into the spool.
func (m *mender) gather(ctx context.Context) error {
	others, err := m.others(ctx)
	if err != nil {
		return err
	}
	m.identify(others)
	if err := m.journalRecords(ctx); err != nil {
		return err
	}
	if err := m.archives(ctx); err != nil {
		return err
	}
	for _, o := range others {
		if err := m.otherRecords(ctx, o); err != nil {
			return err
		}
	}
	if err := m.indexes(); err != nil {
		return err
	}
	return m.projected()
}

// other is a further store folder.
type other struct {
	dir    string
	report *natsstore.Report
}

func (m *mender) others(ctx context.Context) ([]other, error) {
	var out []other
	for _, dir := range m.cfg.From {
		if exists(filepath.Join(dir, "journal", "jetstream")) {
			dir = filepath.Join(dir, "journal")
		}
		r, err := natsstore.Examine(ctx, dir, nil)
		if err != nil {
			return nil, fmt.Errorf("mend: --from %s: %w", dir, err)
		}
		if len(r.Streams) == 0 {
			return nil, fmt.Errorf("mend: --from %s: no stream there", dir)
		}
		for _, f := range r.Findings {
			m.note("%s", f)
		}
		out = append(out, other{dir, r})
	}
	return out, nil
}

// identify finds the id of each stream: what most of those that know say.
func (m *mender) identify(others []other) {
	vote := func(name, id string) {
		if s := m.stream(name); id != "" {
			s.votes[id]++
		}
	}
	for _, s := range m.store.Streams {
		m.stream(s.Name).own = s.Metadata[journal.MetaStreamID]
		vote(s.Name, s.Metadata[journal.MetaStreamID])
	}
	for _, w := range m.witness {
		vote(w.Stream, w.StreamID)
		s := m.stream(w.Stream)
		s.last = max(s.last, w.Sequence)
	}
	for _, o := range others {
		for _, s := range o.report.Streams {
			vote(s.Name, s.Metadata[journal.MetaStreamID])
		}
	}
	for _, s := range m.streams { // order-free: each by itself
		for id, n := range s.votes { // order-free: the most, and of equals the smallest
			if s.id == "" || n > s.votes[s.id] || n == s.votes[s.id] && id < s.id {
				s.id = id
			}
		}
		if s.id == "" {
			s.id = nuid.Next() // nobody knows it, so that nobody misses it
			m.note("stream %s: nothing tells its id; it gets another", s.name)
		}
		if len(s.votes) > 1 {
			m.note("stream %s: copies of different streams are there (%v); those of %s count", s.name, s.votes, s.id)
		}
	}
}

// journalRecords takes what is whole in the journal itself.
func (m *mender) journalRecords(ctx context.Context) error {
	half := map[string]string{} // id of a batch that was never completed, by stream
	for _, f := range m.store.Findings {
		if f.Kind.Harmless() || f.Stream == "" {
			continue
		}
		s := m.stream(f.Stream)
		s.last = max(s.last, f.Last)
		if f.Kind == natsstore.KindBatch {
			half[f.Stream] = m.ofStore(f.Stream).EndsInBatch()
		}
	}
	for _, s := range m.store.Streams {
		t := m.stream(s.Name)
		t.first = s.First
		for seq := range s.Deleted { // order-free: a set
			t.deleted[seq] = true
		}
		if half[s.Name] == "" {
			t.last = max(t.last, s.Last)
		}
	}
	_, err := natsstore.Examine(ctx, m.dir, func(s *natsstore.Stream, r natsstore.Record) error {
		t := m.stream(s.Name)
		if t.own != "" && t.own != t.id {
			return nil // of another stream
		}
		if id := half[s.Name]; id != "" && r.Get("Nats-Batch-Id") == id {
			return nil // never acknowledged
		}
		return m.add(s.Name, rankJournal, fromJournal, journal.StoredRecord(r))
	})
	if err != nil {
		return fmt.Errorf("mend: %w", err)
	}
	return nil
}

func (m *mender) ofStore(name string) *natsstore.Stream {
	for _, s := range m.store.Streams {
		if s.Name == name {
			return s
		}
	}
	return &natsstore.Stream{}
}

// add takes a copy, but for what was deleted on purpose and the marks of an
// earlier mend, for which a copy may have turned up.
func (m *mender) add(stream string, rank byte, from string, r journal.Record) error {
	if m.stream(stream).deleted[r.Seq] || journal.IsLost(r.Subject) {
		return nil
	}
	return m.spool.add(stream, rank, from, r)
}

func (m *mender) archives(ctx context.Context) error {
	if m.cfg.Archive == "" {
		return nil
	}
	for _, dir := range witness.Archives(m.cfg.Archive) {
		name := filepath.Base(dir)
		head := archive.Stream{}
		found, head, err := archive.Salvage(ctx, archive.ReadFolder(dir), func(r journal.Record) error {
			return m.add(name, rankArchive, "the archive "+dir, r)
		})
		if err != nil {
			return fmt.Errorf("mend: the archive %s: %w", dir, err)
		}
		for _, f := range found {
			m.note("%s: %s", dir, f)
		}
		if s := m.stream(name); head.ID != "" && head.ID != s.id {
			return fmt.Errorf("mend: the archive %s is of stream id %s, not %s: move it away, or give the right one", dir, head.ID, s.id)
		}
	}
	return nil
}

func (m *mender) otherRecords(ctx context.Context, o other) error {
	_, err := natsstore.Examine(ctx, o.dir, func(s *natsstore.Stream, r natsstore.Record) error {
		if id := s.Metadata[journal.MetaStreamID]; id != "" && id != m.stream(s.Name).id {
			return nil
		}
		return m.add(s.Name, rankFrom, o.dir, journal.StoredRecord(r))
	})
	if err != nil {
		return fmt.Errorf("mend: --from %s: %w", o.dir, err)
	}
	return nil
}

// indexes takes what projections remember of the records that they folded.
func (m *mender) indexes() error {
	for _, path := range witness.Projections(m.cfg.DataDir) {
		name := witness.StreamOf(path)
		if _, _, id, err := projection.Checkpoint(path); err == nil && id != m.stream(name).id {
			continue
		}
		err := projection.ReadLog(path, func(e projection.LogEntry) error {
			if e.Refused || journal.IsLost(e.Subject) {
				return nil
			}
			return m.spool.knows(name, e)
		})
		if errors.Is(err, projection.ErrDamaged) {
			m.note("%s: %v", path, err)
		} else if err != nil {
			return fmt.Errorf("mend: %w", err)
		}
	}
	return nil
}

// asStored are the buckets in which the encounter service keeps records as stored.
var asStored = []projection.Bucket{"commits", "packs"}

// projected takes Commits and packs that projections hold, for records of which
// there is no copy that is what the projections remember.
func (m *mender) projected() error {
	for _, name := range m.names() {
		wanted := map[[sha256.Size]byte]projection.LogEntry{}
		err := m.spool.eachKnown(name, func(e projection.LogEntry, have []copied) error {
			if !slices.ContainsFunc(have, func(c copied) bool { return sha256.Sum256(c.Data) == e.Digest }) {
				wanted[e.Digest] = e
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(wanted) == 0 {
			continue
		}
		for _, path := range witness.Projections(m.cfg.DataDir) {
			if witness.StreamOf(path) != name {
				continue
			}
			for _, bucket := range asStored {
				err := projection.Salvage(path, bucket, func(_, data []byte) error {
					e, ok := wanted[sha256.Sum256(data)]
					if !ok {
						return nil
					}
					return m.add(name, rankProjection, "the projection "+path,
						journal.Record{Subject: e.Subject, Seq: e.Sequence, ID: e.ID, Data: slices.Clone(data)})
				})
				if err != nil && !errors.Is(err, projection.ErrDamaged) {
					return fmt.Errorf("mend: %w", err)
				}
			}
		}
	}
	return m.spool.flush()
}

// names of the streams, in order.
func (m *mender) names() []string {
	var out []string
	for name := range m.streams {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
