package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A module of somebody else's, outside the workspace, plays by the client and the
// messages alone: it imports nothing else of this repository.
func TestFromOutside(t *testing.T) {
	top, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/outside/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`"(github\.com/skaldrpg/skald/[^"]+)"`).FindAllStringSubmatch(string(text), -1) {
		if path := strings.TrimPrefix(m[1], "github.com/skaldrpg/skald/"); path != "pkg/client" && !strings.HasPrefix(path, "proto/") {
			t.Errorf("it imports %s", m[1])
		}
	}
	sums, err := os.ReadFile(filepath.Join(top, "pkg", "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"main.go": string(text), "go.sum": string(sums),
		"go.mod": "module example.com/outside\n\ngo 1.26.0\n\nrequire (\n\tgithub.com/skaldrpg/skald/pkg v0.0.0\n\tgithub.com/skaldrpg/skald/proto v0.0.0\n)\n\n" +
			"replace (\n\tgithub.com/skaldrpg/skald/pkg => " + top + "/pkg\n\tgithub.com/skaldrpg/skald/proto => " + top + "/proto\n)\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-mod=mod", "-o", "outside", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("it does not build: %v\n%s", err, out)
	}
	address := serveGRPC(t)
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // the test is over
	play := &table{fights: encounterv1.NewEncounterServiceClient(conn), id: "outside"}
	commands := []*eventv1.Command{{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr"}}}}
	for i, name := range []string{"fighter", "orc"} {
		sheet, err := sheets.Get("rcr", name)
		if err != nil {
			t.Fatal(err)
		}
		commands = append(commands, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet, Position: &eventv1.Position{X: int32(5 * i)}}}})
	}
	for _, cmd := range append(commands, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}) {
		if _, err := play.do(t.Context(), master, cmd); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(dir, "outside"), address, "outside").CombinedOutput()
	if err != nil || len(strings.Fields(string(out))) != 3 || !strings.HasPrefix(string(out), "outside 2 ") {
		t.Errorf("%v: %s", err, out)
	}
}
