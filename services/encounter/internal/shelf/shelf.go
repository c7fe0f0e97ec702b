package shelf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library"
	"github.com/skaldrpg/skald/pkg/library/books"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/tombstone"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rows is the projection as the shelf needs it.
type Rows interface {
	// Pack finds the record of a pack as stored.
	Pack(table, digest string) (data []byte, ok bool, err error)
	// PackSummaries lists the packs of a table.
	PackSummaries(table string) ([]*encounterv1.StoredPack, error)
	// Applied is the stream sequence up to which records are folded.
	Applied() uint64
	// WaitFor waits until the record at a stream sequence has been folded.
	WaitFor(ctx context.Context, sequence uint64) error
}

// Config is what a shelf works with.
type Config struct {
	// Log keeps the packs.
	Log journal.Log
	// Partition is the number of the stream that Log is.
	Partition int
	// Rows is the projection.
	Rows Rows
	// Base is what the packs of a rule system are laid over.
	Base func(system string) (effects.Base, error)
	// Offered are packs that every table may use, as they are stored; they were
	// checked. Of several of one name and system the last counts. It is asked when
	// they are first wanted; nil means none.
	Offered func() ([][]byte, error)
	// Believe reads tombstones; nil believes none.
	Believe *tombstone.Reader
	// Clock; nil means time.Now.
	Clock func() time.Time
}

// Shelf handles the packs of the tables of one stream. It is safe for concurrent
// use.
type Shelf struct {
	cfg     Config
	library *books.Library
	offered func() ([]offer, error)
}

// offer is a pack that every table may use.
type offer struct {
	data    []byte
	summary *encounterv1.PackSummary
}

// New makes a shelf.
func New(cfg Config) *Shelf {
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	s := &Shelf{cfg: cfg, library: books.New(books.Config{Where: books.In(cfg.Log, cfg.Partition), Near: cfg.Rows.Pack, Base: cfg.Base})}
	s.offered = sync.OnceValues(s.readOffered)
	return s
}

func (s *Shelf) readOffered() ([]offer, error) {
	if s.cfg.Offered == nil {
		return nil, nil
	}
	packs, err := s.cfg.Offered()
	if err != nil {
		return nil, fmt.Errorf("shelf: packs that are offered: %w", err)
	}
	out := make([]offer, 0, len(packs))
	for _, data := range packs {
		summary, err := library.Summary(&encounterv1.PackRecord{Pack: data, Base: true})
		if err != nil {
			return nil, fmt.Errorf("shelf: a pack that is offered: %w", err)
		}
		out = append(out, offer{data: data, summary: summary})
	}
	return out, nil
}

// Put keeps a checked pack at a table. It tells whether it was there already.
// Errors are faults of the event store and limits.
func (s *Shelf) Put(ctx context.Context, table string, by *eventv1.Principal, data []byte) (*encounterv1.PackSummary, bool, error) {
	if len(data) > limits.PackBytes {
		return nil, false, fault.Limit("bytes of a pack", limits.PackBytes, int64(len(data)))
	}
	digest := library.Digest(data)
	known, err := s.cfg.Rows.PackSummaries(table)
	if err != nil {
		return nil, false, err
	}
	has := slices.ContainsFunc(known, func(p *encounterv1.StoredPack) bool { return p.Summary.Digest == digest })
	if !has && len(known) >= limits.TablePacks {
		return nil, false, fault.Limit("packs of a table", limits.TablePacks, int64(len(known)+1))
	}
	return s.store(ctx, &encounterv1.PackRecord{Table: table, Pack: data, UnixMillis: s.cfg.Clock().UnixMilli(), By: by})
}

// store appends the record of a pack, unless the table has it, and waits until
// this process lists it.
func (s *Shelf) store(ctx context.Context, rec *encounterv1.PackRecord) (*encounterv1.PackSummary, bool, error) {
	msg, err := library.Seal(s.cfg.Partition, rec)
	if err != nil {
		return nil, false, err
	}
	sequence, err := s.cfg.Log.Append(ctx, msg)
	if err == nil {
		if err := aggregate.Alive(ctx, s.cfg.Log, s.cfg.Partition, s.cfg.Believe, rec.Table, sequence); err != nil {
			return nil, false, err
		}
	}
	var conflict *journal.ConflictError
	repeated := errors.As(err, &conflict)
	if repeated {
		if rec, sequence, err = s.stored(ctx, msg.Subject); err != nil {
			return nil, false, err
		}
	} else if err != nil {
		return nil, false, aggregate.Fault(err)
	}
	if err := s.cfg.Rows.WaitFor(ctx, sequence); err != nil {
		return nil, false, aggregate.Fault(err)
	}
	summary, err := library.Summary(rec)
	return summary, repeated, err
}

// stored reads the record that is on a pack's subject.
func (s *Shelf) stored(ctx context.Context, subject string) (*encounterv1.PackRecord, uint64, error) {
	last, ok, err := s.cfg.Log.Last(ctx, subject)
	if err != nil {
		return nil, 0, aggregate.Fault(err)
	}
	if !ok {
		return nil, 0, fault.New(fault.Conflict, aggregate.LostRace, "the pack is being put by another call; try again")
	}
	rec, _, err := library.Open(last)
	if errors.Is(err, event.ErrBroken) {
		_, digest, _ := journal.SplitPack(subject)
		return nil, 0, fault.BrokenRecord(library.Kind, digest, last.Seq)
	}
	return rec, last.Seq, err
}

