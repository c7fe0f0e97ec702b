package encounter_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rpc/rpctest"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/dice"
	"github.com/skaldrpg/skald/services/encounter"
	"github.com/skaldrpg/skald/services/injury"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

var (
	gm        = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}
	ann       = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	bob       = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "bob"}
	spectator = &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}
)

// running is a service with what it owns.
type running interface {
	Register(grpc.ServiceRegistrar)
	Run(context.Context) error
	Close() error
}

// world is the three services over gRPC, a real server and real files.
type world struct {
	t       testing.TB
	journal *journal.Journal
	log     journal.Log // what the encounter service writes to
	dice    dicev1.TapeServiceClient
	injury  injuryv1.AssessmentServiceClient
	records injuryv1.InjuryServiceClient
	systems *rules.Registry
	dir     string
	keys    string           // file of the keys that sign heads
	clock   func() time.Time // of the encounter service; nil means the real one
	beat    time.Duration    // of its watches; 0 means the standard one
	memory  int64            // for its fights; 0 means the standard one
	inline  int              // what an amendment may have in its Commit; 0 means the standard one
	packs   [][]byte         // that it offers to every table
	n       int
	// overGRPC: its services call each other over gRPC.
	overGRPC bool
}

// noReveal is a dice service that dies before it reveals anything.
type noReveal struct{ dicev1.TapeServiceClient }

func (noReveal) Reveal(context.Context, *dicev1.RevealRequest, ...grpc.CallOption) (*dicev1.RevealResponse, error) {
	return nil, errors.New("no dice service")
}

// host serves a service in process until the test ends or stop is called.
func host(t testing.TB, s running) (conn *grpc.ClientConn, stop func()) {
	p, stop := pipe(t, s, nil)
	conn, err := p.Dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() }) //nolint:errcheck // test
	return conn, stop
}

// peer serves a service for the others, which are in the same process: they call it
// directly, and a benchmark says what that is worth.
func peer(t testing.TB, s running, overGRPC bool) grpc.ClientConnInterface {
	var seen []grpc.UnaryServerInterceptor
	if _, bench := t.(*testing.B); !bench {
		seen = append(seen, rpctest.NewWitness(t).Unary)
	}
	p, _ := pipe(t, s, seen)
	dial := func() (rpctest.Conn, error) { return p.Direct(nil) }
	if overGRPC {
		dial = func() (rpctest.Conn, error) { return p.Dial() }
	}
	conn, err := dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() }) //nolint:errcheck // test
	return conn
}

