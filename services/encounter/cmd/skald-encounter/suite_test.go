package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/daemon/daemontest"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/dice"
	"github.com/skaldrpg/skald/services/injury"
)

const programs = "github.com/skaldrpg/skald/services/"

// process is a real process of one of the services' programs.
type process struct {
	addr     string
	internal string // where the other services are; empty when there is none
	stop     func()
}

func start(t *testing.T, program string, args ...string) process {
	t.Helper()
	log, ended := daemontest.NewLog(), make(chan error, 1)
	cmd := exec.Command(program, append([]string{"--listen", "127.0.0.1:0"}, args...)...)
	listens := slices.Contains(args, "--internal-listen")
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { ended <- cmd.Wait() }() // ends with the process
	p := process{addr: log.Wait(t, `service is up" grpc=(\S+)`, ended)}
	if listens {
		p.internal = log.Wait(t, `service is up".* internal=(\S+)`, ended)
	}
	stopped := false
	p.stop = func() {
		if stopped {
			return
		}
		stopped = true
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Errorf("%s: %v", filepath.Base(program), err)
		}
		if err := <-ended; err != nil {
			t.Errorf("%s ended with %v", filepath.Base(program), err)
		}
	}
	return p
}

// The three programs as processes of their own play one fight over TCP.
func TestThreeProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("builds three programs")
	}
	bin, nats := t.TempDir(), daemontest.NATS(t)
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin+"/", programs+"dice/cmd/skald-dice",
		programs+"injury/cmd/skald-injury", programs+"encounter/cmd/skald-encounter")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := t.TempDir()
	run := func(name string, args ...string) process {
		p := start(t, filepath.Join(bin, "skald-"+name), append([]string{"--nats", nats, "--nats-create", "--data", filepath.Join(dir, name)}, args...)...)
		t.Cleanup(func() { p.stop() })
		return p
	}
	key := filepath.Join(dir, "service.key")
	if _, err := auth.NewKey(key, auth.HS256); err != nil {
		t.Fatal(err)
	}
	dices := run("dice", "--master-key-create", "--internal-listen", "127.0.0.1:0", "--service-key", key)
	injuries := run("injury", "--dice", dices.internal, "--internal-listen", "127.0.0.1:0", "--service-key", key)
	fights := run("encounter", "--dice", dices.internal, "--injury", injuries.internal, "--service-key", key)
	for addr, service := range map[string]string{dices.addr: dice.Name, injuries.addr: injury.Name, fights.addr: services[0]} {
		conn, err := rpc.Dial(addr, rpc.TLSFiles{})
		if err != nil {
			t.Fatal(err)
		}
		daemontest.Healthy(t, conn, service)
		conn.Close()
	}
	play(t, fights)
}

// play begins a fight, watches it, and sees the watch end with the service.
func play(t *testing.T, fights process) {
	conn, err := rpc.Dial(fights.addr, rpc.TLSFiles{})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client := encounterv1.NewEncounterServiceClient(conn)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	do := func(id string, c *eventv1.Command) *encounterv1.ExecuteResponse {
		t.Helper()
		r, err := client.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: id, As: gm, Encounter: "bridge", Command: c})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		return r
	}
	do("create", &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr"}}})
	for i, name := range []string{"fighter", "orc"} {
		sheet, err := sheets.Get("rcr", name)
		if err != nil {
			t.Fatal(err)
		}
		sheet = proto.Clone(sheet).(*eventv1.Sheet)
		sheet.Id, sheet.Side = name, []string{"party", "monsters"}[i]
		do("add-"+name, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet}}})
	}
	started := do("start", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	again := do("start", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	if !again.Repeated || !proto.Equal(again.Step, started.Step) {
		t.Errorf("the same request again: %v, first %v", again, started)
	}
	state, err := client.GetState(ctx, &encounterv1.GetStateRequest{As: gm, Encounter: "bridge"})
	if err != nil || state.State.Status != eventv1.State_STATUS_STARTED || len(state.State.Creatures) != 2 {
		t.Fatalf("state %v, %v", state, err)
	}
	watch, err := client.Watch(ctx, &encounterv1.WatchRequest{As: gm, Encounter: "bridge"})
	if err != nil {
		t.Fatal(err)
	}
	for {
		m, err := watch.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if m.GetCaughtUp() != nil {
			break
		}
	}
	fights.stop()
	if m, err := watch.Recv(); m.GetEnd().GetReason() != "STOPPING" || !m.GetEnd().GetAgain() {
		t.Errorf("before its end a watch said %v, %v", m, err)
	}
	if _, err := watch.Recv(); status.Code(err) != codes.Unavailable {
		t.Errorf("a watch ended with %v, want UNAVAILABLE", err)
	}
}
