package injury_test

import (
	"bytes"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// recorded is a patient of ann's with something for each: what all saw, what ann alone
// did, and a secret of the game master. Four Commits, and another patient's before and
// after them.
func recorded(t *testing.T) *world {
	w := newWorld(t)
	w.enrol("wim", 20, "bob")
	w.enrol("kara", 20, "ann")
	w.harm("kara", 3)
	w.on("curse", "kara") // the game master's
	w.harm("kara", 1)
	w.harm("wim", 1)
	return w
}

// docs/API.md and TRUST: each viewer's transcript counts what that viewer was told and
// nothing else, and anybody can compute it from the bytes of the steps; Commits are
// counted for the game master alone.
func TestWhereARecordStands(t *testing.T) {
	w := recorded(t)
	steps := func(as *eventv1.Principal, change func(*injuryv1.ReadStepsRequest)) *injuryv1.ReadStepsResponse {
		t.Helper()
		req := &injuryv1.ReadStepsRequest{Table: "t1", Patient: "kara", As: as, WithBytes: true}
		if change != nil {
			change(req)
		}
		out, err := w.client.ReadSteps(w.ctx(), req)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	commits := w.commits("kara")
	for _, c := range []struct {
		name  string
		as    *eventv1.Principal
		steps uint64
	}{{"gm", gm, 4}, {"ann", ann, 3}, {"bob", bob, 3}, {"spectator", spectator, 3}} {
		s, err := w.client.ReadStanding(w.ctx(), &injuryv1.ReadStandingRequest{Table: "t1", Patient: "kara", As: c.as})
		if err != nil {
			t.Fatal(err)
		}
		if s.Own.Number != c.steps || s.Public.Number != 3 {
			t.Errorf("%s: own %d, public %d", c.name, s.Own.Number, s.Public.Number)
		}
		if own := c.name == "gm"; (s.Chain != nil) != own || own && (s.Chain.Number != 4 || !bytes.Equal(s.Chain.Hash, commits[3].Hash)) {
			t.Errorf("%s: the chain is %v", c.name, s.Chain)
		}
		follow := func(all []*encounterv1.TranscriptStep) []byte {
			at := attest.BeginPatient("t1", "kara")
			for i, step := range all {
				if step.Number != uint64(i)+1 || !bytes.Equal(step.Digest, attest.Digest(step.Bytes)) {
					t.Errorf("%s: step %v", c.name, step)
				}
				at = attest.Next(at, step.Number, step.Digest)
			}
			return at
		}
		own, public := steps(c.as, nil), steps(c.as, func(r *injuryv1.ReadStepsRequest) { r.Public = true })
		if !bytes.Equal(follow(own.Steps), s.Own.Hash) || !bytes.Equal(follow(public.Steps), s.Public.Hash) || own.More || public.More {
			t.Errorf("%s: the steps do not lead to where it stands", c.name)
		}
		if same := bytes.Equal(s.Own.Hash, s.Public.Hash); same != (c.name == "bob" || c.name == "spectator") {
			t.Errorf("%s: own transcript like the public one: %v", c.name, same)
		}
		one := steps(c.as, func(r *injuryv1.ReadStepsRequest) { r.Limit, r.After = 1, 1 })
		if len(one.Steps) != 1 || one.Steps[0].Number != 2 || !one.More || !proto.Equal(one.Steps[0], own.Steps[1]) {
			t.Errorf("%s: a page of one: %v", c.name, one)
		}
		last := steps(c.as, func(r *injuryv1.ReadStepsRequest) { r.Limit, r.After = 1, c.steps-1 })
		if len(last.Steps) != 1 || last.More {
			t.Errorf("%s: the last page: %v", c.name, last)
		}
		if none := steps(c.as, func(r *injuryv1.ReadStepsRequest) { r.After = c.steps }); len(none.Steps) > 0 || none.More {
			t.Errorf("%s: behind the last: %v", c.name, none)
		}
		bare := steps(c.as, func(r *injuryv1.ReadStepsRequest) { r.WithBytes = false })
		for i, step := range bare.Steps {
			if len(step.Bytes) > 0 || step.More || !bytes.Equal(step.Digest, own.Steps[i].Digest) {
				t.Errorf("%s: without bytes %v", c.name, step)
			}
		}
		size := uint64(len(own.Steps[0].Bytes))
		rest := steps(c.as, func(r *injuryv1.ReadStepsRequest) { r.AfterBytes = size - 1 })
		if !bytes.Equal(rest.Steps[0].Bytes, own.Steps[0].Bytes[size-1:]) || !bytes.Equal(rest.Steps[1].Bytes, own.Steps[1].Bytes) {
			t.Errorf("%s: the first step from a byte on, and the next whole: %v", c.name, rest)
		}
		if all := steps(c.as, func(r *injuryv1.ReadStepsRequest) { r.AfterBytes = size }); len(all.Steps[0].Bytes) > 0 {
			t.Errorf("%s: all bytes but those: %v", c.name, all)
		}
		_, err = w.client.ReadSteps(w.ctx(), &injuryv1.ReadStepsRequest{Table: "t1", Patient: "kara", As: c.as, AfterBytes: size + 1})
		w.field(err, "after_bytes")
	}
	for _, id := range []string{"nobody", "a.b"} {
		if _, err := w.client.ReadStanding(w.ctx(), &injuryv1.ReadStandingRequest{Table: "t1", Patient: id, As: gm}); err == nil {
			t.Errorf("%s stands somewhere", id)
		}
	}
}

// A patient's record is never over, so its Commits, their headers and their places in the
// table's tree are the game master's to read; each page and each version at its bound.
func TestCommitsAreTheGameMastersToCount(t *testing.T) {
	w := recorded(t)
	commits := w.commits("kara")
	headers := func(after uint64, limit uint32) (out []uint64, more bool, err error) {
		reply, err := w.client.ReadHeaders(w.ctx(), &injuryv1.ReadHeadersRequest{Table: "t1", Patient: "kara", As: gm, After: after, Limit: limit})
		for _, data := range reply.GetHeaders() {
			h := &eventv1.CommitHeader{}
			if err := proto.Unmarshal(data, h); err != nil {
				t.Fatal(err)
			}
			if !proto.Equal(h, commits[h.Version-1].Header) {
				t.Errorf("header %v", h)
			}
			out = append(out, h.Version)
		}
		return out, reply.GetMore(), err
	}
	for _, c := range []struct {
		after uint64
		limit uint32
		want  []uint64
		more  bool
	}{
		{0, 0, []uint64{1, 2, 3, 4}, false}, {0, 3, []uint64{1, 2, 3}, true}, {0, 4, []uint64{1, 2, 3, 4}, false}, {1, 1, []uint64{2}, true},
		{3, 1, []uint64{4}, false}, {3, 9, []uint64{4}, false}, {4, 1, nil, false},
	} {
		got, more, err := headers(c.after, c.limit)
		if err != nil || !slices.Equal(got, c.want) || more != c.more {
			t.Errorf("%d after %d: %v, more %v, %v", c.limit, c.after, got, more, err)
		}
	}
	_, _, err := headers(5, 1)
	w.field(err, "after")

	tree := func(since uint64) (*injuryv1.ReadTreeResponse, error) {
		return w.client.ReadTree(w.ctx(), &injuryv1.ReadTreeRequest{Table: "t1", Since: since})
	}
	whole, err := tree(0)
	if err != nil || whole.Size != 6 {
		t.Fatalf("tree %v, %v", whole, err)
	}
	at := attest.Checkpoint{Log: "o", Size: int64(whole.Size), Root: [32]byte(whole.Root)}
	for v := uint64(1); v <= 4; v++ {
		p, err := w.client.ProveVersion(w.ctx(), &injuryv1.ProveVersionRequest{Table: "t1", Patient: "kara", As: gm, Version: v})
		if err != nil {
			t.Fatal(err)
		}
		leaf := attest.Leaf(attest.Head{Table: "t1", Patient: "kara", Number: v, Hash: commits[v-1].Hash})
		if p.Leaf != string(leaf) || p.Index != v || p.Size != 6 {
			t.Errorf("version %d: %v", v, p)
		}
		if err := at.Holds(leaf, int64(p.Index), p.Proof); err != nil {
			t.Errorf("version %d: %v", v, err)
		}
		if err := at.Holds(leaf, int64(p.Index)+1, p.Proof); err == nil {
			t.Errorf("version %d lies elsewhere too", v)
		}
	}
	prove := func(as *eventv1.Principal, version, size uint64) error {
		_, err := w.client.ProveVersion(w.ctx(), &injuryv1.ProveVersionRequest{Table: "t1", Patient: "kara", As: as, Version: version, Size: size})
		return err
	}
	w.field(prove(gm, 0, 0), "version")
	w.field(prove(gm, 5, 0), "version")
	if err := prove(gm, 4, 5); err != nil { // in a tree of the first five
		t.Error(err)
	}
	wantFault(t, prove(gm, 4, 4), fault.Illegal, "NOT_IN_CHECKPOINT")
	wantFault(t, prove(gm, 4, 1<<63), fault.Illegal, "NOT_IN_CHECKPOINT")
	_, err = tree(7)
	wantFault(t, err, fault.Illegal, "LOG_SHORTER")
	_, err = tree(1 << 63)
	wantFault(t, err, fault.Illegal, "LOG_SHORTER")
	w.harm("wim", 1)
	grown, err := tree(6)
	if err != nil || grown.Size != 7 {
		t.Fatalf("grown %v, %v", grown, err)
	}
	now := attest.Checkpoint{Log: "o", Size: 7, Root: [32]byte(grown.Root)}
	if err := now.Extends(at, grown.Proof); err != nil {
		t.Errorf("the tree does not extend itself: %v", err)
	}
	for _, as := range []*eventv1.Principal{ann, bob, spectator} {
		wantFault(t, prove(as, 1, 0), fault.Denied, "NOT_OVER")
		_, err := w.client.ReadHeaders(w.ctx(), &injuryv1.ReadHeadersRequest{Table: "t1", Patient: "kara", As: as})
		wantFault(t, err, fault.Denied, "NOT_OVER")
	}
}
