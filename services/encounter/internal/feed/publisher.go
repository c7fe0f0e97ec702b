package feed

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/feed"
	"github.com/skaldrpg/skald/pkg/ops"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// Page is a page of the steps of an encounter.
type Page struct {
	// Steps in the order of their numbers.
	Steps []*encounterv1.Step
	// More: there are more after them.
	More bool
	// Version of the encounter, Sequence of its record in the stream and Number of its
	// last step, when these were read.
	Version, Sequence, Number uint64
	// Hash of the Commit at Version.
	Hash []byte
	// Before is the transcript before the first of Steps; nil before step 1.
	Before []byte
}

// Head is where an encounter stands.
type Head struct {
	// Version of its last Commit, whose Hash it is, and Sequence of that in the stream.
	Version, Sequence uint64
	Hash              []byte
}

// Source is where the steps come from.
type Source interface {
	// Heads calls fn for every encounter.
	Heads(fn func(table, encounter string, h Head)) error
	// Published reads steps after a number.
	Published(ctx context.Context, table, encounter string, after uint64) (Page, error)
	// Deleted is the fault that a deleted table answers; nil for any other.
	Deleted(table string) error
}

// Config says what is published where.
type Config struct {
	// Writer of the feed, which publishers share.
	Writer *feed.Writer
	// Source of the steps.
	Source Source
	// Tables that are published; empty means all.
	Tables []string
	// Logger; nil means slog.Default.
	Logger *slog.Logger
}

// Times of a publisher.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 15 * time.Second
	// healAfter is after how many tries in vain the server is made anew.
	healAfter = 5
	// lookEvery is how often it is asked whether the stream is still the same, and
	// checkEvery how often it is looked through.
	lookEvery  = 30 * time.Second
	checkEvery = time.Hour
	// firstLate is after what time an encounter is read again that was not yet brought
	// up to the record that changed it.
	firstLate = 20 * time.Millisecond
	// places is of how many encounters it is kept in memory where they end.
	places = 4096
)

// key names an encounter.
type key struct{ table, encounter string }

// Publisher publishes. Touch and Bury are quick and may be called by anybody.
type Publisher struct {
	cfg Config

	mu      sync.Mutex
	running bool
	// What is to be looked at, with the sequence of the record that it is to be read
	// at: what changed just now, what is looked at when nothing did, and what waits.
	fresh, due, late map[key]uint64
	buried           map[string]bool // tables whose messages must go
	busy             int             // encounters being looked at
	trouble          string          // why nothing is published; empty when all is well
	steps            uint64          // written
	refills          uint64
	wake             chan struct{} // of one place

	// Of the goroutine of Run alone.
	opened  string // the feed that is open
	looked  string // the one that was looked through
	checked time.Time
	torn    map[key]bool // to be filled in from the beginning
	at      map[key]*position
}

// New makes a publisher; it does nothing before Run.
func New(cfg Config) *Publisher {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	return &Publisher{cfg: cfg, fresh: map[key]uint64{}, due: map[key]uint64{}, late: map[key]uint64{}, buried: map[string]bool{}, wake: make(chan struct{}, 1),
		torn: map[key]bool{}, at: map[key]*position{}}
}

// feeds tells whether a table is published.
func (p *Publisher) feeds(table string) bool {
	return len(p.cfg.Tables) == 0 || slices.Contains(p.cfg.Tables, table)
}

// Touch says that an encounter was changed by the record at a sequence.
func (p *Publisher) Touch(table, encounter string, sequence uint64) {
	if p == nil || !p.feeds(table) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running { // else everything is looked at when it begins to
		p.fresh[key{table, encounter}] = sequence
		p.stir()
	}
}

// Bury says that a table was deleted.
func (p *Publisher) Bury(table string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.buried[table] = true
	p.stir()
}

