package injury_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// commits reads a patient's subject and checks its chain.
func (w *world) commits(id string) []*event.Opened {
	w.t.Helper()
	subject, err := journal.SubjectIn(0, "t1", "patient", id)
	if err != nil {
		w.t.Fatal(err)
	}
	var out []*event.Opened
	err = w.journal.Read(w.ctx(), subject, 1, 0, func(r journal.Record) error {
		o, err := event.Open(r.Data)
		if err != nil {
			return err
		}
		var previous *event.Opened
		if len(out) > 0 {
			previous = out[len(out)-1]
		}
		out = append(out, o)
		return event.Follows(previous, o)
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

func TestEnrolMakesARecord(t *testing.T) {
	w := newWorld(t)
	req := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Sheet: sheet("jeera", 20, "ann"), Vitals: &eventv1.Vitals{Hp: proto.Int32(12)}})
	req.System, req.Settings = "drill", map[string]string{"drill.gentle": "on"}
	reply := w.tend(req)
	p := reply.Patient
	if p.Version != 1 || p.System != "drill" || p.Settings["drill.gentle"] != "on" || p.Creature.GetHp() != 12 || p.Creature.GetHpMax() != 20 {
		t.Errorf("patient %v", p)
	}
	if !w.tape.opened["patient:jeera|creature/jeera"] || !w.tape.opened["patient:jeera|gm"] || !w.tape.opened["patient:jeera|everyone"] {
		t.Errorf("branches opened: %v", w.tape.opened)
	}
	commits := w.commits("jeera")
	if len(commits) != 1 || commits[0].Header.Kind != "patient" || commits[0].Cause.Action != 1 {
		t.Errorf("commits %v", commits)
	}
}

func TestEnrolRefuses(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	enrol := func(as *eventv1.Principal, system string, s *eventv1.Sheet, patients ...string) *injuryv1.TendRequest {
		req := w.deed(as, &eventv1.PatientCommand{Deed: "enrol", Patients: patients, Sheet: s})
		req.System = system
		return req
	}
	w.refused(enrol(gm, "drill", sheet("jeera", 20)), fault.Exists, "PATIENT_EXISTS")
	w.refused(enrol(ann, "drill", sheet("kesh", 20)), fault.Denied, "GM_ONLY")
	w.refused(enrol(gm, "chess", sheet("kesh", 20)), fault.NotFound, "UNKNOWN_SYSTEM")
	w.refused(enrol(gm, "drill", nil), fault.Invalid, "INVALID_FIELD")
	w.refused(enrol(gm, "drill", sheet("kesh", 0)), fault.Invalid, "INVALID_FIELD")
	w.refused(enrol(gm, "drill", sheet("kesh", 20), "kesh", "other"), fault.Invalid, "INVALID_FIELD")
	foreign := sheet("kesh", 20)
	foreign.Patient = "other"
	w.refused(enrol(gm, "drill", foreign), fault.Invalid, "INVALID_FIELD")
	w.refused(enrol(gm, "drill", sheet("a.b", 20)), fault.Invalid, "INVALID_FIELD")
	if got := len(w.commits("kesh")); got != 0 {
		t.Errorf("refusals stored %d commits", got)
	}
}

func TestASheetIsTakenUnderThePatientsID(t *testing.T) {
	w := newWorld(t)
	req := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Patients: []string{"kara"}, Sheet: sheet("fighter", 20)})
	req.System = "drill"
	if p := w.tend(req).Patient; p.Patient != "kara" || p.Creature.Id != "kara" || p.Creature.Sheet.Id != "kara" || p.Creature.Patient != "kara" {
		t.Errorf("enrolled %v", p)
	}
}

