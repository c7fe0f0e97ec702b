package main

import (
	"io"
	"os"
	"testing"

	"github.com/skaldrpg/skald/pkg/daemon/daemontest"
	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

var (
	gm       = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
	services = []string{"skald.encounter.v1.EncounterService", "skald.rules.v1.RulesService"}
)

func TestServesAndRebuilds(t *testing.T) {
	dir := t.TempDir()
	common := []string{"--nats", daemontest.NATS(t), "--nats-create", "--data", dir}
	r := daemontest.Start(t, command, services, common...)
	list, err := rulesv1.NewRulesServiceClient(r.Conn).ListSystems(t.Context(), &rulesv1.ListSystemsRequest{})
	if err != nil || len(list.GetSystems()) == 0 {
		t.Errorf("rule systems %v, %v", list, err)
	}
	_, err = encounterv1.NewEncounterServiceClient(r.Conn).GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: "nowhere"})
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown encounter: %v", err)
	}
	r.Stop()
	if err := command(io.Discard, io.Discard, append([]string{"rebuild"}, common...)).ExecuteContext(t.Context()); err != nil {
		t.Errorf("rebuild: %v", err)
	}
	if _, err := os.Stat(encounter.File(dir)); err != nil {
		t.Error(err)
	}
}
