package dice_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/faultjournal"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

// stored lists the entries on the log, in order, as short words.
func stored(t testing.TB, log journal.Log) (words []string) {
	t.Helper()
	err := log.Read(t.Context(), "", 1, 0, func(rec journal.Record) error {
		r := &dicev1.Record{}
		if err := proto.Unmarshal(rec.Data, r); err != nil {
			return err
		}
		for _, e := range r.GetEntries() {
			switch what := e.GetWhat().(type) {
			case *dicev1.RecordEntry_Epoch:
				words = append(words, fmt.Sprintf("epoch %d", what.Epoch.GetEpoch()))
			case *dicev1.RecordEntry_Tape:
				words = append(words, fmt.Sprintf("tape %d %s %d", what.Tape.GetAction(), what.Tape.GetBranch(), what.Tape.GetPurpose()))
			case *dicev1.RecordEntry_Revealed:
				words = append(words, "revealed "+what.Revealed.GetBranch())
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return words
}

// gate is a log whose appends wait while it is closed or fail as told.
type gate struct {
	faultjournal.Log
	mu     sync.Mutex
	shut   chan struct{}
	before error
	after  error
	seen   atomic.Int64
}

func newGate(log journal.Log) *gate {
	g := &gate{}
	g.Log = faultjournal.Log{Log: log,
		Before: func(ctx context.Context, _ []journal.Message) error {
			g.seen.Add(1)
			g.mu.Lock()
			shut, err := g.shut, g.before
			g.mu.Unlock()
			if shut != nil {
				select {
				case <-shut:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return err
		},
		After: func(context.Context, []journal.Message) error {
			g.mu.Lock()
			defer g.mu.Unlock()
			return g.after
		}}
	return g
}

func (g *gate) set(before, after error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.before, g.after = before, after
}

func (g *gate) close() (open func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	shut := make(chan struct{})
	g.shut = shut
	return sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.shut = nil
		close(shut)
	})
}

func TestWhatIsLookedAtIsOnTheLogFirst(t *testing.T) {
	cfg := config(t, openLog(t))
	g := newGate(cfg.Journal)
	cfg.Journal = g
	n := start(t, cfg)
	n.open(t, 1, nil, everyone)
	open := g.close()
	defer open()
	// For real nobody waits for the disk.
	n.faces(t, ask(1, "a", "1d20"))
	n.faces(t, ask(2, "a", "1d20"))
	// A preview does, and so does a reveal.
	for _, call := range []func(context.Context) error{
		func(ctx context.Context) error {
			_, err := n.Draw(ctx, with(ask(3, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Purpose = forPreview }))
			return err
		},
		func(ctx context.Context) error {
			_, err := n.Reveal(ctx, &dicev1.RevealRequest{Table: table, Encounter: fight, Epoch: 1, Branch: everyone})
			return err
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		answered := make(chan error, 1)
		go func() { answered <- call(ctx) }()
		select {
		case err := <-answered:
			t.Errorf("answered before anything was stored: %v", err)
		default:
		}
		cancel()
		if err := <-answered; err == nil {
			t.Error("answered though nothing was stored")
		}
	}
	if got := stored(t, cfg.Journal); !slices.Equal(got, []string{"epoch 1"}) {
		t.Errorf("on the log: %v", got)
	}
	open()
	n.reveal(t, 1, everyone)
	// The draws stand before the reveal that came after them. A look that was
	// broken off may stand between them: that it was logged and not seen is no harm.
	got := slices.DeleteFunc(stored(t, cfg.Journal), func(w string) bool { return strings.HasPrefix(w, "tape 3 ") })
	if want := []string{"epoch 1", "tape 1 everyone 1", "tape 2 everyone 1", "revealed everyone"}; !slices.Equal(got, want) {
		t.Errorf("on the log: %v, want %v", got, want)
	}
}

func TestTapesReachTheLogWhenTheStoreComesBack(t *testing.T) {
	cfg := config(t, openLog(t))
	g := newGate(cfg.Journal)
	cfg.Journal = g
	n := start(t, cfg)
	n.open(t, 1, nil, everyone)
	g.set(journal.ErrUnavailable, nil)
	n.faces(t, ask(1, "a", "1d20"))
	eventually(t, "health tells", func() bool { return errors.Is(n.svc.Err(), journal.ErrUnavailable) })
	_, err := n.Draw(t.Context(), with(ask(2, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Purpose = forPreview }))
	refused(t, err, codes.Unavailable, "STORE_UNAVAILABLE")
	g.set(nil, nil)
	eventually(t, "health recovers", func() bool { return n.svc.Err() == nil })
	if got, want := stored(t, cfg.Journal), []string{"epoch 1", "tape 1 everyone 1"}; !slices.Equal(got, want) {
		t.Errorf("on the log: %v, want %v", got, want)
	}
}

func TestFullQueueHoldsDrawsBack(t *testing.T) {
	cfg := config(t, openLog(t))
	g := newGate(cfg.Journal)
	cfg.Journal = g
	n := start(t, cfg)
	n.open(t, 1, nil, everyone)
	g.set(journal.ErrUnavailable, nil)
	drawn := 0
	var err error
	for err == nil && drawn < 2000 {
		if _, err = n.Draw(t.Context(), ask(uint64(drawn), "a", "1d20")); err == nil {
			drawn++
		}
	}
	refused(t, err, codes.Unavailable, "STORE_UNAVAILABLE")
	if drawn != 256 {
		t.Errorf("%d draws without a record, want the queue's 256", drawn)
	}
	g.set(nil, nil)
	n.faces(t, ask(5000, "a", "1d20"))
	if got := n.tapes(t); len(got) != drawn+1 {
		t.Errorf("%d tapes listed, want %d", len(got), drawn+1)
	}
}

func TestCloseAppendsWhatIsQueued(t *testing.T) {
	cfg := config(t, openLog(t))
	g := newGate(cfg.Journal)
	cfg.Journal = g
	n := start(t, cfg)
	n.open(t, 1, nil, everyone)
	open := g.close() // holds the goroutine back until Run ends
	n.faces(t, ask(1, "a", "1d20"))
	done := make(chan error, 1)
	go func() { done <- n.stop() }()
	eventually(t, "the append is tried", func() bool { return g.seen.Load() > 1 })
	open()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got, want := stored(t, cfg.Journal), []string{"epoch 1", "tape 1 everyone 1"}; !slices.Equal(got, want) {
		t.Errorf("on the log: %v, want %v", got, want)
	}
}

func TestUnknownOutcomeIsSettledBeforeAnythingElse(t *testing.T) {
	cfg := config(t, openLog(t))
	g := newGate(cfg.Journal)
	cfg.Journal = g
	n := start(t, cfg)
	first := n.open(t, 1, nil, everyone)
	reveal := &dicev1.RevealRequest{Table: table, Encounter: fight, Epoch: 1, Branch: everyone}

	g.set(nil, journal.ErrUnknownOutcome) // stored, and nobody learns of it
	_, err := n.Reveal(t.Context(), reveal)
	refused(t, err, codes.Unavailable, "STORE_UNAVAILABLE")
	// Perhaps the branch's end is on the log: nothing may be drawn from it.
	_, err = n.Draw(t.Context(), ask(1, "a", "1d20"))
	refused(t, err, codes.Unavailable, "BRANCH_CLOSING")
	g.set(nil, nil)
	seed := ok[*dicev1.RevealResponse](t)(n.Reveal(t.Context(), reveal))
	if string(seed.GetCommitment()) != string(first[everyone]) {
		t.Error("commitment changed")
	}
	if got, want := stored(t, cfg.Journal), []string{"epoch 1", "revealed everyone"}; !slices.Equal(got, want) {
		t.Errorf("on the log: %v, want %v", got, want)
	}
	n.tapes(t) // the chain of records holds for the projection as well
}

func TestFailedRevealLeavesTheBranchUsable(t *testing.T) {
	cfg := config(t, openLog(t))
	g := newGate(cfg.Journal)
	cfg.Journal = g
	n := start(t, cfg)
	n.open(t, 1, nil, everyone)
	g.set(journal.ErrUnavailable, nil)
	_, err := n.Reveal(t.Context(), &dicev1.RevealRequest{Table: table, Encounter: fight, Epoch: 1, Branch: everyone})
	refused(t, err, codes.Unavailable, "STORE_UNAVAILABLE")
	g.set(nil, nil)
	n.faces(t, ask(1, "a", "1d20"))
}

// replicas are two services on one stream.
func replicas(t *testing.T) (a, b *node, log journal.Log) {
	cfg := config(t, openLog(t))
	cfg.MasterKeys, cfg.Alone = keyA, false
	a = start(t, cfg)
	other := cfg
	other.DataDir = t.TempDir()
	return a, start(t, other), cfg.Journal
}

func TestReplicasAgree(t *testing.T) {
	a, b, log := replicas(t)
	ca, cb := a.open(t, 1, nil, everyone, gm), b.open(t, 1, nil, everyone, gm)
	if string(ca[everyone]) != string(cb[everyone]) || string(ca[gm]) != string(cb[gm]) {
		t.Fatal("commitments differ")
	}
	if fa, fb := a.faces(t, ask(1, "a", "20d100")), b.faces(t, ask(1, "a", "20d100")); !slices.Equal(fa, fb) {
		t.Errorf("faces %v and %v", fa, fb)
	}
	a.tapes(t)
	b.tapes(t)
	if got, want := stored(t, log), []string{"epoch 1", "tape 1 everyone 1"}; !slices.Equal(got, want) {
		t.Errorf("on the log: %v, want %v", got, want)
	}
	if sa, sb := a.reveal(t, 1, everyone), b.reveal(t, 1, everyone); !proto.Equal(sa, sb) {
		t.Error("seeds differ")
	}
	_, err := b.Draw(t.Context(), ask(2, "a", "1d20"))
	refused(t, err, codes.FailedPrecondition, "BRANCH_SPENT")
}

func TestBranchRevealedByAnotherReplicaDrawsNoMore(t *testing.T) {
	a, b, _ := replicas(t)
	a.open(t, 1, nil, everyone)
	b.faces(t, ask(1, "a", "1d20")) // b knows the encounter, and its branch is fresh
	a.reveal(t, 1, everyone)
	_, err := b.Draw(t.Context(), ask(2, "a", "1d20"))
	refused(t, err, codes.FailedPrecondition, "BRANCH_SPENT")
}

func TestEpochIsOpenedOnce(t *testing.T) {
	a, b, log := replicas(t)
	var wg sync.WaitGroup
	got := make([]string, 16)
	for i := range got {
		wg.Go(func() {
			reply, err := []*node{a, b}[i%2].OpenEpoch(t.Context(), &dicev1.OpenEpochRequest{Table: table, Encounter: fight, Epoch: 1, Branches: []string{everyone}})
			if err != nil {
				t.Error(err)
				return
			}
			got[i] = string(reply.GetCommitments()[0].GetCommitment())
		})
	}
	wg.Wait()
	if len(slices.Compact(got)) != 1 {
		t.Error("calls got different commitments")
	}
	if words := stored(t, log); !slices.Equal(words, []string{"epoch 1"}) {
		t.Errorf("on the log: %v", words)
	}
}

func TestManyDrawersOfManyKinds(t *testing.T) {
	a, b, log := replicas(t)
	a.open(t, 1, nil, everyone, gm)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for action := range uint64(25) {
				n, p := []*node{a, b}[w%2], []dicev1.Purpose{forReal, forPreview}[w/2%2]
				if _, err := n.Draw(t.Context(), with(ask(action, "a", "2d6!"), func(r *dicev1.DrawRequest) { r.Purpose = p })); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	for _, n := range []*node{a, b} {
		if got := len(n.tapes(t)); got != 50 {
			t.Errorf("%d tapes, want 25 actions for 2 purposes", got)
		}
	}
	ha, hb := ok[[]byte](t)(a.svc.ContentHash()), ok[[]byte](t)(b.svc.ContentHash())
	if string(ha) != string(hb) {
		t.Error("the replicas' projections differ")
	}
	words := stored(t, log)
	slices.Sort(words)
	if len(slices.Compact(words)) != 51 {
		t.Errorf("%d different entries", len(slices.Compact(words)))
	}
}
