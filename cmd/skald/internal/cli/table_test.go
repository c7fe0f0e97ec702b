package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/journal"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TestTableOverNATS deletes a table as an administrator does where the services run
// by themselves: the process that serves it reads of it in the journal.
func TestTableOverNATS(t *testing.T) {
	nats, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: filepath.Join(t.TempDir(), "nats"), Port: -1}, silent())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nats.Stop() }) //nolint:errcheck // the test is over
	dir := t.TempDir()
	s, err := allinone.Start(t.Context(), allinone.Config{DataDir: dir, NATSURL: nats.URL(), Create: true, Logger: silent()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() }) //nolint:errcheck // the test is over
	gm := &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
	client := encounterv1.NewEncounterServiceClient(s.Conn())
	for _, table := range []string{"friday", "fridays"} {
		if _, err := client.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: "c", As: gm, Table: table, Encounter: "bridge", Command: &eventv1.Command{
			What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: "bridge", Table: table, System: "rcr"}}}}); err != nil {
			t.Fatal(err)
		}
	}
	heads := filepath.Join(dir, "heads.key")
	call := func(want int, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := Run(t.Context(), append(args, "--nats", nats.URL(), "--keys", heads), strings.NewReader(""), &out, &errs); code != want {
			t.Fatalf("skald %s: exit code %d, want %d: %s", strings.Join(args, " "), code, want, errs.String())
		}
		return out.String() + errs.String()
	}
	if out := call(exitOK, "table", "list"); !strings.Contains(out, "friday ") || strings.Contains(out, "deleted") {
		t.Errorf("list: %s", out)
	}
	if out := call(exitUsage, "table", "delete", "friday", "--reason", "over", "--open-fights"); !strings.Contains(out, "bridge") || !strings.Contains(out, "--yes") {
		t.Errorf("without --yes: %s", out)
	}
	var none bytes.Buffer
	if code := Run(t.Context(), []string{"table", "delete", "friday", "--reason", "over", "--yes", "--nats", nats.URL(), "--keys", heads}, strings.NewReader(""), &none, &none); code == exitOK || !strings.Contains(none.String(), "not over") {
		t.Errorf("a fight that is not over: %d %s", code, none.String())
	}
	if out := call(exitOK, "table", "delete", "friday", "--reason", "over", "--open-fights", "--yes"); !strings.Contains(out, "skald/tombstone/v1 friday") {
		t.Errorf("delete: %s", out)
	}
	if out := call(exitOK, "table", "list"); !strings.Contains(out, "deleted") {
		t.Errorf("list: %s", out)
	}
	file := filepath.Join(t.TempDir(), "friday.tombstone")
	if err := os.WriteFile(file, []byte(call(exitOK, "table", "tombstone", "friday")), 0o600); err != nil {
		t.Fatal(err)
	}
	keys, err := attest.ReadKeys(heads)
	if err != nil {
		t.Fatal(err)
	}
	public, err := keys.Public()
	if err != nil {
		t.Fatal(err)
	}
	if out := run(t, "table", "tombstone", file, "--key", public[0].Verifier); !strings.Contains(out, "holds") {
		t.Errorf("offline: %s", out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(data, []byte(`"over"`), []byte(`"asked"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := Run(t.Context(), []string{"table", "tombstone", file, "--key", public[0].Verifier}, strings.NewReader(""), &none, &none); code == exitOK {
		t.Error("a tombstone that was changed holds")
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		_, err = client.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Table: "friday", Encounter: "bridge"})
		if err != nil && strings.Contains(err.Error(), "was deleted") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the server still answers: %v", err)
		}
	}
	if _, err = client.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Table: "fridays", Encounter: "bridge"}); err != nil {
		t.Errorf("the other table: %v", err)
	}
}
