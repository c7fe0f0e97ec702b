package store_test

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/innertest"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
	"github.com/skaldrpg/skald/services/encounter/internal/store"
)

// play carries out so many commands on an encounter: counting, bleeding, secrets,
// questions with their answers, new controllers, and rulings now and then.
func play(t *testing.T, s *innertest.Stand, id string, commands int) {
	t.Helper()
	dice := rand.New(rand.NewPCG(1, uint64(len(id)))) //nolint:gosec // which commands is no secret
	s.Begin(id)
	for range commands {
		who, other := "a", "b"
		if dice.IntN(2) == 1 {
			who, other = other, who
		}
		switch n := dice.IntN(12); {
		case n < 4:
			s.Do(innertest.GM, id, innertest.Take(who, "count"))
		case n < 6:
			s.Do(innertest.GM, id, innertest.Take(who, "bleed"))
		case n < 8:
			s.Do(innertest.GM, id, innertest.Take(who, "whisper"))
		case n < 9:
			s.Do(innertest.GM, id, innertest.Take(who, "roll"))
		case n < 10:
			res := s.Do(innertest.GM, id, innertest.Take(who, "ask", other))
			var decision string
			res.Fight.Read(func(r *replica.Replica) { decision = oneOf(r.State().Decisions) })
			s.Do(innertest.GM, id, innertest.Answer(decision, "yes"))
		case n < 11:
			s.Do(innertest.GM, id, &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: who,
				Controllers: []string{[]string{"ann", "bob", "cid"}[dice.IntN(3)]}, SetControllers: true}}})
		default:
			var version uint64
			f, release, err := s.Engine.Fight(t.Context(), "", id)
			if err != nil {
				t.Fatal(err)
			}
			f.Read(func(r *replica.Replica) { version = r.Version })
			release()
			s.Do(innertest.GM, id, &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{Reason: "again",
				To: &eventv1.RevertEncounter_Version{Version: 4 + dice.Uint64N(version-3)}}}})
		}
	}
}

func oneOf(ds map[string]*eventv1.Decision) string {
	for id := range ds { // order-free: there is one
		return id
	}
	return ""
}

