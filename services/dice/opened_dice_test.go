package dice_test

import (
	"bytes"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/journal"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
)

// docs/DICE.md, "Format 2": the seed of "creatures" leads to that of each creature, so
// none of them draws once it is open, and everybody else does; a creature's own seed
// leads to nobody's.
func TestWhoDrawsNoMore(t *testing.T) {
	all := []string{everyone, gm, "creature/orc", "creature/elf"}
	for revealed, spent := range map[string][]string{
		"creatures":    {"creature/orc", "creature/elf"},
		"creature/orc": {"creature/orc"},
		everyone:       {everyone},
		gm:             {gm},
	} {
		t.Run(revealed, func(t *testing.T) {
			n := newNode(t)
			of := opening(func(r *dicev1.OpenEpochRequest) { r.Branches = append([]string{"creatures"}, all...) })
			ok[*dicev1.OpenEpochResponse](t)(n.OpenEpoch(t.Context(), of))
			of.Epoch = 2
			ok[*dicev1.OpenEpochResponse](t)(n.OpenEpoch(t.Context(), of))
			n.reveal(t, 1, revealed)
			for _, branch := range all {
				draw := with(ask(1, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Branch = branch })
				_, err := n.Draw(t.Context(), draw)
				gone := false
				for _, b := range spent {
					gone = gone || b == branch
				}
				if gone {
					refused(t, err, codes.FailedPrecondition, "BRANCH_SPENT")
				} else if err != nil {
					t.Errorf("%s: %v", branch, err)
				}
				draw.Epoch = 2 // the next dice are their own
				n.faces(t, draw)
			}
			// Nothing is ever drawn from what the creatures' dice come from.
			_, err := n.Draw(t.Context(), with(ask(1, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Branch = "creatures" }))
			refused(t, err, codes.InvalidArgument, "INVALID_FIELD")
		})
	}
}

// The first 1024 actions on a branch are opened one by one, with a path to the
// commitment; later ones, and those of the first layout, with their branch alone. An
// opened action draws no more, on its own branch.
func TestWhichActionsAreOpenedAlone(t *testing.T) {
	n := newNode(t)
	commitments := map[string][]byte{}
	for _, c := range ok[*dicev1.OpenEpochResponse](t)(n.OpenEpoch(t.Context(), opening(func(r *dicev1.OpenEpochRequest) { r.Branches = []string{everyone, gm} }))).GetCommitments() {
		commitments[c.GetBranch()] = c.GetCommitment()
	}
	n.open(t, 2, nil, everyone) // of the first layout
	leaf := func(epoch uint32, action uint64) *dicev1.RevealRequest {
		return &dicev1.RevealRequest{Table: table, Encounter: fight, Epoch: epoch, Branch: everyone, Action: action}
	}
	for _, action := range []uint64{1, tape.Leaves} {
		r := ok[*dicev1.RevealResponse](t)(n.Reveal(t.Context(), leaf(1, action)))
		var path []tape.Digest
		for _, d := range r.GetPath() {
			path = append(path, tape.Digest(d))
		}
		if err := tape.CheckLeaf(tape.Digest(commitments[everyone]), tape.Leaf(r.GetLeaf()), action, path, tape.Digest(r.GetSeedHash())); err != nil || len(r.GetSeed()) > 0 {
			t.Errorf("action %d: %v, seed %x", action, err, r.GetSeed())
		}
		_, err := n.Draw(t.Context(), ask(action, "a", "1d20"))
		refused(t, err, codes.FailedPrecondition, "BRANCH_SPENT")
		n.faces(t, with(ask(action, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Branch = gm }))
	}
	n.faces(t, ask(2, "a", "1d20"))
	n.faces(t, ask(tape.Leaves+1, "a", "1d20"))
	for name, req := range map[string]*dicev1.RevealRequest{"beyond the tree": leaf(1, tape.Leaves+1), "first layout": leaf(2, 1)} {
		_, err := n.Reveal(t.Context(), req)
		if f := refused(t, err, codes.FailedPrecondition, "OPENED_AS_A_WHOLE"); f.Message == "" {
			t.Errorf("%s: says nothing", name)
		}
	}
	_, err := n.Reveal(t.Context(), leaf(9, 1))
	refused(t, err, codes.NotFound, "NO_EPOCH")
	n.faces(t, with(ask(1, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Epoch = 2 })) // a refusal spends nothing
}

// A record that closes the entropy of an epoch that never was opens none, neither as it
// is read nor after a restart from the projection.
func TestWhatClosesNoEpochOpensNone(t *testing.T) {
	log := openLog(t)
	cfg := config(t, log)
	n := start(t, cfg)
	n.open(t, 1, nil, everyone)
	n.tapes(t)
	subject := "skald.0." + table + ".dice.elsewhere"
	entry := &dicev1.RecordEntry{What: &dicev1.RecordEntry_Entropy{Entropy: &dicev1.EntropyFixed{Epoch: 1, Entropy: gave("ann", "seven")}}}
	data := ok[[]byte](t)(proto.Marshal(&dicev1.Record{Format: 1, Version: 1, Entries: []*dicev1.RecordEntry{entry}}))
	seq := ok[uint64](t)(log.Append(t.Context(), journal.Message{Subject: subject, ID: "odd", Data: data}))
	eventually(t, "it is folded", func() bool { return n.svc.Status().Applied >= seq })
	for _, when := range []string{"at first", "after a restart"} {
		_, err := n.Draw(t.Context(), with(ask(1, "a", "1d20"), func(r *dicev1.DrawRequest) { r.Encounter = "elsewhere" }))
		if f := refused(t, err, codes.NotFound, "NO_EPOCH"); f == nil {
			t.Error(when)
		}
		if err := n.stop(); err != nil {
			t.Fatal(err)
		}
		n = start(t, cfg)
	}
	reply := ok[*dicev1.OpenEpochResponse](t)(n.OpenEpoch(t.Context(), opening(func(r *dicev1.OpenEpochRequest) { r.Encounter = "elsewhere" })))
	if c := reply.GetCommitments(); len(c) != 1 || bytes.Equal(c[0].GetCommitment(), make([]byte, 32)) {
		t.Errorf("commitments %v", c)
	}
}
