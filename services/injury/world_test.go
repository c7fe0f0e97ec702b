package injury_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rpc/rpctest"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/injury"
)

// TestMain runs all over gRPC and with handlers called directly.
func TestMain(m *testing.M) { os.Exit(rpctest.Main(m)) }

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// tape is a dice service whose faces follow from the address by a hash, or
// from a script by label.
type tape struct {
	dicev1.UnimplementedTapeServiceServer
	mu     sync.Mutex
	script map[string][]int32
	drawn  []*dicev1.DrawRequest
	opened map[string]bool
}

func (s *tape) OpenEpoch(_ context.Context, req *dicev1.OpenEpochRequest) (*dicev1.OpenEpochResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	reply := &dicev1.OpenEpochResponse{}
	for _, b := range req.Branches {
		sum := sha256.Sum256(fmt.Append(nil, req.Table, req.Encounter, req.Epoch, b))
		reply.Commitments = append(reply.Commitments, &eventv1.Commitment{Branch: b, Commitment: sum[:]})
		s.opened[req.Encounter+"|"+b] = true
	}
	return reply, nil
}

// addressed draws supplied faces first, then those of the address.
type addressed struct {
	req  *dicev1.DrawRequest
	fix  []int32
	seen []int32
	used uint32
}

var errNeedFaces = fault.New(fault.Illegal, "NEED_FACES", "people must roll")

func (a *addressed) Face(sides int) (int, error) {
	n := len(a.seen)
	var face int32
	switch {
	case n < len(a.req.Supplied):
		face = a.req.Supplied[n]
		a.used++
	case !a.req.TapeAllowed:
		return 0, errNeedFaces
	case n < len(a.fix):
		face = a.fix[n]
	default:
		sum := sha256.Sum256(fmt.Append(nil, a.req.Encounter, a.req.Epoch, a.req.Action, a.req.Label, a.req.Index, a.req.Purpose, n))
		face = int32(binary.BigEndian.Uint32(sum[:])%uint32(sides)) + 1
	}
	a.seen = append(a.seen, face)
	return int(face), nil
}

func (s *tape) Draw(_ context.Context, req *dicev1.DrawRequest) (*dicev1.DrawResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if req.Purpose == dicev1.Purpose_PURPOSE_REAL && len(s.opened) > 0 && !s.opened[req.Encounter+"|"+req.Branch] && req.Encounter[:2] == "pa" {
		return nil, fault.New(fault.NotFound, "NO_BRANCH", "branch %s of %s is not open", req.Branch, req.Encounter)
	}
	expr, err := dice.Parse(req.Expression)
	if err != nil {
		return nil, err
	}
	src := &addressed{req: req, fix: s.script[req.Label]}
	res, err := expr.Eval(src, dice.Limits{})
	if errors.Is(err, errNeedFaces) {
		return nil, errNeedFaces
	}
	if err != nil {
		return nil, err
	}
	s.drawn = append(s.drawn, req)
	return &dicev1.DrawResponse{SuppliedUsed: src.used, Result: &dicev1.Result{Expression: expr.String(), Total: int64(res.Total), Faces: src.seen}}, nil
}

// world is everything that a test needs, over gRPC, a real server and real files.
type world struct {
	t       testing.TB
	journal *journal.Journal
	tape    *tape
	dir     string
	cfg     injury.Config
	svc     *injury.Service
	client  calls
	stop    func()
	n       int
	twist   atomic.Bool // the drill's rules have changed
}

// calls are all that the service answers, to callers and to the encounter service.
type calls struct {
	injuryv1.InjuryServiceClient
	injuryv1.AssessmentServiceClient
	injuryv1.PatientRecordServiceClient
}

func serve(t testing.TB, s *rpc.Server) (*rpc.InProcess, func()) {
	p := rpc.NewInProcess()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- rpc.Serve(ctx, s, p.Listener()) }()
	return p, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// newWorld is a world whose faces the test knows.
func newWorld(t testing.TB) *world {
	t.Helper()
	return makeWorld(t, func(w *world, r grpc.ServiceRegistrar) func() {
		dicev1.RegisterTapeServiceServer(r, w.tape)
		return func() {}
	})
}

