package projection

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/tombstone"
)

// Fold is what a service makes of records.
type Fold interface {
	// Buckets lists the buckets it writes.
	Buckets() []Bucket
	// Apply folds one record. It must depend on nothing but the records before
	// (I2). An error says that the record is broken: nothing of it stays, and its
	// subject is closed (I5). ErrForeign says that it is nobody's: it is counted
	// and passed over.
	Apply(tx *Tx, rec journal.Record) error
}

// Forgetful is a Fold that keeps something in memory between records.
type Forgetful interface {
	// Forget drops what is in memory: the transaction that it came from was not
	// carried out.
	Forget()
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
	// Tombstones is the filter of tombstones within Filter, for a fold that Foresees.
	Tombstones string
	// Believe reads tombstones; nil believes none.
	Believe *tombstone.Reader
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

	oneShot bool // a write that fails ends it: whoever builds begins anew
}

// Unhurried is how long records may gather where whoever reads waits for what it needs:
// the fewer syncs of the file take a tenth less of the processor for each command than
// those of 10 milliseconds.
const Unhurried = 40 * time.Millisecond

// Status is how a projection stands.
type Status struct {
	// Applied is the stream sequence of the last record applied.
	Applied uint64
	// CaughtUp: the end of the log was reached at least once.
	CaughtUp bool
	// MovedAside is where an unusable file was put, and Why; empty when none was.
	MovedAside, Why string
	// Trouble is why nothing is applied at the moment, though Run goes on: the
	// file can not be written, or is being built again; empty when all is well.
	Trouble string
	// Closed is the number of subjects that are closed (I5).
	Closed int
	// Foreign is the number of records passed over since the process started.
	Foreign uint64
	// Err is why Run returned; nil before.
	Err error
}

// Projection is an open file and the fold that feeds it.
type Projection struct {
	cfg    Config
	stream string // id of the stream the content is of

	file sync.RWMutex // held by readers of db, and alone while another file takes its place
	db   *bolt.DB

	mu        sync.Mutex
	status    Status
	moved     chan struct{} // closed when status moves
	wanted    chan struct{} // filled when somebody waits for records
	running   bool
	closed    map[string]Closure // by nameOf its subject
	deleted   map[string]Deletion
	damaged   error // of the file that is open
	interrupt context.CancelCauseFunc

	at  uint64 // checkpoint, and the digest there; of Run's goroutine
	sum []byte
}

// keys of the state bucket.
var (
	keySchema     = []byte("schema")
	keyStream     = []byte("stream")
	keyCheckpoint = []byte("checkpoint")
)

// Open opens the file, or makes it. It holds I3 and I4; errors are ErrAhead,
// ErrDiverged, ErrLocked, those of the log and of the file system.
func Open(ctx context.Context, cfg Config) (*Projection, error) {
	for _, b := range cfg.Fold.Buckets() {
		if own(b) {
			return nil, fmt.Errorf("projection: bucket %q is the projection's own", b)
		}
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
		return p, p.foreseen(ctx)
	}
	if err := p.moveAside(why); err != nil {
		return nil, err
	}
	if why, err = p.tryOpen(ctx, info); err == nil && why != "" {
		err = fmt.Errorf("projection: new file %s is unusable: %s", cfg.Path, why)
	}
	if err != nil {
		return p, err
	}
	return p, p.foreseen(ctx)
}

// foreseen is foresee for a file that is open.
func (p *Projection) foreseen(ctx context.Context) error {
	err := p.foresee(ctx)
	if err != nil {
		err = errors.Join(err, p.Close())
	}
	return err
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
	return &Projection{cfg: cfg, moved: make(chan struct{}), wanted: make(chan struct{}, 1), closed: map[string]Closure{}, deleted: map[string]Deletion{}}
}

