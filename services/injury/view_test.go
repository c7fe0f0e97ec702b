package injury_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

func (w *world) history(as *eventv1.Principal, id string, after uint64, limit uint32) *injuryv1.GetPatientHistoryResponse {
	w.t.Helper()
	reply, err := w.client.GetPatientHistory(w.ctx(), &injuryv1.GetPatientHistoryRequest{Table: "t1", Patient: id, As: as, After: after, Limit: limit})
	if err != nil {
		w.t.Fatal(err)
	}
	return reply
}

// all is everything a viewer can ask about a patient.
func (w *world) all(as *eventv1.Principal, id string) []proto.Message {
	list, err := w.client.ListPatients(w.ctx(), &injuryv1.ListPatientsRequest{Table: "t1", As: as})
	if err != nil {
		w.t.Fatal(err)
	}
	p := w.get(as, id, 0)
	out := []proto.Message{p, w.history(as, id, 0, 0), list}
	for v := uint64(1); v <= p.Version; v++ {
		out = append(out, w.get(as, id, v))
	}
	return out
}

func TestViewersSeeWhatTheyMay(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.harm("jeera", 5)
	cases := []struct {
		name   string
		as     *eventv1.Principal
		hp     bool
		kit    bool
		system string
	}{
		{"game master", gm, true, true, "drill"},
		{"her player", ann, true, true, "drill"},
		{"another player", bob, false, false, "drill"},
		{"spectator", spectator, false, false, "drill"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			p := w.get(tc.as, "jeera", 0)
			_, kit := p.Creature.Counters["kit"]
			if (p.Creature.Hp != nil) != tc.hp || kit != tc.kit || (p.Creature.Sheet != nil) != tc.hp || p.System != tc.system {
				t.Errorf("sees %v", p)
			}
			if p.Creature.Name != "The jeera" {
				t.Errorf("name %q", p.Creature.Name)
			}
		})
	}
}

// Whatever is done in secret changes nothing that others can see: no number,
// no size, no entry.
func TestSecretsLeaveNoTrace(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.harm("jeera", 5)
	viewers := []*eventv1.Principal{ann, bob, spectator}
	var before [][]proto.Message
	for _, v := range viewers {
		before = append(before, w.all(v, "jeera"))
	}
	known := w.get(gm, "jeera", 0).Version
	for range 3 {
		w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "curse", Patients: []string{"jeera"}}))
	}
	if got := w.get(gm, "jeera", 0); got.Version != known+3 || got.Creature.Counters["fate"] != 3 {
		t.Fatalf("the game master sees %v", got)
	}
	for i, v := range viewers {
		if !slices.EqualFunc(before[i], w.all(v, "jeera"), proto.Equal) {
			t.Errorf("%v noticed", v)
		}
	}
	// A later public deed takes the very next number.
	numbers := map[string]uint64{}
	for _, v := range viewers {
		numbers[v.Name] = w.get(v, "jeera", 0).Version
	}
	w.harm("jeera", 1)
	for _, v := range viewers {
		if got := w.get(v, "jeera", 0).Version; got != numbers[v.Name]+1 {
			t.Errorf("%v counts %d after %d", v, got, numbers[v.Name])
		}
	}
}

func TestWhatMayNotBeSeenIsNotThere(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	get := func(as *eventv1.Principal, id string, version uint64) error {
		_, err := w.client.GetPatient(w.ctx(), &injuryv1.GetPatientRequest{Table: "t1", Patient: id, As: as, Version: version})
		return err
	}
	wantFault(t, get(gm, "nobody", 0), fault.NotFound, "UNKNOWN_PATIENT")
	wantFault(t, get(ann, "jeera", 99), fault.NotFound, "UNKNOWN_VERSION")
	wantFault(t, get(nil, "jeera", 0), fault.Invalid, "INVALID_FIELD")
	wantFault(t, get(&eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER}, "jeera", 0), fault.Invalid, "INVALID_FIELD")
	wantFault(t, get(gm, "a.b", 0), fault.Invalid, "INVALID_FIELD")
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "curse", Patients: []string{"jeera"}}))
	v := w.get(gm, "jeera", 0).Version
	wantFault(t, get(ann, "jeera", v), fault.NotFound, "UNKNOWN_VERSION")
	_, err := w.client.GetPatientHistory(w.ctx(), &injuryv1.GetPatientHistoryRequest{Table: "t1", Patient: "nobody", As: gm})
	wantFault(t, err, fault.NotFound, "UNKNOWN_PATIENT")
}

