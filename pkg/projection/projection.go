package projection

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/skaldrpg/skald/pkg/journal"
)

// Fold is what a service makes of records.
type Fold interface {
	// Buckets lists the buckets it writes.
	Buckets() []Bucket
	// Apply folds one record. It must depend on nothing but the records before
	// (I2). An error stops the projection.
	Apply(tx *Tx, rec journal.Record) error
}

// Config says what to project where.
type Config struct {
	// Path of the file; its folder is made if need be.
	Path string
	// Schema is the version of the content's layout: another one is rebuilt.
	Schema string
	// Log to fold.
	Log journal.Log
	// Filter of subjects; empty means all.
	Filter string
	// Fold makes the content.
	Fold Fold
	// Applied is called after records have become durable, from the goroutine
	// of Run; it must be quick. May be nil.
	Applied func([]journal.Record)
	// Logger; nil means slog.Default.
	Logger *slog.Logger
	// Clock names files moved aside; nil means time.Now.
	Clock func() time.Time
	// MaxBatch is the most records of a transaction; 0 means 512.
	MaxBatch int
	// Gather is how long new records may gather before they are written, when
	// nobody waits for them; 0 means 10 milliseconds, less than 0 not at all.
	Gather time.Duration
}

// Status is how a projection stands.
type Status struct {
	// Applied is the stream sequence of the last record applied.
	Applied uint64
	// CaughtUp: the end of the log was reached at least once.
	CaughtUp bool
	// MovedAside is where an unusable file was put, and Why; empty when none was.
	MovedAside, Why string
	// Err is why Run returned; nil before.
	Err error
}

// Projection is an open file and the fold that feeds it.
type Projection struct {
	cfg    Config
	db     *bolt.DB
	stream string // id of the stream the content is of

	mu      sync.Mutex
	status  Status
	moved   chan struct{} // closed when status moves
	wanted  chan struct{} // filled when somebody waits for records
	at      uint64        // checkpoint; of Run's goroutine
	running bool
}

// keys of the meta bucket.
var (
	keySchema     = []byte("schema")
	keyStream     = []byte("stream")
	keyCheckpoint = []byte("checkpoint")
)

// Open opens the file, or makes it. It holds I3 and I4; errors are ErrAhead,
// ErrDiverged, ErrLocked, those of the log and of the file system.
func Open(ctx context.Context, cfg Config) (*Projection, error) {
	if slices.Contains(cfg.Fold.Buckets(), meta) {
		return nil, fmt.Errorf("projection: bucket %q is the projection's own", meta)
	}
	if err := os.MkdirAll(filepath.Dir(cfg.Path), 0o700); err != nil {
		return nil, fmt.Errorf("projection: %w", err)
	}
	info, err := cfg.Log.Info(ctx)
	if err != nil {
		return nil, err
	}
	p := newProjection(cfg)
	p.stream = info.StreamID
	why, err := p.tryOpen(ctx, info)
	if err != nil {
		return nil, err
	}
	if why == "" {
		return p, nil
	}
	if err := p.moveAside(why); err != nil {
		return nil, err
	}
	if why, err = p.tryOpen(ctx, info); err == nil && why != "" {
		err = fmt.Errorf("projection: new file %s is unusable: %s", cfg.Path, why)
	}
	return p, err
}

func newProjection(cfg Config) *Projection {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	if cfg.MaxBatch == 0 {
		cfg.MaxBatch = 512
	}
	if cfg.Gather == 0 {
		cfg.Gather = 10 * time.Millisecond
	}
	return &Projection{cfg: cfg, moved: make(chan struct{}), wanted: make(chan struct{}, 1)}
}

// tryOpen opens the file; why is not empty when it must be moved aside.
func (p *Projection) tryOpen(ctx context.Context, info journal.Info) (why string, err error) {
	if why, err = inspect(p.cfg.Path); why != "" || err != nil {
		return why, err
	}
	db, err := openFile(p.cfg.Path, false)
	if err = classify(p.cfg.Path, err); errors.Is(err, ErrDamaged) {
		return err.Error(), nil
	} else if err != nil {
		return "", err
	}
	p.db = db
	why, err = p.check(ctx, info)
	if why != "" || err != nil {
		db.Close() //nolint:errcheck // nothing was written
		return why, err
	}
	return "", p.prepare()
}

// openFile opens a bbolt file; a panic of bbolt on broken pages is an error.
func openFile(path string, noSync bool) (db *bolt.DB, err error) {
	err = safely(func() (err error) {
		db, err = bolt.Open(path, 0o600, &bolt.Options{Timeout: lockTimeout, FreelistType: bolt.FreelistMapType,
			NoFreelistSync: true, NoSync: noSync, InitialMmapSize: mmapSize})
		return err
	})
	return db, err
}

// check compares what the file says of itself with the log.
func (p *Projection) check(ctx context.Context, info journal.Info) (why string, err error) {
	var schema, stream string
	var seq uint64
	var sum []byte
	err = safely(func() error {
		return p.db.View(func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte(meta))
			if b == nil {
				return nil
			}
			schema, stream = string(b.Get(keySchema)), string(b.Get(keyStream))
			seq, sum = decodeCheckpoint(b.Get(keyCheckpoint))
			return nil
		})
	})
	if err != nil {
		return err.Error(), nil
	}
	if schema == "" {
		return "", nil // new
	}
	if seq > info.LastSeq {
		return "", fmt.Errorf("%w: %s: file at %d, log ends at %d", ErrAhead, p.cfg.Path, seq, info.LastSeq)
	}
	if stream != info.StreamID {
		return "of another stream", nil
	}
	if schema != p.cfg.Schema {
		return fmt.Sprintf("schema %s, wanted %s", schema, p.cfg.Schema), nil
	}
	if seq > 0 {
		rec, ok, err := p.cfg.Log.At(ctx, seq)
		if err != nil {
			return "", err
		}
		if ok && !bytes.Equal(digest(rec), sum) {
			return "", fmt.Errorf("%w: %s at sequence %d", ErrDiverged, p.cfg.Path, seq)
		}
	}
	p.status.Applied, p.at = seq, seq
	return "", nil
}

// prepare makes the buckets.
func (p *Projection) prepare() error {
	return p.db.Update(func(tx *bolt.Tx) error {
		for _, b := range append(p.cfg.Fold.Buckets(), meta) {
			if _, err := tx.CreateBucketIfNotExists([]byte(b)); err != nil {
				return fmt.Errorf("projection: bucket %s: %w", b, err)
			}
		}
		m := tx.Bucket([]byte(meta))
		if err := m.Put(keySchema, []byte(p.cfg.Schema)); err != nil {
			return err
		}
		return m.Put(keyStream, []byte(p.stream))
	})
}

func (p *Projection) moveAside(why string) error {
	aside := fmt.Sprintf("%s.%s.aside", p.cfg.Path, p.cfg.Clock().UTC().Format("20060102T150405.000"))
	for base, i := aside, 2; exists(aside); i++ { // never over an earlier one
		aside = fmt.Sprintf("%s-%d", base, i)
	}
	if err := os.Rename(p.cfg.Path, aside); err != nil {
		return fmt.Errorf("projection: moving an unusable file aside: %w", err)
	}
	p.cfg.Logger.Warn("projection moved aside, building it again", "file", aside, "why", why)
	p.status.MovedAside, p.status.Why = aside, why
	return syncDir(p.cfg.Path)
}

// Run folds the log from the checkpoint on, until the context ends or the fold
// fails. It is called once.
func (p *Projection) Run(ctx context.Context) error {
	p.mu.Lock()
	if p.running {
		p.mu.Unlock()
		return errors.New("projection: Run called twice")
	}
	p.running = true
	from := p.status.Applied + 1
	p.mu.Unlock()
	err := p.cfg.Log.Tail(ctx, journal.TailConfig{Filter: p.cfg.Filter, FromSeq: from, MaxBatch: p.cfg.MaxBatch},
		func(ctx context.Context, b journal.Batch) error {
			if err := p.apply(b); err != nil {
				return err
			}
			if b.CaughtUp {
				p.rest(ctx)
			}
			return nil
		})
	var behind *journal.BehindError
	switch {
	case errors.As(err, &behind):
		err = fmt.Errorf("%w: %w", ErrAhead, err)
	case errors.Is(err, journal.ErrRewritten):
		err = fmt.Errorf("%w: %w", ErrDiverged, err)
	}
	p.end(err)
	return err
}