func TestDeedsArePermittedByRole(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	treat := func(as *eventv1.Principal, patient, user string) *injuryv1.TendRequest {
		return w.deed(as, &eventv1.PatientCommand{Deed: "treat", Patients: []string{patient}, User: user})
	}
	w.tend(treat(ann, "jeera", ""))
	w.tend(treat(ann, "kesh", "jeera"))
	w.tend(treat(gm, "kesh", ""))
	w.refused(treat(ann, "kesh", ""), fault.Denied, "NOT_YOURS")
	w.refused(treat(ann, "jeera", "kesh"), fault.Denied, "NOT_YOURS")
	w.refused(treat(spectator, "jeera", ""), fault.Denied, "SPECTATOR")
	w.refused(treat(&eventv1.Principal{}, "jeera", ""), fault.Invalid, "INVALID_FIELD")
	w.refused(treat(ann, "nobody", ""), fault.NotFound, "UNKNOWN_PATIENT")
	for _, deed := range []string{"harm", "edit", "pass-time", "curse", "abandon"} {
		w.refused(w.deed(ann, &eventv1.PatientCommand{Deed: deed, Patients: []string{"jeera"}}), fault.Denied, "GM_ONLY")
	}
	w.refused(w.deed(gm, &eventv1.PatientCommand{Deed: "sing", Patients: []string{"jeera"}}), fault.Invalid, "INVALID_FIELD")
	w.refused(w.deed(gm, &eventv1.PatientCommand{Deed: "engage", Patients: []string{"jeera"}}), fault.Invalid, "INVALID_FIELD")
	w.refused(w.deed(gm, &eventv1.PatientCommand{Deed: "rest"}), fault.Invalid, "INVALID_FIELD")
}

func TestTreatTouchesBothPatientsOrNeither(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	w.harm("kesh", 10)
	reply := w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kesh"}, User: "jeera"}))
	if w.hp("kesh") <= 10 {
		t.Error("not healed")
	}
	if got := w.get(gm, "jeera", 0).Creature.Counters["kit"]; got != 2 {
		t.Errorf("kit has %d uses left, want 2", got)
	}
	if len(reply.Others) != 1 || reply.Others[0].Patient != "jeera" || reply.Patient.Patient != "kesh" {
		t.Errorf("reply %v", reply)
	}
	a, b := w.commits("kesh"), w.commits("jeera")
	if len(a) != 3 || len(b) != 2 || a[2].Cause.RequestId != b[1].Cause.RequestId || b[1].Cause.Action != 0 {
		t.Errorf("%d and %d commits", len(a), len(b))
	}
	// The healer's roll is at the patient's dice, in a branch opened for it.
	for _, d := range w.tape.drawn {
		if d.Label == "treat" && (d.Encounter != "patient:kesh" || d.Branch != "creature/jeera") {
			t.Errorf("drawn at %v", d)
		}
	}
	// Refused: nothing is stored anywhere.
	for range 2 {
		w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kesh"}, User: "jeera"}))
	}
	w.refused(w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kesh"}, User: "jeera"}), fault.Illegal, "NO_KIT")
	if len(w.commits("kesh")) != 5 || len(w.commits("jeera")) != 4 {
		t.Error("a refused deed was stored")
	}
}

func TestRequestIDsAreKeptAcrossRestarts(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.harm("jeera", 15)
	req := w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}})
	first := w.tend(req)
	w.restart()
	again := w.tend(req)
	if !again.Repeated || first.Repeated {
		t.Error("the repeat is not marked")
	}
	again.Repeated = false
	if !proto.Equal(first, again) {
		t.Errorf("first %v, again %v", first, again)
	}
	if n := len(w.commits("jeera")); n != 3 {
		t.Errorf("%d commits, want 3", n)
	}
	reused := proto.Clone(req).(*injuryv1.TendRequest)
	reused.Command.GetPatient().Item = "bandage"
	w.refused(reused, fault.Invalid, "REQUEST_ID_REUSED")
	// Another caller's ids are another's: they tell nothing of this one's.
	other := w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}})
	other.RequestId = req.RequestId
	if w.tend(other).Repeated {
		t.Error("another caller was answered with this one's deed")
	}
	missing := w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}})
	missing.RequestId = ""
	w.refused(missing, fault.Invalid, "INVALID_FIELD")
}

func TestRacingDeedsAllCountOnce(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 1000, "ann")
	_, second, stop := w.replica(t.TempDir())
	defer stop()
	clients := []calls{w.client, second}
	var reqs []*injuryv1.TendRequest
	const each = 8
	for range each {
		reqs = append(reqs, w.deed(gm, &eventv1.PatientCommand{Deed: "harm", Patients: []string{"jeera"}, Parameters: params(t, map[string]any{"amount": 1})}))
	}
	var wg sync.WaitGroup
	errs := make(chan error, 2*each)
	for _, c := range clients { // both replicas are asked for the same deeds
		for _, req := range reqs {
			wg.Go(func() {
				_, err := c.Tend(w.ctx(), req)
				errs <- err
			})
		}
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	w.wantHP("jeera", 1000-each)
	if n := len(w.commits("jeera")); n != 1+each {
		t.Errorf("%d commits, want %d", n, 1+each)
	}
}

