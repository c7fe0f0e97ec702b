package robustness

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// childData tells a copy of this test binary to be the suite on a data folder.
const childData = "SKALD_ROBUSTNESS_DATA"

// childFeed is where that suite offers its feed, if it does.
const childFeed = "SKALD_ROBUSTNESS_FEED"

var gm = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}

func TestMain(m *testing.M) {
	if dir := os.Getenv(childData); dir != "" {
		if err := child(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child serves the suite and prints its address; its parent kills it.
func child(dir string) error {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	cfg := allinone.Config{DataDir: dir, Logger: quiet}
	if at := os.Getenv(childFeed); at != "" {
		cfg.Feed = &allinone.Feed{Listen: at}
	}
	s, err := allinone.Start(context.Background(), cfg)
	if err != nil {
		return err
	}
	server := rpc.NewServer(rpc.Options{Logger: quiet})
	s.Register(server)
	l, err := listen()
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	return rpc.Serve(context.Background(), server, l)
}

// suite is a child process.
type suite struct {
	encounterv1.EncounterServiceClient
	cmd  *exec.Cmd
	conn *grpc.ClientConn
}

func startSuite(t *testing.T, dir string) *suite {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childData+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the suite does not start: %v", err)
	}
	conn, err := rpc.Dial(strings.TrimSpace(line), rpc.TLSFiles{})
	if err != nil {
		t.Fatal(err)
	}
	s := &suite{EncounterServiceClient: encounterv1.NewEncounterServiceClient(conn), cmd: cmd, conn: conn}
	t.Cleanup(s.kill)
	return s
}

// kill ends the process as a power cut would end it for the process.
func (s *suite) kill() {
	if s.cmd.ProcessState != nil {
		return
	}
	s.cmd.Process.Signal(syscall.SIGKILL) //nolint:errcheck // it may be gone
	s.cmd.Wait()                          //nolint:errcheck // killed
	s.conn.Close()                        //nolint:errcheck // of a dead server
}

func (s *suite) do(t *testing.T, id string, cmd *eventv1.Command) *encounterv1.ExecuteResponse {
	t.Helper()
	resp, err := s.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: id, As: gm, Encounter: "e", Command: cmd})
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return resp
}

func (s *suite) state(t *testing.T) *encounterv1.GetStateResponse {
	t.Helper()
	resp, err := s.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func addSheet(t *testing.T, system, name, id, side string, controllers ...string) *eventv1.Command {
	t.Helper()
	sheet, err := sheets.Get(system, name)
	if err != nil {
		t.Fatal(err)
	}
	sheet = proto.Clone(sheet).(*eventv1.Sheet)
	sheet.Id, sheet.Side, sheet.Controllers = id, side, controllers
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet}}}
}

// A kill in the middle of a decision: the same fight goes on.
func TestKilledInMidDecision(t *testing.T) {
	dir := t.TempDir()
	s := startSuite(t, dir)
	s.do(t, "create", &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr"}}})
	s.do(t, "add-1", addSheet(t, "rcr", "rogue", "hero", "party", "ann"))
	s.do(t, "add-2", addSheet(t, "rcr", "wizard", "foe", "monsters", "bob"))
	s.do(t, "start", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	before := s.state(t)
	if len(before.State.Decisions) == 0 {
		t.Fatal("nothing was asked: this test needs an open decision")
	}
	s.kill()
	s = startSuite(t, dir)
	after := s.state(t)
	if !proto.Equal(before, after) {
		t.Fatal("the fight is not the same after the kill")
	}
	for n := 0; n < 20 && len(after.State.Decisions) > 0; n++ {
		for id, d := range after.State.Decisions {
			s.do(t, "answer-"+id, &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: id, Answer: &eventv1.Answer{Option: d.Options[0].Id}}}})
			break
		}
		s.kill() // and between any two answers
		s = startSuite(t, dir)
		after = s.state(t)
	}
	if len(after.State.Active) != 1 || after.State.Round != 1 {
		t.Errorf("the fight did not go on: active %v in round %d", after.State.Active, after.State.Round)
	}
}

// Kills at random moments under load: nothing acknowledged is lost, nothing is
// doubled, versions stay gapless.
func TestKilledUnderLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for several seconds")
	}
	dir := t.TempDir()
	s := startSuite(t, dir)
	s.do(t, "create", &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr"}}})
	s.do(t, "add", addSheet(t, "rcr", "ogre", "ogre", "monsters"))
	acknowledged := map[string]uint64{"create": 1, "add": 2}
	next := 0
	edit := func(n int) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "ogre",
			Vitals: &eventv1.Vitals{Counters: map[string]int64{"hours": int64(n)}}}}}
	}
	for round := range 6 {
		timer := time.AfterFunc(time.Duration(20+rand.IntN(150))*time.Millisecond, func() { s.cmd.Process.Signal(syscall.SIGKILL) }) //nolint:errcheck // it may be gone
		for {
			next++
			id := fmt.Sprintf("edit-%d", next)
			resp, err := s.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: id, As: gm, Encounter: "e", Command: edit(next)})
			if err != nil {
				break
			}
			acknowledged[id] = resp.Step.Number
		}
		timer.Stop()
		s.kill()
		s = startSuite(t, dir)
		// What was in flight is repeated under its id and happens once.
		resp := s.do(t, fmt.Sprintf("edit-%d", next), edit(next))
		acknowledged[fmt.Sprintf("edit-%d", next)] = resp.Step.Number
		if got := s.state(t).State.Creatures["ogre"].Counters["hours"]; got != int64(next) {
			t.Fatalf("round %d: hours %d, want %d", round, got, next)
		}
	}
	numbers := map[uint64]string{}
	for id, n := range acknowledged {
		if other := numbers[n]; other != "" {
			t.Errorf("step %d is both %s and %s", n, id, other)
		}
		numbers[n] = id
	}
	last := s.state(t).Number
	if last != uint64(len(acknowledged)) {
		t.Errorf("%d steps for %d commands", last, len(acknowledged))
	}
	h, err := s.GetHistory(t.Context(), &encounterv1.GetHistoryRequest{As: gm, Encounter: "e", Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range h.Steps {
		if step.Number != uint64(i)+1 {
			t.Fatalf("step %d where %d must be", step.Number, i+1)
		}
	}
}
