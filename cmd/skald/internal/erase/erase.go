package erase

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/tombstone"
	opsv1 "github.com/skaldrpg/skald/proto/skald/ops/v1"
)

// Reasons of refusals.
const (
	// ReasonUnknown: no record is, or was, of the table; NOT_FOUND.
	ReasonUnknown = "UNKNOWN_TABLE"
	// ReasonOpen: a fight of the table is not over; FAILED_PRECONDITION.
	ReasonOpen = "FIGHTS_OPEN"
	// ReasonBusy: commands came between again and again; ABORTED.
	ReasonBusy = "TABLE_BUSY"
)

// reasonBytes bounds the reason of a deletion.
const reasonBytes = 500

// attempts is how often the table may change between looking and writing.
const attempts = 20

// guarded is how often a tombstone is tried under a guard over the whole table.
const guarded = 3

// Config says what tables are deleted with.
type Config struct {
	// Streams of the journal, by credentials that may purge.
	Streams *journal.Set
	// Keys sign tombstones.
	Keys *attest.Keys
	// Chains lists where the encounters of a table end, as of a record among encounters
	// at least.
	Chains func(ctx context.Context, stream int, table string, sequence uint64) ([]tombstone.Chain, error)
	// Checkpoint is the text of the last checkpoint of a stream; nil, or an empty
	// text, where none is at hand.
	Checkpoint func(ctx context.Context, stream int) (string, error)
	// Settled waits until the services have taken a tombstone, by the sequences of its
	// record among encounters and of that among dice; may be nil.
	Settled func(ctx context.Context, stream int, encounter, dice uint64) error
	// Drop removes what is kept of the table outside of the journal; may be nil.
	Drop func(table string) error
	// Left lists what else still holds records, by their sequences; may be nil.
	Left func(ctx context.Context, stream int, removed []tombstone.Sequences) []*opsv1.Leftover
	// Clock; nil means time.Now.
	Clock func() time.Time
	// Logger; nil means slog.Default.
	Logger *slog.Logger
	// Step is told before each step, for tests that end there; may be nil.
	Step func(name string) error
}

// Eraser deletes tables, one at a time.
type Eraser struct {
	cfg     Config
	believe *tombstone.Reader

	one sync.Mutex
}

// New makes one.
func New(cfg Config) *Eraser {
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	return &Eraser{cfg: cfg, believe: tombstone.ByKeys(cfg.Keys)}
}

// Request says which table to delete.
type Request struct {
	// Table id.
	Table string
	// By is who asks, Reason why: both are kept for ever.
	By, Reason string
	// OpenFights go as well.
	OpenFights bool
	// DryRun looks and does nothing.
	DryRun bool
}

func (r Request) check() error {
	if err := journal.Token(r.Table); err != nil || r.Table == "@" {
		return fault.Field("table", "no table has such an id")
	}
	if r.DryRun && r.Reason == "" {
		return nil
	}
	if r.Reason == "" || len(r.Reason) > reasonBytes || !utf8.ValidString(r.Reason) {
		return fault.Field("reason", "want a line of 1 to %d bytes", reasonBytes)
	}
	for _, c := range r.Reason {
		if unicode.IsControl(c) {
			return fault.Field("reason", "want one line without control characters")
		}
	}
	return nil
}

func (e *Eraser) step(name string) error {
	if e.cfg.Step == nil {
		return nil
	}
	return e.cfg.Step(name)
}

// Delete deletes a table, or ends a deletion that broke off. Errors are faults, ends
// of the context, and those of the journal.
func (e *Eraser) Delete(ctx context.Context, req Request) (*opsv1.DeleteTableResponse, error) {
	if err := req.check(); err != nil {
		return nil, err
	}
	e.one.Lock()
	defer e.one.Unlock()
	p, err := e.place(ctx, req.Table)
	if err != nil {
		return nil, err
	}
	stream, err := e.cfg.Streams.Stream(ctx, p)
	if err != nil {
		return nil, err
	}
	t := &table{Eraser: e, stream: stream, name: req.Table, p: p}
	before, err := e.believe.All(ctx, stream, p, req.Table)
	if err != nil {
		return nil, err
	}
	if len(before) > 0 {
		return t.resume(ctx, req, before)
	}
	return t.begin(ctx, req)
}

// place finds the stream of a table. What was never placed, and is not in the log, is
// unknown.
func (e *Eraser) place(ctx context.Context, name string) (int, error) {
	p, err := e.cfg.Streams.Place(ctx, name, false)
	if errors.Is(err, journal.ErrInvalid) {
		return 0, fault.Field("table", "no table has such an id")
	}
	return p, err
}

// table is the work on one.
type table struct {
	*Eraser
	stream *journal.Stream
	name   string
	p      int

	written [2]uint64 // sequences of the tombstone, among encounters and among dice
}

// resume ends a deletion whose tombstone is there. One that is done answers what
// everything about the table answers.
func (t *table) resume(ctx context.Context, req Request, stones []*tombstone.Record) (*opsv1.DeleteTableResponse, error) {
	left, err := t.remains(ctx, stones)
	if err != nil {
		return nil, err
	}
	first := stones[0]
	if len(left) == 0 {
		return nil, projection.Deletion{Table: t.name, Sequence: first.Sequence, Note: first.Note}.Fault()
	}
	out := &opsv1.DeleteTableResponse{Contents: contents(first.Tombstone), Tombstone: first.Note, Resumed: true}
	if !req.DryRun {
		if err := t.finish(ctx); err != nil {
			return nil, err
		}
	}
	return out, t.leftovers(ctx, out)
}

// begin deletes a table that has no tombstone.
func (t *table) begin(ctx context.Context, req Request) (*opsv1.DeleteTableResponse, error) {
	draft, err := t.look(ctx)
	if err != nil {
		return nil, err
	}
	out := &opsv1.DeleteTableResponse{Contents: contents(draft.Tombstone)}
	if draft.Last == 0 {
		return nil, fault.New(fault.NotFound, ReasonUnknown, "there is no table %q", t.name)
	}
	if req.DryRun {
		return out, t.leftovers(ctx, out, draft.Removed)
	}
	if err := t.mayGo(req, draft); err != nil {
		return nil, err
	}
	if err := t.step("shut"); err != nil {
		return nil, err
	}
	open, err := t.cfg.Streams.Shut(ctx, t.name)
	if err != nil {
		return nil, err
	}
	note, err := t.bury(ctx, req, out)
	if err != nil {
		if !errors.Is(err, journal.ErrUnknownOutcome) {
			open() // else the tombstone may be there: the next call, or start, goes on
		}
		return nil, err
	}
	out.Tombstone = note
	t.cfg.Logger.WarnContext(ctx, "a table is being deleted", "table", t.name, "by", req.By, "reason", req.Reason)
	if err := t.finish(ctx); err != nil {
		return nil, err
	}
	if t.cfg.Settled != nil {
		if err := t.cfg.Settled(ctx, t.p, t.written[0], t.written[1]); err != nil {
			return nil, err
		}
	}
	return out, t.leftovers(ctx, out)
}

// mayGo refuses a table whose fights are not over.
func (t *table) mayGo(req Request, d tombstone.Draft) error {
	if req.OpenFights {
		return nil
	}
	for _, c := range d.Chains {
		if c.Open {
			f := fault.New(fault.Illegal, ReasonOpen, "the fight %q of the table is not over", c.ID)
			f.Meta = map[string]string{"encounter": c.ID}
			return f
		}
	}
	return nil
}

// bury writes the tombstone. Its guard is over the whole table, so that what it says
// is all that the table had; where commands of other processes come between again and
// again it is written all the same, and a further one lists what they stored.
func (t *table) bury(ctx context.Context, req Request, out *opsv1.DeleteTableResponse) (string, error) {
	for try := range attempts {
		draft, err := t.look(ctx)
		if err != nil {
			return "", err
		}
		if err := t.mayGo(req, draft); err != nil {
			return "", err
		}
		out.Contents = contents(draft.Tombstone)
		draft.Millis, draft.By, draft.Reason = t.cfg.Clock().UnixMilli(), req.By, req.Reason
		if err := t.sign(ctx, &draft); err != nil {
			return "", err
		}
		note, err := t.write(ctx, draft, try >= guarded)
		var lost *journal.ConflictError
		if errors.As(err, &lost) {
			continue
		}
		return note, err
	}
	return "", fault.New(fault.Conflict, ReasonBusy, "commands at the table %q came between again and again; try again", t.name)
}

