package injury_test

import (
	"context"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/dice"
)

// withRealDice is a world with the dice service itself.
func withRealDice(t testing.TB) *world {
	return makeWorld(t, func(w *world, r grpc.ServiceRegistrar) func() {
		svc, err := dice.New(t.Context(), dice.Config{Journal: w.journal, DataDir: t.TempDir(), CreateMasterKey: true, Logger: quiet})
		if err != nil {
			t.Fatal(err)
		}
		svc.RegisterInternal(r)
		ctx, cancel := context.WithCancel(context.Background())
		ran := make(chan error, 1)
		go func() { ran <- svc.Run(ctx) }()
		return func() {
			cancel()
			if err := <-ran; err != nil {
				t.Error(err)
			}
			if err := svc.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// rolls are the rolls among events.
func rolls(list []*eventv1.Event) (out []*eventv1.Roll) {
	for _, e := range list {
		if r := e.GetRoll(); r != nil {
			out = append(out, r)
		}
	}
	return out
}

func TestRealDiceFollowFromTheRecord(t *testing.T) {
	w := withRealDice(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	w.harm("kesh", 10)
	first := rolls(w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kesh"}, User: "jeera"})).Events)
	if len(first) != 1 || first[0].Epoch != 1 || first[0].Branch != "creature/jeera" || first[0].Supplied {
		t.Fatalf("rolls %v", first)
	}
	// The address gives the same faces again; it is the patient's own.
	again, err := w.cfg.Dice.Draw(w.ctx(), &dicev1.DrawRequest{Table: "t1", Encounter: "patient:kesh", Epoch: 1, Action: first[0].Action,
		Label: first[0].Label, Index: first[0].Index, Branch: first[0].Branch, Expression: first[0].Expression,
		Purpose: dicev1.Purpose_PURPOSE_REAL, TapeAllowed: true})
	if err != nil || again.Result.Faces[0] != first[0].Faces[0] {
		t.Errorf("drawn %v, %v; was %v", again, err, first[0])
	}
	// What the fold knows of the dice is what the dice service committed to.
	epoch, err := w.cfg.Dice.OpenEpoch(w.ctx(), &dicev1.OpenEpochRequest{Table: "t1", Encounter: "patient:kesh", Epoch: 1, Branches: []string{"creature/jeera"}})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, entry := range w.history(spectator, "kesh", 0, 0).Entries {
		for _, e := range entry.Events {
			for _, c := range e.GetDiceEpoch().GetCommitments() {
				found = found || proto.Equal(c, epoch.Commitments[0])
			}
		}
	}
	if !found {
		t.Error("the commitment to the healer's branch is not published")
	}
}

func TestRealDiceAskForPeoplesFaces(t *testing.T) {
	w := withRealDice(t)
	req := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Sheet: sheet("jeera", 20, "ann"), Parameters: params(t, map[string]any{"dice_policy": "supplied"})})
	req.System = "drill"
	w.tend(req)
	w.harm("jeera", 10)
	d := open(t, w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}})).Events)
	w.refused(w.answer(ann, d.Id, &eventv1.Answer{Faces: []int32{5}}), fault.Invalid, "INVALID_FIELD")
	w.tend(w.answer(ann, d.Id, &eventv1.Answer{Faces: []int32{4}}))
	w.wantHP("jeera", 14)
	reply, err := w.client.Assess(w.ctx(), strike(eventv1.DicePolicy_DICE_POLICY_SUPPLIED, nil))
	if err != nil || len(reply.Outcome.Decisions) != 1 {
		t.Errorf("assess asks for %v, %v", reply, err)
	}
}
