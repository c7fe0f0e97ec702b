package dice_test

import (
	"bytes"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice/tape"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// gave is entropy of contributors, by name and words.
func gave(pairs ...string) (out []*eventv1.Entropy) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, &eventv1.Entropy{Contributor: pairs[i], Value: []byte(pairs[i+1])})
	}
	return out
}

// opening opens epoch 1 of the fight, for everyone.
func opening(change func(*dicev1.OpenEpochRequest)) *dicev1.OpenEpochRequest {
	r := &dicev1.OpenEpochRequest{Table: table, Encounter: fight, Epoch: 1, Branches: []string{everyone}, Format: 2}
	change(r)
	return r
}

// leafFaces computes the faces of 20d100 of action 1 from a seed of format 2, as
// docs/DICE.md says.
func leafFaces(t *testing.T, seed []byte, entropy ...string) []int32 {
	t.Helper()
	var given []tape.Contribution
	for _, e := range gave(entropy...) {
		given = append(given, tape.Contribution{Contributor: e.Contributor, Bytes: e.Value})
	}
	key := ok[tape.Key](t)(tape.LeafKey(tape.LeafOf(tape.Seed(seed), 1), given))
	tp := ok[*tape.Tape](t)(tape.Open(key, tape.Real, tape.Address{Encounter: fight, Epoch: 1, Action: 1, Label: "a"}))
	out := make([]int32, 20)
	for i := range out {
		out[i] = int32(ok[int](t)(tp.Face(100)))
	}
	return out
}

// docs/DICE.md, "Commit, then entropy, then the first face": dice whose entropy was left
// open draw no face and show no seed of an action before it is closed; closing mixes what
// was given at first with what is given then; what somebody gave stays as it is, and who
// comes later is added, never taken away.
func TestEntropyOnlyGrows(t *testing.T) {
	n := newNode(t)
	open := func(r *dicev1.OpenEpochRequest) (*dicev1.OpenEpochResponse, error) {
		return n.OpenEpoch(t.Context(), r)
	}
	first := ok[*dicev1.OpenEpochResponse](t)(open(opening(func(r *dicev1.OpenEpochRequest) { r.Open, r.Entropy = true, gave("bob", "eleven") })))
	for name, other := range map[string][]*eventv1.Entropy{"none": nil, "of another": gave("cyd", "two"), "other words": gave("bob", "twelve")} {
		again := ok[*dicev1.OpenEpochResponse](t)(open(opening(func(r *dicev1.OpenEpochRequest) { r.Open, r.Entropy = true, other })))
		if !proto.Equal(again, first) {
			t.Errorf("opened again with %s: %v", name, again)
		}
	}
	leaf := &dicev1.RevealRequest{Table: table, Encounter: fight, Epoch: 1, Branch: everyone, Action: 7}
	_, err := n.Draw(t.Context(), ask(1, "a", "20d100"))
	refused(t, err, codes.FailedPrecondition, "ENTROPY_OPEN")
	_, err = n.Reveal(t.Context(), leaf)
	refused(t, err, codes.FailedPrecondition, "ENTROPY_OPEN")

	closing := func(entropy ...string) error {
		reply, err := open(opening(func(r *dicev1.OpenEpochRequest) { r.Close, r.Entropy = true, gave(entropy...) }))
		if err == nil && !proto.Equal(reply, first) {
			t.Errorf("closed with %v, the commitments are %v", entropy, reply)
		}
		return err
	}
	faces := func() []int32 { return n.faces(t, ask(1, "a", "20d100")) }
	shown := map[string][]int32{}
	for _, c := range []struct {
		given  []string
		fixed  bool
		counts string
	}{
		{[]string{"bob", "twelve"}, true, ""},
		{[]string{"ann", "seven", "bob", "twelve"}, true, ""}, // one of the two is what it was not
		{[]string{"ann", "seven", "bob", "eleven"}, false, "two"},
		{nil, false, "two"},
		{[]string{"bob", "eleven"}, false, "two"},
		{[]string{"bob", "eleven", "ann", "seven"}, false, "two"},
		{[]string{"ann", "eight"}, true, "two"},
		{[]string{"ann", "seven", "cyd", "three"}, false, "three"}, // one more, of a race that was lost, and bob's of before
		{[]string{"ann", "seven"}, false, "three"},
		{[]string{"cyd", "four"}, true, "three"},
	} {
		err := closing(c.given...)
		if c.fixed {
			refused(t, err, codes.FailedPrecondition, "ENTROPY_FIXED")
		} else if err != nil {
			t.Fatalf("closing with %v: %v", c.given, err)
		}
		if c.counts == "" {
			continue // still open
		}
		if got := faces(); shown[c.counts] == nil {
			shown[c.counts] = got
		} else if !slices.Equal(got, shown[c.counts]) {
			t.Errorf("after %v the dice are others", c.given)
		}
	}
	ok[*dicev1.RevealResponse](t)(n.Reveal(t.Context(), leaf))
	seed := n.reveal(t, 1, everyone).GetSeed()
	if !slices.Equal(shown["two"], leafFaces(t, seed, "ann", "seven", "bob", "eleven")) {
		t.Error("the faces do not follow from what ann and bob gave")
	}
	if !slices.Equal(shown["three"], leafFaces(t, seed, "ann", "seven", "bob", "eleven", "cyd", "three")) {
		t.Error("the faces do not follow from what the three gave")
	}
}

// Of the first layout the opening call fixes the entropy; whoever opens an epoch of the
// second again asks for further commitments, and gives nothing.
func TestEntropyOfAnEpochOpenedAgain(t *testing.T) {
	for _, c := range []struct {
		name        string
		format      uint32
		open, close bool
		entropy     []*eventv1.Entropy
		fixed       bool
	}{
		{"the same, first layout", 0, false, false, gave("ann", "x"), false},
		{"of another, first layout", 0, false, false, gave("bob", "x"), true}, // who gave it counts
		{"none, first layout", 0, false, false, nil, true},
		{"left open, first layout", 0, true, false, gave("bob", "x"), false},
		{"closed with other words, first layout", 0, false, true, gave("ann", "y"), true},
		{"none, second layout", 2, false, false, nil, false},
		{"of another, second layout", 2, false, false, gave("bob", "x"), false},
		{"closed with other words, second layout", 2, false, true, gave("ann", "y"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := newNode(t)
			first := ok[*dicev1.OpenEpochResponse](t)(n.OpenEpoch(t.Context(), opening(func(r *dicev1.OpenEpochRequest) { r.Format, r.Entropy = c.format, gave("ann", "x") })))
			faces := n.faces(t, ask(1, "a", "20d100"))
			again, err := n.OpenEpoch(t.Context(), opening(func(r *dicev1.OpenEpochRequest) {
				r.Format, r.Open, r.Close, r.Entropy, r.Branches = c.format, c.open, c.close, c.entropy, []string{everyone, "creature/late"}
			}))
			if c.fixed {
				refused(t, err, codes.FailedPrecondition, "ENTROPY_FIXED")
			} else if err != nil || !bytes.Equal(again.GetCommitments()[0].GetCommitment(), first.GetCommitments()[0].GetCommitment()) || len(again.GetCommitments()) != 2 {
				t.Errorf("%v, %v", again, err)
			}
			if got := n.faces(t, ask(1, "a", "20d100")); !slices.Equal(got, faces) {
				t.Error("the dice are others")
			}
		})
	}
}
