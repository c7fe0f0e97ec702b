package engine_test

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/innertest"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// inline is what an amendment may have in its Commit in these tests, bytes.
const inline = 1500

// long is how many commands the amended fights have.
func long() int {
	if n, err := strconv.Atoi(os.Getenv("SKALD_AMEND_COMMANDS")); err == nil {
		return n
	}
	return 120
}

// dying is a log that loses an append to the encounter's own subject when it is told
// to, as a process that dies before it.
type dying struct {
	journal.Log
	die      atomic.Bool
	branches atomic.Int32
}

func (d *dying) Append(ctx context.Context, m journal.Message) (uint64, error) {
	if strings.Contains(m.Subject, ".@branch.") {
		d.branches.Add(1)
	} else if d.die.Load() {
		return 0, journal.ErrUnavailable
	}
	return d.Log.Append(ctx, m)
}

// longFight counts and rolls; the amendment of step 5 decides it all again.
func longFight(s *innertest.Stand) {
	s.Begin("e")
	for i := range long() {
		s.Do(innertest.GM, "e", innertest.Take([]string{"a", "b"}[i%2], []string{"count", "count", "bleed", "roll", "whisper"}[i%5]))
	}
}

func amendFifth() *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: 5, Reason: "misread", Command: innertest.Take("b", "count")}}}
}

// view is the whole state and the version, as a stand has them.
func view(t *testing.T, s *innertest.Stand) (*eventv1.State, uint64) {
	t.Helper()
	f, release, err := s.Engine.Fight(t.Context(), "", "e")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	var out *eventv1.State
	var version uint64
	f.Read(func(r *replica.Replica) { out, version = event.Clone(r.State()), r.Version })
	return out, version
}

// content is the hash of a projection that has all of the fight.
func content(t *testing.T, s *innertest.Stand) []byte {
	t.Helper()
	_, version := view(t, s)
	if _, err := s.Reader.LoadAt(t.Context(), "main", "e", version); err != nil { // waits
		t.Fatal(err)
	}
	sum, err := s.Reader.P.ContentHash()
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// A new history that its Commit cannot hold stands on a branch: it comes out as one
// that the Commit holds, here, on another server, and after a rebuild.
func TestAmendmentOnABranch(t *testing.T) {
	w := innertest.New(t, others)
	log := &dying{Log: w.Journal}
	s := w.Open(innertest.Options{Log: log, Inline: inline})
	longFight(s)
	dry, err := s.Engine.Preview(t.Context(), fightOf(t, s), innertest.GM, amendFifth())
	if err != nil || len(dry.Troubles) > 0 || int(dry.Redecided) != long() || log.branches.Load() != 0 {
		t.Fatalf("the dry run: %v, %v, %d parts", err, dry.GetTroubles(), log.branches.Load())
	}
	s.Do(innertest.GM, "e", amendFifth())
	if log.branches.Load() < 3 {
		t.Fatalf("%d parts were written", log.branches.Load())
	}
	now, _ := view(t, s)
	if want := dry.State; !proto.Equal(now, want) {
		t.Errorf("after it: %v, the dry run said %v", now, want)
	}
	for _, rec := range w.Records("e") {
		if len(rec.Data) > 4*inline {
			t.Errorf("a Commit of %d bytes", len(rec.Data))
		}
	}
	again := func(what string) {
		t.Helper()
		now, _ := view(t, s)
		other := w.Open(innertest.Options{})
		there, _ := view(t, other)
		if !proto.Equal(now, there) {
			t.Errorf("%s, another server: %v, want %v", what, there, now)
		}
		if got, want := content(t, other), content(t, s); !bytes.Equal(got, want) {
			t.Errorf("%s: a rebuild is otherwise", what)
		}
	}
	again("amended")
	// What was done last is taken back alone: the rest of the branch stays.
	before := now.Creatures["a"].Counters["count"] + now.Creatures["b"].Counters["count"]
	s.Do(innertest.GM, "e", innertest.Take("a", "count"))
	undo := &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{Reason: "no", To: &eventv1.RevertEncounter_Last{Last: true}}}}
	s.Do(innertest.GM, "e", undo)
	if now, _ = view(t, s); now.Creatures["a"].Counters["count"]+now.Creatures["b"].Counters["count"] != before {
		t.Error("the command after it is not taken back")
	}
	// Amended once more, from inside the branch.
	_, version := view(t, s)
	s.Do(innertest.GM, "e", &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: 6, Drop: true}}})
	if _, v := view(t, s); v != version+1 {
		t.Errorf("at version %d, want %d", v, version+1)
	}
	again("amended twice")
	s.Do(innertest.GM, "e", undo)
	again("undone")
	if now2, _ := view(t, s); !proto.Equal(now2, now) {
		t.Errorf("the undo of the second leaves %v, want %v", now2, now)
	}
}

