package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/innertest"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// state is an encounter as a stand has it.
func state(t *testing.T, s *innertest.Stand, id string) (out *eventv1.State, version uint64) {
	t.Helper()
	f, release, err := s.Engine.Fight(t.Context(), "", id)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	f.Read(func(r *replica.Replica) { out, version = event.Clone(r.State()), r.Version })
	return out, version
}

// figure is a number of how the fights in memory stand.
func figure(t *testing.T, e *engine.Engine, name string) int64 {
	t.Helper()
	for _, f := range e.Part().Figures {
		if f.Name == name {
			return int64(f.Value)
		}
	}
	t.Fatalf("no figure %s", name)
	return 0
}

// chain opens all that the log holds of an encounter and checks that it follows.
func chain(t *testing.T, w *innertest.World, id string) (out []*event.Opened) {
	t.Helper()
	head := aggregate.Head{}
	for _, rec := range w.Records(id) {
		_, c, err := aggregate.Open(rec)
		if err == nil {
			err = head.Next(c.Header.Version, c.Header.PreviousHash)
		}
		if err != nil {
			t.Fatal(err)
		}
		head = head.Then(rec.Seq, c.Hash)
		out = append(out, c)
	}
	return out
}

// Two engines decide commands on one encounter at once: each is carried out once,
// one after the other, whoever loses a race.
func TestGuardRaces(t *testing.T) {
	w := innertest.New(t, others)
	stands := []*innertest.Stand{w.Open(innertest.Options{}), w.Open(innertest.Options{})}
	stands[0].Begin("e")
	const each = 12
	var wg sync.WaitGroup
	for _, s := range stands {
		for range 3 { // of one process they wait for each other, of two they race
			wg.Go(func() {
				for range each {
					if _, err := s.Try(innertest.Ann, "e", innertest.Take("a", "count")); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	const want = 2 * 3 * each
	commits := chain(t, w, "e")
	if n := len(commits); n != 4+want {
		t.Errorf("%d Commits for %d commands", n, 4+want)
	}
	for _, s := range stands {
		s.Settle()
		for _, rec := range w.Records("e")[4:] {
			s.Engine.Follow(t.Context(), rec)
		}
		got, version := state(t, s, "e")
		if got.Creatures["a"].Counters["count"] != want || version != 4+want {
			t.Errorf("counted to %d at version %d", got.Creatures["a"].Counters["count"], version)
		}
	}
}

// losing is a log in which somebody else is always faster.
type losing struct {
	journal.Log
	on       atomic.Bool
	attempts atomic.Int64
}

func (l *losing) Append(ctx context.Context, m journal.Message) (uint64, error) {
	if !l.on.Load() {
		return l.Log.Append(ctx, m)
	}
	l.attempts.Add(1)
	return 0, &journal.ConflictError{Subject: m.Subject, Expected: m.Expected, Found: m.Expected + 1}
}

// Who loses every race is told so, and nothing is stored.
func TestRacesHaveAnEnd(t *testing.T) {
	w := innertest.New(t, others)
	log := &losing{Log: w.Journal}
	s := w.Open(innertest.Options{Log: log})
	s.Begin("e")
	log.on.Store(true)
	_, err := s.Try(innertest.GM, "e", innertest.Take("a", "count"))
	if f, _ := fault.As(err); f == nil || f.Code != fault.Conflict || f.Reason != aggregate.LostRace {
		t.Errorf("got %v", err)
	}
	if n := log.attempts.Load(); n != limits.RaceAttempts {
		t.Errorf("%d attempts, want %d", n, limits.RaceAttempts)
	}
	log.on.Store(false)
	if s.Do(innertest.GM, "e", innertest.Take("a", "count")); len(chain(t, w, "e")) != 5 {
		t.Error("what lost its races was stored")
	}
}

// A request id is carried out once: here, by another process, and after both are
// gone. Under another command it is refused; another caller's is its own.
func TestRepeatedRequestIDs(t *testing.T) {
	w := innertest.New(t, others)
	dir := t.TempDir()
	here, there := w.Open(innertest.Options{Dir: dir}), w.Open(innertest.Options{})
	here.Begin("e")
	req := func(as *eventv1.Principal, cmd *eventv1.Command) engine.Request {
		return engine.Request{ID: "mine", As: as, Encounter: "e", Command: proto.Clone(cmd).(*eventv1.Command)}
	}
	first, err := here.Engine.Execute(t.Context(), req(innertest.Ann, innertest.Take("a", "count")))
	if err != nil || first.Repeated {
		t.Fatal(first, err)
	}
	again := func(what string, s *innertest.Stand) {
		t.Helper()
		res, err := s.Engine.Execute(t.Context(), req(innertest.Ann, innertest.Take("a", "count")))
		if err != nil || !res.Repeated || res.Version != first.Version {
			t.Errorf("%s: %+v, %v", what, res, err)
		}
		_, err = s.Engine.Execute(t.Context(), req(innertest.Ann, innertest.Take("a", "whisper")))
		if !fault.Is(err, fault.Invalid) || innertest.Reason(err) != aggregate.ReasonReused {
			t.Errorf("%s: another command answers %v", what, err)
		}
	}
	again("here", here)
	again("in another process", there)
	// Both at once, with an id that is new.
	var wg sync.WaitGroup
	var fresh atomic.Int64
	for _, s := range []*innertest.Stand{here, there, here, there} {
		wg.Go(func() {
			res, err := s.Engine.Execute(t.Context(), req(innertest.GM, innertest.Take("b", "count")))
			if err != nil {
				t.Error(err)
			} else if !res.Repeated {
				fresh.Add(1)
			}
		})
	}
	wg.Wait()
	if fresh.Load() != 1 {
		t.Errorf("carried out %d times", fresh.Load())
	}
	here.Settle()
	here.Stop()
	again("after a restart", w.Open(innertest.Options{Dir: dir}))
	again("from nothing", w.Open(innertest.Options{}))
	if n := len(chain(t, w, "e")); n != 4+2 {
		t.Errorf("%d Commits", n)
	}
}

// altering is a log whose last record of an encounter is not what it was.
type altering struct {
	journal.Log
	on      atomic.Bool
	appends atomic.Int64
}

func (a *altering) Last(ctx context.Context, subject string) (journal.Record, bool, error) {
	rec, ok, err := a.Log.Last(ctx, subject)
	if ok && a.on.Load() && subject == "skald.0.main.encounter.e" {
		rec.Data = bytes.Clone(rec.Data)
		rec.Data[len(rec.Data)/2] ^= 1
	}
	return rec, ok, err
}

func (a *altering) Append(ctx context.Context, m journal.Message) (uint64, error) {
	a.appends.Add(1)
	return a.Log.Append(ctx, m)
}

// Nothing is appended behind a head that diverged from what was folded; the fight
// is closed, and others go on.
func TestDivergedHeads(t *testing.T) {
	w := innertest.New(t, others)
	log := &altering{Log: w.Journal}
	dir := t.TempDir()
	s := w.Open(innertest.Options{Dir: dir, Log: log})
	s.Begin("e")
	s.Begin("f")
	s.Settle()
	s.Stop()
	log.on.Store(true)
	before := log.appends.Load()
	s = w.Open(innertest.Options{Dir: dir, Log: log}) // it has appended nothing itself: it looks
	sequence := w.Records("e")[3].Seq
	for range 2 {
		_, err := s.Try(innertest.GM, "e", innertest.Take("a", "count"))
		if f, _ := fault.As(err); f == nil || f.Code != fault.Broken || f.Meta["sequence"] != fmt.Sprint(sequence) {
			t.Errorf("got %v", err)
		}
		if _, _, err := s.Engine.Fight(t.Context(), "", "e"); !fault.Is(err, fault.Broken) {
			t.Errorf("it is read: %v", err)
		}
	}
	if log.appends.Load() != before {
		t.Error("something was appended")
	}
	if c := s.Engine.Closed(); len(c) != 1 || c[0].Sequence != sequence || c[0].Subject != "skald.0.main.encounter.e" || !s.Engine.IsClosed("main", "e") || s.Engine.IsClosed("main", "f") {
		t.Errorf("closed: %+v", c)
	}
	s.Do(innertest.GM, "f", innertest.Take("a", "count"))
}

// A record that does not follow closes the fight in the process that meets it in
// the log, though its projection has not got there.
func TestBrokenRecords(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{})
	s.Begin("e")
	watched := s.Engine.Watched("main", "e")
	defer watched.Close()
	changed := watched.Now().Next
	last := w.Records("e")[3]
	seq, err := w.Journal.Append(t.Context(), journal.Message{Subject: last.Subject, ID: "junk", Data: []byte{0xff}, Expected: last.Seq})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Try(innertest.GM, "e", innertest.Take("a", "count"))
	if f, _ := fault.As(err); f == nil || f.Code != fault.Broken || f.Meta["sequence"] != fmt.Sprint(seq) {
		t.Errorf("got %v", err)
	}
	select {
	case <-changed:
	default:
		t.Error("who watches was not woken")
	}
	if n := len(w.Records("e")); n != 5 {
		t.Errorf("%d records: something was appended behind the broken one", n)
	}
}

// An action that comes out otherwise than when it asked is not gone on with: the
// rules have changed since.
func TestDivergedRules(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{})
	s.Begin("e")
	s.Do(innertest.Ann, "e", innertest.Take("a", "ask", "b"))
	got, _ := state(t, s, "e")
	var decision string
	for id := range got.Decisions {
		decision = id
	}
	_, err := s.Try(innertest.Ann, "e", innertest.Take("a", "count"))
	if innertest.Reason(err) != "DECISION_PENDING" {
		t.Errorf("while it waits: %v", err)
	}
	w.Rules.Changed.Store(true)
	_, err = s.Try(innertest.Bob, "e", innertest.Answer(decision, "yes"))
	if f, _ := fault.As(err); f == nil || f.Code != fault.Illegal || f.Reason != "RULES_CHANGED" {
		t.Errorf("got %v", err)
	}
	w.Rules.Changed.Store(false)
	s.Do(innertest.Bob, "e", innertest.Answer(decision, "yes"))
	if got, _ = state(t, s, "e"); got.Creatures["b"].Marks["yielded"] != "yes" || len(chain(t, w, "e")) != 6 {
		t.Errorf("%v", got.Creatures["b"])
	}
}

// Fights go when room is needed, not while anybody holds them, and come back as
// they were.
func TestEviction(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{Memory: 64 << 10, FoldMemory: 1})
	const fights = 24
	for i := range fights {
		s.Begin(fmt.Sprint("e", i))
	}
	bytes, there := figure(t, s.Engine, "fights_bytes"), figure(t, s.Engine, "fights_in_memory")
	if bytes > 64<<10 || there == 0 || there == fights || figure(t, s.Engine, "fights_evicted") == 0 {
		t.Errorf("%d fights of %d bytes in memory, %d let go", there, bytes, figure(t, s.Engine, "fights_evicted"))
	}
	held, release, err := s.Engine.Fight(t.Context(), "", "e0")
	if err != nil {
		t.Fatal(err)
	}
	for i := range fights {
		s.Do(innertest.Ann, fmt.Sprint("e", i), innertest.Take("a", "count"))
	}
	again, releaseAgain, err := s.Engine.Fight(t.Context(), "", "e0")
	if err != nil || again != held {
		t.Errorf("a fight that is held is loaded again: %v", err)
	}
	release()
	releaseAgain()
	for i := range fights {
		got, version := state(t, s, fmt.Sprint("e", i))
		if version != 5 || got.Creatures["a"].Counters["count"] != 1 {
			t.Errorf("e%d is at version %d: %v", i, version, got.Creatures["a"].Counters)
		}
	}
	// What does not exist is not kept.
	n := figure(t, s.Engine, "fights_in_memory")
	for i := range 50 {
		if _, _, err := s.Engine.Fight(t.Context(), "", fmt.Sprint("none", i)); !fault.Is(err, fault.NotFound) {
			t.Error(err)
		}
	}
	if now := figure(t, s.Engine, "fights_in_memory"); now > n {
		t.Errorf("%d fights in memory after asking for what is not there, %d before", now, n)
	}
}

// Nobody asks for them: fights go after a while, and what the tail tells of one
// that is not in memory wakes who watches it.
func TestIdleFights(t *testing.T) {
	w := innertest.New(t, others)
	var ahead atomic.Int64
	s := w.Open(innertest.Options{Clock: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }})
	s.Begin("e")
	ahead.Store(int64(11 * time.Minute))
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- s.Engine.Run(ctx) }()
	defer func() { cancel(); <-ran }()
	for deadline := time.Now().Add(20 * time.Second); figure(t, s.Engine, "fights_in_memory") > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("an idle fight stays")
		}
	}
	watched := s.Engine.Watched("main", "e")
	defer watched.Close()
	changed := watched.Now().Next
	other := w.Open(innertest.Options{})
	other.Do(innertest.Ann, "e", innertest.Take("a", "count"))
	s.Engine.Follow(t.Context(), slices.Clone(w.Records("e"))[4])
	select {
	case <-changed:
	case <-time.After(20 * time.Second):
		t.Fatal("who watches a fight that is not in memory is not woken")
	}
	if figure(t, s.Engine, "fights_in_memory") != 0 {
		t.Error("hearing of a fight has loaded it")
	}
	if _, version := state(t, s, "e"); version != 5 {
		t.Errorf("at version %d", version)
	}
}

