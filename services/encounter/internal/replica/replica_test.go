package replica_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// salts is a source of them.
type salts struct{ n byte }

func (s *salts) Read(p []byte) (int, error) {
	for i := range p {
		s.n++
		p[i] = s.n
	}
	return len(p), nil
}

var (
	fight   = aggregate.Name{Table: "t", Kind: aggregate.Encounter, ID: "e"}
	players = []string{"ann", "bob", "cid"}
)

// writer writes the Commits of one encounter.
type writer struct {
	random salts
	head   aggregate.Head
}

// next seals and opens the Commit that follows.
func (w *writer) next(t interface{ Fatal(...any) }, d event.Draft) *event.Opened {
	if d.Cause == nil {
		d.Cause = &eventv1.CommitCause{}
	}
	if d.Inputs == nil {
		d.Inputs = &eventv1.CommitInputs{}
	}
	s := aggregate.Sealer{Clock: func() time.Time { return time.UnixMilli(int64(w.head.Version + 1)) }, Random: &w.random}
	m, err := s.Seal(fight, w.head, "toy", "1", d)
	if err != nil {
		t.Fatal(err)
	}
	_, c, err := aggregate.Open(journal.Record{Subject: m.Subject, ID: m.ID, Data: m.Data, Seq: w.head.Sequence + 10})
	if err != nil {
		t.Fatal(err)
	}
	w.head = w.head.Then(w.head.Sequence+10, c.Hash)
	return c
}

func noPast(uint64) (*replica.Replica, error) { return nil, errors.New("no past is needed") }

// apply applies the Commit that follows.
func apply(t interface{ Fatal(...any) }, r *replica.Replica, w *writer, d event.Draft) *replica.Applied {
	c := w.next(t, d)
	a, err := r.Apply(c, w.head.Sequence, noPast)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func drawEvent(t *rapid.T) *eventv1.Event {
	creature := []string{"a", "b"}[rapid.IntRange(0, 1).Draw(t, "creature")]
	who := []*eventv1.Audience{event.Everyone(), event.GM(), event.Controllers(creature)}[rapid.IntRange(0, 2).Draw(t, "audience")]
	n := rapid.IntRange(0, 9).Draw(t, "n")
	switch rapid.IntRange(0, 4).Draw(t, "what") {
	case 0:
		return event.New(who, &eventv1.CounterSet{Subject: creature, Counter: fmt.Sprint("c", n%3), Value: int64(n)})
	case 1:
		return event.New(who, &eventv1.HitPoints{Creature: creature, Hp: int32(n), Max: 10}) //nolint:gosec // small
	case 2:
		return event.New(event.Everyone(), &eventv1.ControllersSet{Creature: creature, Controllers: players[:n%4]})
	case 3:
		return event.New(event.Everyone(), &eventv1.RoundStarted{Round: int32(n)}) //nolint:gosec // small
	}
	return event.New(who, &eventv1.MarkSet{Subject: creature, Mark: "m", Value: fmt.Sprint(n)})
}

// twin is the obviously right way: everybody listens from the beginning, players
// as whoever they are by then.
type twin struct {
	full  *eventv1.State
	views map[string]*eventv1.State
	saw   map[string][]uint64
}

func (tw *twin) commit(version uint64, events []*eventv1.Event) {
	for _, e := range events {
		heard := event.Hear(tw.full, e)
		for _, name := range slices.Concat(e.GetCreatureAdded().GetControllers(), e.GetControllers().GetControllers()) {
			v := aggregate.PlayerViewer(name)
			if tw.views[v] == nil { // it is told what it did not know by events that follow
				tw.views[v] = event.Clone(tw.views[aggregate.ViewerEveryone])
				tw.saw[v] = slices.Clone(tw.saw[aggregate.ViewerEveryone])
			}
		}
		event.Fold(tw.full, e)
		for v, s := range tw.views { // order-free: each by itself
			if v == aggregate.ViewerGM || aggregate.Hears(v, heard) {
				event.Fold(s, e)
				tw.saw[v] = slices.Compact(append(tw.saw[v], version))
			}
		}
	}
	tw.saw[aggregate.ViewerGM] = slices.Compact(append(tw.saw[aggregate.ViewerGM], version))
}

// I3: a view is the fold of what its viewer may hear, and its numbers count nothing
// else.
func TestViews(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, w := replica.New(), &writer{}
		tw := &twin{full: event.NewState(), saw: map[string][]uint64{},
			views: map[string]*eventv1.State{aggregate.ViewerGM: event.NewState(), aggregate.ViewerEveryone: event.NewState()}}
		for i := range rapid.IntRange(1, 15).Draw(t, "commits") {
			var events []*eventv1.Event
			if i == 0 {
				events = append(events, event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: "a", Name: "A", Controllers: []string{"ann"}}),
					event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: "b", Name: "B"}))
			}
			for range rapid.IntRange(0, 4).Draw(t, "events") {
				events = append(events, drawEvent(t))
			}
			a := apply(t, r, w, event.Draft{Events: events})
			tw.commit(w.head.Version, events)
			if len(a.Heard) != len(events) {
				t.Fatalf("%d events were heard of %d", len(a.Heard), len(events))
			}
		}
		if len(r.Views) != len(tw.views) {
			t.Fatalf("%d views, want %d", len(r.Views), len(tw.views))
		}
		for v, want := range tw.views { // order-free: each by itself
			got := r.View(aggregate.Viewer(v))
			if !proto.Equal(got.State, want) || fmt.Sprint(got.Versions) != fmt.Sprint(tw.saw[v]) {
				t.Fatalf("%s sees %v in %v, want %v in %v", v, got.State, got.Versions, want, tw.saw[v])
			}
			for i, version := range got.Versions {
				if n := replica.NumberAt(got.Versions, version); n != uint64(i+1) { //nolint:gosec // small
					t.Fatalf("%s: version %d has number %d", v, version, n)
				}
			}
		}
		nobody := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "zed"}
		if r.Key(nobody) != aggregate.ViewerEveryone {
			t.Fatalf("who controls nothing sees what %s does", r.Key(nobody))
		}
		// A clone is as it was, whatever becomes of the other.
		clone, before := r.Clone(), event.Clone(r.State())
		apply(t, r, w, event.Draft{Events: []*eventv1.Event{event.New(event.Everyone(), &eventv1.CounterSet{Subject: "a", Counter: "late", Value: 1})}})
		if clone.Version+1 != r.Version || !proto.Equal(clone.State(), before) {
			t.Fatal("a clone changed with the other")
		}
	})
}