// pipe serves a service in process until the test ends or stop is called.
func pipe(t testing.TB, s running, calls []grpc.UnaryServerInterceptor) (p *rpc.InProcess, stop func()) {
	t.Helper()
	server := rpc.NewServer(rpc.Options{Logger: quiet, Unary: calls})
	s.Register(server)
	if s, ok := s.(interface{ RegisterInternal(grpc.ServiceRegistrar) }); ok {
		s.RegisterInternal(server)
	}
	p = rpc.NewInProcess()
	ctx, cancel := context.WithCancel(context.Background())
	served, ran := make(chan error, 1), make(chan error, 1)
	go func() { ran <- s.Run(ctx) }()
	serverCtx, stopServer := context.WithCancel(context.Background())
	go func() { served <- rpc.Serve(serverCtx, server, p.Listener()) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		if e, ok := s.(*encounter.Service); ok {
			e.StopWatches()
		}
		stopServer()
		if err := <-served; err != nil {
			t.Error(err)
		}
		cancel()
		if err := <-ran; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return p, stop
}

func newWorld(t testing.TB) *world { return newWorldOver(t, false) }

// newWorldOver is a world whose services call each other over gRPC, or directly.
func newWorldOver(t testing.TB, overGRPC bool) *world {
	t.Helper()
	e, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: t.TempDir()}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
	})
	nc, err := e.Connect(t.Name())
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(t.Context(), nc, journal.Config{Stream: "SKALD_0", Subjects: []string{journal.PartitionFilter(0)}, Create: true, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	systems, err := rules.NewRegistry(toy{})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, overGRPC: overGRPC, journal: j, log: j, systems: systems, dir: t.TempDir()}
	w.keys = filepath.Join(w.dir, encounter.KeysFile)
	ds, err := dice.New(t.Context(), dice.Config{Journal: j, DataDir: t.TempDir(), CreateMasterKey: true, Alone: true, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	w.dice = dicev1.NewTapeServiceClient(peer(t, ds, overGRPC))
	w.injuryOn(j)
	return w
}

// injuryOn runs the injury service over a log.
func (w *world) injuryOn(log journal.Log) {
	w.t.Helper()
	is, err := injury.New(w.t.Context(), injury.Config{Journal: log, Dice: w.dice, Systems: w.systems, DataDir: w.t.TempDir(), Logger: quiet})
	if err != nil {
		w.t.Fatal(err)
	}
	conn := peer(w.t, is, w.overGRPC)
	w.injury, w.records = injuryv1.NewAssessmentServiceClient(conn), injuryv1.NewInjuryServiceClient(conn)
}

// client is one encounter service as its callers see it.
type client struct {
	encounterv1.EncounterServiceClient
	encounterv1.ContentServiceClient
	encounterv1.RecordServiceClient
	w   *world
	svc *encounter.Service
	// conn leads to the service.
	conn *grpc.ClientConn
	// stop ends the service as a crash between two calls would leave it.
	stop func()
}

// start runs an encounter service on the world's data folder.
func (w *world) start() *client { return w.replica(w.dir, w.log) }

// replica runs an encounter service on a folder of its own.
func (w *world) replica(dir string, log journal.Log) *client {
	w.t.Helper()
	svc, err := encounter.New(context.Background(), encounter.Config{Journal: log, Dice: w.dice, Injury: w.injury, Systems: w.systems, DataDir: dir, KeysFile: w.keys, Logger: quiet, Clock: w.clock, Heartbeat: w.beat, FightMemory: w.memory, InlineBytes: w.inline, Packs: func() ([][]byte, error) { return w.packs, nil }})
	if err != nil {
		w.t.Fatal(err)
	}
	conn, stop := host(w.t, svc)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := svc.Ready(ctx); err != nil {
		w.t.Fatal(err)
	}
	return &client{EncounterServiceClient: encounterv1.NewEncounterServiceClient(conn), ContentServiceClient: encounterv1.NewContentServiceClient(conn),
		RecordServiceClient: encounterv1.NewRecordServiceClient(conn), w: w, svc: svc, conn: conn, stop: stop}
}

// try carries out a command under a new request id.
func (c *client) try(as *eventv1.Principal, id string, cmd *eventv1.Command) (*encounterv1.ExecuteResponse, error) {
	c.w.n++
	return c.Execute(context.Background(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprintf("r%d-%p", c.w.n, c), As: as, Encounter: id, Command: cmd})
}

func (c *client) do(as *eventv1.Principal, id string, cmd *eventv1.Command) *encounterv1.ExecuteResponse {
	c.w.t.Helper()
	resp, err := c.try(as, id, cmd)
	if err != nil {
		c.w.t.Fatalf("%T: %v", cmd.What, err)
	}
	return resp
}

func (c *client) state(as *eventv1.Principal, id string, at uint64) *encounterv1.GetStateResponse {
	c.w.t.Helper()
	resp, err := c.GetState(context.Background(), &encounterv1.GetStateRequest{As: as, Encounter: id, At: at})
	if err != nil {
		c.w.t.Fatal(err)
	}
	return resp
}

func createCmd(policy eventv1.DicePolicy) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "toy", Title: "A fight", DicePolicy: policy}}}
}

func addCmd(id string, hp int32, controllers ...string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: &eventv1.Sheet{Id: id, Name: id, Side: id, HitPoints: hp, Controllers: controllers}}}}
}

func takeCmd(creature, action, target string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: creature, Action: action, Targets: []string{target}}}}
}

func answerCmd(id, option string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: id, Answer: &eventv1.Answer{Option: option}}}}
}

func early(cmd *eventv1.Command, pairs ...string) *eventv1.Command {
	for i := 0; i < len(pairs); i += 2 {
		cmd.Answers = append(cmd.Answers, &eventv1.EarlyAnswer{Decision: pairs[i], Answer: &eventv1.Answer{Option: pairs[i+1]}})
	}
	return cmd
}

// fight begins an encounter between a (ann's) and b (bob's).
func (c *client) fight(id string, policy eventv1.DicePolicy) {
	c.w.t.Helper()
	c.do(gm, id, createCmd(policy))
	c.do(gm, id, addCmd("a", 1000, "ann"))
	c.do(gm, id, addCmd("b", 1000, "bob"))
	c.do(gm, id, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
}

func reason(err error) string {
	if f := rpc.FromStatus(err); f != nil {
		return f.Reason
	}
	return ""
}

func code(err error) fault.Code {
	if f := rpc.FromStatus(err); f != nil {
		return f.Code
	}
	return 0
}

// field is the first field that an error is about.
func field(err error) string {
	if f := rpc.FromStatus(err); f != nil && len(f.Violations) > 0 {
		return f.Violations[0].Field
	}
	return ""
}
