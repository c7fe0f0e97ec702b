package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/daemon/daemontest"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/injury"
)

func TestServesAndRebuilds(t *testing.T) {
	dir := t.TempDir()
	common := []string{"--nats", daemontest.NATS(t), "--nats-create", "--data", dir}
	r := daemontest.Start(t, command, []string{injury.Name}, common...)
	_, err := injuryv1.NewInjuryServiceClient(r.Conn).GetPatient(t.Context(), &injuryv1.GetPatientRequest{Patient: "nobody",
		As: &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}})
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown patient: %v", err)
	}
	r.Stop()
	if err := command(io.Discard, io.Discard, append([]string{"rebuild"}, common...)).ExecuteContext(t.Context()); err != nil {
		t.Errorf("rebuild: %v", err)
	}
	if _, err := os.Stat(injury.File(dir)); err != nil {
		t.Error(err)
	}
}

func TestFlagsComeFromTheEnvironment(t *testing.T) {
	t.Setenv("SKALD_LOG_LEVEL", "loud")
	err := command(io.Discard, io.Discard, nil).ExecuteContext(t.Context())
	if err == nil || !strings.Contains(err.Error(), "loud") {
		t.Errorf("error %v", err)
	}
}