// List lists the packs of a table and those that the server offers, by name, the
// newest of each first. An empty system means all.
func (s *Shelf) List(ctx context.Context, table, system string) ([]*encounterv1.PackSummary, error) {
	rows, err := s.rows(ctx, table)
	if err != nil {
		return nil, err
	}
	out := make([]*encounterv1.PackSummary, 0, len(rows))
	for i, r := range rows {
		if system != "" && r.System != system {
			continue
		}
		r.Newest = i == 0 || rows[i-1].Name != r.Name || rows[i-1].System != r.System
		out = append(out, r)
	}
	return out, nil
}

// rows are the packs of a table and those offered, by name and system, in the
// order in which a name finds them: the table's own before the server's, what is
// offered now before what was once, the newest first.
func (s *Shelf) rows(ctx context.Context, table string) ([]*encounterv1.PackSummary, error) {
	if err := s.catchUp(ctx, table); err != nil {
		return nil, err
	}
	stored, err := s.cfg.Rows.PackSummaries(table)
	if err != nil {
		return nil, err
	}
	offered, err := s.offered()
	if err != nil {
		return nil, err
	}
	type row struct {
		*encounterv1.PackSummary
		rank  int
		place uint64
	}
	var all []row
	for _, p := range stored {
		r := row{p.Summary, 0, p.Sequence}
		if p.Summary.Base {
			r.rank = 2
			if i := indexOf(offered, p.Summary.Digest); i >= 0 {
				r.rank, r.place = 1, uint64(i) //nolint:gosec // an index
			}
		}
		all = append(all, r)
	}
	for i := range offered {
		o := &offered[i]
		if !slices.ContainsFunc(stored, func(p *encounterv1.StoredPack) bool { return p.Summary.Digest == o.summary.Digest }) {
			all = append(all, row{proto.Clone(o.summary).(*encounterv1.PackSummary), 1, uint64(i)}) //nolint:gosec // an index
		}
	}
	slices.SortStableFunc(all, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.System, b.System), cmp.Compare(a.rank, b.rank), cmp.Compare(b.place, a.place))
	})
	out := make([]*encounterv1.PackSummary, len(all))
	for i, r := range all {
		out[i] = r.PackSummary
	}
	return out, nil
}

// offers finds an offered pack by its digest.
func offers(offered []offer, digest string) *offer {
	if i := indexOf(offered, digest); i >= 0 {
		return &offered[i]
	}
	return nil
}

func indexOf(offered []offer, digest string) int {
	return slices.IndexFunc(offered, func(o offer) bool { return o.summary.Digest == digest })
}

// catchUp waits until the projection has every pack of a table that is in the
// log now: another process may have put it.
func (s *Shelf) catchUp(ctx context.Context, table string) error {
	every, err := journal.PackFilter(s.cfg.Partition, table)
	if err != nil {
		return fault.Field("table", "%v", err)
	}
	last := uint64(0)
	err = s.cfg.Log.Read(ctx, every, s.cfg.Rows.Applied()+1, 0, func(rec journal.Record) error {
		last = rec.Seq
		return nil
	})
	if err == nil && last > 0 {
		err = s.cfg.Rows.WaitFor(ctx, last)
	}
	return aggregate.Fault(err)
}

// Find reads a pack by digest or name; a name stands for the newest of the name that is
// for the system, or for any system where none is named. It is a NotFound fault when the
// table has none and none is offered.
func (s *Shelf) Find(ctx context.Context, table, system, name string) (*encounterv1.PackSummary, []byte, error) {
	digest := name
	if !library.IsDigest(name) {
		rows, err := s.rows(ctx, table)
		if err != nil {
			return nil, nil, err
		}
		r := newest(rows, system, name)
		if r == nil {
			return nil, nil, library.Unknown(name)
		}
		digest = r.Digest
	}
	rec, err := s.library.Pack(ctx, table, digest)
	if fault.Is(err, fault.NotFound) {
		offered, bad := s.offered()
		if o := offers(offered, digest); o != nil {
			return proto.Clone(o.summary).(*encounterv1.PackSummary), o.data, nil
		}
		return nil, nil, cmp.Or(bad, err)
	}
	if err != nil {
		return nil, nil, err
	}
	summary, err := library.Summary(rec)
	return summary, rec.Pack, err
}

// newest is the pack that a name stands for: the first of its system, and where several
// systems have one, a table's own before the server's, and then what came last.
func newest(rows []*encounterv1.PackSummary, system, name string) (best *encounterv1.PackSummary) {
	seen := map[string]bool{}
	for _, r := range rows {
		if r.Name != name || seen[r.System] || system != "" && r.System != system {
			continue
		}
		seen[r.System] = true
		if best == nil || best.Base && !r.Base || best.Base == r.Base && r.UnixMillis > best.UnixMillis {
			best = r
		}
	}
	return best
}

// Pack unmarshals a pack that Find found.
func Pack(data []byte) (*contentv1.Pack, error) {
	p := &contentv1.Pack{}
	return p, proto.Unmarshal(data, p)
}
