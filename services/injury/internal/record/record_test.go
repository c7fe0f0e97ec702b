package record

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/projection"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// chain writes the Commits of one subject.
type chain struct {
	log      journal.Log
	kind, id string
	last     *event.Opened
	seq      uint64
	cause    *eventv1.CommitCause // of the next Commit, without the command; nil for none
}

func (c *chain) commit(t testing.TB, events []*eventv1.Event) {
	t.Helper()
	h := &eventv1.CommitHeader{Kind: c.kind, Id: c.id, Table: "t", Version: 1}
	if c.last != nil {
		h.Version, h.PreviousHash = c.last.Header.Version+1, c.last.Hash
	}
	command, err := proto.Marshal(&eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: "deed", Patients: []string{c.id}}}})
	if err != nil {
		t.Fatal(err)
	}
	cause := &eventv1.CommitCause{Command: command}
	if c.cause != nil {
		cause.RequestId, cause.Principal = c.cause.RequestId, c.cause.Principal
	}
	data, hash, err := event.Seal(event.Draft{Header: h, Cause: cause, Inputs: &eventv1.CommitInputs{}, Events: events}, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c.seq, err = c.log.Append(context.Background(), journal.Message{Subject: "skald.0.t." + c.kind + "." + c.id, ID: hex.EncodeToString(hash), Data: data, Expected: c.seq})
	if err != nil {
		t.Fatal(err)
	}
	if c.last, err = event.Open(data); err != nil {
		t.Fatal(err)
	}
}

// project folds a log into a file with batches of at most a size.
func project(t testing.TB, log journal.Log, batch int) (*projection.Projection, func()) {
	t.Helper()
	dir, err := os.MkdirTemp("", "record")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p, err := projection.Open(ctx, projection.Config{Path: filepath.Join(dir, "r.db"), Schema: "1", Log: log, Fold: Fold{}, Logger: quiet, MaxBatch: batch})
	if err != nil {
		t.Fatal(err)
	}
	ran := make(chan error, 1)
	go func() { ran <- p.Run(ctx) }()
	if err := p.WaitCaughtUp(ctx); err != nil {
		t.Fatal(err)
	}
	return p, func() {
		cancel()
		<-ran
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		os.RemoveAll(dir) //nolint:errcheck // temporary
	}
}

var players = []string{"ann", "bob", "cid"}

// principals are everyone who may ask.
func principals() []*eventv1.Principal {
	out := []*eventv1.Principal{{Role: eventv1.Principal_ROLE_GM}, {Role: eventv1.Principal_ROLE_SPECTATOR}}
	for _, n := range players {
		out = append(out, &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: n})
	}
	return out
}

func drawAudience(t *rapid.T, creature string) *eventv1.Audience {
	return []*eventv1.Audience{event.Everyone(), event.GM(), event.Controllers(creature)}[rapid.IntRange(0, 2).Draw(t, "audience")]
}

// drawEvent is something that happens to a creature.
func drawEvent(t *rapid.T, creature string) *eventv1.Event {
	n := rapid.IntRange(0, 9).Draw(t, "n")
	who := drawAudience(t, creature)
	switch rapid.IntRange(0, 4).Draw(t, "what") {
	case 0:
		return event.New(who, &eventv1.CounterSet{Subject: creature, Counter: fmt.Sprint("c", n%3), Value: int64(n)})
	case 1:
		return event.New(who, &eventv1.HitPoints{Creature: creature, Hp: int32(n), Max: 10})
	case 2:
		return event.New(who, &eventv1.ConditionAdded{Creature: creature, Condition: &eventv1.Condition{Id: fmt.Sprint("x", n%4), Name: "x"}})
	case 3:
		return event.New(event.Everyone(), &eventv1.ControllersSet{Creature: creature, Controllers: players[:n%4]})
	}
	return event.New(who, &eventv1.MarkSet{Subject: creature, Mark: "m", Value: fmt.Sprint(n)})
}

// twin is the obviously right way: every viewer folds what it hears, from the
// beginning, and counts what told it something.
type twin struct {
	full    *eventv1.State
	views   []*eventv1.State
	history [][]*eventv1.State // state after each Commit that the viewer noticed
	entries []int
}

func newTwin() *twin {
	tw := &twin{full: event.NewState()}
	for range principals() {
		tw.views = append(tw.views, event.NewState())
		tw.history = append(tw.history, nil)
		tw.entries = append(tw.entries, 0)
	}
	return tw
}

func (tw *twin) commit(events []*eventv1.Event) {
	heard := make([]bool, len(tw.views))
	for _, e := range events {
		who := event.Hear(tw.full, e)
		event.Fold(tw.full, e)
		for i, p := range principals() {
			if who.By(p) {
				heard[i] = true
				event.Fold(tw.views[i], e)
			}
		}
	}
	for i, p := range principals() {
		if heard[i] {
			tw.entries[i]++
		}
		if heard[i] || p.Role == eventv1.Principal_ROLE_GM {
			tw.history[i] = append(tw.history[i], event.Clone(tw.views[i]))
		}
	}
}

