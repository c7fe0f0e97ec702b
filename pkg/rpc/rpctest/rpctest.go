package rpctest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/rpc"
)

// direct tells how Dial connects.
var direct bool

// Direct tells whether Dial calls handlers directly.
func Direct() bool { return direct }

// Main runs the tests of a package twice: over gRPC, then with handlers called
// directly; benchmarks and fuzzing run once, as services of one process do, directly.
// It returns the exit code.
func Main(m *testing.M) int {
	flag.Parse()
	once := false
	for _, name := range []string{"test.bench", "test.fuzz"} {
		once = once || flag.Lookup(name).Value.String() != ""
	}
	if !once {
		if code := m.Run(); code != 0 {
			fmt.Fprintln(os.Stderr, "failed over gRPC")
			return code
		}
	}
	direct = true
	code := m.Run()
	if code != 0 {
		fmt.Fprintln(os.Stderr, "failed with handlers called directly")
	}
	return code
}

// Conn is a connection that its maker closes.
type Conn interface {
	grpc.ClientConnInterface
	Close() error
}

// Dial connects to the server of a pipe, by the way that Main runs.
func Dial(p *rpc.InProcess) (Conn, error) {
	if direct {
		return p.Direct(nil)
	}
	return p.Dial()
}

// held is a message with the bytes that it had.
type held struct {
	what string
	m    proto.Message
	data []byte
}

// mostHeld bounds what a Witness keeps.
const mostHeld = 4096

// Witness is an interceptor for servers that hold messages in common with their
// callers. While a handler runs it reads the request as well, so that the race detector
// sees whoever writes into it; afterwards it looks whether the bytes are as before, and
// at the end of the test whether those of replies still are.
type Witness struct {
	t  testing.TB
	mu sync.Mutex
	// replies as they were given.
	replies []held
}

// NewWitness makes one, which looks at the end of the test.
func NewWitness(t testing.TB) *Witness {
	w := &Witness{t: t}
	t.Cleanup(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, h := range w.replies {
			w.same(h)
		}
	})
	return w
}

// Unary implements grpc.UnaryServerInterceptor.
func (w *Witness) Unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	m, ok := req.(proto.Message)
	if !ok {
		return next(ctx, req)
	}
	before := held{info.FullMethod + ": request", m, bytesOf(m)}
	read := make(chan struct{})
	go func() { // ends when the message was read, which nothing holds up
		defer close(read)
		bytesOf(m)
	}()
	reply, err := next(ctx, req)
	<-read
	w.same(before)
	if out, ok := reply.(proto.Message); ok && err == nil {
		w.mu.Lock()
		if len(w.replies) < mostHeld {
			w.replies = append(w.replies, held{info.FullMethod + ": reply", out, bytesOf(out)})
		}
		w.mu.Unlock()
	}
	return reply, err
}

func (w *Witness) same(h held) {
	if now := bytesOf(h.m); !bytes.Equal(now, h.data) {
		w.t.Errorf("%s was written to: %d bytes became %d", h.what, len(h.data), len(now))
	}
}

func bytesOf(m proto.Message) []byte {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return []byte(err.Error())
	}
	return data
}