// Going back into the midst of a long amendment names the part of its branch that
// stays.
func TestIntoABranch(t *testing.T) {
	w := innertest.New(t, others)
	s := w.Open(innertest.Options{Inline: inline})
	longFight(s)
	s.Do(innertest.GM, "e", &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: 4, Reason: "from the start on"}}})
	_, version := view(t, s)
	// Its first command is the start, in which the round began.
	s.Do(innertest.GM, "e", &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Round{Round: 1}}}})
	now, _ := view(t, s)
	if n := now.Creatures["a"].Counters["count"] + now.Creatures["b"].Counters["count"]; n != 0 || now.Round != 1 {
		t.Errorf("back in round %d with %d counted", now.Round, n)
	}
	data := w.Records("e")[version].Data
	o, err := event.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if stays := o.Events[1].GetAmended(); stays.GetBranch() == "" || stays.Parts != 1 || stays.Count != 1 || len(stays.Commands) != 0 {
		t.Errorf("what stays is stored as %v", stays)
	}
	s.Do(innertest.GM, "e", innertest.Take("a", "count"))
	now, _ = view(t, s)
	other := w.Open(innertest.Options{})
	if there, _ := view(t, other); !proto.Equal(now, there) {
		t.Errorf("another server: %v, want %v", there, now)
	}
	if !bytes.Equal(content(t, s), content(t, other)) {
		t.Error("other content")
	}
}

// Who dies between the branch and its Commit has changed nothing; the repeated
// command writes another branch.
func TestDeathBehindABranch(t *testing.T) {
	w := innertest.New(t, others)
	log := &dying{Log: w.Journal}
	s := w.Open(innertest.Options{Log: log, Inline: inline})
	longFight(s)
	was, version := view(t, s)
	log.die.Store(true)
	if _, err := s.Try(innertest.GM, "e", amendFifth()); !fault.Is(err, fault.Unavailable) {
		t.Fatalf("the append is lost: %v", err)
	}
	parts := log.branches.Load()
	if parts < 3 {
		t.Fatalf("%d parts were written before", parts)
	}
	log.die.Store(false)
	other := w.Open(innertest.Options{Inline: inline})
	if there, v := view(t, other); v != version || !proto.Equal(there, was) {
		t.Errorf("after the restart: version %d, %v", v, there)
	}
	other.Do(innertest.GM, "e", amendFifth())
	there, _ := view(t, other)
	third := w.Open(innertest.Options{})
	if now, _ := view(t, third); !proto.Equal(now, there) || there.Creatures["b"].Counters["count"] == was.Creatures["b"].Counters["count"] {
		t.Errorf("repeated: %v, on the other server %v", now, there)
	}
	if !bytes.Equal(content(t, other), content(t, third)) {
		t.Error("other content")
	}
}

// A dry run and an amendment end with their context and change nothing, and a dry run
// does not hold up the fight.
func TestCalledOff(t *testing.T) {
	w := innertest.New(t, others)
	log := &dying{Log: w.Journal}
	s := w.Open(innertest.Options{Log: log, Inline: inline})
	longFight(s)
	_, version := view(t, s)
	f := fightOf(t, s)
	ctx := &after{Context: t.Context(), n: 40}
	if _, err := s.Engine.Preview(ctx, f, innertest.GM, amendFifth()); innertest.Reason(err) != "CANCELLED" {
		t.Errorf("the dry run: %v", err)
	}
	if _, v := view(t, s); v != version || log.branches.Load() != 0 {
		t.Errorf("at version %d with %d parts", v, log.branches.Load())
	}
	// In the midst of a dry run the fight goes on.
	went := make(chan error, 1)
	ctx = &after{Context: t.Context(), n: 1 << 30, at: 40, do: func() {
		_, err := s.Try(innertest.Ann, "e", innertest.Take("a", "count"))
		went <- err
	}}
	if _, err := s.Engine.Preview(ctx, f, innertest.GM, amendFifth()); err != nil {
		t.Errorf("the dry run: %v", err)
	}
	if err := <-went; err != nil {
		t.Errorf("a command during the dry run: %v", err)
	}
}

// after is a context that is called off when it was asked so many times, and that does
// something once in between.
type after struct {
	context.Context
	n, at, asked int32
	do           func()
}

func (a *after) Err() error {
	n := atomic.AddInt32(&a.asked, 1)
	if n == a.at && a.do != nil {
		a.do()
	}
	if n > a.n {
		return context.Canceled
	}
	return a.Context.Err()
}

func fightOf(t *testing.T, s *innertest.Stand) *engine.Fight {
	t.Helper()
	f, release, err := s.Engine.Fight(t.Context(), "", "e")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	return f
}