// A fight in memory is brought up to what the tail saw, and no further asked for.
func TestFollow(t *testing.T) {
	w := innertest.New(t, others)
	here, there := w.Open(innertest.Options{}), w.Open(innertest.Options{})
	here.Begin("e")
	f, release, err := there.Engine.Fight(t.Context(), "", "e")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	changed := f.Changed()
	here.Do(innertest.Ann, "e", innertest.Take("a", "count"))
	there.Engine.Follow(t.Context(), w.Records("e")[4])
	select {
	case <-changed:
	default:
		t.Error("the fight did not change")
	}
	got, ok := f.Recent(5, 10)
	if !ok || len(got) != 1 || got[0].Version != 5 {
		t.Errorf("%d recent Commits, %v", len(got), ok)
	}
	here.Do(innertest.Ann, "e", innertest.Take("a", "count"))
	there.Engine.FollowAll(t.Context()) // records were passed over
	if got, _ := f.Recent(6, 10); len(got) != 1 {
		t.Error("it was not brought up to what was passed over")
	}
}

// What the tail saw of a fight that somebody worked with is folded soon after, whether
// anybody asks for the fight or not.
func TestFollowLater(t *testing.T) {
	w := innertest.New(t, others)
	here, there := w.Open(innertest.Options{}), w.Open(innertest.Options{})
	here.Begin("e")
	f, release, err := there.Engine.Fight(t.Context(), "", "e")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	changed := f.Changed()
	working, enough, worked := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() { worked <- busy(t, there, working, enough) }()
	<-working
	here.Do(innertest.Ann, "e", innertest.Take("a", "count"))
	there.Engine.Follow(t.Context(), w.Records("e")[4])
	close(enough)
	if err := <-worked; !fault.Is(err, fault.Illegal) {
		t.Error(err)
	}
	select {
	case <-changed:
		t.Fatal("folded while somebody worked with the fight")
	default:
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- there.Engine.Run(ctx) }()
	defer func() { cancel(); <-ran }()
	select {
	case <-changed:
	case <-time.After(20 * time.Second):
		t.Fatal("not folded later either")
	}
	f.Read(func(r *replica.Replica) {
		if r.Version != 5 {
			t.Errorf("at version %d", r.Version)
		}
	})
}

