package injury_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/injury"
)

func rebuild(w *world) error { return injury.Rebuild(context.Background(), w.cfg, nil) }

// encounter writes Commits of a fight as the encounter service does.
type encounter struct {
	w    *world
	id   string
	last *event.Opened
	seq  uint64
}

// commit stores events, together with a patient's message if there is one.
func (e *encounter) commit(cmd *eventv1.Command, with *injuryv1.PatientMessage, in *eventv1.CommitInputs, events ...*eventv1.Event) {
	e.w.t.Helper()
	h := &eventv1.CommitHeader{Kind: "encounter", Id: e.id, Table: "t1", Version: 1, UnixMillis: 5}
	if e.last != nil {
		h.Version, h.PreviousHash = e.last.Header.Version+1, e.last.Hash
	}
	raw, err := proto.Marshal(cmd)
	if err != nil {
		e.w.t.Fatal(err)
	}
	data, hash, err := event.Seal(event.Draft{Header: h, Cause: &eventv1.CommitCause{Command: raw, Principal: gm}, Inputs: in, Events: events}, rand.Reader)
	if err != nil {
		e.w.t.Fatal(err)
	}
	subject, err := journal.SubjectIn(0, "t1", "encounter", e.id)
	if err != nil {
		e.w.t.Fatal(err)
	}
	ms := []journal.Message{{Subject: subject, ID: hex.EncodeToString(hash), Data: data, Expected: e.seq}}
	if with != nil {
		ms = append(ms, journal.Message{Subject: with.Subject, ID: with.Id, Data: with.Data, Expected: with.ExpectedSequence})
	}
	seqs, err := e.w.journal.AppendAtomic(e.w.ctx(), ms)
	if err != nil {
		e.w.t.Fatal(err)
	}
	if e.last, err = event.Open(data); err != nil {
		e.w.t.Fatal(err)
	}
	e.seq = seqs[0]
}

func (w *world) engage(encounter, id string) *injuryv1.PrepareEngageResponse {
	w.t.Helper()
	reply, err := w.client.PrepareEngage(w.ctx(), &injuryv1.PrepareEngageRequest{Table: "t1", Patient: id, Encounter: encounter,
		System: "drill", As: gm, RequestId: "add-" + id})
	if err != nil {
		w.t.Fatal(err)
	}
	return proto.CloneOf(reply) // tests write into it, and it is held in common
}

// enter puts a patient into a fight under another creature's id.
func (e *encounter) enter(patient string) *injuryv1.Patient {
	e.w.t.Helper()
	reply := e.w.engage(e.id, patient)
	c := reply.Patient.Creature
	e.commit(&eventv1.Command{What: &eventv1.Command_Add{}}, reply.Message, &eventv1.CommitInputs{},
		event.New(event.Everyone(), &eventv1.CreatureAdded{Creature: "c-" + patient, Name: c.Name, Controllers: c.Controllers, Patient: patient}))
	return reply.Patient
}

// hurt takes a patient to some hit points and a life in a fight, the life for
// an audience.
func (e *encounter) hurt(patient string, hp int32, life eventv1.LifeStatus, who *eventv1.Audience) {
	id := "c-" + patient
	e.commit(&eventv1.Command{What: &eventv1.Command_Take{}}, nil, &eventv1.CommitInputs{},
		event.New(event.Everyone(), &eventv1.CounterSet{Subject: id, Counter: "action", Value: 0}),
		event.New(event.Everyone(), &eventv1.Damage{Target: id, Amount: 3, Cause: "axe"}),
		event.New(event.Controllers(id), &eventv1.HitPoints{Creature: id, Hp: hp, Max: 20}),
		event.New(who, &eventv1.LifeChanged{Creature: id, Status: life}))
}

// leave takes a patient out of the fight as the creature given.
func (e *encounter) leave(patient string, c *eventv1.Creature) {
	e.w.t.Helper()
	reply, err := e.w.client.PrepareRelease(e.w.ctx(), &injuryv1.PrepareReleaseRequest{Table: "t1", Patient: patient, Encounter: e.id,
		Creature: c, As: gm, RequestId: "remove-" + patient})
	if err != nil {
		e.w.t.Fatal(err)
	}
	e.commit(&eventv1.Command{What: &eventv1.Command_Remove{}}, reply.Message, &eventv1.CommitInputs{},
		event.New(event.Everyone(), &eventv1.CreatureRemoved{Creature: "c-" + patient, Reason: "done"}))
}