// rest lets records gather for a moment, so that the syncs of this file do not
// compete with those of the log once per record. Whoever waits for a record
// ends it.
func (p *Projection) rest(ctx context.Context) {
	if p.cfg.Gather < 0 {
		return
	}
	timer := time.NewTimer(p.cfg.Gather)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.wanted:
	case <-ctx.Done():
	}
}

// end wakes who waits for records that will not come.
func (p *Projection) end(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Err = err
	close(p.moved)
	p.moved = make(chan struct{})
}

// apply holds I1.
func (p *Projection) apply(b journal.Batch) error {
	for len(b.Records) > 0 && b.Records[0].Seq <= p.at { // a log that repeats itself changes nothing
		b.Records = b.Records[1:]
	}
	if n := len(b.Records); n > 0 {
		last := b.Records[n-1]
		sum := digest(last)
		err := safely(func() error {
			return p.db.Update(func(tx *bolt.Tx) error {
				for _, rec := range b.Records {
					if err := p.cfg.Fold.Apply(&Tx{tx}, rec); err != nil {
						return &FoldError{Subject: rec.Subject, Seq: rec.Seq, Err: err}
					}
				}
				return tx.Bucket([]byte(meta)).Put(keyCheckpoint, encodeCheckpoint(last.Seq, sum))
			})
		})
		if err != nil {
			return err
		}
		p.at = last.Seq
		if p.cfg.Applied != nil {
			p.cfg.Applied(b.Records)
		}
		p.advance(last.Seq, false)
	}
	if b.CaughtUp {
		p.advance(b.LastSeq, true)
	}
	return nil
}

// advance moves the status and wakes who waits.
func (p *Projection) advance(seq uint64, caughtUp bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if seq <= p.status.Applied && (!caughtUp || p.status.CaughtUp) {
		return
	}
	p.status.Applied = max(p.status.Applied, seq)
	p.status.CaughtUp = p.status.CaughtUp || caughtUp
	close(p.moved)
	p.moved = make(chan struct{})
}

// WaitFor waits until the record at a stream sequence has been applied, the
// context ends, or Run returns (ErrStopped).
func (p *Projection) WaitFor(ctx context.Context, seq uint64) error {
	return p.wait(ctx, func(s Status) bool { return s.Applied >= seq })
}

// WaitCaughtUp waits until the end of the log was reached once.
func (p *Projection) WaitCaughtUp(ctx context.Context) error {
	return p.wait(ctx, func(s Status) bool { return s.CaughtUp })
}

func (p *Projection) wait(ctx context.Context, done func(Status) bool) error {
	for {
		p.mu.Lock()
		ok, moved, ended := done(p.status), p.moved, p.status.Err
		p.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case p.wanted <- struct{}{}:
		default:
		}
		if ended != nil { // as text: its context was Run's, not the caller's
			return fmt.Errorf("%w: %v", ErrStopped, ended)
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return fmt.Errorf("projection: waiting: %w", ctx.Err())
		}
	}
}

// Status is how the projection stands now.
func (p *Projection) Status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

// View reads. The transaction must be short: copy, return, then send.
func (p *Projection) View(fn func(tx *Tx) error) error {
	return safely(func() error { return p.db.View(func(tx *bolt.Tx) error { return fn(&Tx{tx}) }) })
}

// Close closes the file. Run must have returned.
func (p *Projection) Close() error {
	if err := p.db.Close(); err != nil {
		return fmt.Errorf("projection: closing: %w", err)
	}
	return nil
}

// safely turns bbolt's panics on broken pages into errors.
func safely(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, r)
		}
	}()
	return fn()
}

// digest identifies a record at the checkpoint.
func digest(r journal.Record) []byte {
	h := sha256.New()
	h.Write(Key(r.Subject, r.ID))
	h.Write(r.Data)
	return h.Sum(nil)
}

func encodeCheckpoint(seq uint64, sum []byte) []byte {
	return append(binary.BigEndian.AppendUint64(nil, seq), sum...)
}

func decodeCheckpoint(b []byte) (uint64, []byte) {
	if len(b) < 8 {
		return 0, nil
	}
	return binary.BigEndian.Uint64(b), bytes.Clone(b[8:])
}