// tryOpen opens the file; why is not empty when it must be moved aside.
func (p *Projection) tryOpen(ctx context.Context, info journal.Info) (why string, err error) {
	if why, err = inspect(p.cfg.Path); err != nil {
		return "", err
	} else if why != "" {
		return why, p.bearWitness(ctx, info)
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

// bearWitness asks a damaged file how far it was, if it still tells: also damaged
// it is a witness that the log has lost records (I3).
func (p *Projection) bearWitness(ctx context.Context, info journal.Info) error {
	at, err := readState(p.cfg.Path)
	if err != nil || at.stream != info.StreamID || at.sequence == 0 {
		return nil //nolint:nilerr // it tells nothing
	}
	return p.contradicts(ctx, at, info)
}

// contradicts holds a checkpoint against the log (I3).
func (p *Projection) contradicts(ctx context.Context, at standing, info journal.Info) error {
	if at.sequence > info.LastSeq {
		return fmt.Errorf("%w: %s: file at %d, log ends at %d", ErrAhead, p.cfg.Path, at.sequence, info.LastSeq)
	}
	if at.sequence == 0 || at.stream != info.StreamID {
		return nil
	}
	rec, ok, err := p.cfg.Log.At(ctx, at.sequence)
	if err == nil && ok && !bytes.Equal(digest(rec), at.digest) {
		err = fmt.Errorf("%w: %s at sequence %d", ErrDiverged, p.cfg.Path, at.sequence)
	}
	return err
}

// check compares what the file says of itself with the log.
func (p *Projection) check(ctx context.Context, info journal.Info) (why string, err error) {
	var at standing
	var closed map[string]Closure
	var gone map[string]Deletion
	err = safely(func() error {
		return p.db.View(func(tx *bolt.Tx) (err error) {
			if at, err = stateOf(tx); err != nil || at.old {
				return err
			}
			t := &Tx{tx: tx}
			if closed, err = readClosures(t); err == nil {
				gone, err = readDeleted(t)
			}
			if err == nil {
				err = t.damaged
			}
			return err
		})
	})
	switch {
	case err != nil:
		return err.Error(), nil
	case at.schema == "":
		return "", nil // new
	case at.old || at.stream != info.StreamID || at.schema != p.cfg.Schema:
		if at.sequence > info.LastSeq {
			return "", fmt.Errorf("%w: %s: file at %d, log ends at %d", ErrAhead, p.cfg.Path, at.sequence, info.LastSeq)
		}
	}
	switch {
	case at.stream != info.StreamID:
		return "of another stream", nil
	case at.old:
		return "schema " + at.schema + " without checksums, wanted one with", nil
	case at.schema != p.cfg.Schema:
		return fmt.Sprintf("schema %s, wanted %s", at.schema, p.cfg.Schema), nil
	}
	if err := p.contradicts(ctx, at, info); err != nil {
		return "", err
	}
	if why, err = p.mended(ctx, closed); why != "" || err != nil {
		return why, err
	}
	p.status.Applied, p.at, p.sum, p.closed = at.sequence, at.sequence, at.digest, closed
	p.deleted = gone
	return "", nil
}

// mended tells whether a record that closed its subject has since become another
// in the log, so that the subject may open when all is folded again; or whether a
// tombstone that nobody believed is believed now, since its key is known.
func (p *Projection) mended(ctx context.Context, closed map[string]Closure) (why string, err error) {
	for _, name := range slices.Sorted(maps.Keys(closed)) {
		c := closed[name]
		rec, ok, err := p.cfg.Log.At(ctx, c.Sequence)
		if err != nil {
			return "", err
		}
		if ok && !bytes.Equal(digest(rec), c.digest) {
			return fmt.Sprintf("%s was closed at sequence %d, and the log holds another record there now", c.Subject, c.Sequence), nil
		}
		if !ok || !isTombstone(rec) {
			continue
		}
		if _, err := p.cfg.Believe.Read(rec); err == nil {
			return fmt.Sprintf("the tombstone at sequence %d is believed now", c.Sequence), nil
		}
	}
	return "", nil
}

// prepare makes the buckets.
func (p *Projection) prepare() error {
	return safely(func() error {
		return p.db.Update(func(tx *bolt.Tx) error {
			for _, b := range append(slices.Clone(p.cfg.Fold.Buckets()), state, logIndex, closures, deleted) {
				if _, err := tx.CreateBucketIfNotExists([]byte(b)); err != nil {
					return fmt.Errorf("projection: bucket %s: %w", b, err)
				}
			}
			t := &Tx{tx: tx}
			return cmp.Or(t.Put(state, keySchema, []byte(p.cfg.Schema)), t.Put(state, keyStream, []byte(p.stream)), t.damaged)
		})
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
	p.mu.Lock()
	p.status.MovedAside, p.status.Why = aside, why
	p.mu.Unlock()
	return syncDir(p.cfg.Path)
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
	st := p.status
	st.Closed = len(p.closed)
	return st
}

// View reads. The transaction must be short: copy, return, then send. It fails
// with an Unavailable fault that wraps ErrDamaged when what it read is damaged;
// Run then builds the file again.
func (p *Projection) View(fn func(tx *Tx) error) error {
	p.file.RLock()
	defer p.file.RUnlock()
	t := &Tx{}
	err := safely(func() error {
		return p.db.View(func(tx *bolt.Tx) error {
			t.tx = tx
			return fn(t)
		})
	})
	if t.damaged != nil {
		err = t.damaged
	}
	if !errors.Is(err, ErrDamaged) {
		return err
	}
	p.hurt(err)
	return fault.Wrap(fault.Unavailable, "PROJECTION_DAMAGED", err, "this server's copy of the record is damaged and is being built again; try again, or ask another server")
}

// hurt takes note of damage and interrupts Run, which mends it.
func (p *Projection) hurt(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.damaged != nil {
		return
	}
	p.damaged = err
	p.cfg.Logger.Error("projection: the file is damaged", "file", p.cfg.Path, "error", err)
	if p.interrupt != nil {
		p.interrupt(err)
	}
}

// Close closes the file. Run must have returned.
func (p *Projection) Close() error {
	p.file.Lock()
	defer p.file.Unlock()
	if err := safely(p.db.Close); err != nil {
		return fmt.Errorf("projection: closing: %w", err)
	}
	return nil
}

// digestSize is the length of a digest, in bytes.
const digestSize = sha256.Size

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