// I2: what does not follow changes nothing.
func TestWhatDoesNotFollowIsRefused(t *testing.T) {
	r, w := replica.New(), &writer{}
	first := w.next(t, event.Draft{Events: []*eventv1.Event{event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: "a", Name: "A"})}})
	if _, err := r.Apply(first, 10, noPast); err != nil {
		t.Fatal(err)
	}
	second := w.next(t, event.Draft{})
	third := w.next(t, event.Draft{})
	other := &writer{random: salts{n: 9}}
	other.next(t, event.Draft{})
	for name, c := range map[string]*event.Opened{"repeated": first, "one left out": third, "of another history": other.next(t, event.Draft{})} {
		if _, err := r.Apply(c, 99, noPast); !aggregate.Broken(err) || r.Version != 1 || r.Sequence != 10 || len(r.View(aggregate.Viewer(aggregate.ViewerGM)).Versions) != 1 {
			t.Errorf("%s: %v, at version %d", name, err, r.Version)
		}
	}
	if _, err := r.Apply(second, 20, noPast); err != nil || r.Version != 2 || r.Sequence != 20 || string(r.Genesis) != string(first.Hash) {
		t.Errorf("what follows: %v, at version %d", err, r.Version)
	}
}

// An action that waits is kept with all that running it again takes, and what a
// request id led to for ever.
func TestPendingAndRequests(t *testing.T) {
	r, w := replica.New(), &writer{}
	ann := aggregate.Viewer(aggregate.PlayerViewer("ann"))
	apply(t, r, w, event.Draft{Events: []*eventv1.Event{event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: "a", Name: "A", Controllers: []string{"ann"}})}})
	command, err := proto.Marshal(&eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: "a", Action: "ask"}}})
	if err != nil {
		t.Fatal(err)
	}
	asks := event.New(event.Everyone(), &eventv1.DecisionRequested{Decision: &eventv1.Decision{Id: "d", Creature: "a", DefaultOption: "no"}})
	input := &eventv1.Input{}
	apply(t, r, w, event.Draft{Cause: &eventv1.CommitCause{Command: command, Action: 1, Principal: ann, RequestId: "x", RequestDigest: []byte("digest")},
		Inputs: &eventv1.CommitInputs{Suspended: true, Inputs: []*eventv1.Input{input}}, Events: []*eventv1.Event{asks}})
	p := r.Pending
	if p == nil || p.Action != 1 || p.Asked["d"] != 2 || len(p.Inputs) != 1 || len(p.Published) != 1 || p.Base.Decisions["d"] != nil || r.State().Decisions["d"] == nil {
		t.Fatalf("waits: %+v", p)
	}
	if root, err := p.Root(); err != nil || root.GetTake().Action != "ask" {
		t.Errorf("began with %v, %v", root, err)
	}
	known, ok, before := r.Request(aggregate.RequestKey(ann, "x"))
	if !ok || known.Version != 2 || string(known.Digest) != "digest" || before != 0 {
		t.Errorf("request %+v, %v, %d", known, ok, before)
	}
	if r.Due() != 0 {
		t.Error("due, though decisions wait for ever")
	}
	r.State().DecisionSeconds = 30
	if r.Due() != 2+30_000 {
		t.Errorf("due at %d", r.Due())
	}
	apply(t, r, w, event.Draft{Cause: &eventv1.CommitCause{Action: 1, Principal: ann},
		Events: []*eventv1.Event{event.New(event.Everyone(), &eventv1.DecisionAnswered{Id: "d", By: "answer"})}})
	if r.Pending != nil || r.Due() != 0 || r.NextAction != 2 || len(r.Chain) != 1 || fmt.Sprint(r.Chain[0].Answers) != "[3]" {
		t.Errorf("after the answer: %+v, next %d, %+v", r.Pending, r.NextAction, r.Chain)
	}
}

// The meter's estimate stays near what walking the replica gives.
func TestMeter(t *testing.T) {
	r, w := replica.New(), &writer{}
	var m replica.Meter
	m.Measure(r)
	for i := range 400 {
		c := w.next(t, event.Draft{Events: []*eventv1.Event{event.New(event.Everyone(), &eventv1.CounterSet{Counter: fmt.Sprint("c", i), Value: 1})}})
		if _, err := r.Apply(c, w.head.Sequence, noPast); err != nil {
			t.Fatal(err)
		}
		got, want := m.Applied(r, 250), r.Bytes()
		if got < want*3/4 || got > want*5/4 {
			t.Fatalf("after %d Commits the meter says %d, it takes %d", i+1, got, want)
		}
	}
}