func TestADeedWaitsForItsAnswer(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.harm("jeera", 15)
	w.tape.script["hit-die"] = []int32{4}
	rest := w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"jeera"}}))
	d := open(t, rest.Events)
	w.wantHP("jeera", 5)
	w.restart()
	for _, deed := range []string{"treat", "rest"} {
		w.refused(w.deed(ann, &eventv1.PatientCommand{Deed: deed, Patients: []string{"jeera"}}), fault.Illegal, "DECISION_PENDING")
	}
	_, err := w.client.PrepareEngage(w.ctx(), &injuryv1.PrepareEngageRequest{Table: "t1", Patient: "jeera", Encounter: "e1", System: "drill", As: gm})
	wantFault(t, err, fault.Illegal, "DECISION_PENDING")
	w.refused(w.answer(bob, d.Id, &eventv1.Answer{Number: 1}), fault.NotFound, "UNKNOWN_DECISION")
	w.refused(w.answer(ann, "nothing", &eventv1.Answer{Number: 1}), fault.NotFound, "UNKNOWN_DECISION")
	w.refused(w.answer(ann, d.Id, &eventv1.Answer{Number: 9}), fault.Invalid, "INVALID_FIELD")
	done := w.tend(w.answer(ann, d.Id, &eventv1.Answer{Number: 2}))
	w.wantHP("jeera", 13) // 5 and twice 4
	for _, e := range done.Events {
		if e.GetDecisionRequested() != nil {
			t.Error("the question was told twice")
		}
	}
	commits := w.commits("jeera")
	if n := len(commits); n != 4 || commits[2].Cause.Action != commits[3].Cause.Action || !commits[2].Inputs.Suspended || commits[3].Inputs.Suspended {
		t.Errorf("%d commits: %v", n, commits)
	}
	w.refused(w.answer(ann, d.Id, &eventv1.Answer{Number: 2}), fault.NotFound, "UNKNOWN_DECISION")
	// An early answer leaves nothing to wait for.
	req := w.deed(ann, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"jeera"}})
	req.Command.Answers = []*eventv1.EarlyAnswer{{Decision: "hit-dice", Answer: &eventv1.Answer{Number: 1}}}
	w.tend(req)
	w.wantHP("jeera", 17)
}

func TestADeedOnTwoPatientsWaits(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	w.harm("kesh", 10)
	w.tape.script["treat"] = []int32{2}
	first := w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Item: "careful", Patients: []string{"kesh"}, User: "jeera"}))
	d := open(t, first.Events)
	for _, id := range []string{"kesh", "jeera"} {
		w.refused(w.deed(gm, &eventv1.PatientCommand{Deed: "curse", Patients: []string{id}}), fault.Illegal, "DECISION_PENDING")
	}
	w.restart()
	w.tend(w.answer(ann, d.Id, &eventv1.Answer{Option: "yes"}))
	w.wantHP("kesh", 14) // 10 and twice 2
	if got := w.get(gm, "jeera", 0).Creature.Counters["kit"]; got != 2 {
		t.Errorf("kit has %d uses left, want 2", got)
	}
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "curse", Patients: []string{"jeera"}}))
}

func TestAWaitingDeedCanBeAbandoned(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	d := open(t, w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"jeera"}})).Events)
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "abandon", Patients: []string{"jeera"}}))
	w.refused(w.answer(ann, d.Id, &eventv1.Answer{Number: 2}), fault.NotFound, "UNKNOWN_DECISION")
	w.refused(w.deed(gm, &eventv1.PatientCommand{Deed: "abandon", Patients: []string{"jeera"}}), fault.Illegal, "NO_PENDING_DEED")
	w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}}))
}