// Old versions are the same whether reached from a snapshot or when they were new.
func TestOldVersionsStay(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 200, "ann")
	seen := map[string][]*injuryv1.Patient{}
	viewers := []*eventv1.Principal{gm, ann, bob}
	for i := range 70 {
		if i%2 == 0 {
			w.harm("jeera", 1)
		} else {
			w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "curse", Patients: []string{"jeera"}}))
		}
		for _, v := range viewers {
			p := w.get(v, "jeera", 0)
			if n := len(seen[v.Name]); n == 0 || seen[v.Name][n-1].Version != p.Version {
				seen[v.Name] = append(seen[v.Name], p)
			}
		}
	}
	for _, v := range viewers {
		for _, p := range seen[v.Name] {
			if got := w.get(v, "jeera", p.Version); !proto.Equal(got, p) {
				t.Errorf("%v at %d: %v, was %v", v, p.Version, got, p)
			}
		}
	}
}

func TestListPages(t *testing.T) {
	w := newWorld(t)
	for _, id := range []string{"b", "a", "c10", "c9"} {
		w.enrol(id, 10)
	}
	var got []string
	after, more := "", true
	for more {
		reply, err := w.client.ListPatients(w.ctx(), &injuryv1.ListPatientsRequest{Table: "t1", As: bob, After: after, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range reply.Patients {
			got = append(got, p.Patient)
			after = p.Patient
		}
		more = reply.More
	}
	if !slices.Equal(got, []string{"a", "b", "c10", "c9"}) {
		t.Errorf("listed %v", got)
	}
	other, err := w.client.ListPatients(w.ctx(), &injuryv1.ListPatientsRequest{As: gm})
	if err != nil || len(other.Patients) != 0 {
		t.Errorf("another table lists %v, %v", other, err)
	}
}

func TestHistoryHoldsFights(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	e := &encounter{w: w, id: "e1"}
	c := e.enter("jeera").Creature
	e.hurt("jeera", 17, eventv1.LifeStatus_LIFE_STATUS_ALIVE, event.Everyone())
	// A deed's events count whatever they are; what is nobody's harm does not.
	fate := event.New(event.GM(), &eventv1.CounterSet{Subject: "c-jeera", Counter: "fate", Value: 1})
	data, err := proto.Marshal(fate)
	if err != nil {
		t.Fatal(err)
	}
	e.commit(&eventv1.Command{What: &eventv1.Command_EndTurn{}}, nil, &eventv1.CommitInputs{Inputs: []*eventv1.Input{{Label: "harm",
		What: &eventv1.Input_Harm{Harm: &eventv1.HarmOutcome{Events: [][]byte{data}}}}}}, fate,
		event.New(event.Everyone(), &eventv1.CounterSet{Subject: "c-jeera", Counter: "movement", Value: 30}))
	e.leave("jeera", c)
	w.harm("jeera", 1)

	words := func(as *eventv1.Principal) (out []string) {
		for i, entry := range w.history(as, "jeera", 0, 0).Entries {
			if entry.Number != uint64(i)+1 {
				t.Errorf("number %d at place %d", entry.Number, i+1)
			}
			out = append(out, entry.Encounter+":"+entry.Deed)
		}
		return out
	}
	if got, want := words(gm), []string{":enrol", ":engage", "e1:take", "e1:end_turn", "e1:remove", ":release", ":harm"}; !slices.Equal(sorted(got), sorted(append(want, "e1:add"))) {
		t.Errorf("game master: %v, want %v and e1:add", got, want)
	}
	for _, as := range []*eventv1.Principal{ann, bob} {
		got := words(as)
		want := []string{":enrol", ":engage", "e1:fight", "e1:fight", "e1:fight", ":release", ":harm"}
		if !slices.Equal(sorted(got), sorted(want)) {
			t.Errorf("%s: %v, want %v", as.Name, got, want)
		}
	}
	for _, entry := range w.history(bob, "jeera", 0, 0).Entries {
		for _, e := range entry.Events {
			if e.GetHitPoints() != nil || e.Audience.Kind != eventv1.Audience_KIND_EVERYONE {
				t.Errorf("another player hears %v", e)
			}
			if m := e.GetCounter(); m != nil {
				t.Errorf("movement is in the history: %v", m)
			}
		}
	}
	first := w.history(gm, "jeera", 0, 3)
	rest := w.history(gm, "jeera", 3, 100)
	if !first.More || rest.More || len(first.Entries) != 3 || len(first.Entries)+len(rest.Entries) != len(words(gm)) {
		t.Errorf("pages of %d and %d", len(first.Entries), len(rest.Entries))
	}
	if n := len(w.history(gm, "kesh", 0, 0).Entries); n != 1 {
		t.Errorf("another patient's history has %d entries", n)
	}
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }
