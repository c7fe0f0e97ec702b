package diskwatch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// canaryName is the file of the small write.
const canaryName = "skald.canary"

const (
	mostReserve = 64 << 20 // bytes of the reserve on a disk of 1 GiB or more
	mostLow     = 64 << 20 // bytes of the low mark on a disk of 2 GiB or more
	leastLow    = 1 << 20
	growEvery   = 4 // looks, between small writes that need a new block
	leaving     = time.Second
)

// Config says what to watch; a zero field means its default.
type Config struct {
	// Dir must exist.
	Dir string
	// Reserve in bytes; 0 means 64 MiB or a sixteenth of a smaller disk, negative none.
	Reserve int64
	// Low in bytes: with less free than this the disk is Low. It is Well again with
	// half as much more. 0 means 64 MiB or a 32nd of a smaller disk, 1 MiB at least.
	Low int64
	// Every is the time between two looks; 0 means 200 ms. It is a quarter of that
	// while the disk is not well.
	Every time.Duration
	// Stall is how long a small write may take; 0 means 750 ms.
	Stall time.Duration
}

// Watch watches until Close.
type Watch struct {
	cfg    Config
	looks  chan look // of the prober
	quit   chan struct{}
	done   chan struct{} // of the loop
	probed chan struct{} // of the prober, which may hang in the system

	mu      sync.Mutex
	status  Status
	began   time.Time // of the look that is under way; zero when there is none
	changed chan struct{}
}

// look is what the prober saw.
type look struct {
	state       State
	free, total int64
	have, want  int64
	needed      int64
	took        time.Duration
	err         error
}

// Start looks once and goes on looking. It takes at most Stall, however slow the
// disk is; only a folder that can not be looked at is an error.
func Start(cfg Config) (*Watch, error) {
	if cfg.Every <= 0 {
		cfg.Every = 200 * time.Millisecond
	}
	if cfg.Stall <= 0 {
		cfg.Stall = 750 * time.Millisecond
	}
	_, total, err := space(cfg.Dir)
	if err != nil {
		return nil, err
	}
	if cfg.Low <= 0 {
		cfg.Low = part(total, 32, mostLow, leastLow)
	}
	if cfg.Reserve == 0 {
		cfg.Reserve = part(total, 16, mostReserve, leastLow)
	}
	w := &Watch{cfg: cfg, looks: make(chan look, 1), quit: make(chan struct{}), done: make(chan struct{}), probed: make(chan struct{}),
		changed: make(chan struct{}), began: time.Now(), status: Status{Since: time.Now(), Free: -1, Total: total}}
	p := &prober{cfg: cfg, reserve: reserveIn(cfg.Dir, max(cfg.Reserve, 0))}
	go w.probe(p) // ends with quit, as soon as the system lets it
	select {
	case l := <-w.looks:
		w.take(l)
	case <-time.After(cfg.Stall):
		w.judge()
	}
	go w.loop() // ends with quit
	return w, nil
}

// part is a part of a disk: at most most, at least least.
func part(total, of, most, least int64) int64 {
	if total < 0 {
		return most
	}
	return max(min(total/of, most), least)
}

// Status is how the disk stands.
func (w *Watch) Status() Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.status
	if s.State == Stalled && !w.began.IsZero() {
		s.Canary = time.Since(w.began)
	}
	return s
}

// Changed is closed when the state next changes; ask it before Status.
func (w *Watch) Changed() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.changed
}

// Close ends the watch and leaves the reserve where it is. It waits for a look
// that is under way, a second at most: a disk that does not answer lets go of it
// when it can.
func (w *Watch) Close() {
	close(w.quit)
	<-w.done
	select {
	case <-w.probed:
	case <-time.After(leaving):
	}
}

// loop takes what the prober sees and notices when it does not come back.
func (w *Watch) loop() {
	defer close(w.done)
	tick := time.NewTicker(min(w.cfg.Every, w.cfg.Stall/10))
	defer tick.Stop()
	for {
		select {
		case <-w.quit:
			return
		case l := <-w.looks:
			w.take(l)
		case <-tick.C:
			w.judge()
		}
	}
}