// folded folds what the log holds of an encounter up to a version, by the replica
// alone: rulings find the past the same way.
func folded(t *testing.T, recs []journal.Record, version uint64) *replica.Replica {
	t.Helper()
	r := replica.New()
	for _, rec := range recs[:version] {
		_, c, err := aggregate.Open(rec)
		if err == nil {
			_, err = r.Apply(c, rec.Seq, func(v uint64) (*replica.Replica, error) { return folded(t, recs, v), nil })
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// same holds two replicas against each other in what callers get from them.
func same(t *testing.T, what string, got, want *replica.Replica, whole bool) {
	t.Helper()
	if got.Version != want.Version || !bytes.Equal(got.Hash, want.Hash) || got.NextAction != want.NextAction || !bytes.Equal(got.Genesis, want.Genesis) {
		t.Errorf("%s: at version %d with action %d, want %d with %d", what, got.Version, got.NextAction, want.Version, want.NextAction)
	}
	if fmt.Sprint(got.Chain, got.Marks, got.Redo) != fmt.Sprint(want.Chain, want.Marks, want.Redo) {
		t.Errorf("%s: what counts is %v %v %v, want %v %v %v", what, got.Chain, got.Marks, got.Redo, want.Chain, want.Marks, want.Redo)
	}
	if len(got.Views) != len(want.Views) {
		t.Errorf("%s: %d views, want %d", what, len(got.Views), len(want.Views))
	}
	for key, w := range want.Views {
		g := got.Views[key]
		if g == nil || !proto.Equal(g.State, w.State) || whole && fmt.Sprint(g.Versions) != fmt.Sprint(w.Versions) {
			t.Errorf("%s: the view of %s is %v, want %v", what, key, g, w)
		}
	}
}

// sameStates holds the states of all views at a version against a fold of the log.
func sameStates(t *testing.T, rows store.Reader, want *replica.Replica) {
	t.Helper()
	if want.Version == 0 {
		return
	}
	for _, name := range []string{"", "ann", "bob", "cid", "nobody"} {
		who := aggregate.Viewer(aggregate.PlayerViewer(name))
		if name == "" {
			who = innertest.GM
		}
		got, err := rows.StateAt(t.Context(), "main", "e", aggregate.ViewerOf(who), want.Version)
		if err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(got, want.View(who).State) {
			t.Errorf("version %d: the state of %q is %v, want %v", want.Version, name, got, want.View(who).State)
		}
	}
}

// What a request id led to is known for ever, by memory or by the projection.
func TestRequests(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{})
	s.Begin("e")
	first := s.Do(innertest.GM, "e", innertest.Take("a", "count")) // its id is r5
	for range 3 * store.SnapshotInterval {
		s.Do(innertest.GM, "e", innertest.Take("a", "count"))
	}
	s.Settle()
	other := w.Open(innertest.Options{})
	res, err := other.Engine.Execute(t.Context(), engine.Request{ID: "r5", As: innertest.GM, Encounter: "e", Command: innertest.Take("a", "count")})
	if err != nil || !res.Repeated || res.Version != first.Version {
		t.Errorf("repeated: %+v, %v", res, err)
	}
	if _, err = other.Engine.Execute(t.Context(), engine.Request{ID: "r5", As: innertest.GM, Encounter: "e", Command: innertest.Take("b", "count")}); err == nil {
		t.Error("another command under the same id is taken")
	}
}

// What is folded while fights are played, with hardly any memory, is what a rebuild
// makes of the log, whatever the batches.
func TestRebuildIsEqual(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{FoldMemory: 1})
	play(t, s, "e", 40)
	play(t, s, "ee", 40)
	want := s.Content()
	for _, memory := range []int64{1, 0} {
		for _, batch := range []int{1, 7, 0} {
			dir := t.TempDir()
			cfg := w.Projection(dir, memory)
			cfg.MaxBatch = batch
			if err := projection.Rebuild(t.Context(), cfg, nil); err != nil {
				t.Fatal(err)
			}
			if got := w.Open(innertest.Options{Dir: dir}).Content(); !bytes.Equal(got, want) {
				t.Errorf("%d bytes of memory, batches of %d: other content", memory, batch)
			}
		}
	}
}

// An encounter as it was at any version, with all that a snapshot has to bring
// back, is the fold of its Commits up to there.
func TestEveryVersion(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{})
	play(t, s, "e", store.SnapshotInterval+20) // beyond the first snapshot
	s.Settle()
	recs := w.Records("e")
	last := uint64(len(recs))
	for version := uint64(0); version <= last; version += 1 + version/20 {
		got, err := s.Reader.LoadAt(t.Context(), "main", "e", version)
		if err != nil {
			t.Fatal(err)
		}
		want := folded(t, recs, version)
		same(t, fmt.Sprint("version ", version), got, want, false)
		sameStates(t, s.Reader, want)
		sameStates(t, store.Reader{P: s.Reader.P}, want)
	}
	got, err := s.Reader.Load("main", "e")
	if err != nil {
		t.Fatal(err)
	}
	want := folded(t, recs, last)
	same(t, "now", got, want, true)
	if got.Sequence != recs[last-1].Seq {
		t.Errorf("at %d, want %d", got.Sequence, recs[last-1].Seq)
	}
	entries, err := s.Reader.Entries(t.Context(), "main", "e", 2, last)
	if err != nil || uint64(len(entries)) != last-1 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	raw, err := s.Reader.Raw(t.Context(), "main", "e", 2, last)
	if err != nil || uint64(len(raw)) != last-1 {
		t.Fatalf("%d raw, %v", len(raw), err)
	}
	for i, e := range entries {
		if e.Version != uint64(i+2) || len(e.Heard) != len(e.Commit.Events) || !bytes.Equal(raw[i], recs[i+1].Data) {
			t.Errorf("entry %d is of version %d", i+2, e.Version)
		}
	}
}