// That a deed with a question for the game master alone was let go is no player's
// business: to those who were not asked nothing has happened.
func TestAnAbandonedSecretStaysOne(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	known := func(who *eventv1.Principal) string {
		history, err := w.client.GetPatientHistory(w.ctx(), &injuryv1.GetPatientHistoryRequest{Table: "t1", Patient: "jeera", As: who})
		if err != nil {
			t.Fatal(err)
		}
		return prototext.Format(history) + prototext.Format(w.get(who, "jeera", 0))
	}
	before := map[*eventv1.Principal]string{ann: known(ann), bob: known(bob), spectator: known(spectator)}
	d := open(t, w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "haunt", Patients: []string{"jeera"}})).Events)
	if !d.GmOnly {
		t.Fatal("not the game master's alone")
	}
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "abandon", Patients: []string{"jeera"}}))
	for who, was := range before {
		if is := known(who); is != was {
			t.Errorf("%s knows\n%s\nand knew\n%s", who.Name, is, was)
		}
	}
	if all := known(gm); !strings.Contains(all, "decision_answered") {
		t.Errorf("the game master knows\n%s", all)
	}
	// What the player was asked, the player is told the end of.
	open(t, w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"jeera"}})).Events)
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "abandon", Patients: []string{"jeera"}}))
	if mine := known(ann); !strings.Contains(mine, "decision_answered") {
		t.Errorf("ann knows\n%s", mine)
	}
	if others := known(bob); others != before[bob] {
		t.Errorf("bob knows\n%s", others)
	}
}

func TestChangedRulesStrandNobody(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	d := open(t, w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"jeera"}})).Events)
	w.twist.Store(true)
	w.refused(w.answer(ann, d.Id, &eventv1.Answer{Number: 1}), fault.Illegal, "RULES_CHANGED")
	if n := len(w.commits("jeera")); n != 2 {
		t.Errorf("%d commits, want 2", n)
	}
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "abandon", Patients: []string{"jeera"}}))
	w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}}))
}

func TestEnrolmentCanAsk(t *testing.T) {
	w := newWorld(t)
	req := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Sheet: sheet("jeera", 20, "ann"),
		Parameters: params(t, map[string]any{"choose": true, "dice_policy": "either"})})
	req.System, req.Settings = "drill", map[string]string{"drill.gentle": "on"}
	d := open(t, w.tend(req).Events)
	w.restart()
	p := w.tend(w.answer(ann, d.Id, &eventv1.Answer{Number: 7})).Patient
	if p.Creature.Counters["kit"] != 7 || p.Settings["drill.gentle"] != "on" || p.System != "drill" {
		t.Errorf("enrolled as %v", p)
	}
	treat := w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}})
	treat.Command.Faces = []int32{1} // the policy was kept
	w.tend(treat)
}

func TestADeedWithinADeedWaits(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.tape.script["trap/damage"] = []int32{4, 4}
	d := open(t, w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "trap", Patients: []string{"jeera"}})).Events)
	w.wantHP("jeera", 20)
	// The game master lets the default stand: no bracing.
	req := w.answer(gm, d.Id, nil)
	req.Command.GetAnswer().ByDefault = true
	w.tend(req)
	w.wantHP("jeera", 12)
}

func TestAPartyRests(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	w.refused(w.deed(ann, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"jeera", "kesh"}}), fault.Denied, "NOT_YOURS")
	req := w.deed(gm, &eventv1.PatientCommand{Deed: "pass-time", Patients: []string{"kesh", "jeera"}, Parameters: params(t, map[string]any{"hours": 8})})
	reply := w.tend(req)
	if reply.Patient.Patient != "kesh" || reply.Patient.Hours != 8 || len(reply.Others) != 1 || reply.Others[0].Hours != 8 {
		t.Errorf("reply %v", reply)
	}
}

func TestTheMarkOfAFightIsReserved(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.refused(w.deed(gm, &eventv1.PatientCommand{Deed: "edit", Patients: []string{"jeera"},
		Vitals: &eventv1.Vitals{Marks: map[string]string{"encounter": "e1"}}}), fault.Invalid, "INVALID_FIELD")
	req := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Sheet: sheet("kesh", 20), Vitals: &eventv1.Vitals{Marks: map[string]string{"encounter": "e1"}}})
	req.System = "drill"
	w.refused(req, fault.Invalid, "INVALID_FIELD")
}

