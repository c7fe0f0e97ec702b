package proof

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// record is a small encounter made with the tape itself: a commitment, a roll
// on the public branch, one on the game master's, and the reveal.
type record struct {
	t       *testing.T
	seed    tape.Seed
	commits [][]byte
	last    []byte
	// action is the number in the address of the rolls.
	action uint64
	// byHand are faces that a player rolled before the tape's.
	byHand []int32
}

func newRecord(t *testing.T) *record {
	t.Helper()
	root, err := tape.NewRoot(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	seed, err := tape.Branch(root, "e", 1, tape.Everyone)
	if err != nil {
		t.Fatal(err)
	}
	return &record{t: t, seed: seed, action: 1}
}

func (r *record) commit(events ...*eventv1.Event) {
	r.t.Helper()
	header := &eventv1.CommitHeader{Kind: "encounter", Id: "e", Table: "main", Version: uint64(len(r.commits) + 1), PreviousHash: r.last}
	data, hash, err := event.Seal(event.Draft{Header: header, Cause: &eventv1.CommitCause{}, Inputs: &eventv1.CommitInputs{}, Events: events}, rand.Reader)
	if err != nil {
		r.t.Fatal(err)
	}
	r.commits, r.last = append(r.commits, data), hash
}

// face is the face that the tape has.
func (r *record) face() int32 {
	r.t.Helper()
	key, err := tape.TapeKey(r.seed, []tape.Contribution{{Contributor: "ann", Bytes: []byte("luck")}})
	if err != nil {
		r.t.Fatal(err)
	}
	tp, err := tape.Open(key, tape.Real, tape.Address{Encounter: "e", Epoch: 1, Action: r.action, Label: "to-hit"})
	if err != nil {
		r.t.Fatal(err)
	}
	n := 0
	for range len(r.byHand) + 1 { // faces rolled by hand pass on the tape
		if n, err = tp.Face(20); err != nil {
			r.t.Fatal(err)
		}
	}
	return int32(n)
}

func (r *record) whole(face int32) *record {
	commitment := tape.Commitment(r.seed)
	r.commit(event.New(event.Everyone(), &eventv1.DiceEpochOpened{Epoch: 1,
		Commitments: []*eventv1.Commitment{{Branch: "everyone", Commitment: commitment[:]}},
		Entropy:     []*eventv1.Entropy{{Contributor: "ann", Value: []byte("luck")}}}))
	r.commit(
		event.New(event.Everyone(), &eventv1.Roll{Label: "to-hit", Expression: fmt.Sprintf("%dd20", len(r.byHand)+1), Faces: append(r.byHand, face),
			SuppliedFaces: uint32(len(r.byHand)), Supplied: len(r.byHand) > 0, Action: r.action, Epoch: 1, Branch: "everyone"}),
		event.New(event.GM(), &eventv1.Roll{Label: "secret", Expression: "1d20", Faces: []int32{1}, Action: 1, Epoch: 1, Branch: "gm"}))
	r.commit(event.New(event.Everyone(), &eventv1.DiceRevealed{Epoch: 1, Branch: "everyone", Seed: r.seed[:]}))
	return r
}

func check(commits [][]byte) *Report {
	p := New()
	for _, c := range commits {
		p.Add(c)
	}
	return p.Report()
}

func TestAnHonestRecordHolds(t *testing.T) {
	r := newRecord(t)
	got := check(r.whole(r.face()).commits)
	if !got.OK() || got.Faces != 1 || got.Rolls != 2 || got.Sealed != 1 || got.Version != 3 || got.Events != 4 {
		t.Fatalf("got %s", got)
	}
}

// Rulings change which history counts, and no roll escapes the check.
func TestFacesRolledByHandAreTakenAsGiven(t *testing.T) {
	r := newRecord(t)
	r.byHand = []int32{3}
	got := check(r.whole(r.face()).commits)
	if !got.OK() || got.Faces != 1 || got.Supplied != 1 {
		t.Errorf("got %s", got)
	}
}

func TestRulingsAreFollowed(t *testing.T) {
	counter := func(n int64) *eventv1.Event {
		return event.New(event.Everyone(), &eventv1.CounterSet{Counter: "n", Value: n})
	}
	bytes, err := proto.Marshal(event.New(event.Everyone(), &eventv1.CounterSet{Counter: "amended", Value: 1}))
	if err != nil {
		t.Fatal(err)
	}
	r := newRecord(t)
	r.commit(counter(1))
	r.commit(counter(2))
	p := New()
	at := func() int64 {
		for ; p.report.Commits < len(r.commits); p.Add(r.commits[p.report.Commits]) {
		}
		return p.State().Counters["n"]
	}
	if got := at(); got != 2 {
		t.Fatalf("before any ruling: %d", got)
	}
	r.commit(event.New(event.GM(), &eventv1.Reverted{Version: 1}))
	if got := at(); got != 1 {
		t.Errorf("after going back: %d", got)
	}
	r.commit(event.New(event.GM(), &eventv1.Reverted{Version: 2, Redo: true}))
	if got := at(); got != 2 {
		t.Errorf("after the redo: %d", got)
	}
	r.commit(event.New(event.GM(), &eventv1.Amended{Version: 2, Base: 1, Commands: []*eventv1.Redecided{{Events: [][]byte{bytes}}}}))
	if got := at(); got != 1 || p.State().Counters["amended"] != 1 {
		t.Errorf("after the amendment: %d, %v", got, p.State().Counters)
	}
	r.commit(event.New(event.GM(), &eventv1.Reverted{Version: 40}))
	at()
	if report := p.Report(); report.OK() {
		t.Error("a ruling that goes nowhere holds")
	}
}

func TestEveryLieIsFound(t *testing.T) {
	honest := func() *record { r := newRecord(t); return r.whole(r.face()) }
	cases := []struct {
		name    string
		commits func() [][]byte
		want    string
	}{
		{"a face that is not the tape's", func() [][]byte { r := newRecord(t); return r.whole(r.face()%20 + 1).commits }, "the tape has"},
		{"a tape's face after one rolled by hand", func() [][]byte {
			r := newRecord(t)
			r.byHand = []int32{3}
			return r.whole(r.face()%20 + 1).commits
		}, "the tape has"},
		{"an address out of turn", func() [][]byte { r := newRecord(t); r.action = 2; return r.whole(r.face()).commits }, "action 2: drew after action 0"},
		{"a face that is on no die", func() [][]byte { return newRecord(t).whole(21).commits }, "to-hit"},
		{"a missing commit", func() [][]byte { c := honest().commits; return [][]byte{c[0], c[2]} }, "version 3 where 2 must follow"},
		{"a commit of another chain", func() [][]byte { a, b := honest().commits, honest().commits; return [][]byte{a[0], b[1], b[2]} }, "does not follow the hash"},
		{"a changed byte", func() [][]byte {
			c := honest().commits
			c[1][len(c[1])-1] ^= 1
			return c
		}, "broken commit"},
		{"another seed than the one committed to", func() [][]byte {
			r := honest()
			r.commits = r.commits[:2]
			other := newRecord(t).seed
			header := &eventv1.CommitHeader{Kind: "encounter", Id: "e", Table: "main", Version: 3}
			data, _, err := event.Seal(event.Draft{Header: header, Cause: &eventv1.CommitCause{}, Inputs: &eventv1.CommitInputs{},
				Events: []*eventv1.Event{event.New(event.Everyone(), &eventv1.DiceRevealed{Epoch: 1, Branch: "everyone", Seed: other[:]})}}, rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			return append(r.commits, data)
		}, "not the one committed to"},
		{"nothing at all", func() [][]byte { return nil }, "no commits"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := check(c.commits())
			if got.OK() || !strings.Contains(got.String(), c.want) {
				t.Errorf("want %q, got %s", c.want, got)
			}
		})
	}
}

func FuzzAdd(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte{0x0a, 0x02, 0x20, 0x01})
	f.Fuzz(func(_ *testing.T, data []byte) {
		p := New()
		p.Add(data)
		p.Report()
	})
}