// busy keeps a fight busy until it is enough, and changes nothing.
func busy(t *testing.T, s *innertest.Stand, working, enough chan struct{}) error {
	_, err := s.Engine.Execute(t.Context(), engine.Request{ID: "busy", As: innertest.Ann, Encounter: "e",
		Command: innertest.Take("a", "count"), Expect: func(*engine.Fight) error {
			close(working)
			<-enough
			return fault.New(fault.Illegal, "ENOUGH", "it was only to keep the fight busy")
		}})
	return err
}

// Whoever has the answer to a ruling reads what it made of other fights, also of one
// that somebody works with just then.
func TestFollowAlong(t *testing.T) {
	w := innertest.New(t, others)
	here, there := w.Open(innertest.Options{}), w.Open(innertest.Options{})
	here.Begin("e")
	state(t, there, "e") // now it is in memory there
	working, enough, worked := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() { worked <- busy(t, there, working, enough) }()
	<-working
	here.Do(innertest.Ann, "e", innertest.Take("a", "count"))
	rec := w.Records("e")[4]
	engine.FollowAlong(there.Engine, t.Context(), []journal.Message{{Subject: rec.Subject}}, []uint64{rec.Seq})
	read := make(chan uint64)
	go func() {
		f, release, err := there.Engine.Fight(t.Context(), "", "e")
		if err != nil {
			t.Error(err)
			close(read)
			return
		}
		defer release()
		f.Read(func(r *replica.Replica) { read <- r.Version })
	}()
	select {
	case v := <-read:
		t.Errorf("read at version %d while somebody worked with the fight", v)
	case <-time.After(50 * time.Millisecond):
		close(enough)
		if v := <-read; v != 5 {
			t.Errorf("read at version %d", v)
		}
		if err := <-worked; err == nil {
			t.Error("the command was carried out")
		}
	}
}

