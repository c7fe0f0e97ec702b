package allinone_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/journal"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

func startOn(t *testing.T, dir string, streams int) *allinone.Stack {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	s, err := allinone.Start(ctx, allinone.Config{DataDir: dir, Streams: streams, Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() }) //nolint:errcheck // checked by who cares
	return s
}

// fight plays a fight with a patient at a table and lets the patient go again.
func fight(t *testing.T, s *allinone.Stack, table, id string) {
	t.Helper()
	do := func(request string, c *eventv1.Command) {
		t.Helper()
		if _, err := encounterv1.NewEncounterServiceClient(s.Conn()).Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: request, As: master,
			Table: table, Encounter: id, Command: c}); err != nil {
			t.Fatalf("%s at %s: %v", request, table, err)
		}
	}
	sheet, err := sheets.Get("rcr", "fighter")
	if err != nil {
		t.Fatal(err)
	}
	sheet = proto.Clone(sheet).(*eventv1.Sheet)
	sheet.Id, sheet.Side = "kara", "party"
	records := injuryv1.NewInjuryServiceClient(s.Conn())
	if _, err := records.Tend(t.Context(), &injuryv1.TendRequest{RequestId: "enrol", As: master, Table: table, System: "rcr",
		Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: "enrol", Patients: []string{"kara"}, Sheet: sheet}}}}); err != nil {
		t.Fatalf("enrolling at %s: %v", table, err)
	}
	do("create", create(id))
	do("add", &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: "kara", Side: "party", Patient: "kara"}}}})
	orc := proto.Clone(sheet).(*eventv1.Sheet)
	orc.Id, orc.Side = "orc", "monsters"
	do("orc", &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: orc}}})
	do("start", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
}

// check looks that a table has its fight and its patient, the one in the other.
func check(t *testing.T, s *allinone.Stack, table, id string) {
	t.Helper()
	state, err := encounterv1.NewEncounterServiceClient(s.Conn()).GetState(t.Context(), &encounterv1.GetStateRequest{As: master, Table: table, Encounter: id})
	if err != nil || state.State.Status != eventv1.State_STATUS_STARTED || len(state.State.Creatures) != 2 {
		t.Errorf("%s: %v, %v", table, state.GetState().GetStatus(), err)
	}
	list, err := encounterv1.NewEncounterServiceClient(s.Conn()).ListEncounters(t.Context(), &encounterv1.ListEncountersRequest{As: master, Table: table})
	if err != nil || len(list.Encounters) != 1 {
		t.Errorf("%s: encounters %v, %v", table, list, err)
	}
	patients, err := injuryv1.NewInjuryServiceClient(s.Conn()).ListPatients(t.Context(), &injuryv1.ListPatientsRequest{As: master, Table: table})
	if err != nil || len(patients.Patients) != 1 {
		t.Errorf("%s: patients %v, %v", table, patients, err)
	}
}

// A folder of one stream goes on with four; every table stays where it was, and
// the projections of all streams are what the log says.
func TestManyStreams(t *testing.T) {
	dir := t.TempDir()
	s := startOn(t, dir, 0)
	fight(t, s, "main", "bridge")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = startOn(t, dir, 4)
	tables := []string{"main"}
	for p := range 4 {
		for i := 0; len(tables) == p+1; i++ {
			if name := fmt.Sprint("t", p, "-", i); journal.Partition(name, 4) == p {
				tables = append(tables, name)
			}
		}
	}
	for _, table := range tables[1:] {
		fight(t, s, table, "bridge")
	}
	for p, stream := range s.Streams().All() {
		info, err := stream.Info(t.Context())
		if err != nil || info.Messages < 6 {
			t.Errorf("stream %d holds %d records, %v", p, info.Messages, err)
		}
	}
	if p, err := s.Streams().Place(t.Context(), "main", false); err != nil || p != 0 {
		t.Errorf("the first table is in stream %d, %v", p, err)
	}
	for range 2 { // what is written at the end is in the projections after the next start
		for _, table := range tables {
			check(t, s, table, "bridge")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = startOn(t, dir, 0)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := allinone.OpenRebuilder(t.Context(), allinone.Config{DataDir: dir, Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	for _, svc := range r.Services {
		if same, err := r.Check(t.Context(), svc, nil); err != nil || !same {
			t.Errorf("checking %s: same %v, %v", svc.Name, same, err)
		}
		if err := r.Rebuild(t.Context(), svc, nil); err != nil {
			t.Errorf("rebuilding %s: %v", svc.Name, err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	s = startOn(t, dir, 1) // fewer than there are: all are opened
	for _, table := range tables {
		check(t, s, table, "bridge")
	}
}
