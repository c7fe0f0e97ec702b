package archive

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
)

const (
	// SegmentBytes is after how many bytes a segment is sealed, unless the
	// configuration says otherwise.
	SegmentBytes = 8 << 20

	defaultSync     = 200 * time.Millisecond
	defaultScrub    = 24 * time.Hour
	defaultBreather = 20 * time.Millisecond
	defaultPause    = 500 * time.Millisecond
	longestPause    = 15 * time.Second
	lookEvery       = 500 * time.Millisecond // at the end of the log
	lookWait        = 2 * time.Second
	late            = 5 * time.Second // behind for so long is worth a look
)

// Config says what is archived where.
type Config struct {
	// Log to archive.
	Log journal.Log
	// Store that takes it; no other archiver may write there.
	Store Store
	// Name of the part on the board; empty means archive.
	Name string
	// Subjects that the stream stores, so that it can be made again.
	Subjects []string
	// SegmentBytes after which a segment is sealed; 0 means 8 MiB.
	SegmentBytes int
	// SyncEvery is the longest time between what is written and its being safe from
	// a power cut; 0 means 200 ms.
	SyncEvery time.Duration
	// ScrubEvery is how often everything is read again; 0 means a day, less never.
	ScrubEvery time.Duration
	// ScrubPause is between two segments that are read again, so that serving comes
	// first; 0 means 20 ms.
	ScrubPause time.Duration
	// Pause before trying again what failed, growing to 15 s; 0 means 500 ms.
	Pause time.Duration
	// Logger; nil means slog.Default.
	Logger *slog.Logger
}

// Archiver copies a log into an archive while both live.
type Archiver struct {
	cfg Config

	mu      sync.Mutex
	stand   stand
	scrubMu sync.Mutex // one scrub at a time
}

// stand is how the archiver stands.
type stand struct {
	begun    bool
	seq      uint64 // safe in the archive
	last     uint64 // of the log
	caughtUp time.Time
	bytes    int64
	failure  error     // of the last try; nil once it works again
	found    []Finding // damage that could not be made good
	mended   int       // segments made again, or cut
}