// A decision with a deadline stands on the agenda while it is open, and only then.
func TestDue(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{})
	s.Begin("e")
	s.Begin("f")
	const forever = 1 << 60
	due := func(millis int64, limit int) []aggregate.Name {
		t.Helper()
		s.Settle()
		names, _, err := s.Reader.Due(millis, nil, limit)
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	if got := due(forever, 10); len(got) != 0 {
		t.Errorf("due before anything was asked: %v", got)
	}
	for _, id := range []string{"e", "f"} {
		s.Do(innertest.Ann, id, innertest.Take("a", "ask", "b"))
	}
	got := due(forever, 10)
	if len(got) != 2 || got[0] != (aggregate.Name{Table: "main", Kind: aggregate.Encounter, ID: "e"}) {
		t.Errorf("due: %v", got)
	}
	if got := due(1, 10); len(got) != 0 {
		t.Errorf("due in 1970: %v", got)
	}
	one, next, err := s.Reader.Due(forever, nil, 1)
	if err != nil || len(one) != 1 || next == nil {
		t.Fatal(one, next, err)
	}
	if two, next, err := s.Reader.Due(forever, next, 1); err != nil || len(two) != 1 || two[0] == one[0] || next != nil {
		t.Errorf("then %v, %v, %v", two, next, err)
	}
	r, err := s.Reader.Load("main", "e")
	if err != nil {
		t.Fatal(err)
	}
	s.Do(innertest.Bob, "e", innertest.Answer(oneOf(r.State().Decisions), "no"))
	if got := due(forever, 10); len(got) != 1 || got[0].ID != "f" {
		t.Errorf("due after the answer: %v", got)
	}
	// One that is over owes the reveal of its dice.
	s.Do(innertest.GM, "e", &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{Reason: "done"}}})
	if got := due(forever, 10); len(got) != 1 || got[0].ID != "f" {
		t.Errorf("due after the end, which reveals at once: %v", got)
	}
}

// A broken record closes its encounter alone: it is not folded further, who waits
// for a version of it is told, and what was folded before stays.
func TestBrokenRecords(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{})
	s.Begin("e")
	s.Begin("f")
	last := w.Records("e")[3]
	_, c, err := aggregate.Open(last)
	if err != nil {
		t.Fatal(err)
	}
	head := aggregate.Head{}.Then(last.Seq, bytes.Clone(c.Hash)) // what was opened is shared
	head.Version = c.Header.Version
	// The next Commit of another history: it names a hash that is not the head's.
	head.Hash[0] ^= 1
	m, err := aggregate.Sealer{Clock: time.Now, Random: crand.Reader}.Seal(
		aggregate.Name{Table: "main", Kind: aggregate.Encounter, ID: "e"}, head, "tiny", "1", event.Draft{Cause: &eventv1.CommitCause{}, Inputs: &eventv1.CommitInputs{}})
	if err != nil {
		t.Fatal(err)
	}
	seq, err := w.Journal.Append(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	s.Settle()
	closure, ok := s.Reader.Closed("main", "e")
	if !ok || closure.Sequence != seq {
		t.Errorf("closed %v, %+v", ok, closure)
	}
	if _, ok := s.Reader.Closed("main", "f"); ok {
		t.Error("another is closed")
	}
	if _, err := s.Reader.LoadAt(t.Context(), "main", "e", 5); !fault.Is(err, fault.Broken) {
		t.Errorf("waiting for the next version answers %v", err)
	}
	if r, err := s.Reader.LoadAt(t.Context(), "main", "e", 4); err != nil || r.Version != 4 {
		t.Errorf("what was before is %v, %v", r, err)
	}
	list, more, err := s.Reader.List("main", "", 10)
	if err != nil || more || len(list) != 2 || !list[0].Closed || list[1].Closed {
		t.Errorf("listed: %v, %v, %v", list, more, err)
	}
}

// Encounters are listed by table and in order, a page at a time.
func TestList(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{})
	for _, id := range []string{"b", "a", "ab", "a-"} {
		s.Do(innertest.GM, id, innertest.Create())
	}
	s.Settle()
	var got []string
	for after, more := "", true; more; {
		page, m, err := s.Reader.List("main", after, 2)
		if err != nil || len(page) == 0 {
			t.Fatal(page, err)
		}
		for _, e := range page {
			got, after = append(got, e.Encounter), e.Encounter
		}
		more = m
	}
	if fmt.Sprint(got) != "[a a- ab b]" {
		t.Errorf("listed %v", got)
	}
	if page, more, err := s.Reader.List("mai", "", 2); err != nil || more || len(page) != 0 {
		t.Errorf("another table has %v, %v", page, err)
	}
}

// Who waits for a version that never comes waits as long as it wants, no longer.
func TestWaiting(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{})
	s.Begin("e")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Reader.LoadAt(ctx, "main", "e", 99); err == nil {
		t.Error("it is there")
	}
	done := make(chan error, 1)
	go func() {
		r, err := s.Reader.LoadAt(t.Context(), "main", "e", 5)
		if err == nil && (r.Version != 5 || r.State().Creatures["a"].Counters["count"] != 1) {
			err = fmt.Errorf("at version %d", r.Version)
		}
		done <- err
	}()
	s.Do(innertest.Ann, "e", innertest.Take("a", "count"))
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := s.Reader.Load("main", "none"); err != nil {
		t.Errorf("an encounter that is not there: %v", err)
	}
}
