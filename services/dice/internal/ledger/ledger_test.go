package ledger

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/faultjournal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/projection"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/master"
	"github.com/skaldrpg/skald/services/dice/internal/record"
	"github.com/skaldrpg/skald/services/dice/internal/store"
)

// empty is a projection that has seen nothing: all comes from the log.
type empty struct{}

func (empty) Load(aggregate.Name) (store.Encounter, error)     { return store.Encounter{}, nil }
func (empty) DeletedFault(string) error                        { return nil }
func (empty) Closed(aggregate.Name) (projection.Closure, bool) { return projection.Closure{}, false }

// counting gives other bytes each time it is read.
type counting struct{ n byte }

func (c *counting) Read(p []byte) (int, error) {
	c.n++
	copy(p, bytes.Repeat([]byte{c.n}, len(p)))
	return len(p), nil
}

const maxLive = 200

func newKeys(t testing.TB) *master.Ring {
	t.Helper()
	keys, err := master.New(&counting{n: 100})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func newLedger(t *testing.T, plan faultjournal.Plan) (*Ledger, *memjournal.Log) {
	t.Helper()
	keys := newKeys(t)
	o := memjournal.Options{}
	if plan != nil {
		o.Wrap = faultjournal.Beneath(plan)
	}
	log := memjournal.New(o)
	return New(Config{Log: log, MaxLive: maxLive, Keys: keys, Store: empty{}, Alone: true, Random: &counting{},
		Clock: func() time.Time { return time.UnixMilli(1) }, Logger: slog.New(slog.DiscardHandler)}), log
}

func key(i int) aggregate.Name {
	return aggregate.Name{Table: "t", Kind: aggregate.Dice, ID: fmt.Sprint(i)}
}

func id(action uint64) record.TapeID {
	return record.TapeID{Epoch: 1, Action: action, Branch: "everyone", Purpose: dicev1.Purpose_PURPOSE_REAL}
}

func draw(ctx context.Context, l *Ledger, k aggregate.Name, action uint64) error {
	d, err := l.Begin(ctx, k, id(action))
	if err != nil {
		return err
	}
	defer d.Release()
	return d.Record(ctx)
}

func TestForgetsOnlyWhatIsOnTheLog(t *testing.T) {
	l, log := newLedger(t, nil)
	if _, err := l.OpenEpoch(t.Context(), key(0), Opening{Epoch: 1}); err != nil {
		t.Fatal(err)
	}
	if err := draw(t.Context(), l, key(0), 1); err != nil { // queued: Run does not run
		t.Fatal(err)
	}
	for i := 1; i <= maxLive+50; i++ {
		if _, err := l.Begin(t.Context(), key(i), id(1)); !fault.Is(err, fault.NotFound) {
			t.Fatal(err)
		}
	}
	there := func() bool { return l.live.With(key(0), func(*encounter) {}) }
	if n := l.live.Held().Values; n != maxLive {
		t.Errorf("%d encounters live, want %d", n, maxLive)
	}
	if !there() {
		t.Fatal("an encounter with queued tapes was forgotten")
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if info, err := log.Info(t.Context()); err != nil || info.LastSeq != 2 {
		t.Errorf("the log ends at %d, want an epoch and a tape; %v", info.LastSeq, err)
	}
	for i := 1; i <= maxLive; i++ { // all others are younger than it
		if _, err := l.Begin(t.Context(), key(-i), id(1)); !fault.Is(err, fault.NotFound) {
			t.Fatal(err)
		}
	}
	if there() {
		t.Error("an encounter that is on the log was kept over newer ones")
	}
	if err := draw(t.Context(), l, key(0), 2); err != nil {
		t.Errorf("after it was forgotten: %v", err)
	}
}

// What is in memory is bounded by what it takes, and counted right: what it comes
// to is nothing when all of it is gone.
func TestForgetsByBytes(t *testing.T) {
	l, _ := newLedger(t, nil)
	const room = 256 << 10
	l = New(Config{Log: l.cfg.Log, MaxBytes: room, Keys: l.cfg.Keys, Store: empty{}, Alone: true, Random: &counting{}, Logger: l.cfg.Logger})
	for i := range 50 {
		if _, err := l.OpenEpoch(t.Context(), key(i), Opening{Epoch: 1}); err != nil {
			t.Fatal(err)
		}
		for n := range uint64(200) {
			if err := draw(t.Context(), l, key(i), n+1); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if h := l.live.Held(); h.Bytes > room {
			t.Fatalf("%d bytes in memory after %d encounters", h.Bytes, i+1)
		}
	}
	if n := l.live.Held().Values; n < 2 || n > 12 {
		t.Errorf("%d encounters in memory", n)
	}
}

// TestEveryFaultOfTheStore runs the same story over every fault that one attempt
// may meet: what was answered is on the log once, and the chain holds.
func TestEveryFaultOfTheStore(t *testing.T) {
	for _, f := range []faultjournal.Fault{faultjournal.None, faultjournal.LoseRequest, faultjournal.LoseAck, faultjournal.Late,
		faultjournal.Twice, faultjournal.Unreachable, faultjournal.RaceCode, faultjournal.GuardCode, faultjournal.InFlight} {
		for at := 1; at <= 3; at++ { // the epoch's append, the tapes', the reveal's
			t.Run(fmt.Sprintf("fault %d at append %d", f, at), func(t *testing.T) {
				l, log := newLedger(t, func(n int, _ []journal.Message) faultjournal.Fault {
					if n == at {
						return f
					}
					return faultjournal.None
				})
				again := func(call func() error) {
					t.Helper()
					var err error
					for range 5 {
						if err = call(); err == nil || !fault.Is(err, fault.Unavailable) && !fault.Is(err, fault.Conflict) {
							break
						}
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				again(func() error { _, err := l.OpenEpoch(t.Context(), key(1), Opening{Epoch: 1}); return err })
				again(func() error { return draw(t.Context(), l, key(1), 1) })
				again(func() error { return draw(t.Context(), l, key(1), 2) })
				again(func() error { return l.flush(t.Context()) })
				var first, second [32]byte
				again(func() (err error) { first, err = l.Reveal(t.Context(), key(1), 1, "everyone"); return err })
				again(func() (err error) { second, err = l.Reveal(t.Context(), key(1), 1, "everyone"); return err })
				if first != second {
					t.Error("two seeds of one branch")
				}
				var words []string
				h := aggregate.Head{}
				err := log.Read(t.Context(), "", 1, 0, func(s journal.Record) error {
					r, after, err := record.Decode(h, s)
					if err != nil {
						return err
					}
					h = after
					for _, e := range r.GetEntries() {
						words = append(words, fmt.Sprintf("%T", e.GetWhat())[len("*dicev1.RecordEntry_"):])
					}
					return nil
				})
				if err != nil || fmt.Sprint(words) != "[Epoch Tape Tape Revealed]" {
					t.Errorf("on the log: %v, %v", words, err)
				}
			})
		}
	}
}

// appending is a log that tells of each append before it is made.
type appending struct {
	journal.Log
	told func()
}

func (a *appending) Append(ctx context.Context, m journal.Message) (uint64, error) {
	if a.told != nil {
		a.told()
	}
	return a.Log.Append(ctx, m)
}

// What is being written is not on the log yet, and counted so.
func TestCountsWhatIsNotOnTheLog(t *testing.T) {
	l, _ := newLedger(t, nil)
	under := &appending{Log: l.cfg.Log}
	l = New(Config{Log: under, Keys: l.cfg.Keys, Store: empty{}, Alone: true, Random: &counting{}, Logger: l.cfg.Logger})
	unlogged := func() (n float64) {
		for _, f := range l.Part().Figures {
			if f.Name == "dice_unlogged" {
				n = f.Value
			}
		}
		return n
	}
	for i := range 3 {
		if _, err := l.OpenEpoch(t.Context(), key(i), Opening{Epoch: 1}); err != nil {
			t.Fatal(err)
		}
		if err := draw(t.Context(), l, key(i), 1); err != nil {
			t.Fatal(err)
		}
	}
	seen := []float64{unlogged()}
	under.told = func() { seen = append(seen, unlogged()) }
	if err := l.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if seen = append(seen, unlogged()); !slices.Equal(seen, []float64{3, 3, 2, 1, 0}) {
		t.Errorf("counted %v while three were written", seen)
	}
}