// New returns an archiver; Run does the work.
func New(cfg Config) *Archiver {
	if cfg.SegmentBytes <= 0 {
		cfg.SegmentBytes = SegmentBytes
	}
	cfg.SegmentBytes = min(cfg.SegmentBytes, maxRaw/4)
	if cfg.SyncEvery <= 0 {
		cfg.SyncEvery = defaultSync
	}
	if cfg.ScrubEvery == 0 {
		cfg.ScrubEvery = defaultScrub
	}
	if cfg.ScrubPause <= 0 {
		cfg.ScrubPause = defaultBreather
	}
	if cfg.Pause <= 0 {
		cfg.Pause = defaultPause
	}
	if cfg.Name == "" {
		cfg.Name = "archive"
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	return &Archiver{cfg: cfg, stand: stand{caughtUp: time.Now()}}
}

// Run archives until the context ends, and returns its error. Whatever fails is
// tried again for ever: a full disk must not stop the server. Where the log is not
// the one archived, nothing is written; Part says so.
func (a *Archiver) Run(ctx context.Context) error {
	pause := a.cfg.Pause
	for {
		began := time.Now()
		err := a.session(ctx, false)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		a.failed(ctx, err)
		if time.Since(began) > longestPause {
			pause = a.cfg.Pause
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
		pause = min(2*pause, longestPause)
	}
}

// CatchUp archives what the log holds now and returns.
func (a *Archiver) CatchUp(ctx context.Context) (Head, error) {
	if err := a.session(ctx, true); err != nil {
		return Head{}, err
	}
	return ReadHead(ctx, a.cfg.Store)
}

func (a *Archiver) failed(ctx context.Context, err error) {
	if err == nil {
		err = errors.New("archive: the log's tail ended")
	}
	a.mu.Lock()
	first := a.stand.failure == nil || a.stand.failure.Error() != err.Error()
	a.stand.failure = err
	a.mu.Unlock()
	if first {
		a.cfg.Logger.ErrorContext(ctx, "the archive does not follow the log", "part", a.cfg.Name, "error", err)
	}
}

// errEnough ends a session that was to catch up.
var errEnough = errors.New("archive: caught up")

// session opens the archive, compares it with the log and follows the log until
// something fails, or until it has caught up.
func (a *Archiver) session(ctx context.Context, once bool) error {
	info, err := a.cfg.Log.Info(ctx)
	if err != nil {
		return err
	}
	stream := Stream{Name: info.Stream, ID: info.StreamID, Subjects: a.cfg.Subjects}
	w, err := openWriter(ctx, a.cfg.Store, stream, a.cfg.SegmentBytes)
	if err != nil {
		return err
	}
	if err := w.sameLog(ctx, a.cfg.Log, info); err != nil {
		return err
	}
	a.begin(ctx, w, info)
	if once && info.LastSeq <= w.seq {
		return nil
	}
	s := &session{a: a, w: w, once: once, target: info.LastSeq}
	err = s.run(ctx)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// begin puts what was found at the start on the board.
func (a *Archiver) begin(ctx context.Context, w *writer, info journal.Info) {
	for _, f := range w.aside {
		a.cfg.Logger.WarnContext(ctx, "a part of the archive was damaged and is made again from the log", "part", a.cfg.Name, "finding", f.String())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	st := &a.stand
	st.begun, st.failure, st.seq, st.bytes = true, nil, w.synced, w.bytes
	st.mended += len(w.aside)
	st.reached(info.LastSeq)
}

// reached takes what the log's last sequence is, 0 when that is not new.
func (s *stand) reached(last uint64) {
	s.last = max(s.last, last)
	if s.seq >= s.last {
		s.caughtUp = time.Now()
	}
}

// session is one opening of the archive.
type session struct {
	a      *Archiver
	once   bool
	target uint64

	mu sync.Mutex // the writer is used by the tail and the clock
	w  *writer
}

func (s *session) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel(nil)
	wg.Go(func() { // ends with ctx
		if err := s.clock(ctx); err != nil {
			cancel(err)
		}
	})
	if !s.once {
		wg.Go(func() { s.look(ctx) })     // ends with ctx
		wg.Go(func() { s.a.scrubs(ctx) }) // ends with ctx
	}
	err := s.a.cfg.Log.Tail(ctx, journal.TailConfig{FromSeq: s.w.seq + 1}, s.take)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var behind *journal.BehindError
	if errors.As(err, &behind) || errors.Is(err, journal.ErrRewritten) || errors.Is(err, journal.ErrStreamReplaced) {
		return fmt.Errorf("%w: %w", ErrDiffers, err)
	}
	return err
}

func (s *session) take(ctx context.Context, b journal.Batch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.w.add(ctx, b.Records); err != nil {
		return err
	}
	done := s.once && (s.w.seq >= s.target || b.CaughtUp)
	if done {
		if err := s.w.sync(ctx); err != nil {
			return err
		}
	}
	s.stands(b)
	if done {
		return errEnough
	}
	return nil
}

// stands puts how far it is on the board.
func (s *session) stands(b journal.Batch) {
	st := &s.a.stand
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	st.bytes, st.seq = s.w.bytes, s.w.synced
	last := uint64(0)
	if n := len(b.Records); n > 0 {
		last = b.Records[n-1].Seq
	}
	st.reached(max(last, b.LastSeq))
	if b.CaughtUp && s.w.synced == s.w.seq { // what is behind it was purged
		st.seq = max(st.seq, b.LastSeq)
		st.reached(0)
	}
}

// clock syncs what was written.
func (s *session) clock(ctx context.Context) error {
	tick := time.NewTicker(s.a.cfg.SyncEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := s.sync(ctx); err != nil {
				return err
			}
		}
	}
}

func (s *session) sync(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.w.dirty {
		return nil
	}
	if err := s.w.sync(ctx); err != nil {
		return err
	}
	s.stands(journal.Batch{})
	return nil
}

// look asks where the log ends, so that being behind shows although nothing comes.
func (s *session) look(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		asking, cancel := context.WithTimeout(ctx, lookWait)
		info, err := s.a.cfg.Log.Info(asking)
		cancel()
		if err == nil {
			s.a.mu.Lock()
			s.a.stand.reached(info.LastSeq)
			s.a.mu.Unlock()
		}
	}
}

// Part is how the archive stands, for an ops.Board.
func (a *Archiver) Part() ops.Part {
	a.mu.Lock()
	defer a.mu.Unlock()
	st := a.stand
	behind, seconds := float64(0), float64(0)
	if st.last > st.seq {
		behind, seconds = float64(st.last-st.seq), time.Since(st.caughtUp).Seconds()
	}
	p := ops.Part{Name: a.cfg.Name, Figures: []ops.Figure{
		{Name: "archive_sequence", Help: "Stream sequence of the last record that is safe in the archive.", Value: float64(st.seq)},
		{Name: "archive_behind_records", Help: "Stream sequences that the archive is behind the log.", Value: behind},
		{Name: "archive_behind_seconds", Help: "For how long the archive has been behind the log.", Value: seconds},
		{Name: "archive_bytes", Help: "Bytes of the archive's segments.", Value: float64(st.bytes)},
		{Name: "archive_damaged_segments", Help: "Segments that are damaged and could not be made again from the log.", Value: float64(len(st.found))},
	}}
	switch {
	case errors.Is(st.failure, ErrDiffers):
		p.State, p.Text = ops.Failed, "stopped, and nothing was changed: "+st.failure.Error()
	case st.failure != nil:
		p.State, p.Text = ops.Degraded, fmt.Sprintf("%.0f records behind: %v", behind, st.failure)
	case len(st.found) > 0:
		p.State, p.Text = ops.Degraded, fmt.Sprintf("%d segments are damaged and the log does not have them: %s", len(st.found), st.found[0])
	case seconds > late.Seconds():
		p.State, p.Text = ops.Degraded, fmt.Sprintf("%.0f records behind for %.0f s", behind, seconds)
	case !st.begun:
		p.Text = "starting"
	default:
		p.Text = fmt.Sprintf("at sequence %d, %.0f records behind", st.seq, behind)
	}
	if st.mended > 0 {
		p.Text += fmt.Sprintf("; %d segments made again, see %s", st.mended, asideDir)
	}
	return p
}
