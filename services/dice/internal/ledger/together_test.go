package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/faultjournal"
	"github.com/skaldrpg/skald/services/dice/internal/record"
)

// watched is a log that notes how many messages each append had, and can have others in
// its last records than were stored.
type watched struct {
	journal.Log
	sizes   []int
	told    func() // of a batch
	fails   error  // what batches answer, stored or not
	loses   bool   // batches are not stored when they fail
	altered string // subject of which another last record is given
	renewed atomic.Uint64
}

func (w *watched) Renewed() uint64 { return w.renewed.Load() }

func (w *watched) Append(ctx context.Context, m journal.Message) (uint64, error) {
	w.sizes = append(w.sizes, 1)
	return w.Log.Append(ctx, m)
}

func (w *watched) AppendAtomic(ctx context.Context, ms []journal.Message) ([]uint64, error) {
	w.sizes = append(w.sizes, len(ms))
	if w.loses && w.fails != nil {
		return nil, w.fails
	}
	seqs, err := w.Log.AppendAtomic(ctx, ms)
	if w.told != nil {
		w.told()
	}
	if w.fails != nil {
		return nil, w.fails
	}
	return seqs, err
}

func (w *watched) Last(ctx context.Context, subject string) (journal.Record, bool, error) {
	rec, ok, err := w.Log.Last(ctx, subject)
	if ok && subject == w.altered {
		rec.Data = append([]byte("x"), rec.Data...)
	}
	return rec, ok, err
}

// drawn has n encounters, of five tables, with a tape each that is not on the log yet.
func drawn(t *testing.T, n int, plan faultjournal.Plan) (*Ledger, *watched) {
	t.Helper()
	l, log := newLedger(t, plan)
	w := &watched{Log: log}
	l.cfg.Log = w
	l = New(l.cfg)
	for i := range n {
		if _, err := l.OpenEpoch(t.Context(), among(i), Opening{Epoch: 1}); err != nil {
			t.Fatal(err)
		}
		if err := draw(t.Context(), l, among(i), 1); err != nil {
			t.Fatal(err)
		}
	}
	w.sizes = nil
	return l, w
}

func among(i int) aggregate.Name {
	n := key(i)
	n.Table = fmt.Sprint("t", i%5)
	return n
}

// entries are what the log has of some dice, whose chain is checked.
func entries(t *testing.T, log journal.Log, n aggregate.Name) string {
	t.Helper()
	subject, err := n.Subject(0)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	h := aggregate.Head{}
	if err := log.Read(t.Context(), subject, 1, 0, func(s journal.Record) error {
		r, after, err := record.Decode(h, s)
		if err != nil {
			return err
		}
		h = after
		for _, e := range r.GetEntries() {
			words = append(words, fmt.Sprintf("%T", e.GetWhat())[len("*dicev1.RecordEntry_"):])
		}
		return nil
	}); err != nil {
		t.Errorf("%s: %v", n, err)
	}
	return strings.Join(words, " ")
}