// fight has a patient through a short fight.
func (w *world) fight(id, patient string) {
	w.t.Helper()
	e := &encounter{w: w, id: id}
	c := e.enter(patient).Creature
	e.hurt(patient, 5, eventv1.LifeStatus_LIFE_STATUS_ALIVE, event.Everyone())
	c.Hp = proto.Int32(5)
	e.leave(patient, c)
}

func TestAnEngagedPatientIsTheFights(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	prepared := w.engage("e1", "jeera")
	if prepared.Patient.Encounter != "e1" || prepared.Patient.Creature.GetHp() != 20 {
		t.Errorf("enters as %v", prepared.Patient)
	}
	// Prepared is not done: nothing has happened until both are appended.
	w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}}))
	if p := w.get(gm, "jeera", 0); p.Encounter != "" {
		t.Fatalf("engaged in %q by a preparation alone", p.Encounter)
	}
	// And what was decided against an older version can not be appended any more.
	_, err := w.journal.Append(w.ctx(), journal.Message{Subject: prepared.Message.Subject, ID: prepared.Message.Id,
		Data: prepared.Message.Data, Expected: prepared.Message.ExpectedSequence})
	if err == nil {
		t.Fatal("a stale preparation was stored")
	}
	e := &encounter{w: w, id: "e1"}
	e.enter("jeera")
	if p := w.get(spectator, "jeera", 0); p.Encounter != "e1" {
		t.Errorf("in %q, want e1", p.Encounter)
	}
	for _, c := range []*eventv1.PatientCommand{
		{Deed: "treat", Patients: []string{"jeera"}},
		{Deed: "edit", Patients: []string{"jeera"}},
		{Deed: "treat", Patients: []string{"kesh"}, User: "jeera"},
		{Deed: "rest", Patients: []string{"kesh", "jeera"}},
	} {
		w.refused(w.deed(gm, c), fault.Illegal, "PATIENT_ENGAGED")
	}
	_, err = w.client.PrepareEngage(w.ctx(), &injuryv1.PrepareEngageRequest{Table: "t1", Patient: "jeera", Encounter: "e2", System: "drill", As: gm})
	wantFault(t, err, fault.Illegal, "PATIENT_ENGAGED")
	_, err = w.client.PrepareRelease(w.ctx(), &injuryv1.PrepareReleaseRequest{Table: "t1", Patient: "jeera", Encounter: "e2", As: gm, Creature: &eventv1.Creature{}})
	wantFault(t, err, fault.Illegal, "NOT_ENGAGED")
}

func TestPrepareEngageRefuses(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	engage := func(as *eventv1.Principal, patient, system string) error {
		_, err := w.client.PrepareEngage(w.ctx(), &injuryv1.PrepareEngageRequest{Table: "t1", Patient: patient, Encounter: "e1", System: system, As: as})
		return err
	}
	wantFault(t, engage(gm, "jeera", "chess"), fault.Illegal, "SYSTEM_MISMATCH")
	wantFault(t, engage(gm, "nobody", "drill"), fault.NotFound, "UNKNOWN_PATIENT")
	wantFault(t, engage(bob, "jeera", "drill"), fault.Denied, "NOT_YOURS")
	e := &encounter{w: w, id: "e0"}
	c := e.enter("jeera").Creature
	c.Life = eventv1.LifeStatus_LIFE_STATUS_DEAD
	e.leave("jeera", c)
	wantFault(t, engage(gm, "jeera", "drill"), fault.Illegal, "PATIENT_DEAD")
}

