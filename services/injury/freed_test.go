package injury_test

import (
	"crypto/rand"
	"encoding/hex"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// breaks appends a Commit that follows no chain, and waits until it is known of.
func (w *world) breaks(kind, id string) {
	w.t.Helper()
	subject := "skald.0.t1." + kind + "." + id
	header := &eventv1.CommitHeader{Kind: kind, Id: id, Table: "t1", Version: 99}
	data, hash, err := event.Seal(event.Draft{Header: header, Cause: &eventv1.CommitCause{}, Inputs: &eventv1.CommitInputs{}}, rand.Reader)
	if err != nil {
		w.t.Fatal(err)
	}
	last, _, err := w.journal.Last(w.ctx(), subject)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.journal.Append(w.ctx(), journal.Message{Subject: subject, ID: hex.EncodeToString(hash), Data: data, Expected: last.Seq}); err != nil {
		w.t.Fatal(err)
	}
	w.settled()
}

// Who was taken out of a fight whose record was broken is told to whoever was told that
// the patient was in it; what went before the fight cannot be taken back any more, and
// verification counts that it was believed.
func TestFreedFromABrokenFight(t *testing.T) {
	for name, unseen := range map[string]bool{"seen": false, "unseen": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.enrol("kara", 20, "ann")
			w.enrol("wim", 20, "bob")
			w.harm("kara", 3)
			e := &encounter{w: w, id: "e1"}
			reply, err := w.client.PrepareEngage(w.ctx(), &injuryv1.PrepareEngageRequest{Table: "t1", Patient: "kara", Encounter: "e1", System: "drill", As: gm, RequestId: "in", Staged: unseen})
			if err != nil {
				t.Fatal(err)
			}
			e.commit(&eventv1.Command{What: &eventv1.Command_Add{}}, reply.Message, &eventv1.CommitInputs{},
				event.New(event.Controllers("c-kara"), &eventv1.CreatureAdded{Creature: "c-kara", Name: "Kara", Controllers: []string{"ann"}, Patient: "kara"}))
			count := func(as *eventv1.Principal) uint64 { return w.get(as, "kara", 0).Version }
			before := map[string]uint64{"ann": count(ann), "bob": count(bob)}
			free := func() *injuryv1.TendRequest { return w.does(gm, "abandon", "kara", nil) }
			w.refused(free(), fault.Illegal, "NO_PENDING_DEED") // the fight is whole
			w.refused(w.does(gm, "abandon", "wim", nil), fault.Illegal, "NO_PENDING_DEED")
			w.breaks("encounter", "e1")
			w.refused(w.does(gm, "abandon", "wim", nil), fault.Illegal, "NO_PENDING_DEED") // wim is in none
			w.refused(w.does(ann, "abandon", "kara", nil), fault.Denied, "GM_ONLY")
			w.refused(w.does(gm, "abandon", "nobody", nil), fault.NotFound, "UNKNOWN_PATIENT")
			w.tend(free())
			if p := w.get(gm, "kara", 0); p.Encounter != "" || p.Creature.GetHp() != 17 {
				t.Errorf("freed: %v", p)
			}
			if got := count(ann) - before["ann"]; got != 1 {
				t.Errorf("ann was told %d times", got)
			}
			if got := count(bob) - before["bob"]; (got == 1) == unseen {
				t.Errorf("bob was told %d times", got)
			}
			w.undo("kara") // the freeing itself was a deed like any other
			if p := w.get(gm, "kara", 0); p.Encounter != "e1" {
				t.Errorf("freed by mistake: %v", p)
			}
			w.tend(free())
			w.refused(w.ruling("revert", map[string]any{"version": 1}, "kara"), fault.Illegal, "PATIENT_WENT_ON")
			w.harm("kara", 1)
			w.undo("kara") // what came after it can be
			w.wantHP("kara", 17)
			r := w.byItself(w.stored("kara"))
			if len(r.Problems) > 0 || r.Freed != 2 || r.Decided != r.Commits {
				t.Errorf("verified: %+v", r)
			}
			// Nobody is freed who is in no fight, whatever a record says.
			f := forged(t, w.stored("kara")[:2], func(*event.Draft) bool { return true })
			forgedFree := forged(t, append(f, w.stored("kara")[3]), func(d *event.Draft) bool { d.Header.Version = min(d.Header.Version, 3); return true })
			if r := w.byItself(forgedFree); len(r.Problems) == 0 {
				t.Errorf("freed from no fight: %+v", r)
			}
		})
	}
}

// A patient whose record is broken is told of to those who may see it, and is nobody to
// all others; in a list it stands without anything of it.
func TestABrokenPatientIsKnownToThoseWhoKnewIt(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.enrol("wim", 20, "bob")
	w.breaks("patient", "kara")
	for _, as := range []*eventv1.Principal{gm, ann, bob, spectator} {
		_, err := w.client.GetPatient(w.ctx(), &injuryv1.GetPatientRequest{Table: "t1", Patient: "kara", As: as})
		if f, _ := fault.As(err); f == nil || f.Reason != fault.ReasonBroken {
			t.Errorf("%v: %v", as, err)
		}
		list, err := w.client.ListPatients(w.ctx(), &injuryv1.ListPatientsRequest{Table: "t1", As: as})
		if err != nil || len(list.Patients) != 2 || !proto.Equal(list.Patients[0], &injuryv1.Patient{Patient: "kara", Table: "t1", Closed: true}) || list.Patients[1].Closed {
			t.Errorf("%v lists %v, %v", as, list, err)
		}
		_, err = w.client.GetPatient(w.ctx(), &injuryv1.GetPatientRequest{Table: "t1", Patient: "nobody", As: as})
		wantFault(t, err, fault.NotFound, "UNKNOWN_PATIENT")
	}
	// Nothing is decided on it, whoever else the deed would touch; a ruling of its fights
	// says so.
	w.refused(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"wim"}, User: "kara"}), fault.Broken, fault.ReasonBroken)
	w.refused(w.ruling("revert", nil, "kara"), fault.Broken, fault.ReasonBroken)
	_, err := w.ruled(nil, &injuryv1.Stay{Encounter: "e1", Patient: "kara", Number: 1, Creature: &eventv1.Creature{Id: "kara"}})
	if !fault.Is(err, fault.Broken) {
		t.Errorf("a ruling: %v", err)
	}
	_, err = w.client.PrepareEngage(w.ctx(), &injuryv1.PrepareEngageRequest{Table: "t1", Patient: "kara", Encounter: "e1", System: "drill", As: gm})
	if !fault.Is(err, fault.Broken) {
		t.Errorf("coming into a fight: %v", err)
	}
}
