package mend

import (
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
)

// mostListed bounds the lists of a report.
const mostListed = 1000

// build makes the new journal and reads it back.
func (m *mender) build(ctx context.Context) error {
	if m.cfg.DryRun {
		for _, name := range m.names() {
			for _, err := range m.choose(m.streams[name]) {
				if err != nil {
					return err
				}
			}
		}
		return nil
	}
	e, err := journal.StartEmbedded(ctx, journal.EmbeddedConfig{StoreDir: m.building, MaxPayload: journal.MaxMessage, Timeout: time.Minute}, m.cfg.Logger)
	if err != nil {
		return fmt.Errorf("mend: a new journal: %w", err)
	}
	nc, err := e.Connect("skald-mend")
	if err == nil {
		err = m.refill(ctx, nc)
	}
	if stop := e.Stop(); err == nil {
		err = stop
	}
	if err != nil {
		return err
	}
	if _, found, err := journal.Inspect(ctx, m.building, nil, nil); err != nil || len(found) > 0 {
		return fmt.Errorf("mend: the new journal is not sound: %v %w", found, err)
	}
	f, err := os.Create(filepath.Join(m.building, marked))
	if err != nil {
		return fmt.Errorf("mend: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("mend: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("mend: %w", err)
	}
	return syncFolder(m.building)
}

func (m *mender) refill(ctx context.Context, nc *nats.Conn) error {
	for _, name := range m.names() {
		p, err := strconv.Atoi(strings.TrimPrefix(name, "SKALD_"))
		if err != nil {
			m.note("stream %s is not Skald's and was left out", name)
			continue
		}
		s := m.streams[name]
		cfg := journal.Config{Stream: name, Subjects: []string{journal.PartitionFilter(p)}, Log: m.cfg.Logger}
		done, err := journal.Refill(ctx, nc, cfg, s.id, m.choose(s))
		if err != nil {
			return fmt.Errorf("mend: %w", err)
		}
		m.cfg.Logger.InfoContext(ctx, "mend: stream made again", "stream", name, "records", done.Records, "last", done.LastSeq)
	}
	return nil
}

// choose yields the records of a stream in order, a mark in the place of each
// that no copy has, and writes the report.
func (m *mender) choose(s *stream) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		_, last, err := m.spool.bounds(s.name)
		if err != nil {
			yield(journal.Record{}, err)
			return
		}
		last = max(last, s.last)
		c := &choice{m: m, s: s, chains: chains{heads: map[string]aggregate.Head{}},
			report: StreamReport{Stream: s.name, ID: s.id, First: s.first, Last: last, Records: map[string]uint64{}}}
		for seq := s.first; seq <= last; seq++ {
			r, err := c.at(seq)
			if !yield(r, err) || err != nil {
				return
			}
		}
		if err := m.spool.flush(); err != nil {
			yield(journal.Record{}, err)
			return
		}
		m.report.Streams = append(m.report.Streams, c.report)
	}
}

// choice is the work on one stream.
type choice struct {
	m      *mender
	s      *stream
	chains chains
	report StreamReport
}

// at decides what stands at a sequence.
func (c *choice) at(seq uint64) (journal.Record, error) {
	var have []copied
	var remembered string
	var want *[sha256.Size]byte
	err := c.m.spool.db.View(func(tx *bolt.Tx) error {
		have = candidates(tx, c.s.name, seq)
		if e, ok := c.m.spool.known(tx, c.s.name, seq); ok {
			remembered, want = e.Subject, &e.Digest
		}
		return nil
	})
	if err != nil {
		return journal.Record{}, fmt.Errorf("mend: %w", err)
	}
	if len(have) == 0 {
		return c.lost(seq, remembered)
	}
	best := c.best(have, want)
	if len(have) > 1 {
		c.conflict(seq, have, best)
	}
	if stands, p := c.chains.judge(best.Record); true {
		if stands == jumps && len(c.report.Versions) < mostListed {
			from := c.chains.heads[best.Subject].Version + 1
			c.report.Versions = append(c.report.Versions, Versions{Table: p.name.Table, Kind: string(p.name.Kind), Name: p.name.ID, First: from, Last: p.version - 1, Before: seq})
		}
		if stands == breaks && len(c.report.Conflicts) < mostListed {
			c.report.Conflicts = append(c.report.Conflicts, fmt.Sprintf("sequence %d, %s: no copy follows the record before it; it is kept and its %s is closed", seq, best.Subject, p.name.Kind))
		}
		c.chains.take(best.Record, p)
	}
	c.report.Records[best.from]++
	if best.from != fromJournal && len(c.report.Mended) < mostListed {
		c.report.Mended = append(c.report.Mended, Mended{Sequence: seq, Subject: best.Subject, From: best.from})
	}
	return best.Record, c.chosen(seq, best.Data)
}

// best is the copy that follows its chain and is what projections remember; else
// the one that does more of the two, the chain first.
func (c *choice) best(have []copied, want *[sha256.Size]byte) copied {
	best, most := have[0], -1
	for _, r := range have {
		worth := 0
		switch stands, _ := c.chains.judge(r.Record); stands {
		case follows:
			worth = 4
		case jumps:
			worth = 2
		}
		if want != nil && sha256.Sum256(r.Data) == *want {
			worth++
		}
		if worth > most {
			best, most = r, worth
		}
	}
	return best
}

func (c *choice) conflict(seq uint64, have []copied, best copied) {
	if len(c.report.Conflicts) >= mostListed {
		return
	}
	var from []string
	for _, r := range have {
		from = append(from, r.from)
	}
	c.report.Conflicts = append(c.report.Conflicts, fmt.Sprintf("sequence %d, %s: %s; that of %s counts", seq, best.Subject, strings.Join(slices.Compact(from), ", "), best.from))
}

// lost is the mark in the place of a record that no copy has.
func (c *choice) lost(seq uint64, subject string) (journal.Record, error) {
	if !c.s.deleted[seq] && len(c.report.Lost) < 100*mostListed {
		c.report.Lost = append(c.report.Lost, Lost{Sequence: seq, Subject: subject})
	}
	p, _ := strconv.Atoi(strings.TrimPrefix(c.s.name, "SKALD_"))
	return journal.Record{Subject: journal.LostSubject(p, seq), Seq: seq}, c.chosen(seq, nil)
}

// chosen remembers what stands at a sequence now; nil for a mark.
func (c *choice) chosen(seq uint64, data []byte) error {
	sum := sha256.Sum256(data)
	if data == nil {
		sum = [sha256.Size]byte{}
	}
	// Written with what the transaction of the next read does not need.
	return c.m.spool.put("chosen "+c.s.name, seqKey(seq), sum[:])
}