func (p *Publisher) stir() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Part is how the feed stands.
func (p *Publisher) Part() ops.Part {
	p.mu.Lock()
	defer p.mu.Unlock()
	part := ops.Part{Name: "feed", Text: p.trouble, Figures: []ops.Figure{
		{Name: "feed_behind_encounters", Help: "Encounters whose newest steps are not in the feed yet.", Value: float64(len(p.due) + len(p.fresh) + len(p.late) + p.busy)},
		{Name: "feed_steps", Help: "Steps written to the feed since the start.", Value: float64(p.steps)},
		{Name: "feed_refills", Help: "Encounters that were filled in from the beginning since the start.", Value: float64(p.refills)},
	}}
	if p.trouble != "" {
		part.State = ops.Degraded
	}
	return part
}

func (p *Publisher) say(trouble string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trouble = trouble
}

// Run publishes until the context ends. What goes wrong is said on the board and
// tried again: no error of the feed ends anything.
func (p *Publisher) Run(ctx context.Context) {
	p.mu.Lock()
	p.running = true
	p.mu.Unlock()
	failed, late := 0, firstLate
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		case <-p.ready(failed):
		}
		wait := lookEvery
		if err := p.pass(ctx); ctx.Err() != nil {
			return
		} else if err != nil {
			failed++
			p.say(err.Error())
			if failed == 1 || failed%healAfter == 0 {
				p.cfg.Logger.WarnContext(ctx, "the feed is behind", "tries", failed, "error", err)
			}
			p.looked = "" // look at everything again
			if failed%healAfter == 0 && !errors.Is(err, errSource) {
				if err := p.cfg.Writer.Heal(ctx); err != nil && ctx.Err() == nil {
					p.cfg.Logger.WarnContext(ctx, "the feed's server can not be made anew", "error", err)
				}
			}
			wait = min(lastPause, firstPause<<min(failed-1, 10))
			wait += rand.N(wait/4 + 1)
		} else {
			if failed > 0 {
				p.cfg.Logger.InfoContext(ctx, "the feed goes on")
			}
			failed = 0
			p.cfg.Writer.Well()
			p.say("")
			if p.waiting() {
				wait, late = late, min(2*late, lastPause)
			} else {
				late = firstLate
			}
		}
		pause.Reset(wait)
	}
}

// ready wakes Run when there is something to do; after a failure only time does.
func (p *Publisher) ready(failed int) <-chan struct{} {
	if failed > 0 {
		return nil
	}
	return p.wake
}

// pass publishes what is due.
func (p *Publisher) pass(ctx context.Context) error {
	if err := p.open(ctx); err != nil {
		return err
	}
	if err := p.bury(ctx); err != nil {
		return err
	}
	p.early()
	for began := time.Now(); time.Since(began) < lookEvery; {
		k, sequence, ok := p.next()
		if !ok {
			return nil
		}
		if err := p.encounter(ctx, k, sequence); err != nil {
			return err
		}
	}
	p.stir()
	return nil
}

// next takes an encounter that is to be looked at: those that changed just now come
// before those that are behind.
func (p *Publisher) next() (k key, sequence uint64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy = 0
	for _, of := range []map[key]uint64{p.fresh, p.due} {
		for k = range of { // order-free: all have their turn
			sequence = max(p.fresh[k], p.due[k])
			delete(p.fresh, k)
			delete(p.due, k)
			p.busy = 1
			return k, sequence, true
		}
	}
	return k, 0, false
}

// again puts an encounter back: among what is due, or what waits a little.
func (p *Publisher) again(into map[key]uint64, k key, sequence uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy = 0
	into[k] = sequence
}

// early makes due what has waited.
func (p *Publisher) early() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k, sequence := range p.late { // order-free: all of them
		p.due[k] = max(p.due[k], sequence)
	}
	clear(p.late)
}

func (p *Publisher) waiting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.late) > 0
}

// bury removes what there is of tables that were deleted.
func (p *Publisher) bury(ctx context.Context) error {
	p.mu.Lock()
	tables := slices.Sorted(maps.Keys(p.buried))
	p.mu.Unlock()
	for _, t := range tables {
		if p.cfg.Source.Deleted(t) != nil { // else the tombstone is not believed
			if err := p.cfg.Writer.Forget(ctx, t, ""); err != nil {
				return err
			}
			clear(p.at)
		}
		p.mu.Lock()
		delete(p.buried, t)
		p.mu.Unlock()
	}
	return nil
}