func TestSuppliedDiceBetweenFights(t *testing.T) {
	w := newWorld(t)
	enrol := func(id, policy string) {
		req := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Sheet: sheet(id, 20, "ann"), Parameters: params(t, map[string]any{"dice_policy": policy})})
		req.System = "drill"
		w.tend(req)
		w.harm(id, 10)
	}
	treat := func(id string, faces ...int32) *injuryv1.TendRequest {
		req := w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{id}})
		req.Command.Faces = faces
		return req
	}
	enrol("either", "either")
	w.tend(treat("either", 3))
	w.wantHP("either", 13)
	aside := w.tend(treat("either", 3, 2)).Events
	if got := aside[len(aside)-1].GetNote().GetFacesSetAside(); !slices.Equal(got, []int32{2}) {
		t.Errorf("a face too many: %v", aside)
	}
	w.wantHP("either", 16)
	enrol("supplied", "supplied")
	d := open(t, w.tend(treat("supplied")).Events)
	if d.Kind != eventv1.DecisionKind_DECISION_KIND_DICE || d.Expression != "1d4" {
		t.Fatalf("asks for %v", d)
	}
	w.tend(w.answer(ann, d.Id, &eventv1.Answer{Faces: []int32{4}}))
	w.wantHP("supplied", 14)
	enrol("server", "server")
	w.refused(treat("server", 3), fault.Illegal, "DICE_POLICY")
}

func TestEditAndTime(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	req := w.deed(gm, &eventv1.PatientCommand{Deed: "edit", Patients: []string{"jeera"}, Sheet: sheet("", 20, "ann"),
		Vitals:     &eventv1.Vitals{Hp: proto.Int32(7), Conditions: []*eventv1.Condition{{Name: "prone"}}},
		Parameters: params(t, map[string]any{"controllers": []any{"bob"}, "reason": "the session before"})})
	req.Settings = map[string]string{"drill.gentle": "on"}
	p := w.tend(req).Patient
	if p.Creature.GetHp() != 7 || p.Creature.Controllers[0] != "bob" || len(p.Creature.Conditions) != 1 || p.Settings["drill.gentle"] != "on" {
		t.Errorf("edited: %v", p)
	}
	if got := w.get(bob, "jeera", 0); got.Creature.GetHp() != 7 {
		t.Errorf("the new controller sees %v", got)
	}
	pass := func(hours any) *injuryv1.TendRequest {
		return w.deed(gm, &eventv1.PatientCommand{Deed: "pass-time", Patients: []string{"jeera"}, Parameters: params(t, map[string]any{"hours": hours})})
	}
	w.tend(pass(8))
	if p := w.tend(pass(16)).Patient; p.Hours != 24 {
		t.Errorf("%d hours passed, want 24", p.Hours)
	}
	w.refused(pass(0), fault.Invalid, "INVALID_FIELD")
	w.refused(pass(1.5), fault.Invalid, "INVALID_FIELD")
	w.refused(pass("long"), fault.Invalid, "INVALID_FIELD")
}

func TestRebuildEqualsLive(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 200, "ann")
	w.enrol("kesh", 200, "bob")
	for i := range 40 { // past a snapshot, with restarts anywhere
		w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kesh"}, User: "kesh",
			Parameters: params(t, map[string]any{"n": i})}))
		w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "edit", Patients: []string{"kesh"}, Vitals: &eventv1.Vitals{
			Counters: map[string]int64{"kit": 3}, Hp: proto.Int32(int32(100 + i))}}))
		if i%13 == 0 {
			w.restart()
		}
	}
	w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"jeera"}}))
	w.fight("e1", "kesh")
	w.settled()
	live, err := w.svc.ContentHash()
	if err != nil {
		t.Fatal(err)
	}
	then := w.get(bob, "kesh", 50)
	w.stop()
	if err := rebuild(w); err != nil {
		t.Fatal(err)
	}
	w.start()
	if err := w.svc.WaitReady(w.ctx()); err != nil {
		t.Fatal(err)
	}
	again, err := w.svc.ContentHash()
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%x", live) != fmt.Sprintf("%x", again) {
		t.Error("the rebuilt projection differs from the live one")
	}
	if !proto.Equal(then, w.get(bob, "kesh", 50)) {
		t.Error("an old version differs after the rebuild")
	}
}