func TestReleaseMakesTheRecordTheCreature(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "pass-time", Patients: []string{"jeera"}, Parameters: params(t, map[string]any{"hours": 5})}))
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "edit", Patients: []string{"jeera"}, Vitals: &eventv1.Vitals{
		Conditions: []*eventv1.Condition{{Name: "tired"}, {Name: "cold"}}, Marks: map[string]string{"mood": "grim"},
		Injuries: []*eventv1.Injury{{Kind: "scar"}}}}))
	e := &encounter{w: w, id: "e1"}
	c := e.enter("jeera").Creature
	c.Id, c.Sheet.Id = "c-jeera", "c-jeera"
	c.Hp, c.HpMax, c.HpTemp = proto.Int32(0), proto.Int32(15), proto.Int32(2)
	c.Life = eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS
	c.Counters = map[string]int64{"kit": 0, "wounds": 2}
	c.Marks = map[string]string{"killed": "no"}
	c.Conditions = []*eventv1.Condition{{Id: "cold", Name: "cold"}, {Id: "burning", Name: "burning"},
		{Id: "dazed", Name: "dazed", Until: &eventv1.Until{When: "end-of-turn"}}, {Id: "tired", Name: "tired"}}
	c.Injuries = []*eventv1.Injury{{Id: "lost", Kind: "lost-part"}, {Id: "scar", Kind: "scar", Amount: 1}}
	c.Items = map[string]*eventv1.ItemState{"axe": {Place: "gone"}}
	c.StandingOrders = map[string]string{"brace": "yes"}
	c.Position = &eventv1.Position{X: 5}
	e.leave("jeera", c)
	p := w.get(gm, "jeera", 0)
	want := proto.Clone(c).(*eventv1.Creature)
	want.Id, want.Patient, want.Position = "jeera", "jeera", nil
	want.Sheet.Id = "jeera"
	want.Counters["hours"] = 5
	want.Conditions = []*eventv1.Condition{c.Conditions[0], c.Conditions[1], c.Conditions[3]} // not what ends with a turn
	if !proto.Equal(p.Creature, want) {
		t.Errorf("record\n%v\nwant\n%v", p.Creature, want)
	}
	if p.Encounter != "" || p.Hours != 5 {
		t.Errorf("in %q after %d hours", p.Encounter, p.Hours)
	}
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "curse", Patients: []string{"jeera"}}))
}

func TestWhatWasSecretInAFightStaysSecret(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	e := &encounter{w: w, id: "e1"}
	c := e.enter("jeera").Creature
	e.hurt("jeera", 0, eventv1.LifeStatus_LIFE_STATUS_DYING, event.Everyone())
	e.hurt("jeera", 0, eventv1.LifeStatus_LIFE_STATUS_STABLE, event.GM())
	c.Hp, c.Life = proto.Int32(0), eventv1.LifeStatus_LIFE_STATUS_STABLE
	e.leave("jeera", c)
	for _, tc := range []struct {
		as   *eventv1.Principal
		want eventv1.LifeStatus
	}{{gm, eventv1.LifeStatus_LIFE_STATUS_STABLE}, {ann, eventv1.LifeStatus_LIFE_STATUS_DYING}, {spectator, eventv1.LifeStatus_LIFE_STATUS_DYING}} {
		if got := w.get(tc.as, "jeera", 0).Creature.Life; got != tc.want {
			t.Errorf("%v sees %v, want %v", tc.as, got, tc.want)
		}
	}
}

func TestARulingTakesLifeBack(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	e := &encounter{w: w, id: "e1"}
	c := e.enter("jeera").Creature
	e.hurt("jeera", 0, eventv1.LifeStatus_LIFE_STATUS_DEAD, event.Everyone())
	e.commit(&eventv1.Command{}, nil, &eventv1.CommitInputs{}, event.New(event.Everyone(), &eventv1.Reverted{Version: 1}))
	e.leave("jeera", c)
	if got := w.get(ann, "jeera", 0).Creature.Life; got != eventv1.LifeStatus_LIFE_STATUS_ALIVE {
		t.Errorf("life is %v after a death was taken back", got)
	}
}

func TestNewControllersHearEverything(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	e := &encounter{w: w, id: "e1"}
	c := e.enter("jeera").Creature
	c.Controllers = []string{"bob"}
	e.leave("jeera", c)
	p := w.get(bob, "jeera", 0)
	if p.Creature.GetHp() != 20 || p.Creature.Counters["kit"] != 3 || p.Creature.Sheet == nil {
		t.Errorf("the new controller sees %v", p)
	}
}

