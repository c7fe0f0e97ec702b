package encounter_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/branch"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

// exported is an export for the game master.
type exported struct {
	commits [][]byte
	parts   map[string][][]byte
}

func (c *client) exported(id string) *exported {
	c.w.t.Helper()
	stream, err := c.Export(c.w.t.Context(), &encounterv1.ExportRequest{As: gm, Encounter: id})
	if err != nil {
		c.w.t.Fatal(err)
	}
	out := &exported{parts: map[string][][]byte{}}
	for {
		resp, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF):
			return out
		case err != nil:
			c.w.t.Fatal(err)
		case resp.BranchPart != nil:
			branch.Take(out.parts, resp.BranchPart.Branch, resp.BranchPart.Data)
		default:
			out.commits = append(out.commits, resp.Commit)
		}
	}
}

// verified decides the export again.
func (x *exported) verified(t *testing.T, w *world) *encounter.Verification {
	t.Helper()
	r, err := encounter.Verify(t.Context(), w.systems, nil, x.parts, x.commits)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// forge changes a command of a part of the only branch, as change says, with every hash
// that an honest server would have given it, those of the last Commit included, which
// names the branch.
func (x *exported) forge(t *testing.T, at int, change func(*eventv1.Redecided)) *exported {
	t.Helper()
	out := &exported{commits: slices.Clone(x.commits), parts: map[string][][]byte{}}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var hash []byte
	for name, parts := range x.parts { // order-free: there is one
		for i, data := range parts {
			p, err := branch.Read(data)
			must(err)
			if i >= at {
				p.PreviousHash = hash
				if i == at {
					change(p.Commands[len(p.Commands)-1])
				}
				data, err = proto.Marshal(p)
				must(err)
			}
			hash = branch.Hash(data)
			out.parts[name] = append(out.parts[name], data)
		}
	}
	c, h, e := &eventv1.Commit{}, &eventv1.CommitHeader{}, &eventv1.Event{}
	must(proto.Unmarshal(out.commits[len(out.commits)-1], c))
	must(proto.Unmarshal(c.Header, h))
	must(proto.Unmarshal(c.Parts[2].Payload, e))
	e.GetAmended().BranchHash = hash
	var err error
	c.Parts[2].Payload, err = proto.Marshal(e)
	must(err)
	sum := sha256.Sum256(slices.Concat([]byte("skald/part/v1"), c.Parts[2].Salt, c.Parts[2].Payload))
	h.Digests[2] = sum[:]
	c.Header, err = proto.Marshal(h)
	must(err)
	out.commits[len(out.commits)-1], err = proto.Marshal(c)
	must(err)
	return out
}

// A ruling whose new history stands on a branch is told as any other: to each viewer
// as its part, with transcripts that every server and every rebuild has, with an
// inside, and with an export that is decided again, in which forgeries are found.
func TestARulingOnABranchIsTold(t *testing.T) {
	w := newWorld(t)
	w.inline = 600
	c := w.start()
	c.fight("e", either)
	const attacks = 12
	for i := range attacks {
		if i == attacks/2 {
			c.do(gm, "e", endTurnCmd("a"))
			c.do(gm, "e", endTurnCmd("b"))
		}
		c.do(gm, "e", attackCmd("a", "b", 50, 15, int32(2+i%3)))
	}
	am := amendCmd(&eventv1.AmendCommand{Version: 6, Reason: "it was a dagger", Rolls: []*eventv1.FixedRoll{{Label: "harm/damage", Faces: []int32{1}}}})
	dry := c.preview("e", am)
	step := c.do(gm, "e", am).Step
	x := c.exported("e")
	if len(x.parts) != 1 {
		t.Fatalf("the export holds %d branches", len(x.parts))
	}
	for _, parts := range x.parts {
		if len(parts) < 3 {
			t.Fatalf("the branch has %d parts", len(parts))
		}
	}
	if !slices.EqualFunc(dry.Ruling.Steps, step.Ruling.Steps, func(a, b *encounterv1.Step) bool {
		return slices.EqualFunc(a.Events, b.Events, func(a, b *eventv1.Event) bool { return proto.Equal(a, b) })
	}) || len(dry.Ruling.Steps) == 0 {
		t.Errorf("the dry run tells %v, the ruling %v", dry.Ruling, step.Ruling)
	}
	shown := step.Events[0].GetAmended()
	if shown.GetBranch() != "" || len(shown.GetCommands()) != attacks+1 || len(shown.GetTold()) != 3 {
		t.Errorf("the game master is shown %v", shown)
	}
	for _, as := range []*eventv1.Principal{ann, bob, spectator} {
		s := c.last(as, "e")
		r := s.Ruling
		if r.GetKind() != encounterv1.Ruling_KIND_AMENDED || r.Reason != "it was a dagger" || len(r.Steps) == 0 {
			t.Fatalf("%v is told %v", as, r)
		}
		first := r.Steps[0]
		was, is := rollIn(first.Corrected.Before, "harm/damage"), rollIn(first.Events, "harm/damage")
		if was.GetTotal() != 3 || is.GetTotal() != 1 || !is.GetFixed() || !first.Corrected.Ruled {
			t.Errorf("%v: the roll was %v and is %v", as, was, is)
		}
	}
	// Inside the branch: bob's hit points follow the new history, attack by attack.
	number := c.last(bob, "e").Number
	in := c.history(bob, "e", number)
	if len(in) != attacks+1 {
		t.Fatalf("inside are %d steps", len(in))
	}
	last, err := c.GetState(t.Context(), &encounterv1.GetStateRequest{As: bob, Encounter: "e", Within: number, At: attacks + 1})
	if err != nil || !proto.Equal(last.State.Creatures["b"], c.state(bob, "e", 0).State.Creatures["b"]) {
		t.Errorf("after the last step inside: %v, %v", last, err)
	}
	// Back into the midst of the branch, to where a turn began, and one step further; on
	// from there.
	c.do(gm, "e", lastCmd)
	c.do(gm, "e", redoCmd)
	c.do(gm, "e", turnCmd)
	c.do(gm, "e", lastCmd)
	stays := c.last(gm, "e").Events
	if n := len(stays[1].GetAmended().GetCommands()); n != attacks/2 || stays[1].GetAmended().Branch != "" {
		t.Errorf("of the branch %d commands stay: %v", n, stays)
	}
	if got := c.last(bob, "e").Ruling; got.GetKind() != encounterv1.Ruling_KIND_REVERTED || len(got.Steps) == 0 {
		t.Errorf("bob is told of the way back: %v", got)
	}
	c.do(gm, "e", attackCmd("b", "a", 50, 15, 4))
	var want [][]byte
	for _, as := range viewers {
		want = append(want, c.transcript(as))
	}
	all := c.exported("e")
	if r := all.verified(t, w); len(r.Problems) > 0 || r.Decided != len(all.commits) || r.Commands < attacks {
		t.Errorf("decided again: %d of %d, %d commands, %v", r.Decided, len(all.commits), r.Commands, r.Problems)
	}
	other := w.replica(t.TempDir(), w.journal) // folds the log from its beginning
	for i, as := range viewers {
		if got := other.transcript(as); !bytes.Equal(got, want[i]) {
			t.Errorf("%v: another server has another transcript", as)
		}
	}
	x.forgeries(t, w)
}

// forgeries are found in an export that ends with the amendment.
func (x *exported) forgeries(t *testing.T, w *world) {
	t.Helper()
	version := uint64(len(x.commits))
	if r := x.verified(t, w); len(r.Problems) > 0 {
		t.Fatalf("what is genuine does not hold: %v", r.Problems)
	}
	for name, parts := range x.parts { // order-free: there is one
		flipped := slices.Clone(parts)
		flipped[1] = slices.Clone(parts[1])
		flipped[1][len(flipped[1])/2] ^= 1
		for what, instead := range map[string][][]byte{"a byte": flipped, "no parts": nil, "one less": parts[:len(parts)-1],
			"another order": append([][]byte{parts[0], parts[2], parts[1]}, parts[3:]...)} {
			r := (&exported{commits: x.commits, parts: map[string][][]byte{name: instead}}).verified(t, w)
			if len(r.Problems) == 0 || r.Problems[0].Version != version {
				t.Errorf("%s: found %v, want version %d", what, r.Problems, version)
			}
		}
	}
	for at := range 3 {
		forged := x.forge(t, at, func(c *eventv1.Redecided) {
			e := &eventv1.Event{}
			if err := proto.Unmarshal(c.Events[0], e); err != nil {
				t.Fatal(err)
			}
			e.Rules = append(e.Rules, "FORGED")
			c.Events[0], _ = proto.Marshal(e)
		})
		r := forged.verified(t, w)
		if len(r.Problems) != 1 || r.Problems[0].Version != version || !strings.HasPrefix(r.Problems[0].Field, "amended.commands[") {
			t.Errorf("part %d forged: found %v", at, r.Problems)
		}
	}
}
