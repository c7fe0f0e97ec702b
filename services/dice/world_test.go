package dice_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rpc/rpctest"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/dice"
)

const (
	table = "ashfall"
	fight = "bridge-7"

	everyone = "everyone"
	gm       = "gm"

	forReal    = dicev1.Purpose_PURPOSE_REAL
	forPreview = dicev1.Purpose_PURPOSE_PREVIEW
)

// TestMain runs all over gRPC and with handlers called directly.
func TestMain(m *testing.M) { os.Exit(rpctest.Main(m)) }

var quiet = slog.New(slog.DiscardHandler)

// log starts a real server in a folder of the test and opens the stream.
func openLog(t testing.TB) *journal.Journal {
	t.Helper()
	e, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: filepath.Join(t.TempDir(), "nats")}, quiet)
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
	j, err := journal.Open(t.Context(), nc, journal.Config{Stream: "SKALD_0", Subjects: []string{"skald.0.>"}, Create: true, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// clock ticks a millisecond each time it is read.
type clock struct{ ms atomic.Int64 }

func (c *clock) now() time.Time { return time.UnixMilli(1_700_000_000_000 + c.ms.Add(1)) }

// node is one dice service over gRPC.
type node struct {
	dicev1.DiceServiceClient
	dicev1.TapeServiceClient
	svc *dice.Service
	// stop ends it in order and gives Run's error.
	stop func() error
}

func config(t testing.TB, log journal.Log) dice.Config {
	c := &clock{}
	return dice.Config{Journal: log, DataDir: t.TempDir(), CreateMasterKey: true, Alone: true, Logger: quiet, Clock: c.now}
}

func start(t testing.TB, cfg dice.Config) *node {
	t.Helper()
	svc, err := dice.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	server := rpc.NewServer(rpc.Options{Logger: quiet, Unary: []grpc.UnaryServerInterceptor{rpctest.NewWitness(t).Unary}})
	svc.Register(server)
	svc.RegisterInternal(server)
	pipe := rpc.NewInProcess()
	ctx, cancel := context.WithCancel(context.Background())
	served, ran := make(chan error, 1), make(chan error, 1)
	serving, stopServing := context.WithCancel(context.Background())
	go func() { served <- rpc.Serve(serving, server, pipe.Listener()) }()
	go func() { ran <- svc.Run(ctx) }()
	conn, err := rpctest.Dial(pipe)
	if err != nil {
		t.Fatal(err)
	}
	stop := sync.OnceValue(func() error {
		stopServing()
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
		cancel()
		err := <-ran
		conn.Close()
		if err := svc.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		return err
	})
	t.Cleanup(func() { stop() }) //nolint:errcheck // a test that cares calls stop itself
	return &node{DiceServiceClient: dicev1.NewDiceServiceClient(conn), TapeServiceClient: dicev1.NewTapeServiceClient(conn), svc: svc, stop: stop}
}

func newNode(t testing.TB) *node {
	t.Helper()
	return start(t, config(t, openLog(t)))
}

func ok[T any](t testing.TB) func(v T, err error) T {
	t.Helper()
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// open opens an epoch and returns the commitments by branch.
func (n *node) open(t testing.TB, epoch uint32, entropy []*eventv1.Entropy, branches ...string) map[string][]byte {
	t.Helper()
	reply, err := n.OpenEpoch(t.Context(), &dicev1.OpenEpochRequest{Table: table, Encounter: fight, Epoch: epoch, Branches: branches, Entropy: entropy})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, c := range reply.GetCommitments() {
		out[c.GetBranch()] = c.GetCommitment()
	}
	if len(out) != len(branches) {
		t.Fatalf("commitments %v, want those of %v", out, branches)
	}
	return out
}

// ask is a draw for real from the public branch, with the tape.
func ask(action uint64, label, expression string) *dicev1.DrawRequest {
	return &dicev1.DrawRequest{Table: table, Encounter: fight, Epoch: 1, Action: action, Label: label, Branch: everyone,
		Expression: expression, Purpose: forReal, TapeAllowed: true}
}

func with(r *dicev1.DrawRequest, change func(*dicev1.DrawRequest)) *dicev1.DrawRequest {
	change(r)
	return r
}

func (n *node) faces(t testing.TB, r *dicev1.DrawRequest) []int32 {
	t.Helper()
	return ok[*dicev1.DrawResponse](t)(n.Draw(t.Context(), r)).GetResult().GetFaces()
}

func (n *node) reveal(t testing.TB, epoch uint32, branch string) *dicev1.RevealResponse {
	t.Helper()
	return ok[*dicev1.RevealResponse](t)(n.Reveal(t.Context(), &dicev1.RevealRequest{Table: table, Encounter: fight, Epoch: epoch, Branch: branch}))
}

func (n *node) tapes(t testing.TB) []*dicev1.Tape {
	t.Helper()
	return ok[*dicev1.ListTapesResponse](t)(n.ListTapes(t.Context(), &dicev1.ListTapesRequest{Table: table, Encounter: fight, Limit: 1000})).GetTapes()
}

// derive computes n faces of a die from a seed, as anybody can.
func derive(t testing.TB, seed []byte, entropy []tape.Contribution, purpose tape.Purpose, a tape.Address, sides, n int) []int32 {
	t.Helper()
	key, err := tape.TapeKey(tape.Seed(seed), entropy)
	if err != nil {
		t.Fatal(err)
	}
	tp, err := tape.Open(key, purpose, a)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]int32, n)
	for i := range out {
		f, err := tp.Face(sides)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = int32(f)
	}
	return out
}

func refused(t testing.TB, err error, code codes.Code, reason string) *fault.Fault {
	t.Helper()
	f, isFault := fault.As(err)
	if !isFault || status.Code(err) != code || f.Reason != reason {
		t.Fatalf("got %v (%v), want %s %s", err, status.Code(err), code, reason)
	}
	return f
}

// eventually waits for a condition that other goroutines bring about.
func eventually(t testing.TB, what string, cond func() bool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !cond() {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}