// judge looks at the clock alone.
func (w *Watch) judge() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.began.IsZero() && time.Since(w.began) >= w.cfg.Stall && w.status.State != Stalled {
		s := w.status
		s.State = Stalled
		w.set(s)
	}
}

func (w *Watch) take(l look) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.began = time.Time{}
	w.set(Status{State: l.state, Since: w.status.Since, Free: l.free, Total: l.total, Reserve: l.have, Wanted: l.want,
		Needed: l.needed, Canary: l.took, Err: l.err})
}

// set is called with the lock held.
func (w *Watch) set(s Status) {
	if s.State != w.status.State {
		s.Since = time.Now()
		close(w.changed)
		w.changed = make(chan struct{})
	}
	w.status = s
}

// probe is the goroutine that touches the disk, alone.
func (w *Watch) probe(p *prober) {
	defer close(w.probed)
	defer p.close()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-w.quit:
			return
		case <-timer.C:
		}
		w.mu.Lock()
		w.began = time.Now()
		w.mu.Unlock()
		l := p.look()
		select {
		case w.looks <- l:
		case <-w.quit:
			return
		}
		every := w.cfg.Every
		if l.state != Well {
			every /= 4
		}
		timer.Reset(every)
	}
}

// prober does what may hang.
type prober struct {
	cfg     Config
	reserve reserve
	canary  *os.File
	n       int
	closed  bool // no new writes until there is room: the hysteresis
}

func (p *prober) close() {
	if p.canary != nil {
		p.canary.Close() //nolint:errcheck // nothing in it is wanted
	}
}

func (p *prober) look() look {
	began := time.Now()
	err := p.write()
	l := look{took: time.Since(began), err: err, want: p.reserve.want}
	var spaceErr error
	if l.free, l.total, spaceErr = space(p.cfg.Dir); spaceErr != nil && err == nil {
		err = spaceErr
	}
	full := errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
	if err != nil && !full {
		l.state, l.err, l.have = Failing, err, p.reserve.have
		return l
	}
	p.reserve.find() // it may be of an earlier run, or removed by hand
	l.state, l.needed = p.room(l.free, full)
	l.have = p.reserve.have
	return l
}

// room keeps the reserve and says how full the disk is. What a lost reserve
// lacks does not count as free: it is made again before anything else.
func (p *prober) room(free int64, full bool) (State, int64) {
	if free < 0 { // not told
		free = 2*p.cfg.Low + p.reserve.want
	}
	if full {
		free = 0
	}
	missing := p.reserve.want - p.reserve.have
	enough := p.cfg.Low
	if p.closed {
		enough += p.cfg.Low / 2
	}
	if free-missing >= enough {
		if missing == 0 || p.reserve.make() == nil {
			p.closed = false
			return Well, 0
		}
		free = min(free, p.cfg.Low+missing-1) // it says so, and it is not so
	}
	p.closed = true
	if free < p.cfg.Low/4 && p.reserve.have > 0 {
		if err := p.reserve.giveUp(); err == nil {
			free += p.reserve.want
		}
	}
	missing = p.reserve.want - p.reserve.have
	needed := max(p.cfg.Low+p.cfg.Low/2+missing-free, 1)
	if missing > 0 {
		return Full, needed
	}
	return Low, needed
}

// write is the small write. Now and then, and always when the disk is not well,
// it needs a new block, which a full disk refuses.
func (p *prober) write() error {
	if p.canary == nil {
		f, err := os.OpenFile(filepath.Join(p.cfg.Dir, canaryName), os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return fmt.Errorf("diskwatch: %w", err)
		}
		p.canary = f
	}
	if p.n%growEvery == 0 || p.closed {
		if err := p.canary.Truncate(0); err != nil {
			return fmt.Errorf("diskwatch: %w", err)
		}
	}
	p.n++
	if _, err := p.canary.WriteAt(make([]byte, 512), 0); err != nil {
		return fmt.Errorf("diskwatch: %w", err)
	}
	if err := p.canary.Sync(); err != nil {
		// What a failed sync leaves is not known: begin with a new file.
		p.close()
		p.canary = nil
		return fmt.Errorf("diskwatch: %w", err)
	}
	return nil
}