// A caller that has seen more than this process is answered by what the log holds;
// one that has seen more than there is, by a fault.
func TestBehind(t *testing.T) {
	w := innertest.New(t, others)
	here, there := w.Open(innertest.Options{}), w.Open(innertest.Options{})
	here.Begin("e")
	state(t, there, "e") // now it is in memory there
	here.Do(innertest.Ann, "e", innertest.Take("a", "count"))
	asked := 0
	expect := func(version uint64) func(f *engine.Fight) error {
		return func(f *engine.Fight) (err error) {
			asked++
			f.Read(func(r *replica.Replica) {
				if r.Version < version {
					err = fault.Wrap(fault.Unavailable, "BEHIND", engine.ErrBehind, "behind")
				}
			})
			return err
		}
	}
	run := func(version uint64) error {
		asked = 0
		_, err := there.Engine.Execute(t.Context(), engine.Request{ID: fmt.Sprint("v", version), As: innertest.Ann, Encounter: "e",
			Command: innertest.Take("a", "count"), Expect: expect(version)})
		return err
	}
	if err := run(5); err != nil || asked != 2 {
		t.Errorf("asked %d times, %v", asked, err)
	}
	if err := run(99); !errors.Is(err, engine.ErrBehind) || asked != 2 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

// Names and requests that can not be are refused before anything is looked up.
func TestRefusedRequests(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{})
	for field, req := range map[string]engine.Request{
		"as.role":    {ID: "x", Encounter: "e", Command: innertest.Create()},
		"request_id": {As: innertest.GM, Encounter: "e", Command: innertest.Create()},
		"command":    {ID: "x", As: innertest.GM, Encounter: "e"},
		"encounter":  {ID: "x", As: innertest.GM, Encounter: "e e", Command: innertest.Take("a", "count")},
		"table":      {ID: "x", As: innertest.GM, Table: "t.t", Encounter: "e", Command: innertest.Take("a", "count")},
	} {
		_, err := s.Engine.Execute(t.Context(), req)
		if f, _ := fault.As(err); f == nil || f.Code != fault.Invalid || f.Violations[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if info, err := w.Journal.Info(t.Context()); err != nil || info.LastSeq != 0 {
		t.Errorf("the log ends at %d, %v", info.LastSeq, err)
	}
}
