package injury_test

import (
	"bytes"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// ruling takes deeds back, or takes that back.
func (w *world) ruling(deed string, said map[string]any, patients ...string) *injuryv1.TendRequest {
	w.t.Helper()
	return w.deed(gm, &eventv1.PatientCommand{Deed: deed, Patients: patients, Parameters: params(w.t, said)})
}

func (w *world) undo(patients ...string) *injuryv1.TendResponse {
	w.t.Helper()
	return w.tend(w.ruling("revert", map[string]any{"reason": "misheard"}, patients...))
}

func (w *world) redo(patients ...string) *injuryv1.TendResponse {
	w.t.Helper()
	return w.tend(w.ruling("redo", nil, patients...))
}

func TestDeedsAreTakenBackOneByOneAndComeAgain(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.harm("kara", 3)
	w.harm("kara", 5)
	w.wantHP("kara", 12)
	before := w.get(gm, "kara", 0)

	w.undo("kara")
	w.wantHP("kara", 17)
	w.undo("kara") // a second one goes on, it does not take back the first
	w.wantHP("kara", 20)
	w.refused(w.ruling("revert", nil, "kara"), fault.Illegal, "NOTHING_TO_UNDO")
	w.redo("kara")
	w.wantHP("kara", 17)
	w.redo("kara")
	w.wantHP("kara", 12)
	w.refused(w.ruling("redo", nil, "kara"), fault.Illegal, "NOTHING_TO_REDO")
	if now := w.get(gm, "kara", 0); !proto.Equal(now.Creature, before.Creature) || now.Version != before.Version+4 {
		t.Errorf("undo and redo leave %v at %d, not %v", now.Creature, now.Version, before.Creature)
	}
	w.undo("kara")
	w.harm("kara", 1) // a deed ends the redo
	w.wantHP("kara", 16)
	w.refused(w.ruling("redo", nil, "kara"), fault.Illegal, "NOTHING_TO_REDO")

	w.tend(w.ruling("revert", map[string]any{"version": 2}, "kara"))
	w.wantHP("kara", 17)
	w.tend(w.ruling("revert", map[string]any{"version": 3}, "kara")) // into what was taken back
	w.wantHP("kara", 12)
	w.refused(w.ruling("revert", map[string]any{"version": 99}, "kara"), fault.Invalid, "INVALID_FIELD")
	req := w.ruling("revert", nil, "kara")
	req.As = ann
	w.refused(req, fault.Denied, "GM_ONLY")
}

// Each viewer's record is what that viewer knew, and whoever saw nothing is not told.
func TestTakingBackTellsWhoSawIt(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.harm("kara", 3)
	ofAnn, ofAll := w.get(ann, "kara", 0).Version, w.get(spectator, "kara", 0).Version
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "curse", Patients: []string{"kara"}})) // the game master's secret
	reply := w.undo("kara")
	if n := len(reply.Events); n != 1 || reply.Events[0].GetReverted().GetVersion() != 2 {
		t.Errorf("the game master is told %v", reply.Events)
	}
	if c := w.get(gm, "kara", 0).Creature; c.Counters["fate"] != 0 {
		t.Errorf("the curse stays: %v", c.Counters)
	}
	for _, v := range []struct {
		as   *eventv1.Principal
		want uint64
	}{{ann, ofAnn}, {spectator, ofAll}} {
		if got := w.get(v.as, "kara", 0).Version; got != v.want {
			t.Errorf("%v counts what was secret: %d, not %d", v.as, got, v.want)
		}
	}
	w.undo("kara") // the harm, which all saw
	history, err := w.client.GetPatientHistory(w.ctx(), &injuryv1.GetPatientHistoryRequest{Table: "t1", Patient: "kara", As: ann})
	if err != nil {
		t.Fatal(err)
	}
	last := history.Entries[len(history.Entries)-1]
	if r := last.Events[0].GetReverted(); r.GetReason() != "misheard" || r.GetVersion() != 0 {
		t.Errorf("ann reads %v: the reason, and no number of the record", last.Events)
	}
	if hp := w.get(ann, "kara", 0).Creature.GetHp(); hp != 20 {
		t.Errorf("ann knows of %d hit points", hp)
	}
	for i, want := range []int32{20, 17, 20} { // ann's own versions still show what was
		if got := w.get(ann, "kara", uint64(i+1)).Creature.GetHp(); got != want {
			t.Errorf("version %d of ann's: %d hit points, want %d", i+1, got, want)
		}
	}
}

// A deed that touched two is taken back for both, unless more was done to one since.
func TestTakingBackWhatTouchedTwo(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.enrol("wim", 20, "bob")
	w.harm("kara", 9)
	w.tape.script["treat"] = []int32{4}
	treat := func() {
		w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kara"}, User: "wim"}))
	}
	kits := func() int64 { return w.get(gm, "wim", 0).Creature.Counters["kit"] }
	treat()
	w.undo("kara")
	w.wantHP("kara", 11)
	if kits() != 3 {
		t.Errorf("wim has %d kits: the one that was used is back", kits())
	}
	w.redo("kara")
	w.wantHP("kara", 15)
	if kits() != 2 {
		t.Errorf("wim has %d kits after the redo", kits())
	}
	w.harm("wim", 2)
	w.refused(w.ruling("revert", nil, "kara"), fault.Illegal, "PATIENTS_ENTANGLED")
	w.undo("wim")
	w.wantHP("wim", 20)
	w.refused(w.ruling("revert", nil, "kara"), fault.Illegal, "PATIENTS_ENTANGLED") // the undo is something done to wim
	w.tend(w.ruling("revert", map[string]any{"version": 1}, "wim"))                 // kara's treatment is among what is taken back: refused unless last
	w.wantHP("kara", 11)
}