func makeWorld(t testing.TB, registerDice func(*world, grpc.ServiceRegistrar) (end func())) *world {
	t.Helper()
	e, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: t.TempDir()}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := e.Connect(t.Name())
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(t.Context(), nc, journal.Config{Stream: "SKALD_0", Subjects: []string{"skald.0.>"}, Create: true, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, journal: j, dir: t.TempDir(), tape: &tape{script: map[string][]int32{}, opened: map[string]bool{}}}
	ds := rpc.NewServer(rpc.Options{Logger: quiet, Unary: []grpc.UnaryServerInterceptor{rpctest.NewWitness(t).Unary}})
	endDice := registerDice(w, ds)
	p, stopDice := serve(t, ds)
	conn, err := rpctest.Dial(p)
	if err != nil {
		t.Fatal(err)
	}
	systems, err := rules.NewRegistry(drill{twist: &w.twist})
	if err != nil {
		t.Fatal(err)
	}
	var tick atomic.Int64
	w.cfg = injury.Config{Journal: j, Dice: dicev1.NewTapeServiceClient(conn), Systems: systems, DataDir: w.dir, Logger: quiet,
		Clock: func() time.Time { tick.Add(1); return time.UnixMilli(1_700_000_000_000 + tick.Load()) }}
	w.start()
	t.Cleanup(func() {
		w.stop()
		conn.Close()
		stopDice()
		endDice()
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// start runs the service; stop ends it, as a crash between two calls would.
func (w *world) start() {
	w.t.Helper()
	svc, client, stop := w.replica(w.dir)
	w.svc, w.client, w.stop = svc, client, stop
}

func (w *world) replica(dir string) (*injury.Service, calls, func()) {
	w.t.Helper()
	cfg := w.cfg
	cfg.DataDir = dir
	svc, err := injury.New(context.Background(), cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- svc.Run(ctx) }()
	gs := rpc.NewServer(rpc.Options{Logger: quiet, Unary: []grpc.UnaryServerInterceptor{rpctest.NewWitness(w.t).Unary}})
	svc.Register(gs)
	svc.RegisterInternal(gs)
	p, stopServer := serve(w.t, gs)
	conn, err := rpctest.Dial(p)
	if err != nil {
		w.t.Fatal(err)
	}
	return svc, calls{injuryv1.NewInjuryServiceClient(conn), injuryv1.NewAssessmentServiceClient(conn), injuryv1.NewPatientRecordServiceClient(conn)}, func() {
		conn.Close()
		stopServer()
		cancel()
		if err := <-ran; err != nil {
			w.t.Errorf("run: %v", err)
		}
		if err := svc.Close(); err != nil {
			w.t.Error(err)
		}
	}
}

func (w *world) restart() {
	w.t.Helper()
	w.stop()
	w.start()
}

// settled waits until everything stored is applied.
func (w *world) settled() {
	w.t.Helper()
	info, err := w.journal.Info(w.ctx())
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.svc.WaitFor(w.ctx(), info.LastSeq); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	w.t.Cleanup(cancel)
	return ctx
}

var (
	gm        = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}
	ann       = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	bob       = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "bob"}
	spectator = &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}
)

func sheet(id string, hp int32, controllers ...string) *eventv1.Sheet {
	return &eventv1.Sheet{Id: id, Name: strings.TrimSpace("The " + id), Side: "party", HitPoints: hp, Controllers: controllers}
}

// deed makes a request with a fresh id.
func (w *world) deed(as *eventv1.Principal, c *eventv1.PatientCommand) *injuryv1.TendRequest {
	w.n++
	return &injuryv1.TendRequest{RequestId: fmt.Sprintf("r-%d", w.n), As: as, Table: "t1",
		Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: c}}}
}

func (w *world) answer(as *eventv1.Principal, decision string, a *eventv1.Answer) *injuryv1.TendRequest {
	w.n++
	return &injuryv1.TendRequest{RequestId: fmt.Sprintf("r-%d", w.n), As: as, Table: "t1", Command: &eventv1.Command{
		What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: decision, Answer: a}}}}
}

func (w *world) tend(req *injuryv1.TendRequest) *injuryv1.TendResponse {
	w.t.Helper()
	reply, err := w.client.Tend(w.ctx(), req)
	if err != nil {
		w.t.Fatalf("%v: %v", req.Command, err)
	}
	return reply
}

// refused wants a fault of the code and reason.
func (w *world) refused(req *injuryv1.TendRequest, code fault.Code, reason string) {
	w.t.Helper()
	_, err := w.client.Tend(w.ctx(), req)
	wantFault(w.t, err, code, reason)
}

func wantFault(t testing.TB, err error, code fault.Code, reason string) {
	t.Helper()
	f, ok := fault.As(err)
	if !ok || f.Code != code || f.Reason != reason {
		t.Fatalf("error %v, want %v %s", err, code, reason)
	}
}

func (w *world) enrol(id string, hp int32, controllers ...string) {
	w.t.Helper()
	req := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Patients: []string{id}, Sheet: sheet(id, hp, controllers...)})
	req.System = "drill"
	w.tend(req)
}

func (w *world) get(as *eventv1.Principal, id string, version uint64) *injuryv1.Patient {
	w.t.Helper()
	reply, err := w.client.GetPatient(w.ctx(), &injuryv1.GetPatientRequest{Table: "t1", Patient: id, As: as, Version: version})
	if err != nil {
		w.t.Fatal(err)
	}
	return reply.Patient
}

func (w *world) hp(id string) int32 {
	w.t.Helper()
	return w.get(gm, id, 0).Creature.GetHp()
}

func (w *world) wantHP(id string, want int32) {
	w.t.Helper()
	if got := w.hp(id); got != want {
		w.t.Fatalf("%s has %d hit points, want %d", id, got, want)
	}
}

func params(t testing.TB, m map[string]any) *structpb.Struct {
	t.Helper()
	s, err := structpb.NewStruct(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// open is the one decision that the events ask for.
func open(t testing.TB, events []*eventv1.Event) *eventv1.Decision {
	t.Helper()
	for _, e := range events {
		if d := e.GetDecisionRequested(); d != nil {
			return d.Decision
		}
	}
	t.Fatalf("no decision is asked for in %v", events)
	return nil
}

// harm takes hit points off between fights.
func (w *world) harm(id string, n int) {
	w.t.Helper()
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "harm", Patients: []string{id}, Parameters: params(w.t, map[string]any{"amount": n})}))
}