// What many encounters have queued goes to the log in one piece, what few have one by
// one.
func TestTogether(t *testing.T) {
	for n, want := range map[int]string{
		togetherLeast - 1:              strings.TrimSpace(strings.Repeat("1 ", togetherLeast-1)),
		togetherLeast:                  fmt.Sprint(togetherLeast),
		togetherMost:                   fmt.Sprint(togetherMost),
		2*togetherMost + 1:             fmt.Sprint(togetherMost, togetherMost, 1),
		togetherMost + 2*togetherLeast: fmt.Sprint(togetherMost, 2*togetherLeast),
	} {
		l, w := drawn(t, n, nil)
		if err := l.flush(t.Context()); err != nil {
			t.Error(err)
		}
		if got := strings.Trim(fmt.Sprint(w.sizes), "[]"); got != want {
			t.Errorf("%d encounters: appends of %s messages, want %s", n, got, want)
		}
		for i := range n {
			if got := entries(t, w, among(i)); got != "Epoch Tape" {
				t.Fatalf("%d encounters: the log has of %d: %s", n, i, got)
			}
			if err := draw(t.Context(), l, among(i), 2); err != nil {
				t.Error(err)
			}
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if got := entries(t, w, among(n-1)); got != "Epoch Tape Tape" {
			t.Errorf("%d encounters: the next record does not follow: %s", n, got)
		}
	}
}

// Whatever happens to the batch, what was queued is on the log once, and the chains hold.
func TestEveryFaultOfABatch(t *testing.T) {
	const n = togetherLeast + 3
	for _, f := range []faultjournal.Fault{faultjournal.None, faultjournal.LoseRequest, faultjournal.LoseAck, faultjournal.Late,
		faultjournal.Twice, faultjournal.Unreachable, faultjournal.RaceCode, faultjournal.GuardCode, faultjournal.InFlight} {
		l, w := drawn(t, n, func(attempt int, _ []journal.Message) faultjournal.Fault {
			if attempt == n+1 {
				return f
			}
			return faultjournal.None
		})
		for range 5 {
			err := l.flush(t.Context())
			if err == nil {
				break
			}
			if !fault.Is(err, fault.Unavailable) && !fault.Is(err, fault.Conflict) {
				t.Fatalf("fault %d: %v", f, err)
			}
		}
		for i := range n {
			if got := entries(t, w, among(i)); got != "Epoch Tape" {
				t.Errorf("fault %d: the log has of %d: %s", f, i, got)
			}
		}
		if len(w.sizes) == 0 || w.sizes[0] != n {
			t.Errorf("fault %d: appends of %v messages", f, w.sizes)
		}
	}
}

// A batch that fails each time, whether it was stored or not, holds nobody up: each
// record goes by itself, once.
func TestBatchesThatFail(t *testing.T) {
	for _, loses := range []bool{true, false} {
		for _, err := range []error{journal.ErrUnavailable, journal.ErrUnknownOutcome, journal.ErrFull, journal.ErrInvalid, errors.New("something else")} {
			l, w := drawn(t, togetherLeast, nil)
			w.fails, w.loses = err, loses
			for range 2 {
				if err := l.flush(t.Context()); err != nil {
					t.Fatal(err)
				}
				for i := range togetherLeast {
					if got := entries(t, w, among(i)); got != "Epoch Tape" {
						t.Errorf("%v, lost %v: the log has of %d: %s", err, loses, i, got)
					}
				}
			}
		}
	}
}

// One encounter of a batch that another process wrote to keeps out nobody in the end.
func TestTogetherWithALostRace(t *testing.T) {
	l, w := drawn(t, togetherLeast, nil)
	other := New(l.cfg)
	if err := draw(t.Context(), other, among(3), 7); err != nil {
		t.Fatal(err)
	}
	if err := other.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range togetherLeast {
		want := "Epoch Tape"
		if i == 3 {
			want = "Epoch Tape Tape"
		}
		if got := entries(t, w, among(i)); got != want {
			t.Errorf("the log has of %d: %s", i, got)
		}
	}
}

// Nothing is appended behind a record that was altered, and the others go without it.
func TestTogetherBehindAnAlteredRecord(t *testing.T) {
	l, w := drawn(t, togetherLeast+1, nil)
	w.altered, _ = among(3).Subject(0)
	w.renewed.Add(1) // what was appended over the connection before counts no more
	if err := l.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(w.sizes) != fmt.Sprint([]int{togetherLeast}) {
		t.Errorf("appends of %v messages", w.sizes)
	}
	for i := range togetherLeast + 1 {
		want := "Epoch Tape"
		if i == 3 {
			want = "Epoch"
		}
		if got := entries(t, w, among(i)); got != want {
			t.Errorf("the log has of %d: %s", i, got)
		}
	}
	if err := draw(t.Context(), l, among(3), 2); !fault.Is(err, fault.Broken) {
		t.Errorf("drawn behind an altered record: %v", err)
	}
}

// Who works with one encounter is waited for by that one alone.
func TestTogetherWithoutTheBusy(t *testing.T) {
	l, w := drawn(t, togetherLeast+1, nil)
	var busy *encounter
	l.live.With(among(3), func(e *encounter) { busy = e })
	if err := busy.lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.told = busy.unlock // once the others are on the log
	if err := l.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(w.sizes) != fmt.Sprint([]int{togetherLeast, 1}) {
		t.Errorf("appends of %v messages", w.sizes)
	}
	for i := range togetherLeast + 1 {
		if got := entries(t, w, among(i)); got != "Epoch Tape" {
			t.Errorf("the log has of %d: %s", i, got)
		}
	}
}