func TestTakingBackWhatLedIntoAFight(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.harm("kara", 5)
	e := &encounter{w: w, id: "bridge"}
	c := e.enter("kara").Creature
	w.refused(w.ruling("revert", nil, "kara"), fault.Illegal, "PATIENT_ENGAGED")
	e.leave("kara", c)
	w.refused(w.ruling("revert", map[string]any{"version": 1}, "kara"), fault.Illegal, "PATIENT_WENT_ON")
	w.harm("kara", 1)
	w.undo("kara") // what came after the fight can be
	w.wantHP("kara", 15)
}

func TestTakingBackADeedThatAsked(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.harm("kara", 9)
	w.tape.script["hit-die"] = []int32{6}
	asked := open(t, w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"kara"}})).Events)
	w.refused(w.ruling("revert", nil, "kara"), fault.Illegal, "DECISION_PENDING")
	w.tend(w.answer(ann, asked.Id, &eventv1.Answer{Number: 1}))
	w.wantHP("kara", 17)
	w.refused(w.ruling("revert", map[string]any{"version": 3}, "kara"), fault.Invalid, "INVALID_FIELD") // there it waits
	w.undo("kara")                                                                                      // question and answer are one deed
	w.wantHP("kara", 11)
	if d := w.get(ann, "kara", 0).Decisions; len(d) != 0 {
		t.Errorf("questions are open: %v", d)
	}
}

// What is put back stays so in a projection made anew, and its dice go on.
func TestTakingBackOutlivesARebuild(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 40, "ann")
	for i := range 40 { // over a snapshot
		w.harm("kara", 1)
		if i%3 == 0 {
			w.undo("kara")
		}
		if i%6 == 0 {
			w.redo("kara")
		}
	}
	w.settled()
	hash, err := w.svc.ContentHash()
	if err != nil {
		t.Fatal(err)
	}
	want := w.get(ann, "kara", 30)
	other, client, stop := w.replica(t.TempDir())
	defer stop()
	info, err := w.journal.Info(w.ctx())
	if err != nil {
		t.Fatal(err)
	}
	if err := other.WaitFor(w.ctx(), info.LastSeq); err != nil {
		t.Fatal(err)
	}
	again, err := other.ContentHash()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(hash, again) {
		t.Error("a rebuild holds something else")
	}
	got, err := client.GetPatient(w.ctx(), &injuryv1.GetPatientRequest{Table: "t1", Patient: "kara", As: ann, Version: 30})
	if err != nil || !proto.Equal(got.Patient, want) {
		t.Errorf("version 30 is %v, not %v (%v)", got, want, err)
	}
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kara"}}))
	numbers := map[uint64]bool{}
	for _, d := range w.tape.drawn {
		numbers[d.Action] = true
	}
	if len(numbers) != 1 {
		t.Errorf("actions %v draw", numbers)
	}
}

func TestPreviewStoresNothing(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.harm("kara", 9)
	w.settled()
	at, err := w.journal.Info(w.ctx())
	if err != nil {
		t.Fatal(err)
	}
	w.tape.script["treat"] = []int32{3}
	req := w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kara"}})
	req.Preview = true
	reply := w.tend(req)
	if hp := reply.Patient.Creature.GetHp(); hp != 14 {
		t.Errorf("11 and 3 are %d", hp)
	}
	if !slices.ContainsFunc(reply.Changes, func(c *injuryv1.RecordChange) bool {
		return c.Patient == "kara" && c.Path == "hp" && c.Before == "11" && c.After == "14"
	}) {
		t.Errorf("changes %v", reply.Changes)
	}
	if len(reply.Odds) != 1 {
		t.Errorf("odds %v", reply.Odds)
	}
	for _, d := range w.tape.drawn {
		if d.Purpose != 2 {
			t.Errorf("a preview opens the tape %v", d)
		}
	}
	ask := w.deed(gm, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"kara"}})
	ask.Preview = true
	if d := w.tend(ask).Decisions; len(d) != 1 || d[0].Name != "hit-dice" {
		t.Errorf("it would ask %v", d)
	}
	back := w.ruling("revert", nil, "kara")
	back.Preview = true
	if hp := w.tend(back).Patient.Creature.GetHp(); hp != 20 {
		t.Errorf("put back there would be %d hit points", hp)
	}
	req = w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kara"}})
	req.Preview = true
	w.refused(req, fault.Denied, "GM_ONLY")
	w.wantHP("kara", 11)
	w.settled()
	if now, err := w.journal.Info(w.ctx()); err != nil || now.LastSeq != at.LastSeq {
		t.Errorf("previews store: %v to %v (%v)", at.LastSeq, now.LastSeq, err)
	}
}
