package allinone_test

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

func start(t *testing.T, dir string) *allinone.Stack {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	s, err := allinone.Start(ctx, allinone.Config{DataDir: dir, Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() }) //nolint:errcheck // checked by who cares
	return s
}

func TestEveryServiceAnswersAndSurvivesARestart(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir)
	ctx := t.Context()
	if _, err := dicev1.NewDiceServiceClient(s.Conn()).Roll(ctx, &dicev1.RollRequest{Expression: "3d6", RequestId: "r"}); err != nil {
		t.Fatal(err)
	}
	list, err := rulesv1.NewRulesServiceClient(s.Conn()).ListSystems(ctx, &rulesv1.ListSystemsRequest{})
	if err != nil || len(list.Systems) == 0 {
		t.Fatalf("no systems: %v", err)
	}
	gm := &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
	_, err = encounterv1.NewEncounterServiceClient(s.Conn()).Execute(ctx, &encounterv1.ExecuteRequest{RequestId: "c", As: gm, Encounter: "bridge",
		Command: &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: "bridge", System: "rcr", Title: "Bridge"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = start(t, dir)
	state, err := encounterv1.NewEncounterServiceClient(s.Conn()).GetState(ctx, &encounterv1.GetStateRequest{As: gm, Encounter: "bridge"})
	if err != nil || state.State.Title != "Bridge" {
		t.Fatalf("after the restart: %v, %v", state, err)
	}
	replica, err := s.Replica(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer replica.Close() //nolint:errcheck // the test is over
	live, err := s.ContentHash()
	if err != nil {
		t.Fatal(err)
	}
	if fresh, err := replica.ContentHash(); err != nil || string(fresh) != string(live) {
		t.Fatalf("a projection made from nothing differs: %x, %x, %v", live, fresh, err)
	}
}

func TestRebuildAndCheck(t *testing.T) {
	dir := t.TempDir()
	if err := start(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	r, err := allinone.OpenRebuilder(t.Context(), allinone.Config{DataDir: dir, Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // the test is over
	for _, s := range r.Services {
		if err := r.Rebuild(t.Context(), s, nil); err != nil {
			t.Errorf("rebuilding %s: %v", s.Name, err)
		}
		if same, err := r.Check(t.Context(), s, nil); err != nil || !same {
			t.Errorf("checking %s: same %v, %v", s.Name, same, err)
		}
	}
}

func TestAFolderInUseIsRefused(t *testing.T) {
	dir := t.TempDir()
	start(t, dir)
	if _, err := allinone.Start(t.Context(), allinone.Config{DataDir: dir, Logger: quiet()}); err == nil {
		t.Fatal("two suites share a folder")
	}
}