// A message that follows no chain ends the service: it is never skipped.
// A broken record closes its patient alone, and a broken record of a fight closes
// none: who is held by it is freed by the game master, as it was when it entered.
func TestBrokenRecordsCloseNobodyElse(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	e := &encounter{w: w, id: "e1"}
	e.enter("kesh")
	forge := func(kind, id string) uint64 {
		t.Helper()
		subject := "skald.0.t1." + kind + "." + id
		header := &eventv1.CommitHeader{Kind: kind, Id: id, Table: "t1", Version: 9}
		data, hash, err := event.Seal(event.Draft{Header: header, Cause: &eventv1.CommitCause{}, Inputs: &eventv1.CommitInputs{}}, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		last, _, err := w.journal.Last(w.ctx(), subject)
		if err != nil {
			t.Fatal(err)
		}
		seq, err := w.journal.Append(w.ctx(), journal.Message{Subject: subject, ID: hex.EncodeToString(hash), Data: data, Expected: last.Seq})
		if err != nil {
			t.Fatal(err)
		}
		return seq
	}
	abandon := w.deed(gm, &eventv1.PatientCommand{Deed: "abandon", Patients: []string{"kesh"}})
	w.refused(abandon, fault.Illegal, "NO_PENDING_DEED") // while the fight is whole
	seq := forge("patient", "jeera")
	forge("encounter", "e1")
	check := func() {
		t.Helper()
		w.refused(w.deed(gm, &eventv1.PatientCommand{Deed: "edit", Patients: []string{"jeera"}}), fault.Broken, fault.ReasonBroken)
		_, err := w.client.GetPatient(w.ctx(), &injuryv1.GetPatientRequest{Table: "t1", Patient: "jeera", As: ann})
		if f := rpc.FromStatus(err); f == nil || f.Reason != fault.ReasonBroken || f.Meta["sequence"] != fmt.Sprint(seq) {
			t.Errorf("reading: %v", err)
		}
		list, err := w.client.ListPatients(w.ctx(), &injuryv1.ListPatientsRequest{Table: "t1", As: gm})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list.Patients {
			if p.Closed != (p.Patient == "jeera") || p.Closed == (p.Creature != nil) {
				t.Errorf("list: %v", p)
			}
		}
		w.refused(w.deed(bob, &eventv1.PatientCommand{Deed: "abandon", Patients: []string{"kesh"}}), fault.Denied, "GM_ONLY")
	}
	check()
	w.restart()
	check()
	w.tend(abandon)
	if p := w.get(gm, "kesh", 0); p.Encounter != "" || p.Creature.GetHp() != 20 {
		t.Errorf("freed: %v", p)
	}
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kesh"}}))
}

func TestConfigIsChecked(t *testing.T) {
	if _, err := injury.New(t.Context(), injury.Config{DataDir: t.TempDir()}); !errors.Is(err, injury.ErrConfig) {
		t.Errorf("no journal: %v", err)
	}
	if err := injury.Rebuild(t.Context(), injury.Config{}, nil); !errors.Is(err, injury.ErrConfig) {
		t.Errorf("no journal: %v", err)
	}
}

// Who enters a fight stable is known to be as far as it was before.
func TestStableIsKnownAsBefore(t *testing.T) {
	for name, tt := range map[string]struct {
		who   *eventv1.Audience
		known bool
	}{"told to all": {event.Everyone(), true}, "the game master's secret": {event.GM(), false}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.enrol("jeera", 20, "ann")
			e := &encounter{w: w, id: "e1"}
			c := e.enter("jeera").Creature
			e.hurt("jeera", 0, eventv1.LifeStatus_LIFE_STATUS_DYING, event.Everyone())
			e.hurt("jeera", 0, eventv1.LifeStatus_LIFE_STATUS_STABLE, tt.who)
			c.Hp, c.Life = proto.Int32(0), eventv1.LifeStatus_LIFE_STATUS_STABLE
			e.leave("jeera", c)
			again := w.engage("e2", "jeera")
			if again.Patient.Creature.Life != eventv1.LifeStatus_LIFE_STATUS_STABLE || again.LifeKnown != tt.known {
				t.Errorf("enters %v, known %v", again.Patient.Creature.Life, again.LifeKnown)
			}
		})
	}
}

// lastOf is the last Commit of a fight, and its sequence.
func (w *world) lastOf(id string) (*event.Opened, uint64) {
	w.t.Helper()
	rec, found, err := w.journal.Last(w.ctx(), "skald.0.t1.encounter."+id)
	if err != nil || !found {
		w.t.Fatal(found, err)
	}
	o, err := event.Open(rec.Data)
	if err != nil {
		w.t.Fatal(err)
	}
	return o, rec.Seq
}