// R3: what a viewer knows, at every version of its own, is the fold over what
// it may hear, and its numbers count nothing else. R1: batches leave no trace.
func TestViewersKnowWhatTheyHeard(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := memjournal.New(memjournal.Options{})
		c, tw := &chain{log: log, kind: string(aggregate.Patient), id: "p"}, newTwin()
		add := func(events ...*eventv1.Event) {
			c.commit(t, events)
			tw.commit(events)
		}
		add(event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: "p", Name: "P", Controllers: players[:rapid.IntRange(0, 2).Draw(rt, "controllers")]}))
		for range rapid.IntRange(0, 2*SnapshotInterval+5).Draw(rt, "commits") {
			var events []*eventv1.Event
			for range rapid.IntRange(0, 3).Draw(rt, "events") {
				events = append(events, drawEvent(rt, "p"))
			}
			add(events...)
		}
		p, stop := project(t, log, rapid.IntRange(1, 50).Draw(rt, "batch"))
		defer stop()
		err := p.View(func(tx *projection.Tx) error {
			for i, by := range principals() {
				compare(rt, tx, by, tw.history[i], tw.entries[i])
			}
			return nil
		})
		if err != nil {
			rt.Fatal(err)
		}
		other, stopOther := project(t, log, 1)
		defer stopOther()
		a, errA := p.ContentHash()
		b, errB := other.ContentHash()
		if errA != nil || errB != nil || string(a) != string(b) {
			rt.Fatalf("content differs by batches: %x, %x, %v, %v", a, b, errA, errB)
		}
	})
}

func compare(t *rapid.T, tx *projection.Tx, by *eventv1.Principal, history []*eventv1.State, entries int) {
	now, err := Now(tx, "t", "p", by)
	if err != nil || now == nil || now.Version != uint64(len(history)) || !proto.Equal(now.State, history[len(history)-1]) {
		t.Fatalf("%v: now %v, %v, want %v", by, now, err, history[len(history)-1])
	}
	for n := range history {
		v, err := At(tx, "t", "p", by, uint64(n)+1)
		if err != nil || v == nil || !proto.Equal(v.State, history[n]) {
			t.Fatalf("%v: at %d %v, %v, want %v", by, n+1, v, err, history[n])
		}
	}
	if v, err := At(tx, "t", "p", by, uint64(len(history))+1); v != nil || err != nil {
		t.Fatalf("%v: a version too many: %v, %v", by, v, err)
	}
	list := 0
	more, err := History(tx, "t", "p", by, 0, 1000, func(Numbered) bool { list++; return true })
	if err != nil || more || list != entries {
		t.Fatalf("%v: %d entries, %v, want %d", by, list, err, entries)
	}
}

func TestAboutNamesWhoSuffers(t *testing.T) {
	cases := []struct {
		name string
		what proto.Message
		want string
	}{
		{"damage", &eventv1.Damage{Target: "a", Source: "b"}, "a"},
		{"healing", &eventv1.Healing{Target: "a", Source: "b"}, "a"},
		{"attack", &eventv1.Attack{Attacker: "b", Target: "a"}, "a"},
		{"roll", &eventv1.Roll{Creature: "a", Target: &eventv1.TargetNumber{Value: 1}}, "a"},
		{"action", &eventv1.ActionTaken{Creature: "a", Targets: []string{"b"}}, "a"},
		{"counter", &eventv1.CounterSet{Subject: "a"}, "a"},
		{"learned", &eventv1.Learned{Creature: "a", About: "b"}, "a"},
		{"decision", &eventv1.DecisionRequested{Decision: &eventv1.Decision{Creature: "a"}}, "a"},
		{"task", &eventv1.TaskSet{Task: &eventv1.Task{Creature: "a"}}, "a"},
		{"turn", &eventv1.TurnStarted{Creatures: []string{"a"}}, "a"},
		{"round", &eventv1.RoundStarted{Round: 1}, ""},
		{"encounter's counter", &eventv1.CounterSet{Counter: "x"}, ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			got := About(event.New(event.Everyone(), tc.what))
			if fmt.Sprint(got) != fmt.Sprint(some(tc.want)) {
				t.Errorf("about %v, want %q", got, tc.want)
			}
		})
	}
	if got := About(&eventv1.Event{}); got != nil {
		t.Errorf("an unknown event is about %v", got)
	}
}

// Keys of different parts never run into each other.
func TestKeysAreApart(t *testing.T) {
	ann := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	anna := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "anna"}
	for _, keys := range [][2][]byte{
		{Named("t", "ab").Key("c"), Named("t", "a").Key("bc")},
		{requestKey("t", ann, "ab"), requestKey("t", anna, "b")},
		{append(requestKey("t", ann, "a"), "bp"...), append(requestKey("t", ann, "ab"), "p"...)},
	} {
		if bytes.Equal(keys[0], keys[1]) || bytes.HasPrefix(keys[0], keys[1]) || bytes.HasPrefix(keys[1], keys[0]) {
			t.Errorf("%q and %q collide", keys[0], keys[1])
		}
	}
}

// What a record says of a request that nobody could give is passed over, so that
// no forged name or id reaches into the rows of another.
func TestForgedRequestsAreForgotten(t *testing.T) {
	log := memjournal.New(memjournal.Options{})
	c := &chain{log: log, kind: string(aggregate.Patient), id: "p"}
	by := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	c.cause = &eventv1.CommitCause{RequestId: "good", Principal: by}
	c.commit(t, []*eventv1.Event{event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: "p", Name: "P"})})
	c.cause = &eventv1.CommitCause{RequestId: "go\x00od", Principal: by}
	c.commit(t, nil)
	c.cause = &eventv1.CommitCause{RequestId: "b", Principal: &eventv1.Principal{Role: by.Role, Name: "ann\x00a"}}
	c.commit(t, nil)
	p, stop := project(t, log, 10)
	defer stop()
	for id, want := range map[string]bool{"good": true, "go": false, "a\x00b": false, "go\x00od": false} {
		err := p.View(func(tx *projection.Tx) error {
			done, err := Request(tx, "t", by, id)
			if (done != nil) != want {
				t.Errorf("%q: %+v", id, done)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