// sign fills in what is known of the stream.
func (t *table) sign(ctx context.Context, d *tombstone.Draft) (err error) {
	if t.cfg.Checkpoint == nil {
		return nil
	}
	d.Checkpoint, err = t.cfg.Checkpoint(ctx, t.p)
	return err
}

// write appends a tombstone.
func (t *table) write(ctx context.Context, d tombstone.Draft, further bool) (note string, err error) {
	var after tombstone.Guards
	for kind, at := range map[string]*uint64{"encounter": &after.Encounter, "dice": &after.Dice} { // order-free: each by itself
		subject, err := journal.TombstoneSubject(t.p, t.name, kind)
		if err != nil {
			return "", err
		}
		rec, _, err := t.stream.Last(ctx, subject)
		if err != nil {
			return "", err
		}
		*at = rec.Seq
	}
	ms, err := d.Messages(func(text string) (string, error) {
		note, err = t.cfg.Keys.Sign(text)
		return note, err
	}, after, further)
	if err != nil {
		return "", err
	}
	if err := t.step("tombstone"); err != nil {
		return "", err
	}
	// Past the door that keeps everybody else out.
	seqs, err := t.stream.Journal.AppendAtomic(ctx, ms)
	if err == nil {
		t.written = [2]uint64(seqs)
	}
	var large *journal.TooLargeError
	if errors.As(err, &large) {
		return "", fault.Limit("bytes of a tombstone", int64(large.Limit), int64(large.Size))
	}
	return note, err
}

// leftovers lists what else still holds records of the table.
func (t *table) leftovers(ctx context.Context, out *opsv1.DeleteTableResponse, removed ...tombstone.Sequences) error {
	if t.cfg.Left == nil {
		return nil
	}
	if len(removed) == 0 {
		all, err := t.believe.All(ctx, t.stream, t.p, t.name)
		if err != nil {
			return err
		}
		for _, one := range all {
			removed = append(removed, one.Removed)
		}
	}
	out.Left = t.cfg.Left(ctx, t.p, removed)
	return nil
}

// Tombstones returns the signed tombstones of a table, the first first. A table
// without one is a NotFound fault.
func (e *Eraser) Tombstones(ctx context.Context, name string) ([]string, error) {
	p, err := e.place(ctx, name)
	if err != nil {
		return nil, err
	}
	stream, err := e.cfg.Streams.Stream(ctx, p)
	if err != nil {
		return nil, err
	}
	all, err := e.believe.All(ctx, stream, p, name)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, t := range all {
		out = append(out, t.Note)
	}
	if len(out) == 0 {
		return nil, fault.New(fault.NotFound, "NO_TOMBSTONE", "the table %q was not deleted", name)
	}
	return out, nil
}

// Resume ends every deletion that broke off, and removes what reached the log of a
// deleted table since. It is called when a server starts.
func (e *Eraser) Resume(ctx context.Context) error {
	e.one.Lock()
	defer e.one.Unlock()
	for p, stream := range e.cfg.Streams.All() {
		names := map[string]bool{}
		err := stream.Read(ctx, journal.TombstoneFilter(p, "encounter"), 1, 0, func(rec journal.Record) error {
			if t, err := e.believe.Read(rec); err == nil {
				names[t.Table] = true
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("erase: looking for tombstones: %w", err)
		}
		for name := range names { // order-free: each by itself
			if err := (&table{Eraser: e, stream: stream, name: name, p: p}).finish(ctx); err != nil {
				return fmt.Errorf("erase: table %q: %w", name, err)
			}
		}
	}
	return nil
}
